"""The feed-forward half of a layer, with the norm after the sum (post-LN) and before the update (pre-LN)."""

from itertools import pairwise
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 10.3, 4.95  # inches
LOWEST = {"post-LN": 2.45, "pre-LN": 0.2}  # the lower edge of each row, where its residual path runs
TALL = 0.62
DETOUR = 0.9  # how far above the path the boxes of the update stand


def draw_feed_forward(size: int, wide: int, title: str) -> tuple["Figure", str]:
    """Draw a token's way through the feed-forward half: post-LN above, pre-LN below.

    The residual path runs straight from left to right, and the update is a detour over it.
    `size` and `wide` are how many features enter the half and how many its middle has.
    """
    if not 0 < size < wide:
        raise ValueError(f"A feed-forward network widens its input; it cannot go from {size} to {wide}.")
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    for name, bottom in LOWEST.items():
        _draw_row(page, name, bottom, size, wide)
    update = f"a dense layer from {size:,} to {wide:,} features, GELU, a dense layer back to {size:,}"
    alt = (
        "The feed-forward half of a layer, twice. The hidden state goes two ways: along the residual path"
        f" straight to a plus sign, and through an update: {update}. Post-LN, as in BERT: their sum goes"
        " through the layer norm, which stands on the residual path. Pre-LN: the layer norm stands before the"
        " update, off the path, and the sum goes on as it is."
    )
    return page.figure, alt


def _draw_row(page: Schematic, name: str, bottom: float, size: int, wide: int) -> None:
    is_post = name == "post-LN"
    where = "on the path, after the sum" if is_post else "off the path, where the update begins"
    title = f"{name}: the norm stands {where}"
    page.text(0.15, bottom + DETOUR + TALL + 0.24, title, ha="left", color=LIT, weight="bold", fontsize=12)
    path, over = bottom + TALL / 2, bottom + DETOUR
    branch, end, radius = 1.7, 9.3, 0.17
    first, plus = (2.0, 7.05) if is_post else (3.6, 8.65)  # where the dense layers begin, and the sum

    page.axes.plot([1.4, end], [path, path], color=LIT, linewidth=4, zorder=1, solid_capstyle="butt")
    page.arrow((end - 0.05, path), (end + 0.1, path))
    page.text(9.46, path, "next half", ha="left", color=QUIET)
    page.text((branch + plus) / 2, path + 0.16, "residual path", color=LIT, fontsize=10.5)
    page.box(0.15, bottom, 1.25, TALL, "hidden state", f"{size:,}")
    norm_left, norm_bottom = (7.65, bottom) if is_post else (2.0, over)
    norm = page.box(norm_left, norm_bottom, 1.25, TALL, "layer norm", look="lit")
    parts = [
        page.box(first, over, 1.4, TALL, "dense", f"{size:,} to {wide:,}"),
        page.box(first + 1.75, over, 1.1, TALL, "GELU", f"{wide:,}", look="tint"),
        page.box(first + 3.2, over, 1.4, TALL, "dense", f"{wide:,} to {size:,}"),
    ]
    detour = parts if is_post else [norm, *parts]
    page.arrow((branch, path), (branch, over + TALL / 2), detour[0].west)
    for one, other in pairwise(detour):
        page.arrow(one.east, other.west)
    page.arrow(detour[-1].east, (plus, over + TALL / 2), (plus, path + radius))
    _draw_plus(page, plus, path, radius)


def _draw_plus(page: Schematic, x: float, y: float, radius: float) -> None:
    from matplotlib.patches import Circle

    page.axes.add_patch(Circle((x, y), radius, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
