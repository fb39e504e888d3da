"""The drawings and tables of notebook 02: a batch, what is cut off long texts, and luck.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_found(...))`.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from chapters.nb02.passages import PARTS, Passage
from lib import stats
from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.charts import series_of
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, TINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# A batch as BERT gets it: rows of tokens, and the numbers that stand for them.

LINE = 0.3  # inches from one line to the next
CHARACTER = 0.085  # inches
LABELS = 1.35  # inches for the names at the left
MOST_COLUMNS = 20  # beyond, nobody could read them


def _told(tokens: Sequence[Sequence[str]], tables: Mapping[str, Array]) -> str:
    """A batch in words."""
    rows = [
        f"row {number}: {' '.join(row)}; "
        + "; ".join(f"{name} {' '.join(f'{n:.0f}' for n in table[number])}" for name, table in tables.items())
        for number, row in enumerate(tokens)
    ]
    return f"A batch of {len(tokens)} rows of {len(tokens[0])} tokens. " + ". ".join(rows) + "."


def column_widths(tokens: Sequence[Sequence[str]], tables: Mapping[str, Array]) -> list[float]:
    """The width of each column, in inches, that its longest token or number needs."""
    longest = [
        max(
            *(len(row[at]) for row in tokens),
            *(len(f"{number:.0f}") for table in tables.values() for number in table[:, at]),
        )
        for at in range(len(tokens[0]))
    ]
    return [CHARACTER * (characters + 1.2) for characters in longest]


def checked_batch(tokens: Sequence[Sequence[str]], batch: Mapping[str, Any]) -> dict[str, Array]:
    """The tensors of a batch as arrays [B, T]; ValueError where they misfit the tokens or are too wide."""
    if not tokens or not batch:
        raise ValueError("There is no batch to draw; give rows of tokens and the tensors of the batch.")
    tables = {name: to_array(tensor, name, "B, T") for name, tensor in batch.items()}
    for name, table in tables.items():
        if len(table) != len(tokens):
            raise ValueError(f"{name} has {len(table)} rows for {len(tokens)} rows of tokens; give as many.")
        for row in tokens:
            check_tokens(row, table.shape[1], f"columns of {name}")
    if len(tokens[0]) > MOST_COLUMNS:
        raise ValueError(
            f"{len(tokens[0])} columns cannot be read; draw a batch of at most {MOST_COLUMNS} tokens a row."
        )
    return tables


def draw_token(axes: "Axes", token: str, left: float, edge: float, width: float) -> None:
    """Draw one token's cell; `edge` is the lower of its two y."""
    from matplotlib.patches import Rectangle

    special, padding = token.startswith("[") and token.endswith("]"), token == "[PAD]"
    box = Rectangle(
        (left + 0.02, edge + 0.03), width - 0.04, LINE - 0.06,
        facecolor="white", edgecolor=QUIET if padding else INK, linewidth=0.9,
        linestyle=(0, (3, 2)) if special else "-", hatch="////" if padding else None,
    )  # fmt: skip
    box.set_hatch_linewidth(0.4)
    axes.add_patch(box)
    axes.text(
        left + width / 2, edge + LINE / 2, token, ha="center", va="center", fontsize=9.5, color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6} if padding else None,
    )  # fmt: skip


def draw_number(axes: "Axes", number: float, left: float, edge: float, width: float, shaded: bool) -> None:
    """Draw one number's cell, tinted if it is `shaded`; `edge` is the lower of its two y."""
    from matplotlib.patches import Rectangle

    place = (left + 0.02, edge + 0.02)
    face = TINT if shaded else "white"
    axes.add_patch(Rectangle(place, width - 0.04, LINE - 0.04, facecolor=face, edgecolor=FAINT))
    axes.text(
        left + width / 2, edge + LINE / 2, f"{number:.0f}", ha="center", va="center", fontsize=10,
        color=INK,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------
# From texts to the tensors of a batch, as a schematic: the texts, their tokens, and the numbers.

GAP = 0.4  # inches between two rows of the batch
ARROW = 0.22  # inches from a text to its tokens
BELOW_TOKENS = 0.06  # inches
EDGE = 0.15  # inches around the page


def draw_inputs(
    texts: Sequence[Sequence[str]],
    tokens: Sequence[Sequence[str]],
    batch: Mapping[str, Any],
    title: str | None = None,
) -> tuple["Figure", str]:
    """Draw each row of a batch: its texts, under them their tokens, and under these its row of each tensor.

    `texts` holds for each of the B rows its one or two texts, `tokens` are B rows of T tokens, `batch`
    maps names to whole numbers `[B, T]`. What belongs to one token stands in one column.
    """
    tables = checked_batch(tokens, batch)
    _check_texts(texts, tokens)
    widths = column_widths(tokens, tables)
    lefts = [LABELS + left for left in accumulate(widths, initial=0.0)]
    block = LINE * (len(tables) + 2) + ARROW + BELOW_TOKENS
    height = 2 * EDGE + (0.45 if title else 0.0) + len(tokens) * block + (len(tokens) - 1) * GAP
    page = Schematic(lefts[-1] + EDGE, height)
    y = height - EDGE
    if title:
        page.text(EDGE, y - 0.13, title, ha="left", fontsize=13, weight="bold")
        y -= 0.45

    for number, (row, row_texts) in enumerate(zip(tokens, texts, strict=True)):
        label = {"ha": "right", "color": QUIET, "fontsize": 10}
        page.text(LABELS - 0.12, y - LINE / 2, f"texts of row {number}", **label)
        for (start, end), text in zip(_spans(row), row_texts, strict=True):
            box = page.box(lefts[start], y - LINE, lefts[end] - lefts[start], LINE, text, look="tint")
            page.arrow(box.below, (box.below[0], y - LINE - ARROW + 0.02))
        y -= LINE + ARROW
        page.text(LABELS - 0.12, y - LINE / 2, "tokens", **label)
        for at, token in enumerate(row):
            draw_token(page.axes, token, lefts[at], y - LINE, widths[at])
        y -= LINE + BELOW_TOKENS
        for name, table in tables.items():
            page.text(LABELS - 0.12, y - LINE / 2, name, **label)
            for at, value in enumerate(table[number]):
                shaded = name != "input_ids" and value == 1
                draw_number(page.axes, value, lefts[at], y - LINE, widths[at], shaded)
            y -= LINE
        y -= GAP
    description = "; ".join(f"row {number}: {' and '.join(row)}" for number, row in enumerate(texts))
    alt = f"The texts of a batch, {description}, become tokens and tensors. {_told(tokens, tables)}"
    return page.figure, alt


def _spans(row: Sequence[str]) -> list[tuple[int, int]]:
    """Where each text of a row begins and ends: what [CLS] and each [SEP] enclose."""
    ends = [at for at, token in enumerate(row) if token == "[SEP]"]
    return list(zip([1, *(end + 1 for end in ends)], ends, strict=False))


def _check_texts(texts: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]]) -> None:
    counts = [len(row) for row in texts]
    if counts != [len(_spans(row)) for row in tokens]:
        raise ValueError(
            f"The rows have {counts} texts, which is not one for each [SEP] of a row: give each row its "
            "texts."
        )


# ---------------------------------------------------------------------------------------------
# What is read of a text that is too long, and how often each of its parts is found again.

Span = tuple[int, int]  # the first token that is read, and the first after it that is not

ROW = 0.5  # inches from one way to the next
WAY_NAMES = 1.75  # inches for the names at the left
TEXT = 3.9  # inches for the text
CELL = 1.1  # inches for a number
HEAD = 0.66  # inches over the rows, the title apart
FOOT = 0.42
DARK = 0.9  # the share from which a cell is dark


def draw_found(found: Mapping[str, Tensor], passages: Sequence[Passage], length: int) -> tuple["Figure", str]:
    """Draw what each way reads of a text of `length` tokens, and how many passages of each part it finds.

    found: for each way a boolean for each passage. The ways are those of `SPANS`.
    """
    parts = {part: torch.tensor([passage.part == part for passage in passages]) for part in PARTS}
    shares = {
        part: [hits[inside].float().mean().item() for hits in found.values()]
        for part, inside in parts.items()
    }
    texts = len({passage.text for passage in passages})
    totals = [hits.sum().item() for hits in found.values()]
    best = list(found)[int(np.argmax(totals))]
    title = f"{best[0].upper() + best[1:]}: {max(totals)} of {len(passages)} passages found"
    ways = {name: spans_of(name, length) for name in found}
    figure, alt = draw_cuts(ways, length, shares, 1 / texts, title)
    counts = ", ".join(f"{name} {total}" for name, total in zip(found, totals, strict=True))
    return figure, f"{alt} Found of {len(passages)} passages: {counts}."


def spans_of(way: str, length: int) -> list["Span"]:
    """What the notebook's ways to cut read of a text of `length` tokens."""
    windows = [(start, min(start + 254, length)) for start in range(0, length - 50, 204)]
    spans = {
        "head": [(0, 254)],
        "tail": [(length - 254, length)],
        "head and tail": [(0, 64), (length - 190, length)],
    }
    return spans.get(way, windows)


def draw_cuts(
    ways: Mapping[str, Sequence[Span]],
    length: int,
    found: Mapping[str, Any],
    guessing: float,
    title: str | None = None,
) -> tuple["Figure", str]:
    """Draw, for each way to cut a text of `length` tokens, what it reads, and the shares that it finds.

    `ways` maps a name to the spans of tokens that are read together; where they overlap, they stand under
    each other. `found` maps each part of a text to a share from 0 to 1 for each of the ways.
    """
    shares = _checked(ways, length, found)
    heading = 0.45 if title else 0.0
    edge = WAY_NAMES + TEXT + 0.25  # where the numbers begin
    page = Schematic(edge + CELL * len(shares) + 0.15, heading + HEAD + ROW * len(ways) + FOOT)
    top = HEAD + ROW * len(ways) + FOOT
    if title:
        page.text(0.15, top + 0.22, title, ha="left", fontsize=13, weight="bold")
    page.text(
        WAY_NAMES, top - 0.17, f"what is read of {length} tokens", ha="left", color=QUIET, fontsize=10.5
    )
    key = f"own text found first (dark: {DARK:.0%} or more)"
    page.text(edge, top - 0.17, key, ha="left", color=QUIET, fontsize=10.5)
    for column, part in enumerate(shares):
        page.text(edge + CELL * (column + 0.5), top - 0.47, part, weight="bold", fontsize=11)
    for number, (way, spans) in enumerate(ways.items()):
        bottom = FOOT + ROW * (len(ways) - 1 - number)
        page.text(WAY_NAMES - 0.12, bottom + ROW / 2, way, ha="right", fontsize=11)
        _draw_text(page, bottom, spans, length)
        for column, values in enumerate(shares.values()):
            _draw_share(page, edge + CELL * column, bottom, float(values[number]))
    page.text(WAY_NAMES, FOOT - 0.17, "first token", ha="left", color=QUIET, fontsize=10)
    page.text(WAY_NAMES + TEXT, FOOT - 0.17, "last token", ha="right", color=QUIET, fontsize=10)
    middle = edge + CELL * len(shares) / 2
    page.text(middle, FOOT - 0.17, f"guessing finds {guessing:.0%}", color=QUIET, fontsize=10)
    description = []
    for number, (way, spans) in enumerate(ways.items()):
        read = " and ".join(f"{start} to {end}" for start, end in spans)
        numbers = ", ".join(f"{part} {values[number]:.0%}" for part, values in shares.items())
        description.append(f"{way} reads tokens {read} and finds: {numbers}")
    alt = f"Of a text of {length} tokens, " + "; ".join(description) + f". Guessing finds {guessing:.0%}."
    return page.figure, alt


def _draw_text(page: Schematic, bottom: float, spans: Sequence[Span], length: int) -> None:
    """Draw a text as an empty strip, and in it what is read, overlapping spans one under the other."""
    from matplotlib.patches import Rectangle

    overlap = any(later[0] < earlier[1] for earlier, later in pairwise(spans))
    strip = ROW - 0.16
    height = strip / len(spans) if overlap else strip
    gap = 0.03 if overlap else 0.0
    for number, (start, end) in enumerate(spans):
        floor = bottom + 0.08 + (strip - height * (number + 1) + gap / 2 if overlap else 0.0)
        left, width = WAY_NAMES + TEXT * start / length, TEXT * (end - start) / length
        page.axes.add_patch(Rectangle((left, floor), width, height - gap, facecolor=LIT, edgecolor="none"))
    page.axes.add_patch(Rectangle((WAY_NAMES, bottom + 0.08), TEXT, strip, facecolor="none", edgecolor=QUIET))


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


def beyond_table(hits: Mapping[str, Tensor], before: str, control: str) -> dict[str, list[Any]]:
    """The columns of a table: what each way finds, what is new or lost beside `before`, what `control` adds.

    hits: for each way a boolean for each passage.
    """
    names = list(hits)
    return {
        "one vector a text": names,
        f"found of {len(hits[before])}": [hits[name].sum().item() for name in names],
        "newly found": [(hits[name] & ~hits[before]).sum().item() for name in names],
        "newly lost": [(hits[before] & ~hits[name]).sum().item() for name in names],
        f"found only by {control}": [(hits[control] & ~hits[name]).sum().item() for name in names],
    }


# ---------------------------------------------------------------------------------------------
# How large a difference luck makes.


def luck_table(tries: Mapping[int, Tensor]) -> dict[str, list[Any]]:
    """The columns of a table: how far even and odd throws differ on average, and how often beyond 2√k.

    tries: for each number of throws k, the difference in each try.
    """
    return {
        "throws k": list(tries),
        "average difference": [f"{difference.float().mean():.1f}" for difference in tries.values()],
        "2√k": [f"{stats.luck(throws):.1f}" for throws in tries],
        "tries above 2√k": [
            f"{(difference > stats.luck(throws)).float().mean():.1%}" for throws, difference in tries.items()
        ],
    }
