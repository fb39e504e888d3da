"""What is read of a text that is too long, and how often each of its parts is found again."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .arrays import Array
from .charts import series_of
from .schematic import Schematic
from .style import FAINT, INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Span = tuple[int, int]  # the first token that is read, and the first after it that is not

ROW = 0.5  # inches from one way to the next
LABELS = 1.75  # inches for the names at the left
TEXT = 3.9  # inches for the text
CELL = 1.1  # inches for a number
HEAD = 0.66  # inches over the rows, the title apart
FOOT = 0.42
DARK = 0.9  # the share from which a cell is dark


def draw_cuts(
    ways: Mapping[str, Sequence[Span]],
    length: int,
    found: Mapping[str, Any],
    guessing: float,
    title: str | None = None,
) -> "Figure":
    """Draw, for each way to cut a text of `length` tokens, what it reads, and the shares that it finds.

    `ways` maps a name to the spans of tokens that are read together; where they overlap, they stand under
    each other. `found` maps each part of a text to a share from 0 to 1 for each of the ways.
    """
    shares = _checked(ways, length, found)
    heading = 0.45 if title else 0.0
    edge = LABELS + TEXT + 0.25  # where the numbers begin
    page = Schematic(edge + CELL * len(shares) + 0.15, heading + HEAD + ROW * len(ways) + FOOT)
    top = HEAD + ROW * len(ways) + FOOT
    if title:
        page.text(0.15, top + 0.22, title, ha="left", fontsize=13, weight="bold")
    page.text(LABELS, top - 0.17, f"what is read of {length} tokens", ha="left", color=QUIET, fontsize=10.5)
    key = f"own text found first (dark: {DARK:.0%} or more)"
    page.text(edge, top - 0.17, key, ha="left", color=QUIET, fontsize=10.5)
    for column, part in enumerate(shares):
        page.text(edge + CELL * (column + 0.5), top - 0.47, part, weight="bold", fontsize=11)
    for number, (way, spans) in enumerate(ways.items()):
        bottom = FOOT + ROW * (len(ways) - 1 - number)
        page.text(LABELS - 0.12, bottom + ROW / 2, way, ha="right", fontsize=11)
        _draw_text(page, bottom, spans, length)
        for column, values in enumerate(shares.values()):
            _draw_share(page, edge + CELL * column, bottom, float(values[number]))
    page.text(LABELS, FOOT - 0.17, "first token", ha="left", color=QUIET, fontsize=10)
    page.text(LABELS + TEXT, FOOT - 0.17, "last token", ha="right", color=QUIET, fontsize=10)
    middle = edge + CELL * len(shares) / 2
    page.text(middle, FOOT - 0.17, f"guessing finds {guessing:.0%}", color=QUIET, fontsize=10)
    return page.figure


def describe_cuts(
    ways: Mapping[str, Sequence[Span]], length: int, found: Mapping[str, Any], guessing: float
) -> str:
    """Say in words what `draw_cuts` shows."""
    shares = _checked(ways, length, found)
    said = []
    for number, (way, spans) in enumerate(ways.items()):
        read = " and ".join(f"{start} to {end}" for start, end in spans)
        numbers = ", ".join(f"{part} {values[number]:.0%}" for part, values in shares.items())
        said.append(f"{way} reads tokens {read} and finds: {numbers}")
    return f"Of a text of {length} tokens, " + "; ".join(said) + f". Guessing finds {guessing:.0%}."


def _draw_text(page: Schematic, bottom: float, spans: Sequence[Span], length: int) -> None:
    """Draw a text as an empty strip, and in it what is read, overlapping spans one under the other."""
    from matplotlib.patches import Rectangle

    overlap = any(later[0] < earlier[1] for earlier, later in pairwise(spans))
    strip = ROW - 0.16
    height = strip / len(spans) if overlap else strip
    gap = 0.03 if overlap else 0.0
    for number, (start, end) in enumerate(spans):
        floor = bottom + 0.08 + (strip - height * (number + 1) + gap / 2 if overlap else 0.0)
        left, width = LABELS + TEXT * start / length, TEXT * (end - start) / length
        page.axes.add_patch(Rectangle((left, floor), width, height - gap, facecolor=LIT, edgecolor="none"))
    page.axes.add_patch(Rectangle((LABELS, bottom + 0.08), TEXT, strip, facecolor="none", edgecolor=QUIET))


def _draw_share(page: Schematic, left: float, bottom: float, share: float) -> None:
    """Draw a share as a number in a cell, dark where the share is large."""
    from matplotlib.patches import Rectangle

    dark = share >= DARK
    face = LIT if dark else "white"
    place = (left + 0.03, bottom + 0.05)
    page.axes.add_patch(Rectangle(place, CELL - 0.06, ROW - 0.1, facecolor=face, edgecolor=FAINT))
    look = {"color": "white" if dark else INK, "weight": "bold", "fontsize": 12.5}
    page.text(left + CELL / 2, bottom + ROW / 2, f"{share:.0%}", **look)


def _checked(ways: Mapping[str, Sequence[Span]], length: int, found: Mapping[str, Any]) -> dict[str, Array]:
    """The shares of each part as arrays, one number a way; ValueError where something does not fit."""
    for way, spans in ways.items():
        if not spans or not all(0 <= start < end <= length for start, end in spans):
            raise ValueError(f"{way!r} reads {list(spans)}: give spans of tokens between 0 and {length}.")
    shares = series_of(found, len(ways))
    for part, values in shares.items():
        if values.min() < 0 or values.max() > 1:
            raise ValueError(f"{part!r} holds a share outside of 0 to 1.")
    return shares
