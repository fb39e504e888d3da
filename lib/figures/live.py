"""Live views of attention: bertviz, made to work without a network and without surprises.

As shipped, bertviz loads d3 and jQuery from the internet, and in JupyterLab 4 its script runs before
they arrive. Here its page is put together from installed packages alone and runs inside an iframe of
its own, where it can neither disturb the notebook nor be disturbed by it.
"""

import importlib.resources
import re
from collections.abc import Sequence
from html import escape
from typing import Any, Literal

import numpy as np

from .arrays import Array, check_chosen, check_tokens, to_layers
from .attention import describe_attention, describe_heads, draw_attention, draw_heads
from .display import LIVE, show

LARGEST = 50_000  # weights: a browser draws a line for each
PLACEHOLDER = "Run this cell for the live view."

View = Literal["head", "model"]

ADVICE: dict[View, str] = {
    "head": "Point at a token to see where it looks. Press a number to see that head alone, press it again "
    "for all heads. Click a colored square to switch its head off or on.",
    "model": "Each small picture is one head. Click one to enlarge it; point at a token there.",
}

# bertviz has ten colors, and twelve heads are common; two more that differ from these ten.
MORE_COLORS = "d3.schemeCategory10.push('#1b2733','#f2c14e')"
# A button for each head does what a double-click on its small square does, and says which head it is.
HEAD_BUTTONS = """\
const row = document.createElement('p');
const squares = () => document.querySelectorAll('#vis svg > g:last-child > rect');
squares().forEach((square, head) => {
  const button = document.createElement('button');
  button.textContent = head;
  button.title = `head ${head} alone, or all heads again`;
  button.style.cssText = 'min-width:30px;min-height:30px;margin:0 2px 2px 0;background:#fff;'
    + `border-radius:4px;border:1px solid #66727f;border-bottom:5px solid ${d3.schemeCategory10[head % 12]}`;
  button.onclick = () => squares()[head].dispatchEvent(new MouseEvent('dblclick'));
  row.append(button);
});
document.querySelector('body > p').after(row);
"""

DRAWN_WIDTH: dict[View, int] = {"head": 345, "model": 980}  # CSS pixels, fixed in bertviz


class LiveView:
    """HTML that only a running notebook shows; elsewhere one line says how to get it."""

    def __init__(self, html: str) -> None:
        self.html = html

    def __repr__(self) -> str:
        return PLACEHOLDER

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        return {"text/html": self.html, "text/plain": PLACEHOLDER}, dict(LIVE)


def attention_html(
    attentions: Any,
    tokens: Sequence[str],
    view: View = "head",
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    second_text_at: int | None = None,
) -> str:
    """Return bertviz's head view or model view as one self-contained `<iframe>`.

    `attentions` is what a model returns: L layers `[1, H, T, T]`. `layers` chooses some of them;
    `heads` chooses in the model view what is drawn, in the head view what is switched on at first.
    `second_text_at` is the index of the second text's first token, where there are two. Numbers
    count from 0. More than 50,000 weights raise a ValueError that says how to choose fewer.
    """
    if view not in ADVICE:
        raise ValueError(f"view={view!r} is not known; choose 'head' or 'model'.")
    stack, chosen_layers = to_layers(attentions, layers)  # [L, H, T, T]
    names = check_tokens(tokens, stack.shape[-1], "rows")
    chosen_heads = check_chosen(heads, stack.shape[1], "heads")
    if second_text_at is not None and not 0 < second_text_at < len(names):
        raise ValueError(f"second_text_at={second_text_at} is not inside the {len(names)} tokens.")
    drawn_heads = len(chosen_heads) if view == "model" else stack.shape[1]
    _check_size(len(chosen_layers), drawn_heads, len(names), second_text_at is not None)

    body = _bertviz_body(stack, names, view, chosen_layers, chosen_heads, second_text_at)
    if view == "head":
        body += f"<script>{HEAD_BUTTONS}</script>"
    page = _page(body, ADVICE[view], DRAWN_WIDTH[view])
    height = _height(view, len(chosen_layers), stack.shape[1], len(names))
    title = f"Live {view} view of attention on: {' '.join(names)}"
    return (
        f'<iframe title="{escape(title)}" sandbox="allow-scripts" srcdoc="{escape(page)}" '
        f'style="width:100%;max-width:1010px;height:{height}px;border:0;background:#fff"></iframe>'
    )


def show_attention(
    model: Any,
    tokenizer: Any,
    text: str,
    pair: str | None = None,
    view: View = "head",
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    title: str | None = None,
) -> None:
    """Run a BERT on a text (or a pair) and show its attention: a still picture, then live.

    `model` and `tokenizer` are ours (`BertModel`, `WordPieceTokenizer`). `layers` and `heads` choose
    some, counting from 0; chosen layers have equally many heads, others may have lost some. `title` stands
    on a still picture of several heads. Too many weights for a browser, a model in training mode (dropout
    would change what is seen), or another library's tokenizer raise a ValueError before anything is shown.
    """
    import torch
    from IPython.display import display

    if model.training:
        raise ValueError("The model is in training mode, with dropout; call model.eval() first.")
    inputs = tokenizer(text) if pair is None else tokenizer(text, pair)
    if not isinstance(inputs["input_ids"], torch.Tensor):
        raise ValueError(
            f"The tokenizer, a {type(tokenizer).__name__} of another library, gives no tensors; save it, and "
            "load its folder with WordPieceTokenizer.from_pretrained."
        )
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    second_text_at = int(inputs["token_type_ids"][0].argmax()) if pair is not None else None
    live = attention_html(attentions, tokens, view, layers, heads, second_text_at)

    stack, numbers = to_layers(attentions, layers)  # [L, H, T, T]
    chosen = [(layer, head) for layer in numbers for head in check_chosen(heads, stack.shape[1], "heads")]
    if len(chosen) == 1:
        layer, head = chosen[0]
        weights = stack[0, head]
        still = draw_attention(weights, tokens, f"Layer {layer}, head {head}")
        alt = f"Layer {layer}, head {head}. {describe_attention(weights, tokens)}"
    else:
        still = draw_heads(attentions, tokens, layers, heads, title)
        alt = describe_heads(attentions, tokens, layers, heads)
    show(still, alt)
    display(LiveView(live))


def _check_size(layers: int, heads: int, length: int, two_texts: bool) -> None:
    # With two texts bertviz writes every weight twice: all of them, and in four blocks.
    weights = layers * heads * length**2 * (2 if two_texts else 1)
    if weights > LARGEST:
        raise ValueError(
            f"{layers} layers with {heads} heads on {length} tokens are {weights:,} weights, and a "
            f"browser draws {LARGEST:,}; choose fewer with layers=[0], in the model view also with "
            "heads=[0, 1], or give a shorter text."
        )


def _bertviz_body(
    stack: Array,
    tokens: list[str],
    view: View,
    layers: list[int],
    heads: list[int],
    second_text_at: int | None,
) -> str:
    """Return bertviz's own HTML and script, without its CDN tag and its second copy of the data."""
    import torch
    from bertviz import head_view, model_view

    # Rounded as float64: the nearest float32 of 0.123 is printed with 20 digits.
    rounded = [torch.from_numpy(np.round(layer, 3))[None] for layer in stack]  # L of [1, H, T, T]
    by_number = dict(zip(layers, rounded, strict=True))
    common: dict[str, Any] = {
        # it counts from layer 0; what stands in the place of a layer that was not chosen is not shown
        "attention": [by_number.get(number, rounded[0]) for number in range(max(layers) + 1)],
        "tokens": tokens,
        "sentence_b_start": second_text_at,
        "include_layers": layers,
        "html_action": "return",
    }
    if view == "head":
        html = head_view(heads=heads, **common).data
    else:
        html = model_view(include_heads=heads, display_mode="light", **common).data
    body = re.sub(r'<script src="[^"]*require[^"]*"></script>', "", html)
    # The marker's name in a comment is replaced along with the marker, by all the data once more.
    body, count = re.subn(r"const params = (.*); // HACK: \1 is .*", r"const params = \1;", body)
    if not count:
        raise RuntimeError("bertviz writes its page differently now; install bertviz 1.4.")
    # Its names are random; in a page of its own a fixed one does, and outputs can be compared.
    body = re.sub(r"bertviz-[0-9a-f]{32}", "bertviz", body)
    markup, opening, script = body.partition('<script type="text/javascript">')
    script = script.removesuffix("\n</script>\n")
    return f"{markup}{opening}{_inside_script(script)}</script>"


def _inside_script(code: str) -> str:
    """Keep text in a script, a token perhaps, from ending the script."""
    return re.sub(r"<(/script|!--)", r"<\\\1", code, flags=re.IGNORECASE)


def _page(body: str, advice: str, width: int) -> str:
    jquery = importlib.resources.files("xstatic.pkg.jquery") / "data" / "jquery.min.js"
    d3 = importlib.resources.files("mpld3") / "js" / "d3.v5.min.js"
    scripts = [
        jquery.read_text(encoding="utf-8"),
        d3.read_text(encoding="utf-8"),
        MORE_COLORS,
        # bertviz asks require.js for the two above; this stands in for it.
        "window.require={config(){}};window.requirejs=(names,run)=>run(window.jQuery,window.d3)",
        # A narrow cell shows the whole drawing, smaller.
        "window.onload=window.onresize=()=>{document.documentElement.style.zoom="
        f"Math.min(1,window.innerWidth/{width})}}",
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><style>'
        "body{background:#fff;color:#1b2733;margin:4px;font:14px system-ui,sans-serif}"
        "p{margin:0 0 10px}</style>"
        + "".join(f"<script>{_inside_script(script)}</script>" for script in scripts)
        + f"</head><body><p>{escape(advice)}</p>{body}</body></html>"
    )


def _height(view: View, layers: int, heads: int, length: int) -> int:
    """Return the CSS pixels that bertviz's drawing needs, from the sizes its scripts use."""
    if view == "head":
        return round(30 + 22.5 * length) + 90 + 45 * -(-heads // 12)
    thumbnails = 41 + layers * (10 + length * 7 * 12 / heads)
    enlarged = 55 + 18 * length
    return round(max(thumbnails, enlarged)) + 70
