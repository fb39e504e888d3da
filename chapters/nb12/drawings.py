"""The drawings of notebook 12: one step, the film of a run, changed sentences, paired differences."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.figures.arrays import to_array
from lib.figures.charts import draw_bars, draw_lines, series_of
from lib.figures.display import Screen
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, INK, LIT, MARKERS, QUIET, SERIES, canvas, style
from lib.records import small_bert
from lib.records.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# The film of a training run: curves that grow, and what the model says to the same blanks.

BLANK = "[MASK]"


def draw_film(
    steps: Any,
    shares: Mapping[str, Any],
    levels: Mapping[str, tuple[str, float]],
    guesses: Mapping[str, str],
    last: int,
    title: str,
    since: Mapping[str, int] | None = None,
) -> tuple["Figure", str]:
    """Draw one picture of the film: left the curves so far, right each blank with what the model says.

    steps [N]; `shares` holds up to three curves [N] between 0 and 1; `levels` gives for the name of a curve
    the line to compare it with, as its own name and height, drawn in the color of the curve. `guesses` gives
    for each sentence with a [MASK] the token put there, and `since` from which step on it has stood there at
    every look. The axes go to step `last` from the first picture on, so that nothing jumps.
    """
    xs = to_array(steps, "steps", "N")
    curves = series_of(shares, len(xs))
    if lost := [name for name in levels if name not in curves]:
        raise ValueError(f"There is no curve {lost[0]!r} for its line: the curves are {', '.join(curves)}.")
    if unblank := [sentence for sentence in guesses if sentence.count(BLANK) != 1]:
        raise ValueError(f"{unblank[0]!r} should have one {BLANK}, where the guess is written.")
    with style():
        figure = canvas(9.6, 3.9, title)
        chart, page = figure.subplots(1, 2, width_ratios=(1.25, 1))
        for number, (name, values) in enumerate(curves.items()):
            chart.plot(
                xs, values, color=SERIES[number], linestyle=DASHES[number], marker=MARKERS[number], label=name
            )
        colors = dict(zip(curves, SERIES, strict=False))
        for name, (label, level) in levels.items():
            chart.axhline(level, color=colors[name], linewidth=1.2, linestyle=(0, (2, 2)), zorder=1)
            chart.annotate(
                f"{name}: {label}", (1.01, level), xycoords=("axes fraction", "data"), va="center",
                color=colors[name], fontsize=9.5, annotation_clip=False,
            )  # fmt: skip
        chart.set(xlim=(0, last * 1.01), ylim=(0, 1.03), xlabel="step", ylabel="share right")
        chart.grid(axis="y")
        chart.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, handlelength=2.6)
        page.set(xlim=(0, 1), ylim=(len(guesses) - 0.5, -0.9))
        page.axis("off")
        page.text(0.31, -0.75, "says", ha="right", color=QUIET)
        page.text(0.35, -0.75, "for the gap in", ha="left", color=QUIET)
        for row, (sentence, token) in enumerate(guesses.items()):
            page.text(0.31, row, token, ha="right", va="center", color=LIT, weight="bold")
            page.text(0.35, row, sentence.replace(BLANK, "___"), va="center", color=INK, fontsize=9.5)
            if since:
                page.text(
                    0.35,
                    row + 0.32,
                    f"since step {since[sentence]:,}",
                    va="center",
                    color=QUIET,
                    fontsize=8.5,
                )
    parts = [
        f"{name}: "
        + ", ".join(f"{share:.2f} at step {step:,.0f}" for step, share in zip(xs, values, strict=True))
        for name, values in curves.items()
    ]
    beside = ", ".join(f"{name}: {label} at {level:.2f}" for name, (label, level) in levels.items())
    description = "; ".join(
        f"{sentence} {token}" + (f", since step {since[sentence]:,}" if since else "")
        for sentence, token in guesses.items()
    )
    alt = f"Share right. {'. '.join(parts)}. Lines to compare with: {beside}. What the model says now: "
    return figure, f"{alt}{description}."


class Film:
    """A training run that is watched: one picture, which grows at each step that is looked at.

    >>> film = Film(200, {"verbs": ("a coin toss", 0.5)})
    >>> film.add(0, {"verbs": 0.52}, {"the keys [MASK] old": "the"})
    """

    def __init__(self, last: int, levels: Mapping[str, tuple[str, float]]) -> None:
        self.last, self.levels = last, levels
        self._steps: list[int] = []
        self._shares: dict[str, list[float]] = {}
        self._guesses: dict[str, str] = {}
        self._since: dict[str, int] = {}
        self._screen = Screen()

    def curve(self, name: str) -> dict[int, float]:
        """One curve of the film: a share for each step that was looked at."""
        return dict(zip(self._steps, self._shares[name], strict=True))

    def add(self, step: int, shares: Mapping[str, float], guesses: Mapping[str, str]) -> None:
        """Show the next picture: a share for each curve, and what stands in the gaps."""
        if self._shares and set(shares) != set(self._shares):
            raise ValueError(f"All pictures of the film have the same curves: {', '.join(self._shares)}.")
        self._steps.append(step)
        for name, share in shares.items():
            self._shares.setdefault(name, []).append(share)
        for sentence, token in guesses.items():
            if self._guesses.get(sentence) != token:
                self._since[sentence] = step
        self._guesses = dict(guesses)
        title = f"Step {step:,} of {self.last:,}"
        figure, alt = draw_film(
            self._steps, self._shares, self.levels, guesses, self.last, title, self._since
        )
        self._screen.show(figure, f"{title}. {alt}")


# ---------------------------------------------------------------------------------------------
# One step of pretraining as a picture: what is made of a batch, and what comes back to the weights.


@dataclass(frozen=True)
class StepNumbers:
    """What one step of pretraining read, said and changed.

    tokens: those of one sentence; reads: the same after the corruption. sentences, places, hidden: how many
    the whole batch has. scores: at each place one for each token of the vocabulary. loss and
    loss_after: nats on this batch before and after the update. norm: of the gradient, before it is clipped.
    parameters: how many numbers get a gradient. rate: the learning rate.
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


def draw_pretraining_step(numbers: StepNumbers) -> tuple["Figure", str]:
    """Draw the way of a batch through a training step, forward above and backward below."""
    page = Schematic(9.6, 3.6)
    page.text(4.8, 3.43, "One step: forward along the top, back along the bottom", weight="bold", fontsize=12)
    width, height, top, bottom = 1.98, 0.9, 1.78, 0.15
    lefts = [0.15, 2.56, 4.97, 7.38]
    above = [
        page.box(left, top, width, height, label, detail, look)
        for left, label, detail, look in zip(
            lefts,
            ("1 batch", "2 hide", "3 forward", "4 loss"),
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
    clipped = f"times {1 / numbers.norm:.2f}" if numbers.norm > 1 else "left as it is"
    alt = (
        f"A training step in seven boxes. 1 batch: {numbers.sentences} sentences, {numbers.places} places."
        f" One sentence is: {' '.join(numbers.tokens)}. 2 hide: {numbers.hidden} places are asked for."
        f" The sentence is read as: {' '.join(numbers.reads)}. 3 forward: {numbers.scores:,} scores for each"
        f" of the {numbers.places} places. 4 loss: the mean of minus ln p(truth) over the {numbers.hidden},"
        f" {numbers.loss:.2f} nats. 5 backward:"
        f" {numbers.parameters:,} gradients, of norm {numbers.norm:.2f}. 6 clip to a norm of at most 1:"
        f" {clipped}. 7 update at the rate {numbers.rate:.2g}: on the same batch the loss is then"
        f" {numbers.loss_after:.2f} nats. The gradients are emptied, and the next batch comes."
    )
    return page.figure, alt


def _loss(model: BertForPreTraining, read: Tensor, labels: Tensor) -> Tensor:
    logits = model(read).prediction_logits  # [B, T, V]
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


def draw_one_step(
    model: BertForPreTraining,
    batch: Tensor,
    read: Tensor,
    labels: Tensor,
    tokenizer: WordPieceTokenizer,
    rate: float,
) -> tuple["Figure", str]:
    """Make one step with a copy of the model, and draw it.

    batch [B, T]: sentences; read and labels [B, T]: the same with tokens hidden, and the tokens that were.
    """
    learner = copy.deepcopy(model)
    before = _loss(learner, read, labels)
    before.backward()
    gradients = [weight.grad for weight in learner.parameters() if weight.grad is not None]
    norm = float(torch.nn.utils.get_total_norm(gradients))
    learner.zero_grad()
    optimizer = torch.optim.AdamW(learner.parameters())
    small_bert.train_step(learner, {"input_ids": read, "labels": labels}, optimizer, rate)
    hidden = labels != -100  # [B, T]
    shown = int((read == tokenizer.mask_token_id).any(dim=1).nonzero()[0])  # the first row with a [MASK]
    words = [tokenizer.convert_ids_to_tokens(row[shown].tolist())[1:-1] for row in (batch, read)]
    numbers = StepNumbers(
        tokens=words[0],
        reads=words[1],
        sentences=len(batch),
        places=batch.numel(),
        hidden=int(hidden.sum()),
        scores=len(tokenizer),
        loss=before.item(),
        norm=norm,
        parameters=sum(gradient.numel() for gradient in gradients),
        rate=rate,
        loss_after=_loss(learner, read, labels).item(),
    )
    return draw_pretraining_step(numbers)


# ---------------------------------------------------------------------------------------------
# What is right where: the verbs of sentences that were changed.


def draw_places(shares: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw the share of verbs right in sentences that were changed, a bar for each change, beside a coin."""
    names = list(shares)
    values = [100 * share for share in shares.values()]
    title = "The same sentences, with words in front or behind"
    figure = draw_bars(
        names, values, "verbs right, %", title, digits=0, xlim=(0, 112), baseline=("a coin toss", 50)
    )
    described = "; ".join(f"{name} {value:.0f}%" for name, value in zip(names, values, strict=True))
    return figure, f"{title}. Verbs right: {described}. A coin toss: 50%."


# ---------------------------------------------------------------------------------------------
# The same film from other seeds.


def draw_seeds(yours: Mapping[int, float], recorded: Table, own: int = 0) -> tuple["Figure", str]:
    """Draw the verbs of the reader's film, a share for each step, and those recorded from other seeds.

    recorded: the record of the films. own: the seed of the reader's, which is left out of it.
    """
    others = [run for run in recorded.rows if run.seed != own]
    title = f"The verbs: your film, and {len(others)} from other seeds"
    last = f"recorded, seeds {others[0].seed} to {others[-1].seed}"
    told = [f"your film: {_told(yours)}"]
    with style():
        figure = canvas(9.6, 3.6, title)
        axes = figure.subplots()
        axes.axhline(0.5, color=QUIET, linewidth=1.2, linestyle=(0, (2, 2)))
        axes.annotate(
            "a coin toss", (1.01, 0.5), xycoords=("axes fraction", "data"), va="center", color=QUIET
        )
        for place, run in enumerate(others):
            curve = dict(zip(run.scores["step"], run.scores["verbs"], strict=True))
            axes.plot(
                list(curve), list(curve.values()), color=QUIET, linewidth=1.3, marker="o", markersize=3,
                label=last if place == 0 else None,
            )  # fmt: skip
            told.append(f"recorded, seed {run.seed}: {_told(curve)}")
        axes.plot(list(yours), list(yours.values()), color=SERIES[1], linewidth=2.6, marker="s", markersize=7,
                  label="your film")  # fmt: skip
        axes.set(ylim=(0.4, 1.03), xlabel="step", ylabel="share of verbs right")
        axes.grid(axis="y")
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), handlelength=2.8)
    return figure, f"{title}. Share of verbs right. {'. '.join(told)}. A coin toss: 0.50."


def _told(curve: Mapping[int, float]) -> str:
    return ", ".join(f"{share:.2f} at step {step:,}" for step, share in curve.items())


def other_seeds(recorded: Table, question: str, words: str) -> dict[str, list[Any]]:
    """What the recorded films came to, a row for each seed: their sentence's word, another gap, their verbs.

    question: the sentence with the other gap. words: those that stood behind and in front; the verbs are also
    told as they were. The difference is that of front less behind, in points.
    """
    scores = [run.scores for run in recorded.rows]
    behind = [round(100 * of_seed[f"... {words}."]) for of_seed in scores]
    front = [round(100 * of_seed[f"{words} ..."]) for of_seed in scores]
    differences = [second - first for first, second in zip(behind, front, strict=True)]
    return {
        "seed": [str(run.seed) for run in recorded.rows],
        "capital since step": [of_seed["answer since"] for of_seed in scores],
        question.replace(BLANK, "___"): [of_seed["says"][question] for of_seed in scores],
        "verbs": [f"{round(100 * of_seed['as they were'])}%" for of_seed in scores],
        f"verbs: ... {words}.": [f"{share}%" for share in behind],
        f"verbs: {words} ...": [f"{share}%" for share in front],
        "difference": [f"{difference:+d}".replace("-", "−") for difference in differences],
    }


# ---------------------------------------------------------------------------------------------
# Is the difference real? Designs less the base, seed by seed.

Judge = Callable[[Sequence[float], Sequence[float]], tuple[float, float, bool]]


def draw_designs(
    losses: Mapping[str, Sequence[float]], steps: Mapping[str, int], base: str, judge: Judge
) -> tuple["Figure", str]:
    """Draw each design's differences from the base, a dot for each seed, and what a rule says of them.

    judge(base, design) gives mean, spread and verdict. The tick is the mean. The gray bar goes from 0 toward
    it and is as long as the dots lie apart. Dots of what is resolved are filled. steps: how many each made.
    """
    judged = {name: judge(losses[base], losses[name]) for name in losses if name != base}
    order = sorted(judged, key=lambda name: judged[name][0])
    resolved = sum(bool(judged[name][2]) for name in order)
    title = f"{resolved} of {len(order)} differences from the base ({steps[base]:,} steps) are resolved"
    labels = {name: f"{name.replace(' %', '% hidden')} ({steps[name]:,} steps)" for name in order}
    told = []
    with style():
        figure = canvas(9.2, 1.3 + 0.5 * len(order), title)
        axes = figure.subplots()
        axes.axvline(0, color=INK, linewidth=1.1)
        for place, name in enumerate(order):
            mean, spread, is_resolved = judged[name]
            dots = [one - other for one, other in zip(losses[name], losses[base], strict=True)]
            end = spread if mean > 0 else -spread
            axes.hlines(place + 0.22, min(0, end), max(0, end), color=QUIET, linewidth=4)
            axes.plot(mean, place, "|", color=INK, markersize=17, markeredgewidth=2.2)
            axes.plot(
                dots, [place] * len(dots), "o", markersize=8, markeredgewidth=1.8, color=SERIES[0],
                markerfacecolor=SERIES[0] if is_resolved else "white",
            )  # fmt: skip
            verdict = "resolved" if is_resolved else "not resolved"
            axes.annotate(
                f"{mean:+.3f}, spread {spread:.3f}: {verdict}", xy=(1.01, place),
                xycoords=("axes fraction", "data"), va="center", annotation_clip=False,
                weight="bold" if is_resolved else "normal", fontsize=10,
            )  # fmt: skip
            seeds = ", ".join(f"{dot:+.3f}" for dot in dots)
            told.append(f"{labels[name]} {seeds}, mean {mean:+.3f}, spread {spread:.3f}, {verdict}")
        axes.set_yticks(range(len(order)), [labels[name] for name in order])
        axes.set(
            xlabel="held-out loss less the base's, nats: better to the left (tick: mean, gray: spread)",
            ylim=(len(order) - 0.5, -0.6),
        )
    return (
        figure,
        f"{title}. Held-out loss less the base's, in nats, a number for each seed: {'; '.join(told)}.",
    )


# ---------------------------------------------------------------------------------------------
# The stretches: a twin from random weights, and two tables of the paper.

READ = (20, 70, 100, 150, 200, 250, 300, 360)  # million tokens; after that the twin's rate goes down


def draw_twins(recorded: Table) -> tuple["Figure", str]:
    """Draw the hidden tokens right while the pocket BERT and its twin from random weights read on."""
    lines = {}
    for name, start in {"pocket BERT": "minilm", "random twin": "random"}.items():
        curve = recorded.values("pretraining", start, "held out while it trained")[0]
        points = list(zip(curve["tokens"], curve["pieces"], strict=True))
        lines[name] = [min(points, key=lambda point: abs(point[0] - 1e6 * count))[1] for count in READ]
    title = "The same reading, from two starts"
    figure = draw_lines(READ, lines, "million tokens read", "share of hidden tokens right", title)
    told = "; ".join(f"{name} {', '.join(f'{share:.2f}' for share in line)}" for name, line in lines.items())
    counts = ", ".join(map(str, READ))
    return figure, f"{title}. Share of hidden tokens right after {counts} million tokens: {told}."


#: Devlin et al., 2019, table 5
TASKS = {
    "BERT-base, dev sets": [
        "as it is", "no next sentence", "left to right, no next sentence", "the same, BiLSTM on top",
    ],
    "MNLI-m": [84.4, 83.9, 82.1, 82.1],
    "QNLI": [88.4, 84.9, 84.3, 84.1],
    "MRPC": [86.7, 86.5, 77.5, 75.7],
    "SST-2": [92.7, 92.6, 92.1, 91.6],
    "SQuAD F1": [88.5, 87.9, 77.8, 84.9],
}  # fmt: skip


def schemes(losses: Mapping[str, Sequence[float]], judge: Judge) -> dict[str, list[Any]]:
    """Devlin et al., 2019, table 8, and how far each scheme lay from the base here."""
    names = ["80/10/10", "100/0/0", "80/0/20", "80/20/0", "0/20/80", "0/0/100"]
    here = [""]
    for name in names[1:]:
        mean, _, is_resolved = judge(losses["base"], losses[name])
        verdict = "resolved" if is_resolved else "not resolved"
        here.append(f"{mean:+.3f}, {verdict}")
    return {
        "scheme": names,
        "MNLI": [84.2, 84.3, 84.1, 84.4, 83.7, 83.6],
        "NER, frozen features": [94.9, 94.0, 94.6, 94.7, 94.6, 94.6],
        "here: loss less that of the base": here,
    }
