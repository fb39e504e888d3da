"""The drawings of notebook 03: one training step, learning rates, neighbors, and points in a plane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from lib.analysis.vectors import similarity
from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style
from lib.text.vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# Words, or anything with a name, as points in a plane.


def draw_points(
    groups: Mapping[str, tuple[Sequence[str], Any]],
    title: str | None = None,
    links: Sequence[tuple[str, str]] = (),
) -> "Figure":
    """Draw named points, a marker and a color for each group, and a thin line between linked names.

    `groups` maps a label to names and places [N, 2].
    """
    if not 1 <= len(groups) <= len(SERIES):
        raise ValueError(f"There are {len(groups)} groups; between 1 and {len(SERIES)} can be told apart.")
    with style():
        figure = canvas(8.0, 4.6, title)
        plane = figure.subplots()
        place_of: dict[str, Any] = {}
        for number, (label, (names, places)) in enumerate(groups.items()):
            points = to_array(places, repr(label), "N, 2")
            check_tokens(names, len(points), "points")
            plane.scatter(
                points[:, 0], points[:, 1], color=SERIES[number], marker=MARKERS[number], s=36, label=label
            )
            for name, (x, y) in zip(names, points, strict=True):
                plane.annotate(name, (x, y), (5, 4), textcoords="offset points", fontsize=10, color=INK)
                place_of[name] = x, y
        for pair in links:
            plane.plot(
                *zip(*(place_of[name] for name in pair), strict=True), color=FAINT, linewidth=1.2, zorder=0
            )
        plane.set_xticks([])
        plane.set_yticks([])
        plane.margins(0.12)
        figure.legend(loc="outside upper right", ncols=min(4, len(groups)))
    return figure


def principal_plane(vectors: Any) -> np.ndarray[Any, Any]:
    """The two directions in which vectors [N, D] differ most, as places [N, 2] (principal components)."""
    centered = np.asarray(vectors, dtype=np.float64)
    centered = centered - centered.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centered, full_matrices=False)
    return left[:, :2] * sizes[:2]


# ---------------------------------------------------------------------------------------------
# One training step as a schematic: forward, loss, backward, update, with the numbers of one pair.

ROWS = (2.75, 1.65, 0.55)  # inches from below: the word, its neighbor, the noise word
COLUMNS = (0.2, 2.2, 4.65, 6.35, 8.35)  # inches from the left: old, real?, loss, gradient, new
WIDTH, HEIGHT = 1.6, 0.62  # of a box


@dataclass(frozen=True)
class PairStep:
    """A step on one skip-gram pair with one noise word, by gradient descent.

    words: the word, its neighbor, the noise word; vectors and gradients [3, 2] in that order.
    probabilities [2]: how likely the neighbor and the noise word are held to be real. losses [2]: those two
    words' parts of the loss. new_loss: the whole loss after the step, in nats like the others.
    """

    words: Sequence[str]
    vectors: Any
    probabilities: Any
    losses: Any
    gradients: Any
    learning_rate: float
    new_loss: float

    def __post_init__(self) -> None:
        check_tokens(self.words, 3, "vectors")
        for name, shape in {
            "vectors": (3, 2),
            "gradients": (3, 2),
            "probabilities": (2,),
            "losses": (2,),
        }.items():
            array = to_array(getattr(self, name), name, "N, 2" if len(shape) == 2 else "N")
            if array.shape != shape:
                raise ValueError(
                    f"{name} is of the shape {array.shape}: a pair and a noise word need {shape}."
                )

    @property
    def new_vectors(self) -> Array:
        """The three vectors after the update, [3, 2]."""
        gradients = to_array(self.gradients, "gradients", "N, 2")
        return to_array(self.vectors, "vectors", "N, 2") - self.learning_rate * gradients

    @property
    def errors(self) -> tuple[float, float]:
        """How fast the loss rises with the score of the neighbor, and with that of the noise word."""
        real, wrong = self.probabilities
        return float(real) - 1.0, float(wrong)

    @property
    def loss(self) -> float:
        """The whole loss before the step."""
        return float(sum(map(float, self.losses)))


def pair_step(bank: Tensor, river: Tensor, spoon: Tensor, rate: float) -> PairStep:
    """The step on "bank" with its neighbor "river" and the noise word "spoon", whose gradients are known."""
    vectors = torch.stack([bank, river, spoon]).detach()
    gradients = torch.stack([vector.grad for vector in (bank, river, spoon) if vector.grad is not None])

    def said(three: Tensor) -> Tensor:
        return torch.sigmoid(three[1:] @ three[0])  # the probabilities of "river" and "spoon"

    def losses(three: Tensor) -> Tensor:
        yes, wrong = said(three)
        return -torch.stack([yes, 1 - wrong]).log()

    return PairStep(
        words=["bank", "river", "spoon"],
        vectors=vectors,
        probabilities=said(vectors),
        losses=losses(vectors),
        gradients=gradients,
        learning_rate=rate,
        new_loss=losses(vectors - rate * gradients).sum().item(),
    )


def draw_training_step(step: PairStep) -> tuple["Figure", str]:
    """Draw what flows where: vectors, guesses, loss, gradients, new vectors, left to right."""
    page = Schematic(10.15, 4.45)
    page.text(
        0.2, 4.22, f"One training step takes the loss from {step.loss:.2f} to {step.new_loss:.2f}",
        ha="left", weight="bold", fontsize=13,
    )  # fmt: skip
    headings = ("vectors", "1. forward: real?", "2. loss", "3. backward: gradients", "4. update")
    widths = (WIDTH, 2.05, 1.2, 1.6, WIDTH)
    for left, width, heading in zip(COLUMNS, widths, headings, strict=True):
        page.text(left + width / 2, 3.72, heading, color=LIT, weight="bold")
    old, guess, loss, gradient, new = COLUMNS
    olds = [
        page.box(old, bottom, WIDTH, HEIGHT, word, _pair(vector))
        for bottom, word, vector in zip(ROWS, step.words, step.vectors, strict=True)
    ]
    guesses = [
        page.box(
            guess, bottom, 2.05, HEIGHT, f"{word}: {float(probability):.2f}",
            f"should be {wanted}, error {_signed(error)}", "tint",
        )
        for bottom, word, probability, wanted, error in zip(
            (2.2, 1.1), step.words[1:], step.probabilities, (1, 0), step.errors, strict=True
        )
    ]  # fmt: skip
    parts = " + ".join(f"{float(part):.2f}" for part in step.losses)
    total = page.box(loss, ROWS[1], 1.2, HEIGHT, f"loss {step.loss:.2f}", parts, "lit")
    for vector, guessed in ((0, 0), (0, 1), (1, 0), (2, 1)):
        page.arrow(olds[vector].east, guesses[guessed].west)
    for guessed in (0, 1):
        page.arrow(guesses[guessed].east, total.west)
    changes = zip(ROWS, step.words, step.gradients, step.new_vectors, _sums(step), strict=True)
    for bottom, word, slope, changed, errors in changes:
        page.text(gradient + 0.8, bottom + HEIGHT + 0.13, errors, color=QUIET, fontsize=9.5)
        sent = page.box(gradient, bottom, 1.6, HEIGHT, f"of {word}", _pair(slope), "tint")
        updated = page.box(new, bottom, WIDTH, HEIGHT, f"new {word}", _pair(changed))
        page.arrow(total.east, sent.west)
        page.arrow(sent.east, updated.west)
    page.text(
        9.95, 0.2, f"new vector = old vector − {step.learning_rate:g} × gradient", ha="right", color=QUIET
    )
    word, neighbor, noise = step.words
    real, wrong = (f"{float(probability):.2f}" for probability in step.probabilities)
    updates = "; ".join(
        f"{name} from {_pair(vector)}, gradient {_pair(slope)}, to {_pair(changed)}"
        for name, vector, slope, changed in zip(
            step.words, step.vectors, step.gradients, step.new_vectors, strict=True
        )
    )
    alt = (
        f"One training step, left to right. Forward: {word} gives {neighbor} the probability {real},"
        f" which should be 1, and {noise} {wrong}, which should be 0. Loss: {parts} = {step.loss:.2f}."
        f" Errors: {neighbor} {_signed(step.errors[0])}, {noise} {_signed(step.errors[1])}."
        f" Backward, gradients: {'; '.join(_sums(step))}."
        f" Update, new vector = old vector − {step.learning_rate:g} × gradient: {updates}."
        f" With the new vectors the loss is {step.new_loss:.2f}."
    )
    return page.figure, alt


def _sums(step: PairStep) -> tuple[str, str, str]:
    """What each gradient is a sum of: the errors, each times the vector that it met."""
    word, neighbor, noise = step.words
    real, wrong = map(_signed, step.errors)
    return f"{real} {neighbor} + {wrong} {noise}", f"{real} {word}", f"{wrong} {word}"


def _signed(number: float) -> str:
    """A number with two digits and the minus of print."""
    return f"{number:.2f}".replace("-", "−")


def _pair(vector: Any) -> str:
    """Two numbers as they are written in a box."""
    numbers = (f"{round(float(number), 2) + 0.0:.2f}" for number in vector)
    return f"[{', '.join(numbers)}]".replace("-", "−")


# ---------------------------------------------------------------------------------------------
# Learning rates, neighbors, steps to a capital, and what an occupation leans to


def draw_rates(rates: Sequence[float], after: Sequence[float], before: float) -> tuple["Figure", str]:
    """Draw the loss after one step over its learning rate, with the loss before it as a line."""
    lowest = min(range(len(rates)), key=lambda place: after[place])
    told = f"one step leads from {before:.2f} to {after[lowest]:.2f} at best, and to {after[-1]:.2f}"
    told = f"{told} with a rate of {rates[-1]:g}"
    figure = draw_lines(
        rates, {"after": after}, "learning rate", "loss in nats", f"O{told[1:]}", baseline=("before", before)
    )
    places = range(0, len(rates), max(1, len(rates) // 10))
    points = ", ".join(f"{after[place]:.2f} at {rates[place]:g}" for place in places)
    return figure, f"The loss after one step over the learning rate: {told}. {points}."


def draw_neighbors(vectors: WordVectors, word: str, count: int = 8) -> tuple["Figure", str]:
    """Draw the nearest words of a word with their cosines."""
    names, cosines = zip(*vectors.neighbors(word, count), strict=True)
    figure = draw_bars(names, cosines, f"cosine with {word}", f"Nearest to {word}", xlim=(0, 1))
    told = ", ".join(f"{name} {cosine:.2f}" for name, cosine in zip(names, cosines, strict=True))
    return figure, f"Nearest to {word}: {told}"


def draw_capitals(
    vectors: WordVectors, countries: Sequence[str], capitals: Sequence[str]
) -> tuple["Figure", str]:
    """Draw the step from each country to its capital, in the plane in which the names differ most."""
    of_countries = torch.stack([vectors[word] for word in countries])
    of_capitals = torch.stack([vectors[word] for word in capitals])
    places = principal_plane(torch.cat([of_countries, of_capitals]))
    steps = of_capitals - of_countries
    number = len(countries)
    alike = (similarity.cosine(steps, steps).sum() - number) / (number * (number - 1))
    groups = {"countries": (countries, places[:number]), "capitals": (capitals, places[number:])}
    links = list(zip(countries, capitals, strict=True))
    title = f"Steps to a capital: mean cosine {alike:.2f}"
    return draw_points(groups, title, links=links), (
        f"{2 * number} names as points, a line from each of {number} countries to its capital. {title}."
    )


def draw_leaning(jobs: Sequence[str], leaning: Tensor) -> tuple["Figure", str]:
    """Draw how much nearer each occupation is to "she" than to "he"."""
    figure = draw_bars(jobs, leaning, "nearer to: he | she", "Which occupations lean to she or he")
    told = ", ".join(f"{job} {value:+.2f}" for job, value in zip(jobs, leaning.tolist(), strict=True))
    return figure, f"Cosine with she minus cosine with he: {told}"
