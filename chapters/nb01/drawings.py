"""The drawings of notebook 01: the search for the longest match, and texts as pieces."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lib.figures.schematic import Box, Schematic
from lib.figures.style import INK, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# A schematic of longest match: what is looked up, step by step, until a word is cut into pieces.

MOST_PIECES = 4
MOST_LETTERS = 14
COLUMN, ROW = 3.05, 0.42  # inches for a step, and for a look-up
BOX_SIZE = (1.6, 0.34)  # inches of a look-up's box


def draw_longest_match(word: str, pieces: Sequence[str]) -> tuple["Figure", str]:
    """Draw how longest match finds `pieces`: a column for each, with every beginning that is looked up.

    The look-ups follow from the word and its pieces. Takes a word of at most 14 letters and 4 pieces; pieces
    that do not spell the word, [UNK] among them, raise a ValueError.
    """
    steps = list(_look_ups(word, pieces))
    height = ROW * max(map(len, steps)) + 1.6
    page = Schematic(COLUMN * max(2, len(steps)) + 0.2, height)
    page.text(0.1, height - 0.2, _title(word, steps), ha="left", fontsize=12, weight="bold")
    boxes: list[Box] = []
    for number, tries in enumerate(steps):
        left, top = 0.1 + COLUMN * number, height - 0.62
        rest = tries[0].removeprefix("##")
        page.text(left, top, f"step {number + 1}: “{rest}” is left", ha="left", fontsize=10)
        for place, candidate in enumerate(tries):
            hit = place == len(tries) - 1
            bottom = top - 0.25 - BOX_SIZE[1] - ROW * place
            box = page.box(left, bottom, *BOX_SIZE, candidate, look="lit" if hit else "plain")
            page.text(
                left + BOX_SIZE[0] + 0.1,
                bottom + BOX_SIZE[1] / 2,
                "in the list" if hit else "not in the list",
                ha="left",
                fontsize=10,
            )
            if place == 0 and boxes:
                before, bend = boxes[-1], left - 0.25
                start = (before.east[0] + 0.87, before.east[1])
                page.arrow(start, (bend, start[1]), (bend, box.west[1]), box.west)
        boxes.append(box)
    page.text(0.1, 0.25, f"{word} becomes  {'   '.join(pieces)}", ha="left", fontsize=12)
    description = []
    for number, (*misses, taken) in enumerate(steps, start=1):
        tried = f"{', '.join(misses)}: not in the vocabulary; " if misses else ""
        description.append(f"Step {number}: {tried}{taken}: found.")
    alt = f"{_title(word, steps)}. {' '.join(description)} The pieces: {', '.join(pieces)}."
    return page.figure, alt


def _title(word: str, steps: Sequence[Sequence[str]]) -> str:
    look_ups = sum(map(len, steps))
    return f"The longest piece first: {look_ups} look-ups in the vocabulary cut “{word}” into {len(steps)}"


def _look_ups(word: str, pieces: Sequence[str]) -> Iterator[list[str]]:
    """What is looked up for each piece: the longest candidate first, the piece itself last."""
    letters = [piece.removeprefix("##") if place else piece for place, piece in enumerate(pieces)]
    if not word or "".join(letters) != word:
        raise ValueError(
            f"{', '.join(pieces) or 'Nothing'} does not spell {word!r}: give the pieces of that word."
        )
    if len(pieces) > MOST_PIECES or len(word) > MOST_LETTERS:
        raise ValueError(
            f"{word!r} has {len(word)} letters and {len(pieces)} pieces; at most {MOST_LETTERS} letters and "
            f"{MOST_PIECES} pieces have room."
        )
    start = 0
    for part in letters:
        mark, end = "##" if start else "", start + len(part)
        yield [mark + word[start:stop] for stop in range(len(word), end - 1, -1)]
        start = end


# ---------------------------------------------------------------------------------------------
# Texts as the pieces that a vocabulary cuts them into.

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
        width = _width(piece) if goes_on else sum(map(_width, _word_at(pieces, at)))
        needed = width if width <= room else _width(piece)
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
