"""Schematics: boxes for what is computed, arrows for what flows, numbers where they can be read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .style import FAINT, INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Point = tuple[float, float]
LOOKS = {  # fill, edge, text, width of the edge
    "plain": ("white", QUIET, INK, 1.0),
    "tint": (TINT, LIT, INK, 1.2),
    "lit": (LIT, LIT, "white", 1.2),
    "quiet": ("white", FAINT, QUIET, 1.0),
    "edge": ("white", LIT, INK, 3.0),
}


@dataclass(frozen=True)
class Box:
    """A box that was drawn, in inches from the lower left corner of the page."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def top(self) -> Point:
        """The middle of the upper edge."""
        return self.left + self.width / 2, self.bottom + self.height

    @property
    def below(self) -> Point:
        """The middle of the lower edge."""
        return self.left + self.width / 2, self.bottom

    @property
    def west(self) -> Point:
        """The middle of the left edge."""
        return self.left, self.bottom + self.height / 2

    @property
    def east(self) -> Point:
        """The middle of the right edge."""
        return self.left + self.width, self.bottom + self.height / 2


class Schematic:
    """A page of `width` x `height` inches; every place on it is in inches from the lower left corner.

    >>> page = Schematic(8.0, 2.0)
    >>> word = page.box(0.3, 0.7, 1.5, 0.5, "love")
    >>> vector = page.box(3.0, 0.7, 2.0, 0.5, "query", "[2, 0, 2]")
    >>> page.arrow(word.east, vector.west)
    >>> figures.show(page.figure, alt="The word love becomes the query [2, 0, 2].")
    """

    def __init__(self, width: float, height: float) -> None:
        with style():
            self.figure: Figure = canvas(width, height)
            self.figure.set_layout_engine("none")  # the places say where everything stands
            self.axes: Axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set(xlim=(0, width), ylim=(0, height))
        self.axes.axis("off")

    def box(
        self,
        left: float,
        bottom: float,
        width: float,
        height: float,
        label: str,
        detail: str = "",
        look: str = "plain",
    ) -> Box:
        """Draw a box with a bold label and, under it, a detail such as numbers or a shape.

        `look` is "plain", "tint", "lit" (white on dark), "quiet" (grey, for what counts little) or "edge" (a
        thick dark line around white): five that differ in greyscale as well.
        """
        fill, edge, ink, line = LOOKS[look]
        rounded(self.axes, (left, bottom, width, height), facecolor=fill, edgecolor=edge, linewidth=line)
        x, y = left + width / 2, bottom + height / 2
        lift = min(0.12, height / 4) if detail else 0.0
        self.text(x, y + lift, label, color=ink, weight="bold")
        if detail:
            self.text(x, y - lift, detail, color=ink, fontsize=10)
        return Box(left, bottom, width, height)

    def frame(self, left: float, bottom: float, width: float, height: float, label: str) -> Box:
        """Draw a dashed frame behind boxes, with its label in the upper left corner."""
        look = {"facecolor": "none", "edgecolor": QUIET, "linewidth": 1.2, "linestyle": (0, (5, 3))}
        rounded(self.axes, (left, bottom, width, height), **look)
        self.text(left + 0.1, bottom + height - 0.17, label, ha="left", color=QUIET)
        return Box(left, bottom, width, height)

    def arrow(self, *corners: Point, label: str = "") -> None:
        """Draw a line through two or more points, with a head at the last and the label over its middle."""
        flow(self.axes, *corners)
        if label:
            (x1, y1), (x2, y2) = corners[len(corners) // 2 - 1 : len(corners) // 2 + 1]
            self.text((x1 + x2) / 2, (y1 + y2) / 2 + 0.11, label, color=QUIET, fontsize=10)

    def text(self, x: float, y: float, words: str, **look: Any) -> None:
        """Write words centered at a place, 11 points high if `look` says nothing else."""
        plain: dict[str, Any] = {"ha": "center", "va": "center", "color": INK, "fontsize": 11, "zorder": 5}
        with style():
            self.axes.text(x, y, words, **plain | look)


def rounded(axes: "Axes", place: tuple[float, float, float, float], **look: Any) -> None:
    """Draw a box with round corners; `place` is left, bottom, width, height in inches."""
    from matplotlib.patches import FancyBboxPatch

    left, bottom, width, height = place
    shape = "round,pad=0,rounding_size=0.07"
    axes.add_patch(FancyBboxPatch((left, bottom), width, height, boxstyle=shape, **({"zorder": 2} | look)))


def flow(axes: "Axes", *corners: Point) -> None:
    """Draw a line through two or more points, in inches, with an arrow's head at the last."""
    xs, ys = zip(*corners[:-1], strict=True)
    axes.plot(xs, ys, color=QUIET, linewidth=1.1, zorder=3, solid_capstyle="butt")
    arrow = {"arrowstyle": "-|>,head_width=0.18,head_length=0.32", "color": QUIET, "linewidth": 1.1}
    ends = {"shrinkA": 0, "shrinkB": 0}
    axes.annotate("", xy=corners[-1], xytext=corners[-2], arrowprops=arrow | ends, zorder=3)
