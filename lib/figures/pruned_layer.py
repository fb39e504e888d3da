"""The six matrices of a layer, to scale, and which rows and columns of them leave with a part."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .schematic import Schematic
from .style import INK, LIT, QUIET, SERIES, TINT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT, SCALE = 10.8, 4.1, 1.25  # inches, and inches for the hidden size
GONE = ("heads", "neurons", "features")
#: what a matrix loses: its rows with one part, its columns with another
LOSSES = {
    "query": ("heads", "features"),
    "key": ("heads", "features"),
    "value": ("heads", "features"),
    "attention output": ("features", "heads"),
    "feed-forward in": ("neurons", "features"),
    "feed-forward out": ("features", "neurons"),
}
COLORS = {"heads": SERIES[1], "neurons": SERIES[3], "features": SERIES[4]}
HATCHED = {"heads": "///", "neurons": "\\\\\\", "features": "..."}


def draw_pruned_layer(shares: Mapping[str, float], neurons: float, title: str) -> "Figure":
    """Draw the matrices of a layer, rows (outputs) downward, and shade what leaves them.

    shares: of "heads", "neurons" and "features", how large a share goes; what is missing stays. neurons: how
    many times as many neurons as features a layer has. Rows and columns that go are put together at the end.
    """
    _check(shares)
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    high, wide = SCALE, SCALE * min(neurons, 2.2)  # a feed-forward matrix is drawn shorter than it is
    places = {
        "query": (0.5, 2.1, SCALE, high),
        "key": (2.1, 2.1, SCALE, high),
        "value": (3.7, 2.1, SCALE, high),
        "attention output": (2.1, 0.35, SCALE, high),
        "feed-forward in": (5.7, 0.75, SCALE, wide),
        "feed-forward out": (7.6, 1.5, wide, high),
    }
    for name, place in places.items():
        _draw_matrix(page, name, place, shares)
    for number, part in enumerate(part for part in GONE if shares.get(part)):
        y = 0.85 - 0.27 * number
        _shade(page, (7.7, y - 0.08, 0.32, 0.17), part)
        page.text(8.15, y, f"goes with {part}: {shares[part]:.0%}", ha="left", fontsize=10)
    return page.figure


def describe_pruned_layer(shares: Mapping[str, float]) -> str:
    """Say in words what `draw_pruned_layer` shows."""
    _check(shares)
    told = []
    for name, (rows, columns) in LOSSES.items():
        lost = [
            f"{shares[part]:.0%} of its {what} with {part}"
            for what, part in (("rows", rows), ("columns", columns))
            if shares.get(part)
        ]
        told.append(f"{name}: {' and '.join(lost) or 'loses nothing'}")
    return f"The six matrices of a layer, to scale. {'; '.join(told)}."


def _draw_matrix(
    page: Schematic, name: str, place: tuple[float, float, float, float], shares: Mapping[str, float]
) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    page.axes.add_patch(
        Rectangle((left, bottom), width, height, facecolor=TINT, edgecolor=LIT, linewidth=1.2)
    )
    rows, columns = LOSSES[name]
    if gone := shares.get(rows, 0.0):
        _shade(page, (left, bottom, width, height * gone), rows)  # the last rows stand at the foot
    if gone := shares.get(columns, 0.0):
        _shade(page, (left + width * (1 - gone), bottom, width * gone, height), columns)
    page.text(left + width / 2, bottom + height + 0.14, name, color=INK, fontsize=10)


def _shade(page: Schematic, place: tuple[float, float, float, float], part: str) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": COLORS[part], "hatch": HATCHED[part]}
    page.axes.add_patch(Rectangle((left, bottom), width, height, linewidth=1.0, alpha=0.85, **look))
    page.axes.plot([left, left + width], [bottom + height] * 2, color=QUIET, linewidth=0.6)


def _check(shares: Mapping[str, float]) -> None:
    if unknown := sorted(set(shares) - set(GONE)):
        raise ValueError(f"{unknown[0]!r} is no part of a layer that can go; use {', '.join(GONE)}.")
    if not shares or not all(0 < share < 1 for share in shares.values()):
        raise ValueError("Give the share of at least one part that goes, between 0 and 1.")
