"""The drawings and tables of notebook 01: the search for the longest match, texts as pieces, counts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lib.bert import WordPieceTokenizer
from lib.figures.charts import draw_stacked_bars
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


def draw_words(rows: Mapping[str, Sequence[str]]) -> tuple["Figure", str]:
    """Draw words as pieces, under a title that names the most broken word and the longest whole one."""
    broken = max(rows, key=lambda word: len(rows[word]))
    whole = [word for word in rows if len(rows[word]) == 1]
    title = f"“{broken}” falls into {len(rows[broken])} pieces"
    if whole:
        title += f", and “{max(whole, key=len)}” is one piece"
    return draw_pieces(rows, title), f"{title}. {describe_pieces(rows)}"


# ---------------------------------------------------------------------------------------------
# Sentences while a list of pieces grows.

Growth = Mapping[int, Mapping[str, Sequence[str]]]  # the number of merges, then the sentence, then its pieces


def draw_after(cuts: Growth, merges: int) -> "Figure":
    """Draw all sentences after so many merges, on a page that has room for any number of them."""
    lines = max(_lines(rows) for rows in cuts.values())
    return draw_pieces(cuts[merges], f"After {merges:,} merges", lines)


def describe_after(cuts: Growth, merges: int) -> str:
    """Say in words what `draw_after` shows."""
    return f"After {merges:,} merges. {describe_pieces(cuts[merges])}"


def draw_growth(cuts: Growth, sentence: str, word: str) -> tuple["Figure", str]:
    """Draw one sentence after each number of merges; the title says when `word` is one piece."""
    rows = {f"{merges:,} merges": rows[sentence] for merges, rows in cuts.items()}
    whole = [merges for merges, rows in cuts.items() if word in rows[sentence]]
    title = f"“{word}” is one piece after {min(whole):,} merges" if whole else f"“{word}” stays in parts"
    return draw_pieces(rows, title), f"{title}. {describe_pieces(rows)}"


def _lines(rows: Mapping[str, Sequence[str]]) -> int:
    """How many lines of boxes the rows fill."""
    indent = max(map(len, rows)) + 2
    return sum(_layout(pieces, indent)[-1][2] + 1 for pieces in rows.values())


# ---------------------------------------------------------------------------------------------
# Tables and bars of counts.

UNKNOWN = "[UNK]"


def units_table(found: Mapping[str, Sequence[str]], sizes: Sequence[int], words: int) -> dict[str, list[Any]]:
    """The columns of a table: how long the list of each unit is, how long the text gets, what is lost."""
    return {
        "unit": list(found),
        "length of the list": list(sizes),
        "tokens for each word": [len(tokens) / words for tokens in found.values()],
        "tokens lost as [UNK]": [f"{tokens.count(UNKNOWN) / len(tokens):.1%}" for tokens in found.values()],
    }


def merges_table(merges: Sequence[tuple[str, str, str, int]]) -> dict[str, list[Any]]:
    """The columns of a table of merges: the two pieces, what they become, and how often they stood so."""
    return {
        "merge": list(range(1, len(merges) + 1)),
        "first": [first for first, _, _, _ in merges],
        "second": [second for _, second, _, _ in merges],
        "new piece": [piece for _, _, piece, _ in merges],
        "times": [times for _, _, _, times in merges],
    }


def draw_languages(cuts: Mapping[str, Sequence[str]]) -> tuple["Figure", str]:
    """Draw how many pieces one sentence needs in each language; the first language is the baseline."""
    base = next(iter(cuts))
    number = {name: len(pieces) for name, pieces in cuts.items()}
    unknown = {name: list(pieces).count(UNKNOWN) for name, pieces in cuts.items()}
    known = [number[name] - unknown[name] for name in cuts]
    most = max(number, key=lambda name: number[name])
    title = f"{base} needs {number[base]} pieces, {most} {number[most]}"
    lost = [name for name in cuts if unknown[name] == number[name]]
    if lost:
        title += f"; {' and '.join(lost)} is lost as [UNK]"
    parts = {"pieces": known, "[UNK], lost": list(unknown.values())}
    figure = draw_stacked_bars(
        list(cuts), parts, "pieces of the same sentence", title, baseline=(base, number[base])
    )
    counts = "; ".join(f"{name} {number[name]}, {unknown[name]}" for name in cuts)
    return figure, f"{title}. Pieces of one sentence, and how many of them are [UNK]: {counts}."


# ---------------------------------------------------------------------------------------------
# Of the stretches: lists that were learned by several rules.


def draw_three_lists(lists: Mapping[str, Sequence[str]], sentence: str) -> tuple["Figure", str]:
    """Draw a sentence as each list of pieces cuts it; the title counts the pieces."""
    rows = {name: WordPieceTokenizer(vocab).tokenize(sentence) for name, vocab in lists.items()}
    title = ", ".join(f"{len(pieces)} pieces by {name}" for name, pieces in rows.items())
    return draw_pieces(rows, title), f"{title}. {describe_pieces(rows)}"


def halves_table(word: str, vocab: Mapping[str, int]) -> dict[str, list[Any]]:
    """The columns of a table: every way to part a word in two, and whether the halves are in the list."""
    halves = [(word[:end], "##" + word[end:]) for end in range(1, len(word))]
    return {
        "first": [first for first, _ in halves],
        "in BERT's list": ["yes" if first in vocab else "no" for first, _ in halves],
        "second": [second for _, second in halves],
        "in BERT's list, too": ["yes" if second in vocab else "no" for _, second in halves],
    }


def odd_table(lists: Mapping[str, Sequence[str]], odd: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """The columns of a table: the pieces of each list that have two letters or more, and the odd ones."""
    longer = []
    for vocab in lists.values():
        longer.append(sum(len(piece.removeprefix("##")) > 1 for piece in vocab if piece[0] != "["))
    return {
        "list": list(lists),
        "pieces of two letters or more": longer,
        "not two others, glued": [len(odd[name]) for name in lists],
        "share": [f"{len(odd[name]) / many:.1%}" for name, many in zip(lists, longer, strict=True)],
    }
