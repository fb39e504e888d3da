"""The drawings of notebook 14: one text through BERT to the loss, the rate's peak, and what a test says.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_peaks(...))`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chapters.nb14 import misread
from lib.figures.arrays import check_tokens, to_array
from lib.figures.charts import draw_bars
from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT, QUIET, SERIES, TINT, canvas, style
from lib.text.tasks import TextExample, own

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


def draw_one_text(
    model: Any, text: str, labels: Sequence[str], logits: Any, probabilities: Any, right: int, loss: Any
) -> tuple["Figure", str]:
    """The same of a model that classifies: its weights are counted here."""
    weights = {name: weight.numel() for name, weight in model.named_parameters()}
    new = sum(weights[name] for name in model.newly_initialized)
    rest = sum(weights.values()) - new
    z, p = to_array(logits, "logits", "C"), to_array(probabilities, "probabilities", "C")
    return draw_fine_tuning(ForwardToLoss(text, labels, z, p, right, float(loss), rest, new))


def draw_peaks(
    peaks: Sequence[float], shares: Sequence[Sequence[float]], own_peak: float, own_share: float, words: float
) -> tuple["Figure", str]:
    """What some peaks of the learning rate reach on the development rows, and where the reader's run lies.

    shares: for each peak a share of right rows for each seed. words: the share of a count of words.
    """
    means = [100 * sum(seeds) / len(seeds) for seeds in shares]
    with style():
        figure = canvas(8.0, 3.9, "The peak of the learning rate, and right development rows")
        axes = figure.subplots()
        axes.axvspan(2e-5, 5e-5, color=TINT, linewidth=0)
        axes.text(3.16e-5, 97, "the range in\nBERT's paper", ha="center", va="top", fontsize=10)
        axes.axhline(100 * words, color=QUIET, linewidth=1.3, linestyle=(0, (4, 3)))
        axes.text(2.4e-3, 100 * words + 1.5, f"counting words {100 * words:.0f}", ha="right", fontsize=10)
        axes.plot(peaks, means, color=LIT, marker="_", markersize=14)
        for peak, seeds in zip(peaks, shares, strict=True):
            axes.plot([peak] * len(seeds), [100 * seed for seed in seeds], "o", color=SERIES[2], markersize=5)
        axes.plot([own_peak], [100 * own_share], "*", color=INK, markersize=17)
        axes.annotate(
            f"your run {100 * own_share:.0f}", (own_peak, 100 * own_share), (0, 13), ha="center",
            textcoords="offset points", fontweight="bold",
        )  # fmt: skip
        axes.set(xscale="log", xlim=(1.5e-5, 2.5e-3), ylim=(0, 100))
        axes.set_xticks(list(peaks), [f"{peak:.5f}".rstrip("0") for peak in peaks], rotation=0)
        axes.minorticks_off()
        axes.set(xlabel="peak (blue dot: one seed; line: mean of three)", ylabel="right of 180 rows, %")
        axes.grid(axis="y")
    told = "; ".join(f"{peak:g}: {mean:.1f}" for peak, mean in zip(peaks, means, strict=True))
    alt = (
        "Right of 180 development rows in percent, by the peak of the learning rate, means of three seeds:"
        f" {told}. Your run, with {own_peak:g}: {100 * own_share:.1f}. Counting words: {100 * words:.1f}."
        " BERT's paper uses 2e-05 to 5e-05."
    )
    return figure, alt


def draw_test(shares: Mapping[str, float]) -> tuple["Figure", str]:
    """The share of right test headlines of each way, beside a guess."""
    percent = [100 * share for share in shares.values()]
    figure = draw_bars(
        [*shares], percent, "right of 720 new headlines, %", "The test, read once", digits=1, xlim=(0, 100),
        baseline=("a guess", 100 / 9),
    )  # fmt: skip
    told = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    return figure, f"Share of right test headlines: {told}. A guess gets {1 / 9:.1%}."


def sorted_table(
    names: Sequence[str], texts: Sequence[str], labels: Any, found: Mapping[str, Any]
) -> dict[str, list[str]]:
    """New texts, the class of each, and what each way says."""
    table = {"new sentence": [*texts], "class": [names[label] for label in np.asarray(labels)]}
    return table | {way: [names[guess] for guess in np.asarray(guesses)] for way, guesses in found.items()}


def ten_reviews(reviews: Sequence[TextExample], guesses: Sequence[int]) -> dict[str, list[Any]]:
    """Ten hard reviews by their numbers, what the writer means, and what the model says."""
    places = misread.places(reviews)
    return {
        "": [*range(len(places))],
        "review": [reviews[place].first for place in places],
        "writer": [own.SENTIMENTS[int(reviews[place].label or 0)] for place in places],
        "our MiniLM": [own.SENTIMENTS[guesses[place]] for place in places],
    }


def _signed(number: float) -> str:
    """A number with two digits and the minus of print."""
    return f"{number:.2f}".replace("-", "−")


def graded(found: Mapping[str, Sequence[float]]) -> dict[str, list[Any]]:
    """The correlation of each way: its mean, and from where to where its seeds reach."""
    ranges = [f"{min(seeds):.2f} to {max(seeds):.2f}" if len(seeds) > 1 else "" for seeds in found.values()]
    means = [sum(seeds) / len(seeds) for seeds in found.values()]
    return {"way": [*found], "Pearson": means, "five seeds": ranges}
