"""The live view of attention, and the browser that draws it."""

import re
from html import unescape

import pytest
import transformers
from browser import chromium, watch
from drawing import TOKENS, Tags, outputs_of_a_cell, weights, words

from lib import figures
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.alterations import prune_heads

TOKENIZER = WordPieceTokenizer.from_pretrained("pocket")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    return outputs_of_a_cell(monkeypatch)


def page_of(html: str) -> str:
    [(tag, attributes)] = Tags(html).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["title"]
    page = attributes["srcdoc"]
    assert page is not None
    return page


@pytest.mark.parametrize("view", ["head", "model"])
def test_the_live_view_needs_no_network(view):
    page = page_of(figures.attention_html([weights(1, 2, 7, 7)] * 3, TOKENS, view))
    for tag, attributes in Tags(page).tags:
        assert not {"src", "href", "data"} & set(attributes), tag
    assert "PYTHON_PARAMS" not in page
    assert page.count('"left_text"') == 1  # bertviz writes its data twice
    assert page.lower().count("</script") == (7 if view == "head" else 6)


def test_the_live_view_is_small_and_the_same_each_time():
    attentions = [weights(1, 12, 16, 16) for _ in range(6)]
    html = figures.attention_html(attentions, words(16))
    assert len(html) < 400_000 + 12 * 6 * 12 * 16 * 16
    assert html == figures.attention_html(attentions, words(16))
    assert not re.search(r"0\.\d{4,}", html.rsplit("const params", 1)[1].split(";", 1)[0])


def test_tokens_cannot_break_out_of_the_live_view():
    mean = ["</script><b>", "; // HACK: PYTHON_PARAMS", '"', "<!--", "&quot;", "日本", "\\"]
    page = page_of(figures.attention_html([weights(1, 2, 7, 7)], mean))
    assert [tag for tag, _ in Tags(page).tags].count("b") == 0
    assert page.lower().count("</script") == 7
    assert page.count('"left_text"') == 1
    assert "<!--" not in page.split("const params", 1)[1]


def test_layers_and_heads_of_the_live_view_keep_their_numbers():
    attentions = [weights(1, 12, 7, 7) for _ in range(6)]
    page = page_of(figures.attention_html(attentions, TOKENS, "model", layers=[4, 5], heads=[11]))
    assert '"include_layers": [4, 5]' in page and '"include_heads": [11]' in page
    assert '"total_heads": 12' in page
    page = page_of(figures.attention_html(attentions, TOKENS, layers=[4], heads=[3]))
    assert '"include_layers": [4]' in page and '"heads": [3]' in page
    page = page_of(figures.attention_html(attentions, TOKENS, layers=[0], second_text_at=3))
    assert page.count('"left_text"') == 5


def test_too_much_for_a_browser_is_refused_with_a_way_out():
    attentions = [weights(1, 12, 33, 33) for _ in range(6)]
    with pytest.raises(ValueError, match=r"78,408 weights.*layers=\[0\].*shorter"):
        figures.attention_html(attentions, words(33))
    assert figures.attention_html(attentions, words(33), layers=[0, 5])
    assert figures.attention_html(attentions, words(33), "model", heads=[0])
    with pytest.raises(ValueError, match="52,272 weights"):
        figures.attention_html(attentions, words(33), layers=[0, 5], second_text_at=9)
    with pytest.raises(ValueError, match="'head' or 'model'"):
        figures.attention_html(attentions, words(33), "neuron")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="second_text_at=33"):
        figures.attention_html(attentions, words(33), layers=[0], second_text_at=33)


@pytest.fixture
def browser_page():
    """A page of a real browser that can reach nothing, and the errors it meets."""
    with chromium([]) as browser:
        page = browser.new_page(viewport={"width": 700, "height": 900}, offline=True)
        errors = watch(page)
        page.on("request", lambda request: errors.append(request.url))
        yield page
        assert [error for error in errors if not error.startswith("data:image/png")] == []


def test_a_browser_draws_live_views_and_names_the_picture(browser_page, shown):
    figures.show(figures.draw_map("attention"), "The map, attention lit.")
    views = {
        "head": figures.attention_html([weights(1, 12, 7, 7)] * 2, TOKENS, "head"),
        "model": figures.attention_html([weights(1, 3, 7, 7)] * 2, TOKENS, "model"),
    }
    picture = shown[0]._repr_mimebundle_()[0]["text/html"]
    browser_page.set_content(picture + "".join(views.values()))
    assert browser_page.get_by_role("img", name="The map, attention lit.").is_visible()

    frames = dict(zip(views, browser_page.frames[1:], strict=True))
    lines = {view: frame.locator("line").count() for view, frame in frames.items()}
    assert lines == {"head": 12 * 7 * 7, "model": 2 * 3 * 7 * 7}
    fits = "document.documentElement.scrollWidth <= window.innerWidth"
    assert all(frame.evaluate(fits) for frame in frames.values())
    frames["head"].locator("#layer").select_option("1")
    visible = frames["head"].locator("#attention line[visibility=visible]")
    assert visible.count() == 0
    frames["head"].locator("#left text").nth(4).hover(force=True)
    assert visible.count() == 12 * 7

    def colors() -> int:
        seen = (
            "lines => new Set(lines.filter(line => +line.getAttribute('stroke-opacity'))"
            ".map(line => line.getAttribute('stroke'))).size"
        )
        return frames["head"].locator("#attention line").evaluate_all(seen)

    eleven = frames["head"].get_by_role("button", name="11", exact=True)
    assert colors() == 12
    eleven.click()
    assert colors() == 1
    eleven.click()
    assert colors() == 12
    assert frames["head"].evaluate("document.documentElement.scrollHeight <= window.innerHeight")


def tiny_bert(layers: int) -> BertModel:
    return BertModel(BertConfig(hidden_size=24, num_hidden_layers=layers, num_attention_heads=4)).eval()


def test_attention_is_shown_still_first_and_then_live(shown, capfd):
    figures.show_attention(tiny_bert(2), TOKENIZER, "i love", "this class", view="model")
    still, alive = shown
    assert "2 layers with 4 heads on the 7 tokens [CLS] i love [SEP] this class [SEP]" in still.alt
    bundle, metadata = alive._repr_mimebundle_()
    assert metadata == {"course": {"live": True}}
    assert bundle["text/plain"] == "Run this cell for the live view." == repr(alive)
    assert "Sentence A -> Sentence B" in unescape(bundle["text/html"])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("view", ["head", "model"])
@pytest.mark.parametrize("layers", [[0], [1], [2, 1], [0, 3]])
def test_a_model_that_lost_heads_is_shown_layer_by_layer(shown, view, layers):
    model = tiny_bert(4)
    for layer in (0, 3):
        prune_heads(model, f"encoder.layer.{layer}.attention", heads=[1, 2])
    figures.show_attention(model, TOKENIZER, "i love it", view=view, layers=layers)
    still, live = shown
    count = f"{len(layers)} layer{'s' * (len(layers) > 1)} with {4 if 1 in layers else 2} heads"
    assert count in still.alt and f'"include_layers": {layers}' in unescape(live.html)
    with pytest.raises(ValueError, match=r"have 2, 4, 4, 2 heads; choose .* layers=\[0, 3\]"):
        figures.show_attention(model, TOKENIZER, "i love it")
    with pytest.raises(ValueError, match=r"heads=\[3\] .* from 0 to 1"):
        figures.show_attention(model, TOKENIZER, "i love it", layers=[0], heads=[3])
    assert len(shown) == 2


def test_the_head_of_a_layer_that_lost_some_is_shown_alone(shown):
    model = tiny_bert(2)
    prune_heads(model, "encoder.layer.0.attention", heads=[1, 2])
    figures.show_attention(model, TOKENIZER, "i", "love it", layers=[1], heads=[3])
    assert shown[0].alt.startswith("Layer 1, head 3. A table of attention weights.")


def test_a_tokenizer_or_a_model_of_another_library_gets_a_sentence(shown):
    theirs = transformers.BertTokenizer()
    with pytest.raises(ValueError, match="a BertTokenizer of another library, gives no tensors"):
        figures.show_attention(tiny_bert(1), theirs, "i love")
    sizes = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 4}
    model = transformers.BertModel(transformers.BertConfig(**sizes)).eval()
    with pytest.raises(ValueError, match="attn_implementation='eager'"):
        figures.show_attention(model, TOKENIZER, "i love")
    assert not shown


def test_nothing_is_shown_where_the_live_view_is_refused(shown):
    with pytest.raises(ValueError, match="choose fewer"):
        figures.show_attention(tiny_bert(2), TOKENIZER, "word " * 90)
    with pytest.raises(ValueError, match="training mode"):
        figures.show_attention(tiny_bert(1).train(), TOKENIZER, "i love")
    assert not shown
