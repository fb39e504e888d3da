"""A schematic of longest match: what is looked up, step by step, until a word is cut into pieces."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .schematic import Box, Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PIECES = 4
MOST_LETTERS = 14
COLUMN, ROW = 3.05, 0.42  # inches for a step, and for a look-up
BOX_SIZE = (1.6, 0.34)  # inches of a look-up's box


def draw_longest_match(word: str, pieces: Sequence[str]) -> "Figure":
    """Draw how longest match finds `pieces`: a column for each, with every beginning that is looked up.

    The look-ups follow from the word and its pieces. Takes a word of at most 14 letters and 4 pieces; pieces
    that do not spell the word, [UNK] among them, raise a ValueError.
    """
    steps = list(_look_ups(word, pieces))
    height = ROW * max(map(len, steps)) + 1.6
    page = Schematic(COLUMN * max(2, len(steps)) + 0.2, height)
    page.text(0.1, height - 0.2, _title(word, steps), ha="left", fontsize=12, weight="bold")
    found: list[Box] = []
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
            if place == 0 and found:
                before, bend = found[-1], left - 0.25
                start = (before.east[0] + 0.87, before.east[1])
                page.arrow(start, (bend, start[1]), (bend, box.west[1]), box.west)
        found.append(box)
    page.text(0.1, 0.25, f"{word} becomes  {'   '.join(pieces)}", ha="left", fontsize=12)
    return page.figure


def describe_longest_match(word: str, pieces: Sequence[str]) -> str:
    """Say in words what `draw_longest_match` shows."""
    steps = list(_look_ups(word, pieces))
    told = []
    for number, (*misses, hit) in enumerate(steps, start=1):
        tried = f"{', '.join(misses)}: not in the vocabulary; " if misses else ""
        told.append(f"Step {number}: {tried}{hit}: found.")
    return f"{_title(word, steps)}. {' '.join(told)} The pieces: {', '.join(pieces)}."


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
