"""The pictures and tables of notebook 36: two halves, where a translator looks, and what a record holds.

Each picture comes with its text alternative: `figures.show(*drawings.draw_looks(...))`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import to_array
from lib.figures.attention import name_tokens
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: what is drawn of the record, by the names of its metrics
LINES = {
    "looks right": "looks at the right word, %",
    "names right": "names the right word, %",
    "bleu": "BLEU of what it writes alone",
}
RIGHT = "looks right"


def draw_halves(
    source: Sequence[str], written: Sequence[str], read: Sequence[int], logits: Sequence[int]
) -> tuple[Figure, str]:
    """Draw an encoder-decoder: what the encoder reads, the decoder has written, and what crosses over.

    read and logits: the shapes of the encoder's vectors [S, D] and of the decoder's answers [T, V].
    """
    page = Schematic(9.6, 4.5)
    page.frame(0.3, 0.75, 3.6, 3.1, "encoder: reads")
    page.frame(5.0, 0.75, 4.3, 3.1, "decoder: writes")
    text = page.box(0.6, 0.1, 3.0, 0.45, " ".join(source))
    attention = page.box(0.6, 1.15, 3.0, 0.6, "self-attention", "looks at all words", "tint")
    forward = page.box(0.6, 1.95, 3.0, 0.5, "feed-forward", look="tint")
    vectors = page.box(0.6, 2.8, 3.0, 0.6, "its last vectors", f"{list(read)}")
    begun = page.box(5.6, 0.1, 3.4, 0.45, " ".join(written))
    causal = page.box(5.6, 1.15, 3.4, 0.6, "self-attention", "looks back only", "tint")
    cross = page.box(5.6, 2.0, 3.4, 0.6, "cross-attention", "looks at the source", "lit")
    last = page.box(5.6, 2.85, 3.4, 0.5, "feed-forward", look="tint")
    answers = page.box(5.6, 3.95, 3.4, 0.45, f"next word: logits {list(logits)}")
    for one, other in ((text, attention), (attention, forward), (forward, vectors)):
        page.arrow(one.top, other.below)
    for one, other in ((begun, causal), (causal, cross), (cross, last), (last, answers)):
        page.arrow(one.top, other.below)
    middle = 4.45
    page.arrow(vectors.east, (middle, vectors.east[1]), (middle, cross.west[1]), cross.west)
    page.text(middle, vectors.east[1] + 0.2, "keys, values", color=QUIET, fontsize=10)
    return page.figure, (
        f"Left, the encoder reads “{' '.join(source)}” with self-attention to all words and a feed-forward"
        f" part, and gives vectors {list(read)}. Right, the decoder has written “{' '.join(written)}”:"
        " self-attention that looks back only, then cross-attention, whose keys and values are the encoder's"
        f" vectors, then feed-forward, and logits {list(logits)} for the next word."
    )


def draw_looks(weights: Any, english: Sequence[str], spanish: Sequence[str]) -> tuple[Figure, str]:
    """Draw cross-attention [T, S]: rows for the Spanish words that are predicted, a frame at each largest."""
    table = to_array(weights, "weights", "T, S")
    if table.shape != (len(spanish), len(english)):
        raise ValueError(
            f"The weights are {list(table.shape)}, the words {[len(spanish), len(english)]}: give a row for"
            " each Spanish word and a column for each English one."
        )
    with style():
        from matplotlib.patches import Rectangle

        figure = canvas(0.95 * len(english) + 2.0, 0.5 * len(spanish) + 1.3)
        axes = figure.subplots()
        axes.imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        name_tokens(axes, list(spanish), list(english))
        axes.xaxis.tick_top()
        axes.set_ylabel("word that is predicted", color=QUIET)
        for row, values in enumerate(table):
            best = int(values.argmax())
            axes.add_patch(Rectangle((best - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=LIT, linewidth=2.2))
            for column, value in enumerate(values):
                color = "white" if value > 0.55 else INK
                axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=10, color=color)
    phrases = [
        f"“{word}” looks at “{english[int(values.argmax())]}” ({values.max():.2f})"
        for word, values in zip(spanish, table, strict=True)
    ]
    return figure, f"The largest weight of each word: {', '.join(phrases)}."


def steps_of(table: Any) -> dict[int, str]:
    """The arms of the record by their number of steps."""
    return {int(arm.split()[0]): arm for arm in table.arms("spanish")}


def recorded(table: Any, metric: str) -> list[list[float]]:
    """For each number of steps the values of all seeds; shares are in percent."""
    factor = 1 if "bleu" in metric else 100
    return [
        [factor * value for value in table.values("spanish", arm, metric)] for arm in steps_of(table).values()
    ]


def draw_record(table: Any) -> tuple[Figure, str]:
    """Draw looks, named words and score over steps, three seeds: means, and ranges as bands."""
    steps = list(steps_of(table))
    phrases = []
    with style():
        figure = canvas(8.4, 3.9, "Translators of 200 to 600 steps: means, bands from lowest to highest seed")
        axes = figure.subplots()
        for number, (metric, name) in enumerate(LINES.items()):
            values = recorded(table, metric)
            means = [mean(each) for each in values]
            low, high = [min(each) for each in values], [max(each) for each in values]
            axes.fill_between(steps, low, high, color=SERIES[number], alpha=0.18, linewidth=0)
            axes.plot(
                steps,
                means,
                color=SERIES[number],
                linestyle=DASHES[number],
                marker=MARKERS[number],
                label=name,
            )
            said = ", ".join(f"{value:.0f}" for value in means)
            phrases.append(f"{name} {said}")
        straight = mean(mean(each) for each in recorded(table, "diagonal"))
        axes.axhline(straight, color=INK, linewidth=1.3, linestyle=(0, (4, 3)))
        axes.text(steps[-1], straight - 5.5, "a rule: looks at the same place, %", ha="right", fontsize=10)
        axes.set(xlabel="steps", xticks=steps, ylim=(0, 102))
        axes.grid(axis="y")
        figure.legend(loc="outside lower center", ncols=3)
    return figure, (
        f"After {', '.join(map(str, steps))} steps, means of three seeds: {'; '.join(phrases)}. A rule that"
        f" looks at the same place is right {straight:.0f}% of the time."
    )


def table_of_translations(
    sentences: Sequence[Sequence[str]], written: Sequence[Sequence[str]]
) -> Mapping[str, list[str]]:
    """The columns of a table of translations."""
    return {
        "English": [" ".join(words) for words in sentences],
        "what the translator writes": [" ".join(words) for words in written],
    }
