"""The drawings of notebook 13: worlds and their opposites, maps and their kinds, heads read as grammar.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_worlds(...))`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chapters.nb13 import probes
from lib.figures.arrays import Array, check_chosen, check_tokens, to_array
from lib.figures.attention import describe_maps
from lib.figures.attention import draw_maps as draw_named_maps
from lib.figures.charts import draw_bars, draw_lines, legend_outside
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, HATCHES, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WORDS = 9
STEP, LEFT = 0.98, 1.75  # inches from word to word, and left of the first
Links = Mapping[str, tuple[int, str]]


def draw_link_test(
    words: Sequence[str], row: Any, word: int, links: Links, title: str | None = None
) -> tuple["Figure", str]:
    """Draw one row of a head, the link that it predicts, and other answers to the same question under it.

    `row` is `[W]`: what word number `word` gives to each of the `words`, two to nine. `links` maps a source,
    such as "gold parse", to the number of the word that it names for `word`, and what it says of the link.
    """
    weights, names, answers = _answers(words, row, word, links)
    top = 0.55 * len(answers) + 0.3
    page = Schematic(LEFT + STEP * len(names) + 0.1, top + (1.25 if title else 0.85))
    if title:
        page.text(0.15, top + 1.0, title, ha="left", fontsize=13, weight="bold")
    page.text(0.15, top + 0.29, f"row of “{names[word]}”", ha="left")
    predicted = next(iter(answers.values()))[0]
    boxes = []
    for place, name in enumerate(names):
        look = "lit" if place == predicted else "tint" if place == word else "plain"
        detail = "itself" if place == word else f"{weights[place]:.2f}"
        boxes.append(page.box(LEFT + place * STEP, top, STEP - 0.1, 0.58, name, detail, look))
    for number, (source, (there, description)) in enumerate(answers.items()):
        height = top - 0.5 - 0.55 * number
        page.text(0.15, height, source, ha="left", weight="bold" if number == 0 else "normal")
        start, end = boxes[word].below[0], boxes[there].below[0]
        page.axes.plot([start], [height], "o", color=INK, markersize=6, zorder=4)
        page.arrow((start, height), (end, height))
        page.text((start + end) / 2, height + 0.14, description, fontsize=10, color=QUIET)
    shares = ", ".join(f"{name} {weights[place]:.2f}" for place, name in enumerate(names) if place != word)
    description = "; ".join(f"{source}: {names[there]} ({what})" for source, (there, what) in answers.items())
    alt = f"The row of {names[word]} gives: {shares}. Which word does {names[word]} depend on? {description}."
    return page.figure, alt


def _answers(
    words: Sequence[str], row: Any, word: int, links: Links
) -> tuple[Array, list[str], dict[str, tuple[int, str]]]:
    """The weights, the words, and all answers, first the head's: the other word that gets most."""
    weights = to_array(row, "row", "W")
    names = check_tokens(words, len(weights), "weights")
    if not 2 <= len(names) <= MOST_WORDS:
        raise ValueError(f"There are {len(names)} words; two to {MOST_WORDS} fit on the page.")
    check_chosen([word, *(there for there, _ in links.values())], len(names), "words")
    predicted = int(np.where(np.arange(len(names)) == word, -1.0, weights).argmax())
    return weights, names, {"the head": (predicted, "largest weight"), **links}


# ---------------------------------------------------------------------------------------------
# Every head of a model with the kind that it is of.

#: their grays fall; from SERIES where there
HEAD_SHADES = ("#12406b", "#3fa0d0", "#8fb8da", "#cfd6dd", "#ffffff")


def draw_sorted_heads(
    rows: Sequence[Sequence[str]], kinds: Sequence[str], title: str | None = None
) -> "Figure":
    """Draw every head of a model as a square with its kind's shade and initials: a row for each layer.

    `rows[layer][head]` is one of `kinds`, of which there are up to five. The legend counts them.
    """
    from matplotlib.patches import Patch, Rectangle

    if not rows or len({len(row) for row in rows}) != 1 or len(kinds) > len(HEAD_SHADES):
        raise ValueError(f"Give as many kinds for each layer, of at most {len(HEAD_SHADES)} different ones.")
    flat = [kind for row in rows for kind in row]
    if unknown := sorted(set(flat) - set(kinds)):
        raise ValueError(f"{unknown[0]!r} is none of the kinds {', '.join(kinds)}.")
    looks: dict[str, dict[str, Any]] = {
        kind: {"facecolor": HEAD_SHADES[number], "hatch": HATCHES[number] if number == 2 else ""}
        for number, kind in enumerate(kinds)
    }
    with style():
        figure = canvas(7.4, 0.42 * len(rows) + 1.5, title)
        axes = figure.subplots()
        for layer, row in enumerate(rows):
            for head, kind in enumerate(row):
                axes.add_patch(Rectangle((head - 0.5, layer - 0.5), 1, 1, edgecolor=FAINT, **looks[kind]))
                dark = kinds.index(kind) == 0
                axes.text(
                    head, layer, initials(kind), ha="center", va="center", fontsize=10,
                    color="white" if dark else INK,
                )  # fmt: skip
        axes.set(xlim=(-0.5, len(rows[0]) - 0.5), ylim=(len(rows) - 0.5, -0.5), xlabel="head", ylabel="layer")
        axes.set_xticks(range(len(rows[0])))
        axes.set_yticks(range(len(rows)))
        axes.tick_params(length=0)
        patches = [
            Patch(edgecolor=LIT, label=f"{initials(kind)}  {kind}: {flat.count(kind)}", **looks[kind])
            for kind in kinds
        ]
        figure.legend(handles=patches, loc="outside lower center", ncols=3)
    return figure


def vertical_heads(rows: Sequence[Sequence[str]]) -> str:
    """How many heads are vertical, as an explorer names its answer."""
    return str(sum(row.count("vertical") for row in rows))


def initials(kind: str) -> str:
    """Such as "VD" for "vertical + diagonal"."""
    return "".join(word[0].upper() for word in kind.split() if word.isalpha())


def describe_sorted_heads(rows: Sequence[Sequence[str]], kinds: Sequence[str]) -> str:
    """Say in words what `draw_sorted_heads` shows: how many heads are of each kind, and in which layers."""
    flat = [kind for row in rows for kind in row]
    parts = []
    for kind in kinds:
        layers = [str(layer) for layer, row in enumerate(rows) if kind in row]
        where = f" (in layers {', '.join(layers)})" if layers else ""
        parts.append(f"{flat.count(kind)} {kind}{where}")
    return f"Of {len(flat)} heads in {len(rows)} layers: {'; '.join(parts)}."


# ---------------------------------------------------------------------------------------------
# Rows of marks: twenty worlds, and the relations of the treebank.


def draw_marks(
    names: Sequence[str], marks: Mapping[str, Any], xlabel: str, title: str | None = None
) -> "Figure":
    """Draw a row for each name, the first on top, and in it a mark of each series: `marks` are [N] each."""
    series = {name: to_array(row, repr(name), "N") for name, row in marks.items()}
    for name, row in series.items():
        check_tokens(names, len(row), f"numbers of {name!r}")
    places = np.arange(len(names))
    with style():
        figure = canvas(8.0, 1.4 + 0.25 * len(names), title)
        axes = figure.subplots()
        table = np.stack(list(series.values()))
        axes.hlines(places, table.min(axis=0), table.max(axis=0), color=FAINT, linewidth=2.0, zorder=1)
        for number, (name, row) in enumerate(series.items()):
            axes.scatter(
                row, places, 44, marker=MARKERS[number], edgecolor=SERIES[number],
                facecolor="white" if number == 0 else SERIES[number], label=name, zorder=2,
            )  # fmt: skip
        axes.set_yticks(places, names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(xlabel)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        legend_outside(figure, title)
    return figure


def draw_worlds(
    worlds: Sequence[Any], nothing: Any, mention: Any, story: Any, opposite: Any
) -> tuple["Figure", str]:
    """Draw the share of each world's word after nothing, a mention of the word, the world, its opposite."""
    names = [f"{world.new} / {world.old}" for world in worlds]
    shares = {
        "nothing before": nothing, "a mention": mention, "the world": story, "its opposite": opposite
    }  # fmt: skip
    marks = {name: to_array(row, repr(name), "N") for name, row in shares.items()}
    ahead = int((marks["the world"] > marks["its opposite"]).sum())
    mentioned = int((marks["the world"] > marks["a mention"]).sum())
    title = f"Of {len(names)} worlds, {mentioned} beat the mere mention and {ahead} their opposite"
    figure = draw_marks(names, marks, "share of the first word, the world's", title)
    rows = [
        f"{name} {', '.join(f'{mark[place]:.2f}' for mark in marks.values())}"
        for place, name in enumerate(names)
    ]
    return (
        figure,
        f"{title}. With nothing before, after a mention, the world, its opposite: {'; '.join(rows)}.",
    )


def draw_relations(relations: Mapping[str, probes.InTreebank]) -> tuple["Figure", str]:
    """Draw what finds the links of each relation: the best head, its two rivals, and a rule that is told."""
    rows = list(relations.values())
    names = []
    said = []
    for relation, row in relations.items():
        mark = "✓" if row.is_found else "–"
        name = probes.in_words(relation).partition(" (")[0]
        names.append(f"{mark} {name}, head {row.probe.layer}-{row.probe.head}")
        shares = f"{row.probe.accuracy:.2f}, offset {row.probe.by_offset:.2f}, random {row.by_luck:.2f}"
        said.append(f"{names[-1]}: {shares}, {row.rule} (told) {row.by_rule:.2f}")
    marks = {
        "nearest word of a kind (told)": [row.by_rule for row in rows],
        "best head": [row.probe.accuracy for row in rows],
        "fixed offset": [row.probe.by_offset for row in rows],
        "random weights": [row.by_luck for row in rows],
    }
    found = sum(row.is_found for row in rows)
    title = f"✓ For {found} of {len(rows)} relations a head beats both rivals"
    return draw_marks(names, marks, "share of links found in EWT", title), f"{title}. {'; '.join(said)}."


def draw_objects(row: probes.InTreebank) -> tuple["Figure", str]:
    """Draw what finds the verbs of direct objects in EWT: random weights, an offset, a head, a told rule."""
    head = f"layer {row.probe.layer}, head {row.probe.head} of MiniLM"
    shares = {
        "best head, random weights": row.by_luck,
        f"always {abs(row.probe.offset)} words back": row.probe.by_offset,
        head: row.probe.accuracy,
        f"{row.rule} (told the verbs)": row.by_rule,
    }
    rival = max(row.by_luck, row.probe.by_offset)
    title = (
        f"The head finds {row.probe.accuracy:.0%}, its better rival {rival:.0%}, the rule {row.by_rule:.0%}"
    )
    percents = [100 * share for share in shares.values()]
    figure = draw_bars(list(shares), percents, "verbs of direct objects found in EWT, %", title, digits=0)
    said = "; ".join(f"{name} {share:.0%}" for name, share in shares.items())
    return figure, f"Of {row.probe.links} direct objects in EWT, the verb is found by: {said}."


# ---------------------------------------------------------------------------------------------
# Maps of attention.


def draw_five(examples: Mapping[str, Any], tokens: Sequence[str]) -> tuple["Figure", str]:
    """Draw a map of each pattern, with a line between the two texts."""
    marks = [token if token in ("[CLS]", "[SEP]") else "" for token in tokens]
    boundary = list(tokens).index("[SEP]") + 1
    figure = draw_named_maps(examples, marks, "Heads look in very different ways", boundary=boundary)
    return figure, describe_maps(examples, tokens)


# ---------------------------------------------------------------------------------------------
# The stretches.

# Clark et al., 2019, table 1: the best head of BERT-base and its best fixed offset, in percent.
PRINTED = {
    "det": (94.3, 51.7),
    "compound": (70.4, 70.2),
    "nsubj": (58.5, 45.5),
    "amod": (75.6, 68.3),
    "obj": (86.8, 40.0),
    "advmod": (48.8, 40.2),
    "aux": (81.1, 71.5),
    "nmod:poss": (80.5, 47.7),
    "case": (76.3, 34.6),
}


def published_table(relations: Mapping[str, probes.InTreebank]) -> dict[str, list[str]]:
    """The columns of a table: BERT-base as printed, and a model of ours as recorded."""
    columns: dict[str, list[str]] = {
        "relation": [], "BERT-base": [], "its offset": [], "MiniLM": [], "its offset ": []
    }  # fmt: skip
    for name, (head, offset) in PRINTED.items():
        probe = relations[name].probe
        columns["relation"].append(probes.in_words(name).partition(" (")[0])
        columns["BERT-base"].append(f"{head}%")
        columns["its offset"].append(f"{offset}%")
        columns["MiniLM"].append(f"{probe.accuracy:.1%}")
        columns["its offset "].append(f"{probe.by_offset:.1%}")
    return columns


def draw_heads_off(off: Sequence[int], curves: Any) -> tuple["Figure", str]:
    """Draw how the loss changes when heads go, the least needed first: `curves` [draws, points]."""
    table = to_array(curves, "curves", "draws, points")
    mean = table.mean(axis=0)
    can_go = [count for count, change in zip(off, mean, strict=True) if change <= 0.1][-1]
    title = f"{can_go} of {off[-1]} heads can go before the mean loss rises by 0.1 nats"
    lines = {f"draw {number}": row for number, row in enumerate(table)}
    figure = draw_lines(off, lines, "heads off, the least needed first", "change of the loss", title)
    said = ", ".join(f"{count} {change:+.2f}" for count, change in zip(off, mean, strict=True))
    return figure, f"{title}. Mean change of the loss by heads off: {said}."


def draw_occupations(names: Sequence[str], ratio: Any, person: float) -> tuple["Figure", str]:
    """Draw the six occupations at each end, by the mean of log p(he) - log p(she); `person` is a line."""
    means = to_array(ratio, "ratio", "N")
    order = np.argsort(means)
    shown = [*order[::-1][:6], *order[:6][::-1]]
    lowest = names[order[0]]
    title = f"Most “he”: {names[order[-1]]}; most “she”: {lowest}; the line is “person”"
    figure = draw_bars(
        [names[place] for place in shown], means[shown], "mean of log p(he) / p(she)", title,
        baseline=("person", person),
    )  # fmt: skip
    said = "; ".join(f"{names[place]} {means[place]:+.2f}" for place in shown)
    return figure, f"Mean of log p(he) / p(she): {said}; person {person:+.2f}."
