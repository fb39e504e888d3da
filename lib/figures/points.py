"""Words, or anything with a name, as points in a plane."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import check_tokens, to_array
from .style import FAINT, INK, MARKERS, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        found: dict[str, Any] = {}
        for number, (label, (names, places)) in enumerate(groups.items()):
            points = to_array(places, repr(label), "N, 2")
            check_tokens(names, len(points), "points")
            plane.scatter(
                points[:, 0], points[:, 1], color=SERIES[number], marker=MARKERS[number], s=36, label=label
            )
            for name, (x, y) in zip(names, points, strict=True):
                plane.annotate(name, (x, y), (5, 4), textcoords="offset points", fontsize=10, color=INK)
                found[name] = x, y
        for pair in links:
            plane.plot(
                *zip(*(found[name] for name in pair), strict=True), color=FAINT, linewidth=1.2, zorder=0
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
