"""The masked-LM head as a schematic: from the vector at a blank to a probability for every token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .arrays import to_array
from .schematic import Schematic
from .style import LIT, QUIET

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


def draw_masked_lm_head(head: MaskedLMHead, title: str | None = None) -> "Figure":
    """Draw the way of one blank through the encoder and the masked-LM head, with its numbers."""
    page = Schematic(9.6, 4.1 if title else 3.8)
    if title:
        page.text(0.15, 3.88, title, ha="left", fontsize=13, weight="bold")
    shape = f"[{head.size}]"
    text = page.box(0.15, 2.62, 2.9, 0.66, "the tokens", " ".join(head.tokens))
    table = page.box(
        3.35, 2.62, 2.1, 0.66, "word embeddings E", f"[{head.vocabulary:,}, {head.size}]", "tint"
    )
    encoder = page.box(5.75, 2.62, 1.35, 0.66, "encoder", "both sides mix")
    hidden = page.box(7.5, 2.62, 1.95, 0.66, "hidden state", head.begin("hidden state"))
    page.text(8.47, 3.42, f"at [MASK], {shape}", color=QUIET, fontsize=10)
    for left, right in ((text, table), (table, encoder), (encoder, hidden)):
        page.arrow(left.east, right.west)

    page.frame(0.1, 0.12, 7.1, 1.58, "")
    page.text(1.2, 1.5, "the masked-LM head", ha="left", color=QUIET)
    stations = {
        "dense": page.box(0.25, 0.6, 1.42, 0.7, "dense", head.begin("dense")),
        "GELU": page.box(1.95, 0.6, 1.42, 0.7, "GELU", head.begin("GELU")),
        "layer norm": page.box(3.65, 0.6, 1.42, 0.7, "layer norm", head.begin("layer norm")),
    }
    decoder = page.box(5.4, 0.6, 1.65, 0.7, "decoder", "· Eᵀ + bias", "lit")
    boxes = [*stations.values(), decoder]
    for left, right in pairwise(boxes):
        page.arrow(left.east, right.west)
    for box in stations.values():
        page.text(box.below[0], 0.42, shape, color=QUIET, fontsize=10)
    page.text(decoder.below[0], 0.42, f"logits [{head.vocabulary:,}]", color=QUIET, fontsize=10)

    start = stations["dense"].top[0]
    page.arrow(hidden.below, (hidden.below[0], 2.3), (start, 2.3), stations["dense"].top)
    page.arrow(table.below, (table.below[0], 2.02), (decoder.top[0], 2.02), decoder.top)
    page.text(5.3, 1.88, "the same tensor E", color=LIT, fontsize=10, weight="bold")

    page.text(7.42, 1.62, "logit      softmax", ha="left", color=QUIET, fontsize=10)
    for row, (token, (logit, probability)) in enumerate(head.guesses.items()):
        y = 1.35 - 0.3 * row
        page.text(7.42, y, f"{logit:.1f}", ha="left", fontsize=10.5)
        page.text(8.02, y, f"{probability:.0%}", ha="left", fontsize=10.5)
        page.text(8.55, y, token, ha="left", weight="bold" if row == 0 else "normal")
    page.arrow(decoder.east, (7.36, decoder.east[1]))
    return page.figure


def describe_masked_lm_head(head: MaskedLMHead) -> str:
    """Say in words what `draw_masked_lm_head` shows."""
    ways = ", ".join(f"after {name} {head.begin(name)}" for name in STATIONS[1:])
    said = ", ".join(
        f"{token} with logit {logit:.1f} and probability {probability:.0%}"
        for token, (logit, probability) in head.guesses.items()
    )
    return (
        f"The tokens {' '.join(head.tokens)} are looked up in the word embeddings E, {head.vocabulary:,} by"
        f" {head.size}, and pass the encoder. The hidden state at [MASK], {head.size} numbers that begin"
        f" {head.begin('hidden state')}, passes the masked-LM head: {ways}. The decoder multiplies by"
        f" E transposed, the same tensor, and adds a bias, which gives {head.vocabulary:,} logits. Softmax"
        f" makes probabilities of them: {said}."
    )
