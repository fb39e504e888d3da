"""Few bits: what one outlier does to a matrix, how rounding learns, and how much a model keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .charts import BASELINE, PAPER
from .style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 4

# --- the rows of a matrix -------------------------------------------------------------------------


def draw_row_ranges(
    largest: Any, row: Any, scales: Mapping[str, float], largest_code: int, title: str | None = None
) -> "Figure":
    """Draw the largest |weight| of every row, and beside it what rounding leaves of one ordinary row.

    largest: [R]. row: [C], the weights of that row. scales: two, by name, that the row may be rounded with;
    each has a panel, where a line stands at every value, scale * code, that the row can take.
    """
    tops, weights, shares = _rows(largest, row, scales)
    worst = int(tops.argmax())
    reach = 1.15 * float(np.abs(weights).max())
    with style():
        figure = canvas(10.4, 4.2, title)
        grid = figure.add_gridspec(2, 2, width_ratios=[1, 1.25])
        left = figure.add_subplot(grid[:, 0])
        left.vlines(np.arange(len(tops)), 0, tops, color=LIT, linewidth=1.0)
        left.set(xlabel="row of the matrix", ylabel="largest |weight| of the row", xlim=(-4, len(tops) + 3))
        left.set_ylim(0, 1.12 * float(tops.max()))
        left.annotate(
            f"row {worst}: {tops[worst]:.2f}", (worst, tops[worst]), (7, 0), textcoords="offset points",
            va="center", fontsize=10,
        )  # fmt: skip
        middle = float(np.median(tops))
        left.annotate(
            f"half of the rows\nstay below {middle:.2f}", (0.72 * len(tops), middle), (0, 52),
            textcoords="offset points", ha="center", fontsize=10,
            arrowprops={"arrowstyle": "-|>", "color": QUIET},
        )  # fmt: skip
        for place, (name, scale) in enumerate(scales.items()):
            axes = figure.add_subplot(grid[place, 1])
            axes.hist(weights, bins=60, range=(-reach, reach), color=FAINT)
            values = scale * np.arange(-largest_code, largest_code + 1)
            axes.vlines(
                values[np.abs(values) <= reach], 0, 1, LIT, linewidth=1.6,
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            axes.set(xlim=(-reach, reach), yticks=[])
            axes.set_title(f"{name}: {shares[name]:.0%} become 0", fontsize=11)
            if place:
                axes.set_xlabel("weights of one ordinary row (gray), and the values they can take (lines)")
            else:
                axes.tick_params(labelbottom=False)
    return figure


def describe_row_ranges(largest: Any, row: Any, scales: Mapping[str, float]) -> str:
    """Say in words what `draw_row_ranges` shows."""
    tops, weights, shares = _rows(largest, row, scales)
    told = "; ".join(
        f"{name} ({scale:.3g} a code): {shares[name]:.0%} of its weights become 0"
        for name, scale in scales.items()
    )
    return (
        f"Largest |weight| of {len(tops)} rows: {tops.max():.2f} in row {int(tops.argmax())}, at the median"
        f" {np.median(tops):.2f}. An ordinary row, from {weights.min():.2f} to {weights.max():.2f}. {told}."
    )


def _rows(largest: Any, row: Any, scales: Mapping[str, float]) -> tuple[Array, Array, dict[str, float]]:
    """The rows' largest, one row, and for each scale the share of that row's weights that becomes 0."""
    tops, weights = to_array(largest, "largest", "R"), to_array(row, "row", "C")
    if len(scales) != 2 or not min(scales.values()) > 0:
        raise ValueError(f"{len(scales)} scales: give two positive ones, by name.")
    shares = {name: float((np.round(weights / scale) == 0).mean()) for name, scale in scales.items()}
    return tops, weights, shares


# --- blanks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlankNow:
    """What a model says of one blank after rounding, beside what it said before."""

    text: str  # with [MASK]
    word: str  # the first guess before
    before: float  # its probability then
    now: float  # and now
    first: str  # the first guess now


def draw_blanks(blanks: Sequence[BlankNow], title: str | None = None) -> "Figure":
    """Draw for each blank how probable its first guess of before is now; a line says how it was before."""
    if not blanks:
        raise ValueError("There are no blanks to draw: give one or more.")
    with style():
        figure = canvas(9.0, 0.9 + 0.72 * len(blanks), title)
        axes = figure.subplots()
        for row, blank in enumerate(blanks):
            kept = blank.first == blank.word
            axes.barh(row, blank.now, 0.32, color=LIT if kept else "white", edgecolor=LIT, linewidth=1.2)
            axes.vlines(blank.before, row - 0.26, row + 0.26, INK, linewidth=2.2)
            said = blank.text.replace("[MASK]", f"[{blank.first}]")
            axes.text(0, row - 0.26, said, va="bottom", fontsize=11, weight="bold" if kept else "normal")
            told = f"“{blank.word}” {blank.before:.2f} → {blank.now:.2f}"
            axes.text(max(blank.now, blank.before) + 0.012, row, told, va="center", fontsize=10)
        axes.set(xlim=(0, 1), ylim=(len(blanks) - 0.55, -0.75), yticks=[])
        axes.set_xlabel("probability of the word that the unrounded model guesses first; the line: unrounded")
        axes.spines["left"].set_visible(False)
    return figure


def describe_blanks(blanks: Sequence[BlankNow]) -> str:
    """Say in words what `draw_blanks` shows."""
    return (
        "; ".join(
            f"{blank.text}: first guess now {blank.first}, “{blank.word}” {blank.before:.2f} before and"
            f" {blank.now:.2f} now"
            for blank in blanks
        )
        + "."
    )


# --- rounding that learns -------------------------------------------------------------------------


def draw_staircase(
    scale: float, largest_code: int, walk: Sequence[float], title: str | None = None
) -> "Figure":
    """Draw what rounding makes of a weight, where its gradient is let through, and a weight that walks.

    walk: the latent weight after 0, 1, 2, ... steps; each has a dot at what it is rounded to.
    """
    edge, rounded = _staircase(scale, largest_code, walk)
    reach = 1.45 * edge
    xs = np.linspace(-reach, reach, 2001)
    with style():
        figure = canvas(8.0, 4.0, title)
        axes = figure.subplots()
        for side in ((-reach, -edge), (edge, reach)):
            axes.axvspan(*side, color=FAINT, alpha=0.7, linewidth=0)
            axes.text(sum(side) / 2, -0.86 * edge, "clipped:\ngradient 0", ha="center", fontsize=10)
        axes.text(
            0,
            -0.86 * edge,
            "gradient taken as 1\n(squares: a weight after 0, 1, 2, ... steps)",
            ha="center",
            fontsize=10,
        )
        axes.plot(xs, xs, color=QUIET, linewidth=1.2, linestyle=BASELINE)
        axes.plot(xs, np.clip(np.round(xs / scale), -largest_code, largest_code) * scale, color=LIT)
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True)):
            axes.plot(latent, value, MARKERS[1], color=SERIES[1], markersize=8, zorder=4)
            axes.annotate(
                str(step), (latent, value), (0, -17), textcoords="offset points", ha="center",
                fontsize=11, weight="bold", bbox=PAPER,
            )  # fmt: skip
        axes.set(
            xlabel="latent weight, which learns", ylabel="rounded weight, which is used",
            xlim=(-reach, reach), ylim=(-1.15 * edge, 1.15 * edge),
        )  # fmt: skip
        axes.grid(axis="y")
    return figure


def describe_staircase(scale: float, largest_code: int, walk: Sequence[float]) -> str:
    """Say in words what `draw_staircase` shows."""
    edge, rounded = _staircase(scale, largest_code, walk)
    told = "; ".join(
        f"step {step}: latent {latent:.2f}, rounded {value:.2f}"
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True))
    )
    return (
        f"Rounding is a staircase of {2 * largest_code + 1} steps, {scale:g} high, along the dashed line of"
        f" no rounding. Beyond {edge:g} on either side it is flat, and the gradient is 0; between, it counts"
        f" as 1. A weight walks: {told}."
    )


def _staircase(scale: float, largest_code: int, walk: Sequence[float]) -> tuple[float, list[float]]:
    if not scale > 0 or largest_code < 1:
        raise ValueError(f"A scale of {scale:g} and codes up to {largest_code}: both have to be positive.")
    codes = np.clip(np.round(np.asarray(walk) / scale), -largest_code, largest_code)
    return scale * largest_code, (scale * codes).tolist()


# --- how much is left -----------------------------------------------------------------------------


def draw_bit_curves(
    bits: Sequence[int],
    panels: Mapping[str, Mapping[str, Any]],
    ylabel: str,
    title: str | None = None,
    baseline: tuple[str, float] | None = None,
) -> "Figure":
    """Draw up to four panels of a share, 0 to 1, over the number of bits, the fewest on the right.

    panels[name][line] is [N], or [N, S] for S seeds, of which the line is the mean and the band goes from the
    lowest to the highest. All panels have the same lines.
    """
    tables = _curves(bits, panels)
    low = min(float(table.min()) for lines in tables.values() for table in lines.values())
    with style():
        figure = canvas(10.4, 3.7, title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (name, lines) in zip(every, tables.items(), strict=True):
            for number, (line, table) in enumerate(lines.items()):
                _draw_curve(axes, bits, table, line, number)
            if baseline is not None:
                axes.axhline(baseline[1], color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.set(title=name, xlabel="bits", xticks=list(bits))
            axes.set_xlim(max(bits) + 0.4, min(bits) - 0.4)
            axes.set_ylim(min(low, baseline[1] if baseline else low) - 0.09, 1.03)
            axes.grid(axis="y")
        every[0].set_ylabel(ylabel)
        if baseline is not None:
            every[0].text(
                0.03, baseline[1] - 0.01, f"{baseline[0]} {baseline[1]:.2f}", va="top", fontsize=10,
                transform=every[0].get_yaxis_transform(),
            )  # fmt: skip
        handles, labels = every[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def describe_bit_curves(
    bits: Sequence[int], panels: Mapping[str, Mapping[str, Any]], baseline: tuple[str, float] | None = None
) -> str:
    """Say in words what `draw_bit_curves` shows: the mean over seeds."""
    told = [
        f"{name}, {line}: "
        + ", ".join(f"{bit} bits {mean:.3f}" for bit, mean in zip(bits, table.mean(axis=1), strict=True))
        for name, lines in _curves(bits, panels).items()
        for line, table in lines.items()
    ]
    dashed = "" if baseline is None else f" {baseline[0]} {baseline[1]:.3f}."
    return "; ".join(told) + "." + dashed


def _draw_curve(axes: "Axes", bits: Sequence[int], table: Array, line: str, number: int) -> None:
    axes.fill_between(
        bits, table.min(axis=1), table.max(axis=1), color=SERIES[number], alpha=0.18, linewidth=0
    )
    axes.plot(
        bits, table.mean(axis=1), color=SERIES[number], linestyle=DASHES[number], marker=MARKERS[number],
        label=line,
    )  # fmt: skip


def _curves(bits: Sequence[int], panels: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Array]]:
    """The panels with each line as [N, S]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    found: dict[str, dict[str, Array]] = {
        name: {line: np.asarray(values, dtype=float) for line, values in lines.items()}
        for name, lines in panels.items()
    }
    first = list(next(iter(found.values())))
    for name, lines in found.items():
        if list(lines) != first or len(lines) > len(SERIES):
            raise ValueError(f"Give the same lines in every panel, {len(SERIES)} at most.")
        for line, table in lines.items():
            if table.ndim not in (1, 2) or len(table) != len(bits) or not table.size:
                raise ValueError(
                    f"{line!r} of {name!r} has the shape {list(table.shape)}: give a number, or a row of"
                    f" seeds, for each of {len(bits)} numbers of bits."
                )
    return {
        name: {line: table.reshape(len(bits), -1) for line, table in lines.items()}
        for name, lines in found.items()
    }
