"""From texts to the tensors of a batch, as a schematic: the texts, their tokens, and the numbers."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .batch import LABELS, LINE, checked_batch, column_widths, describe_batch, draw_number, draw_token
from .schematic import Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP = 0.4  # inches between two rows of the batch
ARROW = 0.22  # inches from a text to its tokens
BELOW_TOKENS = 0.06  # inches
EDGE = 0.15  # inches around the page


def draw_inputs(
    texts: Sequence[Sequence[str]],
    tokens: Sequence[Sequence[str]],
    batch: Mapping[str, Any],
    title: str | None = None,
) -> "Figure":
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
    return page.figure


def describe_inputs(
    texts: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]], batch: Mapping[str, Any]
) -> str:
    """Say in words what `draw_inputs` shows."""
    _check_texts(texts, tokens)
    said = "; ".join(f"row {number}: {' and '.join(row)}" for number, row in enumerate(texts))
    return f"The texts of a batch, {said}, become tokens and tensors. {describe_batch(tokens, batch)}"


def _spans(row: Sequence[str]) -> list[tuple[int, int]]:
    """Where each text of a row begins and ends: what [CLS] and each [SEP] enclose."""
    ends = [at for at, token in enumerate(row) if token == "[SEP]"]
    return list(zip([1, *(end + 1 for end in ends)], ends, strict=False))


def _check_texts(texts: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]]) -> None:
    given = [len(row) for row in texts]
    if given != [len(_spans(row)) for row in tokens]:
        raise ValueError(
            f"The rows have {given} texts, which is not one for each [SEP] of a row: give each row its texts."
        )
