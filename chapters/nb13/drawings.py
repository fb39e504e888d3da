"""Attention read as grammar: one row of a head that becomes a predicted link; and heads with their kinds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_chosen, check_tokens, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, HATCHES, INK, LIT, QUIET, canvas, style

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
