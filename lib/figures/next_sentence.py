"""The next-sentence head as a schematic: from a pair of texts to the probability that B follows A."""

from typing import TYPE_CHECKING, Any

from .arrays import Array, to_array
from .schematic import Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 3  # numbers of a long vector
MOST_LETTERS = 36  # of a text, in its box
CLASSES = ("B follows A", "another document")  # in the order of BERT's logits


def draw_next_sentence(
    first: str, second: str, layers: int, cls: Any, pooled: Any, logits: Any, probabilities: Any
) -> "Figure":
    """Draw the way of one pair through BERT: tokens, encoder, vector of [CLS], pooler, two logits, softmax.

    `cls` and `pooled` are `[D]`, `logits` and `probabilities` `[2]`. Of a long vector the first three numbers
    are written, of a long text its beginning. Shapes that do not fit raise a ValueError.
    """
    cls, pooled, logits, probabilities = _inputs(cls, pooled, logits, probabilities)
    page = Schematic(9.6, 4.1)
    title = "The next-sentence head reads one vector, that of [CLS], and gives two logits"
    page.text(0.15, 3.85, title, ha="left", fontsize=13, weight="bold")
    tokens = [
        page.box(0.2, 0.5, 0.75, 0.5, "[CLS]", look="lit"),
        page.box(1.05, 0.5, 3.35, 0.5, "text A", _shortened(first)),
        page.box(4.5, 0.5, 0.75, 0.5, "[SEP]"),
        page.box(5.35, 0.5, 3.2, 0.5, "text B", _shortened(second)),
        page.box(8.65, 0.5, 0.75, 0.5, "[SEP]"),
    ]
    for number, (left, right) in enumerate([(tokens[0], tokens[2]), (tokens[3], tokens[4])]):
        _bracket(page, left.left, right.left + right.width, f"token type {number}")
    page.box(0.2, 1.35, 9.2, 0.5, f"encoder, {layers} layers: every token looks at both texts", look="tint")
    for token in tokens:
        page.arrow(token.top, (token.top[0], 1.35))
    vector = page.box(0.2, 2.6, 2.0, 0.66, "vector of [CLS]", _beginning(cls))
    pooler = page.box(2.6, 2.6, 2.0, 0.66, "pooler: dense, tanh", _beginning(pooled))
    dense = page.box(5.0, 2.6, 1.75, 0.66, f"dense, {len(cls)} to 2", _beginning(logits), look="tint")
    page.arrow((0.575, 1.85), (0.575, 2.6))
    page.arrow(vector.east, pooler.west)
    page.arrow(pooler.east, dense.west)
    page.text(7.28, 3.36, "softmax", ha="right", fontsize=10)
    for bottom, name, share in zip((3.0, 2.42), CLASSES, probabilities, strict=True):
        look = "lit" if share == probabilities.max() else "plain"
        answer = page.box(7.4, bottom, 2.0, 0.48, name, f"{share:.3f}", look=look)
        page.arrow(dense.east, answer.west)
    note = "the other vectors are for the masked-word head (notebook 10)"
    page.arrow((2.72, 1.85), (2.72, 2.13))
    page.text(2.9, 2.05, note, ha="left", fontsize=10)
    return page.figure


def describe_next_sentence(
    first: str, second: str, layers: int, cls: Any, pooled: Any, logits: Any, probabilities: Any
) -> str:
    """Say in words what `draw_next_sentence` shows."""
    cls, pooled, logits, probabilities = _inputs(cls, pooled, logits, probabilities)
    answers = ", ".join(f"{name} {share:.3f}" for name, share in zip(CLASSES, probabilities, strict=True))
    return (
        f"Bottom to top: token type 0 for [CLS], text A ({first}) and [SEP]; token type 1 for text B"
        f" ({second}) and [SEP]; an encoder of {layers} layers. Then left to right, from the vector of [CLS]"
        f" alone, {len(cls)} numbers, {_beginning(cls)}: the pooler, a dense layer and tanh, gives"
        f" {_beginning(pooled)}; one more layer gives the two logits {_beginning(logits)}; softmax turns them"
        f" into {answers}."
    )


def _bracket(page: Schematic, left: float, right: float, name: str) -> None:
    """A line under the boxes from `left` to `right`, with its ends turned up, and its name under it."""
    page.axes.plot([left, left, right, right], [0.42, 0.36, 0.36, 0.42], color=QUIET, linewidth=1.2)
    page.text((left + right) / 2, 0.2, name, fontsize=10)


def _inputs(cls: Any, pooled: Any, logits: Any, probabilities: Any) -> tuple[Array, Array, Array, Array]:
    arrays = (
        to_array(cls, "cls", "D"),
        to_array(pooled, "pooled", "D"),
        to_array(logits, "logits", "C"),
        to_array(probabilities, "probabilities", "C"),
    )
    if len(arrays[0]) != len(arrays[1]):
        raise ValueError(
            f"The vector of [CLS] has {len(arrays[0])} numbers and the pooled one {len(arrays[1])}; the"
            " pooler keeps their count."
        )
    if not len(arrays[2]) == len(arrays[3]) == len(CLASSES):
        raise ValueError(f"Give two logits and two probabilities, for {' and '.join(CLASSES)}.")
    return arrays


def _beginning(vector: Array) -> str:
    """The first numbers of a vector, such as `[0.52, −0.11, 0.98, …]`."""
    written = [f"{number:.2f}".replace("-", "−") for number in vector[:SHOWN]]
    return f"[{', '.join([*written, *(['…'] if len(vector) > SHOWN else [])])}]"


def _shortened(text: str) -> str:
    if len(text) <= MOST_LETTERS:
        return text
    return text[:MOST_LETTERS].rsplit(" ", 1)[0] + " …"
