"""The pictures of notebook 05: one row of attention as a schematic, and what is measured, with its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from torch import Tensor

from lib import figures
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


def draw_weights(weights: Tensor, tokens: Sequence[str], title: str) -> tuple["Figure", str]:
    """Draw the attention weights `[T, T]` of one head."""
    return figures.draw_attention(weights, tokens, title), figures.describe_attention(weights, tokens)


def draw_bank(apart: Tensor, names: Sequence[str]) -> tuple["Figure", str]:
    """Draw how far the vectors of "bank" lie apart, in percent, at the input and after each layer.

    apart: `[7, pairs]`, a column for each name.
    """
    lines = dict(zip(names, apart.T.tolist(), strict=True))
    first = int((apart[:, 0] > 0.05).nonzero()[0])
    title = f"The vectors of “bank” are equal at the input, and part in layer {first}"
    if float(apart[:, -1].max()) < 0.05:
        title = f"With {names[-1]}, the two vectors of “bank” stay equal"
    said = " ".join(f"{name}: {', '.join(f'{value:.1f}' for value in line)}." for name, line in lines.items())
    figure = figures.draw_lines(range(7), lines, "layers passed", "difference in %", title, ylim=(-1, 30))
    return figure, f"How far the vectors of bank lie apart after 0 to 6 layers, in percent. {said}"


@dataclass(frozen=True)
class RandomRow:
    """The weights of a random query `[D]` on random keys `[6, D]`, of which some features are used."""

    query: Tensor
    keys: Tensor

    def weights(self, features: int, divided: bool) -> Tensor:
        """The six weights."""
        scores = self.keys[:, :features] @ self.query[:features]  # [6]
        if divided:
            scores = scores / features**0.5
        return scores.softmax(dim=-1)

    def title(self, features: int, divided: bool) -> str:
        """How many features, and the largest weight."""
        scale = "divided by √d" if divided else "not divided"
        return f"{features} features, {scale}: largest weight {self.weights(features, divided).max():.2f}"

    def draw(self, features: int, divided: bool) -> "Figure":
        """Bars of the six weights."""
        names = [f"key {number}" for number in range(1, 7)]
        weights, title = self.weights(features, divided), self.title(features, divided)
        return figures.draw_bars(names, weights, "attention weight", title, xlim=(0, 1.1))

    def describe(self, features: int, divided: bool) -> str:
        """The picture in words."""
        return f"Bars of six attention weights; {self.title(features, divided)}"


def draw_largest(sizes: Sequence[int], largest: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the usual largest of six weights against the number of features, divided and not."""
    undivided, divided = largest.values()
    said = "; ".join(
        f"{d} features: {one:.2f}, divided {two:.2f}"
        for d, one, two in zip(sizes, undivided, divided, strict=True)
    )
    figure = figures.draw_lines(
        sizes,
        dict(largest),
        "features d (each step four times as many)",
        "largest weight (median)",
        f"With {sizes[-1]:,} features one key takes {undivided[-1]:.2f}; divided by √d, {divided[-1]:.2f}",
        logx=True,
        ylim=(0, 1.05),
        baseline=("an even split, 1/6", 1 / 6),
    )
    return (
        figure,
        f"The median largest weight of 2,000 rows of six; an even split would be {1 / 6:.2f}. {said}.",
    )


def draw_found_head(weights: Tensor, tokens: Sequence[str], found: int) -> tuple["Figure", str]:
    """Draw the head that a reader chose; the title says how far it looks one token back, and whether most.

    weights: of all heads, `[H, T, T]`. A number that is no head's raises a ValueError.
    """
    if not 0 <= found < len(weights):
        raise ValueError(f"There is no head {found}: they are numbered from 0 to {len(weights) - 1}.")
    one_back = weights.diagonal(offset=-1, dim1=1, dim2=2).mean(dim=-1)  # [H]
    is_best = found == int(one_back.argmax())
    rest = "more than any other" if is_best else "another gives more"
    title = f"Head {found}: {one_back[found]:.2f} to the token before, {rest}"
    return draw_weights(weights[found], tokens, title)


def draw_growth(
    multiplications: Sequence[int], seconds: Mapping[str, Sequence[float]]
) -> tuple["Figure", str]:
    """Draw how many times as long each part takes for four times the text, as counted and as measured."""
    steps = ["128 to 512 tokens", "512 to 2,048 tokens"]
    rows = [f"{name}, {step}" for name in seconds for step in steps]
    counted = [*(more / less for less, more in pairwise(multiplications)), 4.0, 4.0]
    measured = [more / less for times in seconds.values() for less, more in pairwise(times)]
    said = " ".join(
        f"{row}: counted {one:.1f}, measured {two:.1f}."
        for row, one, two in zip(rows, counted, measured, strict=True)
    )
    bars = {"as counted": counted, "as measured": measured}
    title = f"Attention takes up to {max(measured[:2]):.0f} times as long for four times the text"
    figure = figures.draw_bars(rows, bars, "times as long, for four times the text", title, digits=1)
    return figure, f"Times as long for four times the text. {said}"


def draw_reach(gradients: Mapping[str, Tensor]) -> tuple["Figure", str]:
    """Draw how strongly the last output reacts to a word so many places earlier: `[64]` for each network."""
    left = "; ".join(f"{name}: {line[-1] / line[0]:.1g}" for name, line in gradients.items())
    title = "What a change of a distant word does to the last output"
    figure = figures.draw_lines(
        range(1, 65), dict(gradients), "distance in words", "gradient (typical)", title, logy=True
    )
    words = "The gradient against the distance, logarithmic. Left at distance 64, of that at distance 1: "
    return figure, f"{words}{left}."


def what_is_left(gradients: Mapping[str, Tensor]) -> dict[str, list[str]]:
    """A table: what is left of each gradient `[64]` at the end, and the factor for each word."""
    left = [float(line[-1] / line[0]) for line in gradients.values()]
    return {
        "network": list(gradients),
        "left at distance 64": [f"{value:.1g}" for value in left],
        "factor for each word": [f"{value ** (1 / 63):.2f}" for value in left],
    }


def two_times(lengths: Sequence[int], at_once: Sequence[float], in_a_row: Sequence[float]) -> dict[str, Any]:
    """A table of milliseconds: attention, an LSTM, and how many times as long the LSTM takes."""
    columns: dict[str, Any] = {"time of": ["attention", "LSTM", "LSTM over attention, times"]}
    for length, one, two in zip(lengths, at_once, in_a_row, strict=True):
        columns[f"{length:,} tokens"] = [1000 * one, 1000 * two, two / one]
    return columns
