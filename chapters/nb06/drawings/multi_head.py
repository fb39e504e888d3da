"""Multi-head attention as a schematic: one row is split into heads, attends, is merged and projected."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lib.figures.arrays import Array, check_chosen, check_tokens, to_array
from lib.figures.schematic import LOOKS, Box, Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WORDS = 6
MOST_HEADS = 3
ROW = 0.36  # inches from one word to the next
HIGH = 0.3  # inches, the height of a box
COUNTS = 0.1  # a weight below this is drawn in grey, with its word
PANEL = 4.05  # inches, the left edge of the heads' frames


class WordAttention(NamedTuple):
    """What one word's new vector is made of: all words' keys and values, and its own query and weights."""

    words: list[str]
    asking: int
    query: Array  # [D]
    keys: Array  # [T, D]
    values: Array  # [T, D]
    weights: Array  # [H, T]
    project: Array  # [D, D]

    @property
    def size(self) -> int:
        """How many features a head has."""
        return len(self.query) // len(self.weights)

    def part(self, head: int) -> slice:
        """The features of one head."""
        return slice(head * self.size, (head + 1) * self.size)

    def found(self, head: int) -> Array:
        """What one head hands to the word: the average of its values, [K]."""
        average: Array = self.weights[head] @ self.values[:, self.part(head)]
        return average

    @property
    def merged(self) -> Array:
        """What all heads hand to the word, side by side, [D]."""
        return np.concatenate([self.found(head) for head in range(len(self.weights))])


def draw_multi_head(
    words: Sequence[str], asking: int, query: Any, keys: Any, values: Any, weights: Any, project: Any
) -> "Figure":
    """Draw how word number `asking` gets its new vector from several heads, with every number on the way.

    `query` `[D]` is that word's, `keys` and `values` `[T, D]` are those of all words before the split,
    `weights` `[H, T]` are its attention weights, a row for each head, and `project` `[D, D]` multiplies the
    merged vector from the right. What each head finds, the merged and the projected vector are computed
    from them. More than six words or three heads, or shapes that do not fit, raise a ValueError.
    """
    row = _row(words, asking, query, keys, values, weights, project)
    heads, name = len(row.weights), row.words[row.asking]
    tall = ROW * len(row.words) + 0.98  # inches, of a head's frame
    bottom, height = 0.62, heads * (tall + 0.15)
    page = Schematic(11.6, bottom + height + 0.5)
    title = f"“{name}” gets one mixture from each head, and merging keeps the mixtures apart"
    page.text(0.15, bottom + height + 0.27, title, ha="left", fontsize=12.5, weight="bold")
    middle = bottom + height / 2
    table = _draw_table(
        page, row, slice(None), 0.1, middle - (ROW * len(row.words) + 0.85) / 2, None, (1.3, 1.5)
    )
    merged = page.box(9.5, middle + 0.15, 1.95, 0.56, "merged", _vector(row.merged), look="tint")
    for head in range(heads):
        low = bottom + height - (head + 1) * (tall + 0.15) + 0.12
        page.frame(PANEL, low, 3.55, tall, f"head {head}: {_features(row, head)}")
        _draw_table(page, row, row.part(head), PANEL + 0.1, low + 0.02, head, (0.85, 0.85))
        level = low + tall / 2
        head_box = page.box(
            7.95, level - 0.3, 1.1, 0.6, f"head {head}", _vector(row.found(head)), look="tint"
        )
        page.arrow((table.left + table.width, middle), (3.92, middle), (3.92, level), (PANEL, level))
        page.arrow((PANEL + 3.55, level), head_box.west)
        side = merged.top if level > middle else merged.west
        corner = (side[0], level) if level > middle else (9.25, level)
        page.arrow(head_box.east, corner, *([] if level > middle else [(9.25, side[1])]), side)
    new = page.box(9.5, middle - 0.95, 1.95, 0.56, f"new “{name}”", _vector(row.merged @ row.project), "lit")
    page.arrow(merged.below, new.top)
    page.text(merged.below[0] + 0.12, middle - 0.12, "$\\times\\,W_O$", ha="left", fontsize=10)
    for x, step, shape in (
        (1.75, "whole", f"[T, D] = [{len(row.words)}, {len(row.query)}]"),
        (5.8, "split, attend", f"[H, T, K] = [{heads}, {len(row.words)}, {row.size}]"),
        (9.9, "merge, project", f"one row of [T, D] = [{len(row.words)}, {len(row.query)}]"),
    ):
        page.text(x, 0.42, step, weight="bold")
        page.text(x, 0.17, shape, fontsize=10)
    return page.figure


def describe_multi_head(
    words: Sequence[str], asking: int, query: Any, keys: Any, values: Any, weights: Any, project: Any
) -> str:
    """Say in words what `draw_multi_head` shows."""
    row = _row(words, asking, query, keys, values, weights, project)
    heads = []
    for head, shares in enumerate(row.weights):
        part = row.part(head)
        tokens = "; ".join(
            f"{word}: key {_vector(key)}, weight {share:.2f}, value {_vector(value)}"
            for word, key, share, value in zip(
                row.words, row.keys[:, part], shares, row.values[:, part], strict=True
            )
        )
        heads.append(
            f"Head {head} has {_features(row, head)}: the query {_vector(row.query[part])} meets {tokens}. "
            f"It finds {_vector(row.found(head))}."
        )
    name = row.words[row.asking]
    return (
        f"The query of {name} is {_vector(row.query)}. Keys and values [T, D] = [{len(row.words)}, "
        f"{len(row.query)}] are split into {len(heads)} heads of {row.size} features. {' '.join(heads)} "
        f"Merged side by side they are {_vector(row.merged)}, and the matrix W_O projects them "
        f"to the new {name}, {_vector(row.merged @ row.project)}."
    )


def _draw_table(
    page: Schematic,
    row: WordAttention,
    part: slice,
    left: float,
    bottom: float,
    head: int | None,
    widths: tuple[float, float],
) -> Box:
    """Draw the query over a line for each word: its key, its weight where a head is given, its value."""
    top = bottom + ROW * len(row.words)
    keys_at = left + 0.6
    weights_at = keys_at + widths[0] + 0.15
    values_at = weights_at + (0.75 if head is not None else 0.0)
    asks = left + 0.6
    page.text(asks - 0.06, top + 0.49, "query", ha="right", fontsize=10)
    page.box(asks, top + 0.34, widths[0], HIGH, _vector(row.query[part]), look="lit")
    page.text(keys_at + widths[0] / 2, top + 0.16, "keys", fontsize=10)
    page.text(values_at + widths[1] / 2, top + 0.16, "values", fontsize=10)
    if head is not None:
        page.text(weights_at + 0.3, top + 0.16, "weights", fontsize=10)
    for number, word in enumerate(row.words):
        low = top - ROW * (number + 1) + 0.04
        share = None if head is None else row.weights[head, number]
        look = "plain" if share is None or share >= COUNTS else "quiet"
        page.text(keys_at - 0.06, low + HIGH / 2, word, ha="right", fontsize=10, color=LOOKS[look][2])
        page.box(keys_at, low, widths[0], HIGH, _vector(row.keys[number, part]), look=look)
        page.box(values_at, low, widths[1], HIGH, _vector(row.values[number, part]), look=look)
        if share is not None:
            counted = "tint" if share >= COUNTS else "quiet"
            page.box(weights_at, low, 0.6, HIGH, f"{share:.2f}", look=counted)
    return Box(left, bottom, values_at + widths[1] - left, top + 0.64 - bottom)


def _features(row: WordAttention, head: int) -> str:
    """Which features a head has, as an ordinal, so that nobody asks where counting starts."""
    return f"the {'next' if head else 'first'} {row.size} features"


def _row(
    words: Sequence[str], asking: int, query: Any, keys: Any, values: Any, weights: Any, project: Any
) -> WordAttention:
    row = WordAttention(
        check_tokens(words, len(to_array(keys, "keys", "T, D")), "keys"),
        asking,
        to_array(query, "query", "D"),
        to_array(keys, "keys", "T, D"),
        to_array(values, "values", "T, D"),
        to_array(weights, "weights", "H, T"),
        to_array(project, "project", "D, D"),
    )
    check_chosen([asking], len(row.words), "asking")
    length, size, heads = len(row.words), len(row.query), len(row.weights)
    wanted = {"keys": (length, size), "values": (length, size), "weights": (heads, length)}
    for name, shape in (wanted | {"project": (size, size)}).items():
        if getattr(row, name).shape != shape:
            raise ValueError(
                f"{name} has shape {list(getattr(row, name).shape)}; it should be {list(shape)}."
            )
    if size % heads:
        raise ValueError(f"{size} features cannot be shared out evenly among {heads} heads.")
    if length > MOST_WORDS or heads > MOST_HEADS:
        raise ValueError(
            f"{length} words in {heads} heads do not fit on one page; draw at most {MOST_WORDS} words "
            f"in {MOST_HEADS} heads."
        )
    return row


def _vector(numbers: Array) -> str:
    """A short vector as text, with at most two decimals: `[41.13, 42.14, 28, 28]`."""
    return f"[{', '.join(f'{number:.2f}'.rstrip('0').rstrip('.') for number in numbers)}]"
