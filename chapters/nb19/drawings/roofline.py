"""The roofline: how fast operations run, under the roof that memory and multiplications put over them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, RIGHT = 0.25, 512.0  # operations for each byte, the ends of the axis
GIGA = 1e9


class Operation(NamedTuple):
    """An operation: how much it multiplies for each byte it moves, and how fast it ran."""

    name: str
    intensity: float  # FLOPs for each byte
    flops: float  # a second


def draw_roofline(
    operations: Sequence[Operation], flops: float, bandwidth: float, title: str, ran: str = "measured"
) -> "Figure":
    """Draw the roof of a machine of so many FLOPs and bytes a second, and a point for each operation.

    All pictures of one machine have the same frame. `ran` names the points in the legend, such as
    "predicted".
    """
    _check(operations, flops, bandwidth)
    ridge, top = flops / bandwidth, flops / GIGA
    with style():
        figure = canvas(9.2, 4.6, title)
        axes = figure.subplots()
        axes.set(
            xscale="log", yscale="log", xlim=(LEFT, RIGHT), ylim=(LEFT * bandwidth / GIGA / 4, 2.5 * top)
        )
        axes.axvspan(LEFT, ridge, color=TINT, linewidth=0, zorder=0)
        axes.plot(
            [LEFT, ridge, RIGHT], [LEFT * bandwidth / GIGA, top, top], color=INK, linewidth=2.2, label="roof"
        )
        low = axes.get_ylim()[0] * 1.25
        for x, words in (
            ((LEFT * ridge) ** 0.5, "memory limits"),
            ((ridge * RIGHT) ** 0.5, "multiplying limits"),
        ):
            axes.text(x, low, words, ha="center", color=QUIET)
        axes.plot(
            [one.intensity for one in operations], [one.flops / GIGA for one in operations], "o",
            color=SERIES[1], markeredgecolor=INK, markersize=8, label=ran, zorder=4,
        )  # fmt: skip
        for one in operations:
            is_near_the_left = (one.intensity / LEFT) < (RIGHT / LEFT) ** 0.2
            axes.annotate(
                one.name, (one.intensity, one.flops / GIGA), (0, -17), textcoords="offset points",
                ha="left" if is_near_the_left else "center", fontsize=10, color=INK, zorder=5,
            )  # fmt: skip
        axes.annotate(
            f"{top:,.0f} GFLOP/s", (RIGHT, top), (-6, 6), textcoords="offset points", ha="right", color=LIT
        )
        middle = (LEFT * ridge) ** 0.5
        axes.annotate(
            f"{bandwidth / GIGA:,.0f} GB/s", (middle, middle * bandwidth / GIGA), (-8, 8),
            textcoords="offset points", ha="right", color=LIT,
        )  # fmt: skip
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda number, _place: f"{number:,g}")
        axes.set(xlabel="FLOPs for each byte moved", ylabel="GFLOP/s")
        axes.grid(color=FAINT)
        axes.legend(loc="center right")
    return figure


def describe_roofline(operations: Sequence[Operation], flops: float, bandwidth: float) -> str:
    """Say in words what `draw_roofline` shows."""
    _check(operations, flops, bandwidth)
    ridge = flops / bandwidth
    sentences = [
        f"A roof that rises with {bandwidth / GIGA:,.0f} GB/s from memory and is flat at {flops / GIGA:,.0f}"
        f" GFLOP/s from {ridge:.1f} FLOPs a byte on."
    ]
    for one in operations:
        roof = min(flops, one.intensity * bandwidth) / GIGA
        limit = "memory" if one.intensity < ridge else "the multiplications"
        sentences.append(
            f"{one.name}: {one.intensity:.1f} FLOPs a byte, {one.flops / GIGA:,.0f} of at most {roof:,.0f}"
            f" GFLOP/s, limited by {limit}."
        )
    return " ".join(sentences)


def _check(operations: Sequence[Operation], flops: float, bandwidth: float) -> None:
    for name, number in [
        ("The rate", flops),
        ("The bandwidth", bandwidth),
        *((one.name, number) for one in operations for number in one[1:]),
    ]:
        if not 0 < number < float("inf"):
            raise ValueError(f"{name} is {number:g}: give finite numbers above 0.")
