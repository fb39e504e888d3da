"""Texts as the pieces that a vocabulary cuts them into."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .style import INK, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 84  # of the page, in characters of 11 points
LINE = 0.36  # inches from one line of boxes to the next
PAD = 0.7  # characters of room on each side of a piece


def draw_pieces(
    rows: Mapping[str, Sequence[str]], title: str | None = None, lines: int | None = None
) -> "Figure":
    """Draw texts as boxes, one for each piece; the pieces of a word touch.

    `rows` maps a label to the pieces of one text. Pieces that go on with a word are shaded, [UNK] is white
    on black, other special tokens have a dashed frame; the number of pieces stands at the end.
    `lines` gives the page room for that many lines of boxes, where pictures are to be compared.
    """
    _check(rows)
    indent = max(map(len, rows)) + 2
    layouts = {label: _layout(pieces, indent) for label, pieces in rows.items()}
    filled = sum(layout[-1][2] + 1 for layout in layouts.values())
    room = filled if lines is None else lines
    if room < filled:
        raise ValueError(f"The pieces fill {filled} lines, so lines={room} are too few.")
    with style():
        figure = canvas(8.0, 0.2 + (0.4 if title else 0) + LINE * (room + 0.25 * len(rows)), title)
        axes = figure.subplots()
        top = 0.0
        for label, layout in layouts.items():
            axes.text(0, top + 0.5, label, va="center", color=QUIET)
            for piece, left, line in layout:
                _draw_box(axes, piece, left, top + line)
            last, left, line = layout[-1]
            end = left + _width(last) + 0.6
            axes.text(end, top + line + 0.5, str(len(layout)), va="center", weight="bold")
            top += layout[-1][2] + 1.25
        axes.set(xlim=(0, WIDTH), ylim=(top + room - filled, -0.1))
        axes.axis("off")
    return figure


def describe_pieces(rows: Mapping[str, Sequence[str]]) -> str:
    """Say in words what `draw_pieces` shows."""
    _check(rows)
    texts = (f"{label}: {' | '.join(pieces)} ({len(pieces)})" for label, pieces in rows.items())
    return "Texts cut into pieces, with their number. " + "; ".join(texts) + "."


def _check(rows: Mapping[str, Sequence[str]]) -> None:
    if not rows or not all(rows.values()):
        raise ValueError("There is a text without pieces, or none at all; give each row one piece at least.")


def _width(piece: str) -> float:
    return len(piece) + 2 * PAD


def _layout(pieces: Sequence[str], indent: int) -> list[tuple[str, float, int]]:
    """Each piece with its left edge and its line; where the page ends, the next word begins a line.

    Only a word that is longer than a line is broken within.
    """
    placed: list[tuple[str, float, int]] = []
    left, line = float(indent), 0
    for at, piece in enumerate(pieces):
        goes_on = piece.startswith("##")
        gap = 0.0 if goes_on or not placed else 0.8
        room = WIDTH - 4 - indent
        whole = _width(piece) if goes_on else sum(map(_width, _word_at(pieces, at)))
        needed = whole if whole <= room else _width(piece)
        if left + gap + needed > WIDTH - 4 and left > indent:
            left, gap, line = float(indent), 0.0, line + 1
        placed.append((piece, left + gap, line))
        left += gap + _width(piece)
    return placed


def _word_at(pieces: Sequence[str], start: int) -> Sequence[str]:
    """The piece at `start` and those after it that go on with its word."""
    end = start + 1
    while end < len(pieces) and pieces[end].startswith("##"):
        end += 1
    return pieces[start:end]


def _draw_box(axes: "Axes", piece: str, left: float, top: float) -> None:
    from matplotlib.patches import Rectangle

    unknown, special = piece == "[UNK]", piece.startswith("[") and piece.endswith("]")
    face = INK if unknown else TINT if piece.startswith("##") else "white"
    dashes = (0, (3, 2)) if special and not unknown else "-"
    place, size = (left, top + 0.07), (_width(piece), 0.86)
    box = Rectangle(place, *size, facecolor=face, edgecolor=INK, linewidth=0.9, linestyle=dashes)
    axes.add_patch(box)
    axes.text(
        left + _width(piece) / 2, top + 0.5, piece, ha="center", va="center",
        family="DejaVu Sans Mono", fontsize=10.5, color="white" if unknown else INK,
    )  # fmt: skip
