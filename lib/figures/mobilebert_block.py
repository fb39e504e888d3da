"""One block of MobileBERT: wide outside, thin inside."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import INK, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 11.4, 4.3  # inches
PARTS = ("bottlenecks", "attention", "feed-forward", "way back")


def draw_mobilebert_block(sizes: Mapping[str, int], weights: Mapping[str, int], title: str) -> "Figure":
    """Draw the block from left to right, with what each of PARTS weighs.

    `sizes` holds "hidden", "narrow", "intermediate", "heads" and "feed-forwards". Thick edges are wide
    vectors, tinted boxes work on narrow ones.
    """
    _check(weights)
    wide, narrow, inner = sizes["hidden"], sizes["narrow"], sizes["intermediate"]
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    came = page.box(0.15, 1.75, 1.25, 0.6, "state", f"T × {wide}", look="edge")
    looks = page.box(1.95, 2.75, 1.6, 0.6, "bottleneck", f"{wide} to {narrow}")
    carried = page.box(1.95, 0.75, 1.6, 0.6, "bottleneck", f"{wide} to {narrow}")
    attention = page.box(
        4.25, 2.2, 1.7, 1.15, "attention", f"{sizes['heads']} heads, {narrow} wide", look="tint"
    )
    plus = _draw_plus(page, 6.45, 2.05)
    count = sizes["feed-forwards"]
    stack = page.box(
        7.0, 1.75, 1.75, 0.6, f"{count} feed-forwards", f"{narrow} to {inner} to {narrow}", look="tint"
    )
    back = page.box(9.15, 1.75, 1.05, 0.6, "dense", f"{narrow} to {wide}")
    end = _draw_plus(page, 10.5, 2.05)
    page.arrow(came.east, (1.65, 2.05), (1.65, 3.05), looks.west)
    page.arrow(came.east, (1.65, 2.05), (1.65, 1.05), carried.west)
    page.arrow(looks.east, (attention.west[0], 3.05))
    page.text(3.9, 3.2, "q, k", color=QUIET, fontsize=10)
    page.arrow((1.65, 2.05), (3.9, 2.05), (3.9, 2.45), (attention.west[0], 2.45))
    page.text(3.2, 2.18, f"v, from {wide}", color=QUIET, fontsize=10)
    page.arrow(attention.east, (6.45, attention.east[1]), (6.45, 2.22))
    page.arrow(carried.east, (6.45, 1.05), (6.45, 1.88))
    page.arrow((plus[0] + 0.17, 2.05), stack.west)
    page.arrow(stack.east, back.west)
    page.arrow(back.east, (end[0] - 0.17, 2.05))
    page.arrow((0.75, 1.75), (0.75, 0.35), (10.5, 0.35), (10.5, 1.88))
    page.text(5.6, 0.48, "residual path", color=QUIET, fontsize=10)
    page.arrow((end[0] + 0.17, 2.05), (11.15, 2.05))
    page.text(10.85, 2.42, f"out: T × {wide}", color=QUIET, fontsize=10)
    for x, y, part in (
        (2.75, 3.55, "bottlenecks"),
        (5.1, 3.55, "attention"),
        (7.88, 2.58, "feed-forward"),
        (9.68, 2.58, "way back"),
    ):
        page.text(x, y, f"{weights[part]:,} weights", fontsize=10)
    return page.figure


def describe_mobilebert_block(sizes: Mapping[str, int], weights: Mapping[str, int]) -> str:
    """Say in words what `draw_mobilebert_block` shows."""
    _check(weights)
    wide, narrow = sizes["hidden"], sizes["narrow"]
    told = ", ".join(f"{part} {weights[part]:,}" for part in PARTS)
    return (
        f"A block of MobileBERT. States of {wide} features come in. One bottleneck narrows them to {narrow}"
        f" for queries and keys, another for what is carried on; values are made of the {wide} features."
        f" Attention with {sizes['heads']} heads is {narrow} wide; its result is added to what is carried on."
        f" Then come {sizes['feed-forwards']} feed-forward networks, {narrow} to {sizes['intermediate']} to"
        f" {narrow}, and a dense layer back to {wide}, which is added to what came in. Weights: {told}."
    )


def _draw_plus(page: Schematic, x: float, y: float) -> tuple[float, float]:
    from matplotlib.patches import Circle

    page.axes.add_patch(Circle((x, y), 0.17, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
    return x, y


def _check(weights: Mapping[str, int]) -> None:
    if set(weights) != set(PARTS):
        raise ValueError(f"Give the weights of {', '.join(PARTS)}.")
