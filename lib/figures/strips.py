"""Every choice that could be made, a dot each, and the marks of a few that were."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .style import FAINT, INK, LIT, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_strips(
    rows: Mapping[str, Any],
    marked: Mapping[str, Mapping[str, float]],
    xlabel: str,
    title: str | None = None,
) -> "Figure":
    """Draw a row of dots for every choice that could be made, and the marks of a few that were.

    rows[row] is [N]; marked[name][row] is the number of a choice that has a name. Up to four names.
    """
    strips, marks = _strips(rows, marked)
    shapes = (("^", LIT), ("v", SERIES[1]), ("s", INK), ("D", SERIES[3]))
    with style():
        figure = canvas(8.0, 1.5 + 0.62 * len(strips), title)
        axes = figure.subplots()
        for place, numbers in enumerate(strips.values()):
            axes.plot(
                numbers, np.full(len(numbers), place), "o", color=FAINT, markeredgecolor=QUIET, markersize=7,
                label="every choice" if place == 0 else None,
            )  # fmt: skip
        for (name, of_row), (marker, color) in zip(marks.items(), shapes, strict=False):
            places = [place for place, row in enumerate(strips) if row in of_row]
            axes.plot(
                [of_row[row] for row in strips if row in of_row], places, marker, color=color, markersize=11,
                label=name,
            )  # fmt: skip
        axes.set_yticks(range(len(strips)), list(strips))
        axes.set_ylim(len(strips) - 0.5, -0.5)
        axes.set_xlabel(xlabel)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        figure.legend(loc="outside lower center", ncols=1 + len(marks))
    return figure


def describe_strips(rows: Mapping[str, Any], marked: Mapping[str, Mapping[str, float]]) -> str:
    """Say in words what `draw_strips` shows."""
    strips, marks = _strips(rows, marked)
    told = []
    for row, numbers in strips.items():
        named = ", ".join(f"{name} {of_row[row]:.3f}" for name, of_row in marks.items() if row in of_row)
        told.append(
            f"{row}: {len(numbers)} choices from {numbers.min():.3f} to {numbers.max():.3f}, mean"
            f" {numbers.mean():.3f}; {named}"
        )
    return ". ".join(told) + "."


def _strips(
    rows: Mapping[str, Any], marked: Mapping[str, Mapping[str, float]]
) -> tuple[dict[str, Array], dict[str, dict[str, float]]]:
    strips = {row: to_array(numbers, repr(row), "N") for row, numbers in rows.items()}
    marks = {name: dict(of_row) for name, of_row in marked.items()}
    for name, of_row in marks.items():
        if unknown := of_row.keys() - strips.keys():
            raise ValueError(f"{name!r} is marked in {min(unknown)!r}, which is no row.")
    if not strips or len(marks) > 4:
        raise ValueError(
            f"{len(strips)} rows and {len(marks)} marks: give a row or more, and four marks at most."
        )
    return strips, marks
