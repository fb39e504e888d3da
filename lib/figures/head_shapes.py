"""The shapes of head as a schematic: what each reads of the encoder, its weights, its logits, its loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 6
ROW = 0.62  # inches


@dataclass(frozen=True)
class HeadShape:
    """A head on BERT. weights and logits are shapes; labels and loss are what one small batch gave.

    name: the task, such as "tags". reads: "[CLS]" or "every token". over: what its softmax runs over, or
    another loss in words. loss: that of the new head, before any training, in nats where it has a softmax.
    """

    name: str
    reads: str
    weights: Sequence[int]
    logits: Sequence[int]
    over: str
    loss: float


def draw_head_shapes(heads: Sequence[HeadShape], title: str) -> "Figure":
    """Draw a row for each head: its task, what it reads, its matrix, its logits and its loss."""
    if not 1 <= len(heads) <= MOST:
        raise ValueError(f"There are {len(heads)} heads; the picture has room for 1 to {MOST}.")
    height = ROW * len(heads) + 0.95
    page = Schematic(9.6, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    head_line = height - 0.62
    columns = ((1.5, "reads"), (3.55, "one matrix"), (5.6, "logits"), (8.0, "loss of a new head"))
    for x, name in columns:
        page.text(x, head_line, name, color=QUIET)
    for number, head in enumerate(heads):
        bottom = height - 0.82 - ROW * (number + 1) + 0.1
        middle = bottom + 0.24
        page.text(0.15, middle, head.name, ha="left", weight="bold")
        reads = page.box(
            0.85, bottom, 1.4, 0.48, head.reads, look="tint" if "every" in head.reads else "plain"
        )
        matrix = page.box(2.85, bottom, 1.4, 0.48, _shape(head.weights), look="lit")
        logits = page.box(4.85, bottom, 1.5, 0.48, _shape(head.logits))
        loss = page.box(6.95, bottom, 2.5, 0.48, f"{head.loss:.2f}", head.over, look="quiet")
        for left, right in ((reads, matrix), (matrix, logits), (logits, loss)):
            page.arrow(left.east, right.west)
    return page.figure


def describe_head_shapes(heads: Sequence[HeadShape]) -> str:
    """Say in words what `draw_head_shapes` shows."""
    return " ".join(
        f"{head.name}: reads {head.reads}, a matrix of {_shape(head.weights)} gives logits of"
        f" {_shape(head.logits)}; loss of the new head, {head.over}: {head.loss:.2f}."
        for head in heads
    )


def _shape(sizes: Sequence[int]) -> str:
    return f"[{', '.join(map(str, sizes))}]"
