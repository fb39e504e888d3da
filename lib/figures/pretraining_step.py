"""One step of pretraining as a picture: what is made of a batch, and what comes back to the weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class StepNumbers:
    """What one step of pretraining read, said and changed.

    tokens: those of one sentence; reads: the same after the corruption. sentences, places, hidden: how many
    the whole batch has. scores: at each place one for each token of the vocabulary. loss and
    loss_after: nats on this batch before and after the update. norm: of the gradient, before it is clipped.
    parameters: how many numbers the model has. rate: the learning rate.
    """

    tokens: Sequence[str]
    reads: Sequence[str]
    sentences: int
    places: int
    hidden: int
    scores: int
    loss: float
    norm: float
    parameters: int
    rate: float
    loss_after: float


def draw_pretraining_step(numbers: StepNumbers) -> "Figure":
    """Draw the way of a batch through a training step, forward above and backward below."""
    page = Schematic(9.6, 3.6)
    page.text(4.8, 3.43, "One step: forward along the top, back along the bottom", weight="bold", fontsize=12)
    width, height, top, bottom = 1.98, 0.9, 1.78, 0.15
    lefts = [0.15, 2.56, 4.97, 7.38]
    above = [
        page.box(left, top, width, height, label, detail, look)
        for left, label, detail, look in zip(
            lefts,
            ("1 batch", "2 corrupt", "3 forward", "4 loss"),
            (
                f"{numbers.sentences} sentences,\n{numbers.places} places",
                f"{numbers.hidden} places\nare asked for",
                f"{numbers.scores:,} scores for each\nof the {numbers.places} places",
                f"mean of −ln p(truth)\nover the {numbers.hidden}: {numbers.loss:.2f} nats",
            ),
            ("plain", "plain", "tint", "lit"),
            strict=True,
        )
    ]
    below = [
        page.box(left, bottom, width, height, label, detail, look)
        for left, label, detail, look in zip(
            lefts[::-1][:3],
            ("5 backward", "6 clip", "7 update"),
            (
                f"{numbers.parameters:,} gradients,\nnorm {numbers.norm:.2f}",
                "norm at most 1:\n" + (f"times {1 / numbers.norm:.2f}" if numbers.norm > 1 else "unchanged"),
                f"rate {numbers.rate:.2g}; the same\nbatch: {numbers.loss_after:.2f} nats",
            ),
            ("lit", "plain", "tint"),
            strict=True,
        )
    ]
    for row in (above, below):
        for one, other in pairwise(row):
            page.arrow(*((one.east, other.west) if row is above else (one.west, other.east)))
    page.arrow(above[-1].below, below[0].top)
    turn = (top + bottom + height) / 2
    page.arrow(below[-1].top, (below[-1].top[0], turn), (above[2].below[0], turn), above[2].below)
    page.text(
        (below[-1].top[0] + above[2].below[0]) / 2, turn + 0.11, "new weights", fontsize=10, color=QUIET
    )
    page.text(0.15, 3.1, f"one sentence:  {' '.join(numbers.tokens)}", ha="left", fontsize=10, color=QUIET)
    page.text(0.15, 2.88, f"it is read as:  {' '.join(numbers.reads)}", ha="left", fontsize=10, color=LIT)
    page.text(1.14, 0.6, "empty the\ngradients,\nnext batch", fontsize=10, color=QUIET)
    page.arrow(below[-1].west, (1.75, below[-1].west[1]))
    page.arrow((1.14, 0.98), above[0].below)
    return page.figure


def describe_pretraining_step(numbers: StepNumbers) -> str:
    """Say in words what `draw_pretraining_step` shows, with its numbers."""
    clipped = f"times {1 / numbers.norm:.2f}" if numbers.norm > 1 else "left as it is"
    return (
        f"A training step in seven boxes. 1 batch: {numbers.sentences} sentences, {numbers.places} places."
        f" One sentence is: {' '.join(numbers.tokens)}. 2 corrupt: {numbers.hidden} places are asked for."
        f" The sentence is read as: {' '.join(numbers.reads)}. 3 forward: {numbers.scores:,} scores for each"
        f" of the {numbers.places} places. 4 loss: the mean of minus ln p(truth) over the {numbers.hidden},"
        f" {numbers.loss:.2f} nats. 5 backward:"
        f" {numbers.parameters:,} gradients, of norm {numbers.norm:.2f}. 6 clip to a norm of at most 1:"
        f" {clipped}. 7 update at the rate {numbers.rate:.2g}: on the same batch the loss is then"
        f" {numbers.loss_after:.2f} nats. The gradients are emptied, and the next batch comes."
    )
