"""The roofline: what a token takes in a layer, beside the least that memory and multiplications allow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lib.figures.style import INK, LIT, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Point(NamedTuple):
    """The seconds of a layer that reads so many tokens: at least, by the roof, and as two clocks have it."""

    tokens: int
    least: float
    cached: float  # with weights that lie in the cache
    fetched: float  # with weights that come from memory


def draw_roofline(points: Sequence[Point], few: int = 9) -> tuple["Figure", str]:
    """Draw what each token takes, in units of what the roof allows where the most tokens are.

    few: the tokens whose time is told as a sum, and which are compared with the most.
    """
    short, long = _pair(points, few)
    least, cached, fetched = (f"{long[at] / short[at]:,.0f}" for at in (1, 2, 3))
    title = (
        f"{long.tokens:,} tokens take {least} times as long as {few} by the roof,"
        f"\n{cached} with cached weights, {fetched} with fetched ones"
    )
    unit = long.least / long.tokens
    heights = [[seconds / one.tokens / unit for seconds in one[1:]] for one in points]
    few_at = points.index(short)
    places = [place + 1.1 * (place > few_at) for place in range(len(points))]  # a gap for the sum
    with style():
        figure = canvas(9.2, 4.6, title)
        axes: Any = figure.subplots()
        bars: dict[str, Any] = {"width": 0.6, "edgecolor": INK}
        axes.bar(places, [one[2] for one in heights], color=SERIES[1], label="weights fetched", **bars)
        axes.bar(places, [one[1] for one in heights], color=TINT, label="weights cached", **bars)
        for place, (lowest, in_cache, from_memory) in zip(places, heights, strict=True):
            axes.plot(
                [place - 0.36, place + 0.36], [lowest, lowest], color=INK, linewidth=3.2,
                label="at least, by the roof" if place == places[0] else None,
            )  # fmt: skip
            top = max(in_cache, from_memory, lowest)
            axes.annotate(f"{from_memory:.1f}", (place, top), (0, 4), textcoords="offset points", ha="center")
        lowest, in_cache, from_memory = heights[few_at]
        for height, words in (
            (lowest / 2, f"{lowest:.1f}  the roof"),
            ((lowest + in_cache) / 2, f"{in_cache - lowest:+.1f}  with cached weights"),
            ((in_cache + from_memory) / 2, f"{from_memory - in_cache:+.1f}  for fetching"),
        ):
            axes.text(places[few_at] + 0.42, height, words, va="center", color=LIT)
        axes.set_xticks(places, [f"{one.tokens:,}" for one in points])
        axes.set_ylim(0, 1.15 * max(max(one) for one in heights))
        axes.set(
            xlabel="tokens that the layer reads at once", ylabel="time for each token,\n1 = at the full rate"
        )
        axes.legend(loc="upper right")
    sentences = [
        f"{one.tokens:,} tokens: at least {height[0]:.1f}, with weights cached {height[1]:.1f}, fetched"
        f" {height[2]:.1f}."
        for one, height in zip(points, heights, strict=True)
    ]
    alt = (
        f"{title.replace(chr(10), ' ')}. The time for each token, 1 = at the full rate. {' '.join(sentences)}"
        f" The sum for {few} tokens: {lowest:.1f} by the roof, {in_cache - lowest:+.1f} with cached"
        f" weights, {from_memory - in_cache:+.1f} for fetching."
    )
    return figure, alt


def _pair(points: Sequence[Point], few: int) -> tuple[Point, Point]:
    """The point of few tokens, and that of the most."""
    chosen = [one for one in points if one.tokens == few]
    if not chosen:
        raise ValueError(f"No layer reads {few} tokens: give such a one, and others.")
    for one in points:
        for number in one[1:]:
            if not 0 < number < float("inf"):
                raise ValueError(f"{one.tokens:,} tokens: {number:g} seconds; give finite numbers above 0.")
    return chosen[0], max(points, key=lambda point: point.tokens)
