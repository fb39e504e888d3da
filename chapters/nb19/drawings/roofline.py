"""The roofline: how fast a layer runs, under the roof that memory and multiplications put over it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, RIGHT = 0.25, 512.0  # operations for each byte, the ends of the axis
GIGA = 1e9


class Point(NamedTuple):
    """A layer that reads so many rows: how much it computes for each byte it moves, and how fast it ran."""

    rows: int
    intensity: float  # operations for each byte
    fetched: float  # operations a second, its weights fetched from memory
    cached: float  # and with weights that lie in the cache

    @property
    def name(self) -> str:
        """Such as "1 row", or "1,024 rows"."""
        return f"{self.rows:,} row{'s' * (self.rows > 1)}"


def draw_roofline(points: Sequence[Point], rate: float, bandwidth: float) -> tuple["Figure", str]:
    """Draw the roof of a machine of so many operations and bytes a second, and two dots for each layer."""
    _check(points, rate, bandwidth)
    ridge, top = rate / bandwidth, rate / GIGA
    faster = points[-1].fetched / points[0].fetched
    title = f"A dense layer: {points[-1].name} run {faster:.0f} times as fast as {points[0].name}"
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
            ((LEFT * ridge) ** 0.5, "fetching takes longer"),
            ((ridge * RIGHT) ** 0.5, "multiplying takes longer"),
        ):
            axes.text(x, low, words, ha="center", color=QUIET)
        places = [one.intensity for one in points]
        axes.plot(
            places, [one.cached / GIGA for one in points], "^", color="white", markeredgecolor=INK,
            markersize=9, label="weights in the cache", zorder=4,
        )  # fmt: skip
        axes.plot(
            places, [one.fetched / GIGA for one in points], "o", color=SERIES[1], markeredgecolor=INK,
            markersize=8, label="weights fetched", zorder=5,
        )  # fmt: skip
        for one in points:
            axes.annotate(
                one.name, (one.intensity, one.fetched / GIGA), (0, -17), textcoords="offset points",
                ha="center", fontsize=10, color=INK, zorder=5,
            )  # fmt: skip
        axes.annotate(
            f"{top:,.0f} billion a second", (RIGHT, top), (-6, 6), textcoords="offset points", ha="right",
            color=LIT,
        )  # fmt: skip
        middle = (LEFT * ridge) ** 0.5
        axes.annotate(
            f"{bandwidth / GIGA:,.0f} GB a second", (middle, middle * bandwidth / GIGA), (-8, 8),
            textcoords="offset points", ha="right", color=LIT,
        )  # fmt: skip
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda number, _place: f"{number:,g}")
        axes.set(xlabel="operations for each byte moved", ylabel="billions of operations a second")
        axes.grid(color=FAINT)
        axes.legend(loc="center right")
    return figure, f"{title}. {_describe(points, rate, bandwidth)}"


def tabulate_roof(
    points: Sequence[Point], flops_a_row: float, rate: float, bandwidth: float
) -> tuple[dict[str, list[Any]], str, int]:
    """The milliseconds of a call: at least, with cached and with fetched weights, and what fetching adds."""
    _check(points, rate, bandwidth)
    columns: dict[str, list[Any]] = {"rows": [f"{one.rows:,}" for one in points]}
    work = [1000 * one.rows * flops_a_row for one in points]
    roofs = [min(rate, one.intensity * bandwidth) for one in points]
    columns["at least, by the roof"] = [
        f"{flops / roof:.2f}" for flops, roof in zip(work, roofs, strict=True)
    ]
    pairs = list(zip(work, points, strict=True))
    columns["cached"] = [f"{flops / one.cached:.2f}" for flops, one in pairs]
    columns["fetched"] = [f"{flops / one.fetched:.2f}" for flops, one in pairs]
    columns["fetched - cached"] = [f"{flops / one.fetched - flops / one.cached:.2f}" for flops, one in pairs]
    return columns, "Milliseconds of one layer", 2


def say_longer(few: Point, many: Point) -> str:
    """How many times as long many rows take as few, their weights fetched, and why."""
    work, faster = many.rows / few.rows, many.fetched / few.fetched
    return (
        f"{many.name} against {few.rows}: {work:.0f} times the operations, {faster:.1f} times as fast,"
        f" so {work / faster:.0f} times as long"
    )


def _describe(points: Sequence[Point], rate: float, bandwidth: float) -> str:
    ridge = rate / bandwidth
    sentences = [
        f"A roof that rises with {bandwidth / GIGA:,.0f} GB a second from memory and is flat at"
        f" {rate / GIGA:,.0f} billion operations a second from {ridge:.1f} operations a byte on."
    ]
    for one in points:
        roof = min(rate, one.intensity * bandwidth) / GIGA
        limit = "fetching" if one.intensity < ridge else "multiplying"
        sentences.append(
            f"{one.name}: {one.intensity:.1f} operations a byte, {one.fetched / GIGA:,.0f} billion a second"
            f" of at most {roof:,.0f}, where {limit} takes longer; {one.cached / GIGA:,.0f} with the weights"
            " in the cache."
        )
    return " ".join(sentences)


def _check(points: Sequence[Point], rate: float, bandwidth: float) -> None:
    if not points:
        raise ValueError("There are no layers to draw: give one or more.")
    for name, number in [
        ("The rate", rate),
        ("The bandwidth", bandwidth),
        *((one.name, number) for one in points for number in one[1:]),
    ]:
        if not 0 < number < float("inf"):
            raise ValueError(f"{name} is {number:g}: give finite numbers above 0.")
