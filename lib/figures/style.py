"""One look for every drawing: readable from the last row, in any light, and without color."""

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1b2733"  # text and lines
QUIET = "#66727f"  # secondary text; 5:1 on white
FAINT = "#d5dbe1"  # grids and frames
LIT = "#12406b"  # what is spoken of now
TINT = "#dbe8f4"  # the light companion of LIT

# After Okabe and Ito (2008), reordered and darkened so that neighbors also differ in gray.
SERIES = ("#12406b", "#d55e00", "#3fa0d0", "#8a3f77", "#8a9a00", "#555f69")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 3)), "-.")
HATCHES = ("", "///", "...", "xx", "\\\\\\", "++")

# Only used where they are installed; DejaVu, which comes with matplotlib, has no such characters.
EAST_ASIAN = ("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "MS Gothic", "IPAexGothic")


@cache
def _fonts() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in EAST_ASIAN if name in installed)]


def style() -> AbstractContextManager[None]:
    """Return the context in which drawings are made: `with style(): ...`."""
    import matplotlib

    return matplotlib.rc_context(
        {
            "font.family": _fonts(),
            "font.size": 11,
            "axes.titlesize": 12,
            "axes.titleweight": "bold",
            "axes.titlelocation": "left",
            "axes.titlepad": 8,
            "axes.labelsize": 11,
            "axes.labelcolor": INK,
            "axes.edgecolor": QUIET,
            "axes.linewidth": 0.9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.unicode_minus": True,
            "grid.color": FAINT,
            "grid.linewidth": 0.7,
            "text.color": INK,
            "xtick.color": QUIET,
            "ytick.color": QUIET,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "lines.linewidth": 2.2,
            "lines.markersize": 6,
            "hatch.linewidth": 0.7,
            "legend.frameon": False,
            "legend.fontsize": 10.5,
            "figure.facecolor": "white",
            "axes.facecolor": "white",
            "savefig.facecolor": "white",
        }
    )


def canvas(width: float, height: float, title: str | None = None) -> "Figure":
    """Return an empty figure of `width` x `height` inches that pyplot does not know.

    Pyplot would keep the figure and, in a notebook, display it a second time.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    return figure
