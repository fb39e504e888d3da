"""A schematic of fine-tuning: one text through BERT and a new head to the loss, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import check_tokens, to_array
from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LABELS = 4
HEIGHT = 0.62  # of a box


@dataclass(frozen=True)
class ForwardToLoss:
    """One text on its way through a model that classifies.

    text: as it is read. labels [C]: the classes. logits and probabilities [C]: one of each for a class.
    right: the place of the true class. loss: in nats. pretrained and new: how many weights the checkpoint
    brings, and how many start at random.
    """

    text: str
    labels: Sequence[str]
    logits: Any
    probabilities: Any
    right: int
    loss: float
    pretrained: int
    new: int

    def __post_init__(self) -> None:
        if not 2 <= len(self.labels) <= MOST_LABELS or not 0 <= self.right < len(self.labels):
            raise ValueError(f"Give two to {MOST_LABELS} labels, of which `right` is the place of one.")
        for name in ("logits", "probabilities"):
            check_tokens(self.labels, len(to_array(getattr(self, name), name, "C")), name)


def draw_fine_tuning(run: ForwardToLoss) -> tuple["Figure", str]:
    """Draw text, BERT, head, probabilities and loss from left to right, and the gradients' way below."""
    page = Schematic(10.4, 3.7)
    page.text(
        0.15, 3.42, f"One gradient trains {run.new:,} new weights and {run.pretrained:,} pretrained ones",
        ha="left", weight="bold", fontsize=13,
    )  # fmt: skip
    middle = 1.85
    text = page.box(0.15, middle, 1.6, HEIGHT, "tokens", "[CLS] ... [SEP]")
    bert = page.box(2.1, middle - 0.25, 1.7, HEIGHT + 0.5, "BERT", "pretrained", "tint")
    head = page.box(5.3, middle, 1.35, HEIGHT, "new head", "from random", "lit")
    loss = page.box(9.05, middle, 1.2, HEIGHT, "loss", f"{run.loss:.2f} nats", "lit")
    page.text(0.15, 2.95, f"“{run.text}”", ha="left", style="italic")
    page.arrow(text.east, bert.west)
    page.arrow(bert.east, head.west)
    page.text(4.55, middle + HEIGHT / 2 + 0.2, "vector of [CLS]", fontsize=10)
    step = 0.78
    top = middle + HEIGHT / 2 + step * (len(run.labels) - 1) / 2
    for place, label in enumerate(run.labels):
        logit, share = float(run.logits[place]), float(run.probabilities[place])
        bottom = top - step * place - HEIGHT / 2
        box = page.box(
            7.0, bottom, 1.7, HEIGHT, f"{label} (true)" if place == run.right else label,
            f"logit {_signed(logit)}, p {share:.2f}",
            "tint" if place == run.right else "plain",
        )  # fmt: skip
        page.arrow(head.east, box.west)
        page.arrow(box.east, loss.west)  # softmax divides by the sum, so every logit enters the loss
    low = 0.55
    page.arrow(loss.below, (loss.below[0], low), (bert.below[0], low), bert.below)
    page.arrow((head.below[0], low), head.below)
    page.text(
        (bert.below[0] + loss.below[0]) / 2, low - 0.2,
        "backward: every weight gets its gradient, in the head and in BERT", fontsize=10,
    )  # fmt: skip
    classes = "; ".join(
        f"{label}: logit {_signed(float(logit))}, probability {float(share):.2f}"
        for label, logit, share in zip(run.labels, run.logits, run.probabilities, strict=True)
    )
    alt = (
        f"From left to right: the text “{run.text}” as tokens goes through BERT, {run.pretrained:,}"
        f" pretrained weights; the vector of [CLS] goes into a new head of {run.new:,} random weights."
        f" Its classes: {classes}. True is {run.labels[run.right]}, so the loss is {run.loss:.2f} nats."
        " Below, the way back: every weight gets its gradient, in the head and in BERT."
    )
    return page.figure, alt


def _signed(number: float) -> str:
    """A number with two digits and the minus of print."""
    return f"{number:.2f}".replace("-", "−")
