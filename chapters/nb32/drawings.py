"""The drawings of notebook 32: times predicted and timed, corners, two races, a front, kernels."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from chapters.nb32 import recorded
from chapters.nb32.cell import COSTS
from chapters.nb32.corners import Design
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, draw_bars, draw_lines
from lib.figures.style import FAINT, HATCHES, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_corners(
    ways: Mapping[str, Sequence[int]], heads: int, columns: tuple[int, int], title: str
) -> tuple["Figure", str]:
    """Draw a query matrix for each way to keep rows, what a design computes with in color.

    ways[name] are the rows that are kept, of all `heads` together; columns are how many features of how many.
    """
    kept, features = columns
    rows = 1 + max(row for way in ways.values() for row in way)
    size = -(-rows // heads)
    with style():
        figure = canvas(4.4 * len(ways), 3.9, title)
        for number, (name, way) in enumerate(ways.items()):
            axes = figure.add_subplot(1, len(ways), number + 1)
            table = np.zeros((heads * size, features))
            table[np.ix_(list(way), range(kept))] = 1.0
            axes.imshow(table, cmap="Blues", vmin=-0.12, vmax=1.35, aspect="auto")
            for column in range(1, features):
                axes.axvline(column - 0.5, color="white", linewidth=1.5)
            for row in range(1, heads * size):
                axes.axhline(row - 0.5, color="white", linewidth=1.5)
            for head in range(1, heads):
                axes.axhline(head * size - 0.5, color=INK, linewidth=1.8)
            axes.set_xticks([(kept - 1) / 2, (kept + features - 1) / 2], [f"{kept} features", "left out"])
            axes.set_yticks(
                [head * size + (size - 1) / 2 for head in range(heads)],
                [f"head {head}" for head in range(heads)],
            )
            axes.tick_params(length=0)
            axes.set_title(name, loc="center", fontsize=11)
    description = "; ".join(f"{name}: rows {', '.join(map(str, way))}" for name, way in ways.items())
    return (
        figure,
        f"A query matrix of {heads} heads. {description}; of each row the first {kept} of {features}"
        " features.",
    )


def draw_predictions(
    predicted: Mapping[Design, float],
    timed: Mapping[Design, float],
    fitted: Sequence[Design],
    own: Design,
    limit: float,
) -> tuple["Figure", str]:
    """Draw predicted milliseconds over timed ones: designs of the fit, others, and the reader's."""
    others = [design for design in timed if design not in fitted and design != own]
    off = [predicted[design] / timed[design] - 1 for design in others]
    own_off = predicted[own] / timed[own] - 1
    with style():
        figure = canvas(6.4, 4.6, "Milliseconds of designs: predicted over timed")
        axes = figure.subplots()
        most = 1.06 * max(*timed.values(), *predicted.values())
        axes.plot([0, most], [0, most], color=INK, linestyle=BASELINE, linewidth=1.2)
        for name, group, marker, color in (
            ("timed, and used for the fit", fitted, "o", QUIET),
            ("not used for the fit", others, "s", SERIES[1]),
            ("yours", [own], "D", INK),
        ):
            times = [timed[design] for design in group]
            axes.plot(times, [predicted[design] for design in group], marker, color=color, label=name)
        axes.axvline(limit, color=FAINT, linewidth=1.5, zorder=0)
        axes.annotate("the limit", (limit, 0.04), (5, 0), xycoords=("data", "axes fraction"),
                      textcoords="offset points", fontsize=10.5)  # fmt: skip
        axes.set(xlabel="timed, ms", ylabel="predicted, ms", xlim=(0, most), ylim=(0, most))
        axes.legend(loc="upper left", frameon=False)
    return figure, (
        f"Predicted milliseconds over timed ones, and the line where both are equal. Of {len(others)} designs"
        f" that the fit did not use the prediction is {min(off):+.0%} to {max(off):+.0%} off, of yours"
        f" {own_off:+.0%}. The limit is {limit:.1f} ms."
    )


def gains(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, list[str]]:
    """Columns: designs by name, and what they sort before and after some steps, 0 to 1, in percent."""
    return {
        "design": [*before],
        "before": [f"{share:.1%}" for share in before.values()],
        "after": [f"{share:.1%}" for share in after.values()],
    }


def best_so_far(judged: Sequence[float]) -> list[float]:
    """The highest of the first, the first two, the first three, and so on."""
    return list(accumulate(judged, max))


def draw_small_race(searches: Mapping[str, Sequence[Sequence[float]]], best: float) -> tuple["Figure", str]:
    """Draw the accuracy (0 to 1) of the best so far, means over searches of each kind, and the best of all.

    searches[kind] has a list for each search, of what it judged, in its order.
    """
    curves = {}
    for kind, runs in searches.items():
        so_far = np.array([best_so_far(run) for run in runs])  # [searches, tries]
        curves[kind] = (100 * so_far.mean(axis=0)).tolist()
    tries = len(next(iter(curves.values())))
    count = len(next(iter(searches.values())))
    figure = draw_lines(
        range(1, tries + 1), curves, "designs judged", "best so far, % of the first half",
        f"Two ways to search a small space, means of {count} searches",
        baseline=("the best of all", 100 * best),
    )  # fmt: skip
    phrases = [
        f"{kind} " + ", ".join(f"{curve[n - 1]:.1f}% after {n}" for n in (1, 10, 20, tries))
        for kind, curve in curves.items()
    ]
    return figure, f"The best of all has {100 * best:.1f}%: {'; '.join(phrases)}."


def draw_race(own: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the fitness of the best so far: the reader's two searches, and means of recorded ones beside them.

    own[kind] is the fitness of what a search judged, in its order. Bands reach from the lowest to the highest
    of the recorded searches, which were looked at after `recorded.PLACES` designs.
    """
    kinds = list(own)
    mine = {kind: np.array(best_so_far(judged)) for kind, judged in own.items()}
    runs = {kind: np.array(recorded.best_after(kind)) for kind in kinds}  # [searches, places]
    means = {kind: some.mean(axis=0) for kind, some in runs.items()}
    panels = {
        "your two searches": (np.arange(1, len(mine[kinds[0]]) + 1), mine),
        f"recorded, means of {len(runs[kinds[0]])} searches": (np.array(recorded.PLACES), means),
    }
    start = recorded.PLACES[0] - 1
    lowest = min([mine[kind][start] for kind in kinds] + [runs[kind].min() for kind in kinds])
    highest = max([mine[kind].max() for kind in kinds] + [runs[kind].max() for kind in kinds])
    with style():
        figure = canvas(10.4, 4.1, "The best so far, in a space of 729 million designs")
        every = figure.subplots(1, 2, sharey=True)
        for axes, (name, (x, curves)) in zip(every, panels.items(), strict=True):
            for number, kind in enumerate(kinds):
                dash = ("-", "--")[number]
                axes.plot(x, curves[kind], linestyle=dash, linewidth=2, color=SERIES[number], label=kind)
            axes.set_title(name, loc="center", fontsize=11)
            axes.set(xlabel="designs judged", xlim=(1, recorded.PLACES[-1]))
            axes.grid(axis="y", color=FAINT)
        for number, kind in enumerate(kinds):
            reach = runs[kind].min(axis=0), runs[kind].max(axis=0)
            every[1].fill_between(recorded.PLACES, *reach, color=SERIES[number], alpha=0.15, linewidth=0)
        every[0].set(ylabel="fitness (0: answers as the teacher)", ylim=(lowest - 0.03, highest + 0.03))
        every[0].legend(loc="lower right", frameon=False)
    told = []
    for name, (x, curves) in panels.items():
        at = [int(np.flatnonzero(x == place)[0]) for place in (30, 60, 120) if place in x]
        phrases = [
            f"{kind} " + ", ".join(f"{curves[kind][place]:.2f} after {x[place]}" for place in at)
            for kind in kinds
        ]
        told.append(f"{name}: {'; '.join(phrases)}.")
    return figure, " ".join(told)


def draw_front(
    milliseconds: Sequence[float],
    first: Sequence[float],
    second: Sequence[float],
    front: Sequence[int],
    limit: float,
) -> tuple["Figure", str]:
    """Draw designs by time and accuracy (0 to 1), and their front on the first rows and on others."""
    times = to_array(milliseconds, "milliseconds", "N")
    here, there = (100 * to_array(half, "accuracy", "N") for half in (first, second))
    places = list(front)
    with style():
        figure = canvas(8.4, 4.6, "Designs on the first half, and those of the front on the second")
        axes = figure.subplots()
        axes.plot(times, here, "o", color=QUIET, markersize=4, alpha=0.45)
        for place in places:
            axes.plot([times[place]] * 2, [here[place], there[place]], color=FAINT, linewidth=1.2, zorder=1)
        axes.plot(times[places], here[places], "-o", color=LIT, markersize=7, zorder=3,
                  label="the front, where it was chosen")  # fmt: skip
        axes.plot(times[places], there[places], "s", color=SERIES[1], markersize=6.5, zorder=3,
                  markerfacecolor="white", label="the same designs, other rows")  # fmt: skip
        axes.axvline(limit, color=INK, linestyle=BASELINE, linewidth=1.3)
        axes.annotate("your limit", (limit, 0.03), (6, 0), xycoords=("data", "axes fraction"),
                      textcoords="offset points", fontsize=10.5)  # fmt: skip
        axes.set(xlabel="predicted milliseconds for one text", ylabel="accuracy, %")
        axes.grid(color=FAINT)
        axes.legend(loc="lower right", frameon=False, bbox_to_anchor=(1, 0.1))
    start, end = places[0], places[-1]
    return figure, (
        f"{len(times)} designs by predicted milliseconds and accuracy on the first half; {len(places)} are on"
        f" the front, from {here[start]:.1f}% in {times[start]:.1f} ms to {here[end]:.1f}% in"
        f" {times[end]:.1f} ms. On the second half these two have {there[start]:.1f} and {there[end]:.1f}%."
        f" The limit is {limit:.1f} ms."
    )


def losses(networks: recorded.Networks, front: Sequence[Design]) -> Iterator[str]:
    """Lines: what the designs of a front sort on both halves in the first network, and what all sort."""
    first, second = networks[0]
    for name, group in {"the front": front, "all designs": list(first)}.items():
        here, there = (100 * np.mean([half[design] for design in group]) for half in (first, second))
        yield f"mean of {name}: first half {here:.1f}%, second half {there:.1f}%"


def winners(networks: Mapping[str, recorded.Networks], fits: Sequence[Design]) -> Iterator[str]:
    """For each task a line: the best that fits, chosen on either half, and elsewhere."""
    for task, by_seed in networks.items():
        here, there = recorded.winner(by_seed, fits)
        yield f"{task}: the best has {here:.1f}% where it was chosen, and {there:.1f}% on the other half"


def table_alone() -> dict[str, list[str]]:
    """Columns: designs, and what they sort of the second half, inside the network and trained on alone."""
    ranks, cut = ("best", "middle", "last"), "best, cut from the teacher"
    columns: dict[str, list[str]] = {"design": [*ranks, cut]}
    for task in ("headlines", "SST-2"):
        inside = [f"{np.mean(recorded.runs(f'{rank}, inherited', task=task)):.1f}" for rank in ranks]
        columns[f"{task}, inside"] = [*inside, ""]
        alone = [f"{rank}, trained on" for rank in ranks] + [cut]
        columns[f"{task}, alone"] = []
        for arm in alone:
            behind = recorded.gain("best, trained on", arm, task=task)
            mark = " *" if behind.is_resolved else ""
            columns[f"{task}, alone"].append(f"{np.mean(recorded.runs(arm, task=task)):.1f}{mark}")
    return columns


def draw_choices(odds: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw how likely a cell takes each of its operations, for each distance of the token asked for."""
    figure = draw_bars([*COSTS], odds, "probability", "The choice of a cell, after 400 steps")
    phrases = [
        f"{name}: " + ", ".join(f"{step} {odd:.2f}" for step, odd in zip(COSTS, row, strict=True))
        for name, row in odds.items()
    ]
    return figure, "; ".join(phrases)


def draw_kernels(kernels: Mapping[str, Mapping[str, Sequence[float]]], title: str) -> tuple["Figure", str]:
    """Draw kernels as bars, a row for each convolution and a column for each text.

    kernels[convolution][text] has a number for each place, the middle one for the token itself.
    """
    tables: dict[str, dict[str, Array]] = {
        kind: {text: to_array(values, "a kernel", "K") for text, values in by_text.items()}
        for kind, by_text in kernels.items()
    }
    texts = list(next(iter(tables.values())))
    with style():
        figure = canvas(4.0 * len(texts) + 1.2, 1.75 * len(tables) + 0.6, title)
        every = figure.subplots(len(tables), len(texts), sharey=True, sharex=True, squeeze=False)
        for row, (kind, by_text) in enumerate(tables.items()):
            for column, (text, values) in enumerate(by_text.items()):
                axes = every[row][column]
                places = np.arange(len(values)) - len(values) // 2
                axes.bar(places, values, 0.7, color=SERIES[row], hatch=HATCHES[row], edgecolor="white")
                axes.set_xticks(places, [f"{place:+d}" if place else "itself" for place in places])
                axes.set_ylim(0, 1.05)
                axes.axhspan(0, 1.05, color=TINT, alpha=0.25, linewidth=0, zorder=0)
                if row == 0:
                    axes.set_title(text, loc="center", fontsize=11)
                if column == 0:
                    axes.set_ylabel(kind)
    description = "; ".join(
        f"{kind}, {text}: " + ", ".join(f"{value:.2f}" for value in values)
        for kind, by_text in tables.items()
        for text, values in by_text.items()
    )
    return figure, f"The weight of each place around the middle token. {description}."
