"""The feed-forward half of a layer, with the norm after the sum (post-LN) and before the update (pre-LN)."""

from itertools import pairwise
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 10.3, 4.3  # inches
LOWEST = {"post-LN": 2.15, "pre-LN": 0.25}  # the lower edge of each row's boxes
TALL = 0.62


def draw_feed_forward(size: int, wide: int, title: str) -> "Figure":
    """Draw a token's way through the feed-forward half, left to right: post-LN above, pre-LN below.

    `size` and `wide` are how many features enter the half and how many its middle has.
    """
    if not 0 < size < wide:
        raise ValueError(f"A feed-forward network widens its input; it cannot go from {size} to {wide}.")
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    for name, bottom in LOWEST.items():
        _draw_row(page, name, bottom, size, wide)
    return page.figure


def describe_feed_forward(size: int, wide: int) -> str:
    """Say in words what `draw_feed_forward` shows."""
    update = f"a dense layer from {size:,} to {wide:,} features, GELU, a dense layer back to {size:,}"
    return (
        "The feed-forward half of a layer, twice. The hidden state goes two ways: along the residual path"
        f" straight to a plus sign, and through an update: {update}. Post-LN, as in BERT: their sum goes"
        " through the layer norm, which stands on the residual path. Pre-LN: the layer norm stands before the"
        " update, off the path, and the sum goes on as it is."
    )


def _draw_row(page: Schematic, name: str, bottom: float, size: int, wide: int) -> None:
    is_post = name == "post-LN"
    where = (
        "the norm stands on the path, after the sum" if is_post else "the norm stands where the update begins"
    )
    page.text(0.15, bottom + 1.42, f"{name}: {where}", ha="left", color=LIT, weight="bold", fontsize=12)
    middle, path = bottom + TALL / 2, bottom + 1.02
    end = (9.35, middle)

    first, plus = (1.85, 7.15) if is_post else (3.4, 8.7)  # where the update begins, and the sum
    hidden = page.box(0.15, bottom, 1.25, TALL, "hidden state", f"{size:,}")
    parts = [
        page.box(first, bottom, 1.4, TALL, "dense", f"{size:,} to {wide:,}"),
        page.box(first + 1.75, bottom, 1.1, TALL, "GELU", f"{wide:,}", look="tint"),
        page.box(first + 3.2, bottom, 1.4, TALL, "dense", f"{wide:,} to {size:,}"),
    ]
    norm = page.box(7.75 if is_post else 1.75, bottom, 1.25, TALL, "layer norm", look="lit")
    chain = [hidden, *parts] if is_post else [hidden, norm, *parts]
    for one_box, other_box in pairwise(chain):
        page.arrow(one_box.east, other_box.west)
    radius = 0.17
    page.arrow(parts[-1].east, (plus - radius, middle))
    _draw_plus(page, plus, middle, radius)
    page.arrow((0.77, bottom + TALL), (0.77, path), (plus, path), (plus, middle + radius))
    page.text((0.77 + plus) / 2, path + 0.13, "residual path", color=QUIET, fontsize=10.5)
    sum_to_end = (
        [(plus + radius, middle), norm.west, norm.east, end] if is_post else [(plus + radius, middle), end]
    )
    for one, other in zip(sum_to_end[::2], sum_to_end[1::2], strict=True):
        page.arrow(one, other)
    page.text(9.42, middle, "next half", ha="left", color=QUIET)


def _draw_plus(page: Schematic, x: float, y: float, radius: float) -> None:
    from matplotlib.patches import Circle

    page.axes.add_patch(Circle((x, y), radius, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
