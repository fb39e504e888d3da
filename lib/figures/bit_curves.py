"""How much of a model is left with fewer and fewer bits, over seeds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .charts import BASELINE
from .style import DASHES, INK, MARKERS, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 4


def draw_bit_curves(
    bits: Sequence[int],
    panels: Mapping[str, Mapping[str, Any]],
    ylabel: str,
    title: str | None = None,
    baseline: tuple[str, float] | None = None,
) -> tuple["Figure", str]:
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
    said = [
        f"{name}, {line}: "
        + ", ".join(f"{bit} bits {mean:.3f}" for bit, mean in zip(bits, table.mean(axis=1), strict=True))
        for name, lines in tables.items()
        for line, table in lines.items()
    ]
    dashed = "" if baseline is None else f" {baseline[0]} {baseline[1]:.3f}."
    alt = "; ".join(said) + "." + dashed
    return figure, alt


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
    curves: dict[str, dict[str, Array]] = {
        name: {line: np.asarray(values, dtype=float) for line, values in lines.items()}
        for name, lines in panels.items()
    }
    first = list(next(iter(curves.values())))
    for name, lines in curves.items():
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
        for name, lines in curves.items()
    }
