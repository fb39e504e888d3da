"""The masked-LM head as a schematic: from the vector at a blank to a probability for every token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import to_array
from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class MaskedLMHead:
    """What the head computes at one blank.

    tokens: the text, one of them [MASK]. vectors: by station, "hidden state", "dense", "GELU" and
    "layer norm", the vector at the blank, each [D]. guesses: by token, logit and probability, the best
    first, at most four. vocabulary: how many tokens are scored.
    """

    tokens: Sequence[str]
    vectors: Mapping[str, Any]
    guesses: Mapping[str, tuple[float, float]]
    vocabulary: int

    def __post_init__(self) -> None:
        sizes = {name: len(to_array(vector, repr(name), "D")) for name, vector in self.vectors.items()}
        if list(sizes) != STATIONS or len(set(sizes.values())) != 1:
            raise ValueError(f"The vectors should be {', '.join(STATIONS)}, of one length; they are {sizes}.")
        if not 1 <= len(self.guesses) <= 4:
            raise ValueError(f"There are {len(self.guesses)} guesses; the picture has room for one to four.")

    @property
    def size(self) -> int:
        """The hidden size, D."""
        return len(self.vectors["hidden state"])

    def begin(self, station: str) -> str:
        """The first two numbers of a vector."""
        first, second = (round(float(number), 2) + 0.0 for number in self.vectors[station][:2])  # no −0.00
        return f"{first:.2f}  {second:.2f}  …".replace("-", "−")


STATIONS = ["hidden state", "dense", "GELU", "layer norm"]
COLUMNS = (0.15, 1.2, 2.05)  # of the guesses, in inches from the left


def draw_masked_lm_head(head: MaskedLMHead, title: str | None = None) -> tuple["Figure", str]:
    """Draw the way of one blank through the encoder and the masked-LM head, with its numbers."""
    page = Schematic(9.6, 4.1 if title else 3.8)
    if title:
        page.text(0.15, 3.88, title, ha="left", fontsize=13, weight="bold")
    shape = f"[{head.size}]"
    text = page.box(0.1, 2.62, 2.75, 0.66, "the tokens", " ".join(head.tokens))
    table = page.box(3.1, 2.62, 1.9, 0.66, "word embeddings E", f"[{head.vocabulary:,}, {head.size}]", "tint")
    encoder = page.box(5.6, 2.62, 1.8, 0.66, "encoder", "both sides mix")
    hidden = page.box(8.0, 2.62, 1.4, 0.66, "hidden state", head.begin("hidden state"))
    for left, right in ((text, table), (table, encoder), (encoder, hidden)):
        page.arrow(left.east, right.west)

    # The head runs from right to left, so that its ends stand under the hidden state and under E.
    page.frame(3.0, 0.12, 6.5, 1.6, "")
    page.text(6.2, 1.52, "the masked-LM head, from right to left", color=QUIET)
    dense, gelu, norm = (
        page.box(left, 0.6, 1.3, 0.7, name, head.begin(name))
        for left, name in zip((8.05, 6.55, 5.05), STATIONS[1:], strict=True)
    )
    decoder = page.box(3.3, 0.6, 1.5, 0.7, "decoder", "E t + bias", "lit")
    for right, left in pairwise((dense, gelu, norm, decoder)):
        page.arrow(right.west, left.east)
    for box, size in ((dense, shape), (gelu, shape), (norm, f"t {shape}")):
        page.text(box.below[0], 0.42, size, fontsize=10)
    page.text(decoder.below[0], 0.42, f"logits [{head.vocabulary:,}]", fontsize=10)
    page.arrow(hidden.below, dense.top)
    page.text(8.55, 2.17, f"the vector at [MASK], {shape}", ha="right", fontsize=10)
    page.arrow(table.below, decoder.top)
    page.text(4.2, 2.17, "the same tensor E", ha="left", color=LIT, fontsize=10, weight="bold")

    page.arrow(decoder.west, (2.75, decoder.west[1]))
    for x, name in zip(COLUMNS, ("guess", "softmax", "logit"), strict=True):
        page.text(x, 1.65, name, ha="left", fontsize=10)
    for row, (token, (logit, probability)) in enumerate(head.guesses.items()):
        cells = (token, f"{probability:.0%}", f"{logit:.1f}")
        for x, words in zip(COLUMNS, cells, strict=True):
            page.text(x, 1.35 - 0.3 * row, words, ha="left", weight="bold" if row == 0 else "normal")
    ways = ", ".join(f"after {name} {head.begin(name)}" for name in STATIONS[1:])
    description = ", ".join(
        f"{token} with logit {logit:.1f} and probability {probability:.0%}"
        for token, (logit, probability) in head.guesses.items()
    )
    alt = (
        f"The tokens {' '.join(head.tokens)} are looked up in the word embeddings E, {head.vocabulary:,} by"
        f" {head.size}, and pass the encoder. The hidden state at [MASK], {head.size} numbers that begin"
        f" {head.begin('hidden state')}, passes the masked-LM head: {ways}. The decoder multiplies"
        f" E, the same tensor, by this vector and adds a bias, which gives {head.vocabulary:,} logits."
        f" Softmax makes probabilities of them: {description}."
    )
    return page.figure, alt
