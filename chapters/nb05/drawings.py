"""One row of attention as a schematic: a query meets every key, and the weights mix the values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import Array, check_chosen, check_tokens, to_array
from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WORDS = 8
ROW = 0.6  # inches from one word to the next
HIGH = 0.42  # inches, the height of a box
HEADINGS = {1.35: "key", 3.3: "score", 4.95: "weight", 6.35: "value"}  # by their left edges, in inches
WIDTHS = {1.35: 1.35, 3.3: 0.8, 4.95: 0.8, 6.35: 0.95}


def draw_query_key_value(
    words: Sequence[str], asking: int, query: Any, keys: Any, weights: Any, values: Any
) -> tuple["Figure", str]:
    """Draw how word number `asking` gets its new vector, with every number on the way.

    `query` `[D_h]` is that word's query, `keys` `[T, D_h]` and `values` `[T, D_v]` are those of all words,
    `weights` `[T]` its row of attention weights. The scores, which are the dot products of the query and
    the keys, and the new vector, which is the average of the values, are computed from them. Shapes that
    do not fit, or more than eight words, raise a ValueError.
    """
    names, (query, keys, weights, values) = _inputs(words, asking, query, keys, weights, values)
    columns = (
        [_vector(key) for key in keys],
        [f"{score:g}" for score in keys @ query],
        [f"{weight:.2f}" for weight in weights],
        [_vector(value) for value in values],
    )
    depth = ROW * (len(names) - 1)  # from the lowest row of boxes to the highest
    page = Schematic(9.6, depth + 2.55)
    title = f"The new vector of “{names[asking]}” is an average of the values, weighted by query and keys"
    page.text(0.15, depth + 2.38, title, ha="left", fontsize=12.5, weight="bold")
    top, middle = depth + 0.55, depth / 2 + 0.55 + HIGH / 2
    query_box = page.box(
        2.7, depth + 1.6, 2.0, 0.52, f"query of “{names[asking]}”", _vector(query), look="lit"
    )
    page.text(
        4.8, depth + 1.86, f"$x\\,W_Q$, x being the vector of “{names[asking]}”", ha="left", fontsize=10
    )
    page.arrow(query_box.below, (3.7, top + HIGH + 0.36))
    for left in (3.18, 4.83):  # the scores are turned into weights together, never one alone
        page.frame(left, 0.43, 1.04, depth + HIGH + 0.24, "")
    page.arrow((4.22, middle), (4.83, middle))
    page.text(4.53, middle + 0.14, "softmax", fontsize=9.5)
    new = page.box(
        8.0,
        middle - 0.3,
        1.45,
        0.6,
        f"new “{names[asking]}”",
        _vector(weights @ values, digits=2),
        look="lit",
    )
    for number, name in enumerate(names):
        bottom = top - ROW * number
        level = bottom + HIGH / 2
        word = page.box(0.15, bottom, 0.85, HIGH, name, look="lit" if number == asking else "plain")
        key, score, _, value = (
            page.box(left, bottom, WIDTHS[left], HIGH, column[number], look=look)
            for left, column, look in zip(HEADINGS, columns, ("tint", "plain", "plain", "tint"), strict=True)
        )
        page.arrow(word.east, key.west)
        page.arrow(key.east, score.west)
        page.text(6.11, level, "×")
        page.arrow(value.east, (7.65, level), (7.65, middle), new.west)
    for left, heading in HEADINGS.items():
        page.text(left + WIDTHS[left] / 2, top + HIGH + 0.25, heading, weight="bold")
    for x, note in (
        (2.03, "$x\\,W_K$"),
        (3.7, "dot products"),
        (5.35, "sum to 1"),
        (6.82, "$x\\,W_V$"),
        (7.65, "added up"),
    ):
        page.text(x, 0.22, note, fontsize=10)
    rows = "; ".join(
        f"{name}: key {_vector(key)}, score {score:g}, weight {weight:.2f}, value {_vector(value)}"
        for name, key, score, weight, value in zip(names, keys, keys @ query, weights, values, strict=True)
    )
    alt = (
        f"From left to right, what the query of {names[asking]}, {_vector(query)}, meets: {rows}. The new "
        f"vector of {names[asking]} is the average of the values with these weights: "
        f"{_vector(weights @ values, digits=2)}."
    )
    return page.figure, alt


def _inputs(
    words: Sequence[str], asking: int, query: Any, keys: Any, weights: Any, values: Any
) -> tuple[list[str], tuple[Array, Array, Array, Array]]:
    arrays = (
        to_array(query, "query", "D_h"),
        to_array(keys, "keys", "T, D_h"),
        to_array(weights, "weights", "T"),
        to_array(values, "values", "T, D_v"),
    )
    names = check_tokens(words, len(arrays[1]), "keys")
    check_tokens(words, len(arrays[2]), "weights")
    check_tokens(words, len(arrays[3]), "values")
    check_chosen([asking], len(names), "asking")
    if arrays[1].shape[1] != len(arrays[0]):
        raise ValueError(
            f"The query has {len(arrays[0])} features and the keys {arrays[1].shape[1]}; give both the same."
        )
    if len(names) > MOST_WORDS:
        raise ValueError(f"{len(names)} words do not fit on one page; draw at most {MOST_WORDS}.")
    return names, arrays


def _vector(numbers: Array, digits: int | None = None) -> str:
    """A short vector as text: `[2, 0, 2]`, or with a fixed number of decimals."""
    written = [f"{number:g}" if digits is None else f"{number:.{digits}f}" for number in numbers]
    return f"[{', '.join(written)}]"
