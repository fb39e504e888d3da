"""The drawings of notebook 26: weights and a loss, curves, bars and ranges.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_scan(scan))`.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np

from lib import stats
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, draw_bars, draw_lines, legend_outside
from lib.figures.ranges import describe_ranges, draw_ranges
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# Four weights, what the loss says of them, and which of them two rules prune.


def draw_two_rules(weights: Sequence[float], gradients: Sequence[float]) -> tuple["Figure", str]:
    """Draw weights [N], and by how much the loss would change without each, pale where a rule prunes it.

    One rule prunes the half of smallest magnitude, the other the half of which the loss changes least.
    """
    w, g = to_array(weights, "weights", "N"), to_array(gradients, "gradients", "N")
    if len(w) != len(g) or len(w) % 2:
        raise ValueError(f"{len(w)} weights and {len(g)} gradients: give as many of both, an even number.")
    changes = -g * w
    rows = np.arange(len(w))
    with style():
        figure = canvas(9.2, 1.7 + 0.5 * len(w), "What two rules prune: the pale bars")
        panels = figure.subplots(1, 2)
        shown = {
            "by the magnitude of w": (w, ".1f"),
            "by the change of the loss without w": (changes, "+.2f"),
        }
        for axes, (name, (values, form)) in zip(panels, shown.items(), strict=True):
            kept = _upper_half(np.abs(values))
            reach = 1.45 * float(np.abs(values).max())
            for row, value in enumerate(values):
                face, edge = (LIT, LIT) if kept[row] else (FAINT, QUIET)
                axes.barh(row, value, 0.6, color=face, edgecolor=edge, linewidth=1.2)
                side = 1 if value >= 0 else -1
                axes.text(
                    value + 0.03 * reach * side, row, f"{value:{form}}".replace("-", "−"),
                    ha="left" if side > 0 else "right", va="center",
                )  # fmt: skip
            axes.axvline(0, color=INK, linewidth=1.1)
            axes.set_title(name, fontsize=12)
            axes.set(xlim=(-reach if values.min() < 0 else 0, reach), xticks=[])
            axes.set_yticks(rows, [f"{weight:.1f}".replace("-", "−") for weight in w])
            axes.set_ylim(len(w) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
    phrases = [f"{weight:.1f}: {change:+.2f}" for weight, change in zip(w, changes, strict=True)]
    gone = [np.logical_not(_upper_half(np.abs(values))) for values in (w, changes)]
    by = []
    for name, mask in zip(("magnitude", "the loss"), gone, strict=True):
        named = " and ".join(f"{weight:.1f}" for weight in w[mask])
        by.append(f"{name} prunes {named}, together {changes[mask].sum():+.2f}")
    return figure, f"Weights and the change of the loss without each: {'; '.join(phrases)}. {'; '.join(by)}."


def _upper_half(values: Array) -> Array:
    """True for the upper half of the values [N]."""
    return values >= np.sort(values)[len(values) // 2]


# ---------------------------------------------------------------------------------------------
# What is left of a model with more and more of its weights at 0, rule by rule, over seeds.

#: of one rule: sparsities [N], and what was measured there, [N] or [N, S] for S seeds
Curve = tuple[Sequence[float], Any]


def draw_sparsity_curves(
    curves: Mapping[str, Curve],
    ylabel: str,
    title: str | None = None,
    baselines: Mapping[str, float] | None = None,
) -> "Figure":
    """Draw up to six lines of shares, 0 to 1, over sparsities of their own: mean and range over seeds.

    A rule that was tried at one sparsity alone is a point. `baselines`, by name, are dashed lines.
    """
    tables = _tables(curves)
    with style():
        figure = canvas(8.6, 4.2, title)
        axes = figure.subplots()
        for number, (name, (levels, table)) in enumerate(tables.items()):
            low, high, mean = 100 * table.min(axis=1), 100 * table.max(axis=1), 100 * table.mean(axis=1)
            color = SERIES[number]
            if len(levels) > 1:
                axes.fill_between(100 * levels, low, high, color=color, alpha=0.18, linewidth=0)
            else:
                axes.vlines(100 * levels, low, high, color=color, linewidth=1.4)
            axes.plot(
                100 * levels, mean, color=color, linestyle=DASHES[number], marker=MARKERS[number], label=name
            )
        for name, value in (baselines or {}).items():
            axes.axhline(100 * value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.text(
                0.01, 100 * value + 0.8, f"{name} {value:.1%}", va="bottom", fontsize=10,
                transform=axes.get_yaxis_transform(),
            )  # fmt: skip
        axes.set(xlabel="weights of the matrices that are 0, %", ylabel=ylabel)
        axes.grid(axis="y")
        figure.legend(loc="outside lower center", ncols=min(3, len(tables)))
    return figure


def describe_sparsity_curves(
    curves: Mapping[str, Curve], baselines: Mapping[str, float] | None = None
) -> str:
    """Say in words what `draw_sparsity_curves` shows: the means over seeds."""
    phrases = [
        f"{name}: "
        + ", ".join(f"{level:.0%} {row.mean():.1%}" for level, row in zip(levels, table, strict=True))
        for name, (levels, table) in _tables(curves).items()
    ]
    dashed = "".join(f" {name} {value:.1%}." for name, value in (baselines or {}).items())
    return "; ".join(phrases) + "." + dashed


def _tables(curves: Mapping[str, Curve]) -> dict[str, tuple[Array, Array]]:
    """Each curve's sparsities [N], ascending, and values [N, S]."""
    if not 1 <= len(curves) <= len(SERIES):
        raise ValueError(f"There are {len(curves)} lines; one to {len(SERIES)} can be told apart.")
    tables = {}
    for name, (levels, values) in curves.items():
        xs, table = np.asarray(levels, dtype=float), np.asarray(values, dtype=float)
        if table.ndim not in (1, 2) or len(table) != len(xs) or not table.size:
            raise ValueError(
                f"{name!r} has the shape {list(table.shape)}: give a number, or a row of seeds, for each of"
                f" {len(xs)} sparsities."
            )
        if (np.diff(xs) <= 0).any() or xs.min() < 0 or xs.max() > 1:
            raise ValueError(f"The sparsities of {name!r} are {xs.tolist()}: give shares, the lowest first.")
        tables[name] = xs, table.reshape(len(xs), -1)
    return tables


# ---------------------------------------------------------------------------------------------
# What the notebook's record and its own runs found.

TASK = "headlines"
GUESS = ("a guess", 100 / 9)
GUESS_MARK = ("a guess", 11.1)
#: what the lines of the recorded pictures are called, and of which arms they are made
RECORDED = {
    "smallest go": [f"magnitude 0.{tenth}, untrained" for tenth in range(1, 10)],
    "random ones go": [f"random 0.{tenth}, untrained" for tenth in (1, 3, 5, 7, 9)],
}
RECORDED_TRAINED = {
    "smallest, no training": [f"magnitude 0.{tenth}, untrained" for tenth in (5, 7, 9)],
    "smallest, gradually": ["dense", "magnitude 0.5", "magnitude 0.7", "magnitude 0.9"],
    "smallest, at once": ["magnitude at once 0.5", "magnitude at once 0.9"],
    "random, gradually": ["random 0.5", "random 0.9"],
}
COMPARED = (("random 0.3, untrained", "magnitude 0.3, untrained"),)
COMPARED_TRAINED = (("magnitude 0.7, untrained", "magnitude 0.7"), ("magnitude 0.9", "magnitude at once 0.9"))
TICKETS = {
    "whole": "dense",
    "ticket": "ticket",
    "random mask": "random mask",
    "values shuffled": "shuffled weights",
}
#: half of the weights at 0, chosen among four neighbors or in the whole matrix
PATTERNS = {
    "free choice": "magnitude 0.5, untrained",
    "two of four": "two of four 0.5, untrained",
    "free, trained": "magnitude at once 0.5",
    "two of four, trained": "two of four",
    "whole, trained": "dense",
}
#: what the two rules and their control are called, in the record "three layers, ..." and in the picture
STARTS = ("pretrained", "fine-tuned")
BETS = {"by magnitude": "size", "by score": "score", "without zeros": "whole"}
#: what two choices of zeros and the whole model are called, in the picture and in the record "shares, ..."
SHARES = {"whole": "whole", "one share for all": "one", "chosen": "chosen"}
RECORDED_STEPS = {"recorded, untrained": 0, "recorded, 20 steps": 20, "recorded, 100 steps": 100}
LOST = {"tuned, then pruned": "the task, learned before", "pruned, then tuned": "the task, learned after"}


def draw_recorded_sparsity(table: Any) -> tuple["Figure", str]:
    """Draw what the record of this notebook has of accuracy over sparsity, without training."""
    title = "No training: the smallest weights go, or random ones (three models)"
    return _draw_recorded(table, RECORDED, title, COMPARED)


def draw_recorded_training(table: Any) -> tuple["Figure", str]:
    """Draw what the record has of accuracy over sparsity with 100 steps of training."""
    title = "With 100 steps of training (at 0%: the whole model, trained)"
    return _draw_recorded(table, RECORDED_TRAINED, title, COMPARED_TRAINED)


def _draw_recorded(
    table: Any, lines: Mapping[str, Sequence[str]], title: str, compared: Sequence[tuple[str, str]]
) -> tuple["Figure", str]:
    """Draw recorded arms over their sparsities, line by line, and say whether pairs of them differ."""
    curves = {}
    for name, arms in lines.items():
        levels = [mean(table.values(TASK, arm, "sparsity")) for arm in arms]
        curves[name] = levels, [table.values(TASK, arm) for arm in arms]
    dashed = {
        "whole model": mean(table.values(TASK, "whole")),
        "a guess": table.values(TASK, "one answer")[0],
    }
    figure = draw_sparsity_curves(curves, "accuracy, %", title, dashed)
    verdicts = [_compared(table, TASK, first, second) for first, second in compared]
    return figure, f"{describe_sparsity_curves(curves, dashed)} {'; '.join(verdicts)}."


def _compared(table: Any, task: str, first: str, second: str) -> str:
    """The mean difference of two arms in points, and whether it is resolved."""
    gap = stats.paired_difference(table.values(task, first), table.values(task, second))
    verdict = "resolved" if gap.is_resolved else "not resolved"
    return f"{second} less {first}: {100 * gap.of_means:+.1f} points, {verdict}"


def draw_scan(scan: Mapping[str, Sequence[tuple[float, float]]]) -> tuple["Figure", str]:
    """Draw the accuracy that is left when one part alone is pruned: pairs (sparsity, accuracy) by part."""
    first = next(iter(scan.values()))
    levels = [100 * sparsity for sparsity, _ in first]
    left = {name: [100 * accuracy for _, accuracy in curve] for name, curve in scan.items()}
    title = "What is left when one part alone is pruned"
    figure = draw_lines(levels, left, "zeros in this part alone, %", "accuracy, %", title)
    phrases = [f"{name} {_listed(values)}" for name, values in left.items()]
    zeros = ", ".join(f"{level:.0f}" for level in levels)
    return figure, f"Accuracy in percent with {zeros}% zeros in one part: {'; '.join(phrases)}."


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def draw_brought_back(results: Mapping[str, float], tested: int, table: Any) -> tuple["Figure", str]:
    """Draw the reader's accuracies, 0 to 1 by name, before and after training, beside recorded ones."""
    recorded = {}
    for name, steps in RECORDED_STEPS.items():
        arms = [f"shares, {of}, {steps} steps" for of in SHARES.values()]
        recorded[name] = [_range(table.values(TASK, arm)) for arm in arms]
    title = "One share or chosen shares, with and without training"
    figure = draw_ranges([*SHARES], recorded, "accuracy, %", title=title, baseline=GUESS_MARK)
    axes = figure.axes[0]
    said = []
    for number, (ending, name) in enumerate({"": "yours, untrained", ", trained": "yours, 20 steps"}.items()):
        mine = [100 * results[f"{of}{ending}"] for of in SHARES]
        rows = np.arange(len(mine)) + 0.24 * (number - 1)
        axes.plot(
            mine, rows, MARKERS[number], label=name, color=SERIES[number], markerfacecolor="white",
            markersize=9, zorder=1,
        )  # fmt: skip
        said += [f"{of}{ending} {value:.1f}" for of, value in zip(SHARES, mine, strict=True)]
    for legend in [*figure.legends]:
        legend.remove()
    legend_outside(figure, title)
    pairs = [(f"shares, one, {steps} steps", f"shares, chosen, {steps} steps") for steps in (0, 20, 100)]
    verdicts = [_compared(table, TASK, first, second) for first, second in pairs]
    return figure, (
        f"Yours, right of {tested} headlines, in percent: {', '.join(said)}. Three recorded models on 600"
        f" headlines: {describe_ranges([*SHARES], recorded, digits=1)} {'; '.join(verdicts)}. A guess: 11.1."
    )


def draw_bet(own: Mapping[str, float], table: Any, start: str, zeros: float) -> tuple["Figure", str]:
    """Draw the reader's accuracies, 0 to 1 by rule, beside what was recorded from both starts."""
    mine = {name: 100 * share for name, share in own.items()}
    listed = ", ".join(f"{name} {value:.1f}" for name, value in mine.items())
    said = f"Yours, from the {start} model, {zeros:.0%} zeros, in percent: {listed}."
    recorded, verdicts = {}, []
    for origin in STARTS:
        arms = [f"three layers, {origin}, {of}" for of in BETS.values()]
        arms[:2] = [f"{arm} {zeros:g}" for arm in arms[:2]]  # the whole model has no zeros
        if not {*arms} <= {*table.arms(TASK)}:
            whole = 100 * mean(table.values(TASK, f"three layers, {start}, whole"))
            bars = mine | {"whole (recorded)": whole}
            title = f"From the {start} model, {zeros:.0%} zeros"
            figure = draw_bars([*bars], [*bars.values()], "accuracy, %", title, digits=1, baseline=GUESS)
            return (
                figure,
                f"{said} Whole, recorded: {whole:.1f}. No other such run is. A guess: 11.1.",
            )
        recorded[f"recorded, {origin}"] = [_range(table.values(TASK, arm)) for arm in arms]
        verdicts.append(_compared(table, TASK, arms[0], arms[1]))
    title = f"Three layers with {zeros:.0%} zeros, and without (recorded: three seeds)"
    figure = draw_ranges([*BETS], recorded, "accuracy, %", title=title, baseline=GUESS_MARK)
    axes = figure.axes[0]
    for place, value in enumerate(mine.values()):
        label = f"yours, {start}" if not place else None
        axes.plot(value, place, MARKERS[2], color=SERIES[2], markerfacecolor="white", label=label)
    for legend in [*figure.legends]:
        legend.remove()
    legend_outside(figure, title)
    return figure, f"{said} {describe_ranges([*BETS], recorded, digits=1)} {'; '.join(verdicts)}."


def _range(values: Sequence[float]) -> tuple[float, float, float]:
    """The lowest, the mean and the highest of shares, in percent."""
    percent = sorted(100 * value for value in values)
    return percent[0], mean(percent), percent[-1]


def draw_tickets(table: Any) -> tuple["Figure", str]:
    """Draw what the record has of a ticket and its controls on SST-2: means and ranges over three seeds."""
    arms = {name: f"all phrases, tickets, {arm}" for name, arm in TICKETS.items()}
    title = "A ticket needs its mask and its old values"
    compared = (("random mask", "ticket"), ("values shuffled", "ticket"), ("whole", "ticket"))
    return _draw_arms(table, "SST-2", arms, title, compared)


def draw_two_of_four(table: Any) -> tuple["Figure", str]:
    """Draw what the record has of half of the weights at 0, in a pattern and freely chosen."""
    title = "Half of the weights at 0, freely chosen or two of four"
    compared = (("free choice", "two of four"), ("free, trained", "two of four, trained"))
    return _draw_arms(table, TASK, PATTERNS, title, compared)


def _draw_arms(
    table: Any, task: str, arms: Mapping[str, str], title: str, compared: Sequence[tuple[str, str]]
) -> tuple["Figure", str]:
    """Draw recorded arms, by what they are called, and say of pairs of them whether they differ."""
    ranges = {"accuracy": [_range(table.values(task, arm)) for arm in arms.values()]}
    figure = draw_ranges([*arms], ranges, f"accuracy on {task}, %", title=title)
    verdicts = []
    for first, second in compared:
        told = _compared(table, task, arms[first], arms[second])
        verdicts.append(told.replace(arms[second], second).replace(arms[first], first))
    return figure, f"{describe_ranges([*arms], ranges, digits=1)} {'; '.join(verdicts)}."


def draw_lost_knowledge(table: Any) -> tuple["Figure", str]:
    """Draw what the pocket BERT has lost with more and more zeros: hidden words, and a task."""
    levels = [0.0, 0.5, 0.7, 0.8, 0.9]
    zeros = [100 * level for level in levels]
    words = [mean(table.values(TASK, f"hidden pieces, {level}", "loss")) for level in levels]
    tasks = {}
    for arm, name in LOST.items():
        tasks[name] = [100 * mean(table.values(TASK, f"{arm}, {level}")) for level in levels]
    with style():
        figure = canvas(9.2, 3.6, "What the pocket BERT has lost, three seeds")
        left, right = figure.subplots(1, 2)
        left.plot(zeros, words, color=SERIES[0], marker=MARKERS[0])
        left.set(xlabel="zeros, %", ylabel="loss on hidden pieces, nats")
        for number, (name, values) in enumerate(tasks.items(), start=1):
            look = {"color": SERIES[number], "linestyle": DASHES[number], "marker": MARKERS[number]}
            right.plot(zeros, values, label=name, **look)
        right.axhline(GUESS[1], color=INK, linewidth=1.3, linestyle=BASELINE)
        right.text(0, GUESS[1] + 0.8, "a guess", fontsize=10)
        right.set(xlabel="zeros, %", ylabel="headlines, %", ylim=(0, 50))
        right.legend(loc="lower left", bbox_to_anchor=(0.0, 0.28))
        for axes in (left, right):
            axes.grid(axis="y")
    phrases = [f"{name} {_listed(values)}" for name, values in tasks.items()]
    nats = ", ".join(f"{loss:.2f}" for loss in words)
    levels_said = ", ".join(f"{level:.0f}" for level in zeros)
    return figure, (
        f"With {levels_said}% zeros: loss on hidden pieces {nats} nats; headlines right, in percent:"
        f" {'; '.join(phrases)}. A guess: 11.1."
    )
