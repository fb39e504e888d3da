"""Pictures and tables of what is measured in notebook 06, with their text alternatives."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chapters.nb06.drawings.links import describe_links, draw_links, draw_split
from lib import figures
from lib.figures.arrays import to_array
from lib.figures.style import INK, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_pointers(words: Sequence[str], weights: Any, verb: str, head: str) -> tuple["Figure", str]:
    """Draw which words look at the verb most, in one head; `weights` is `[W, W]`."""
    place = list(words).index(verb)
    figure = draw_links(words, weights, place, f"{head}: what points at “{verb}”?")
    return figure, describe_links(words, weights, place)


def draw_two_cuts(value: Any, split: Any, view_alone: Any, words: Sequence[str]) -> tuple["Figure", str]:
    """Draw values `[T, D]` before the cut, and both cuts `[H, T, K]`; the title says what view alone does."""
    cuts = {
        "split": to_array(split, "split", "H, T, K"),
        "view alone": to_array(view_alone, "view", "H, T, K"),
    }
    table = to_array(value, "value", "T, D")
    owner = {float(number): word for word, row in zip(words, table, strict=True) for number in row}
    in_head_0 = [owner[float(number)] for number in cuts["view alone"][0].flat]
    seen = list(dict.fromkeys(in_head_0))
    title = f"By view alone, head 0 sees {len(seen)} of {len(words)} words: {', '.join(seen)}"
    rows = "; ".join(f"{name} {[int(number) for number in cut[0, 1]]}" for name, cut in cuts.items())
    alt = (
        "Five tables with a shade for each word: the values before the cut, two heads of split, two heads of "
        "view alone. In the heads of split every row keeps its word's shade. In head 0 of view alone stand "
        f"the shades of {', '.join(in_head_0[::2])}, a row each. Row 1 of head 0 holds: {rows}."
    )
    return draw_split(table, cuts, words, title=title), alt


def draw_linked_by_distance(kinds: Mapping[str, Mapping[str, Any]]) -> tuple["Figure", str]:
    """Draw which share of each kind of word the head links to the verb, by its distance from it.

    `kinds` has, for each kind, the record's "by distance": a distance to how many links and their share.
    """
    distances = list(next(iter(kinds.values())))
    shares = {
        name: [float(by_distance[one]["accuracy"]) for one in distances]
        for name, by_distance in kinds.items()
    }
    objects, others = shares
    ahead = sum(a > b for a, b in zip(shares[objects], shares[others], strict=True))
    title = f"At {ahead} of {len(distances)} distances the head links more of the {objects}"
    figure = figures.draw_bars(
        [f"{distance} behind" for distance in distances],
        shares,
        "share linked to the verb",
        title,
        xlim=(0, 1.1),
    )
    said = []
    for name, by_distance in kinds.items():
        parts = [f"{row['accuracy']:.2f} of {row['links']}" for row in by_distance.values()]
        said.append(f"{name}: {', '.join(parts)}")
    return figure, f"Share linked to the verb, {', '.join(distances)} words behind it. {'; '.join(said)}."


def draw_favorites(favorites: Any, tokens: Sequence[str], word: str) -> tuple["Figure", str]:
    """Draw a table of layers and heads, each with the token that `word` looks at most.

    `favorites` is `[L, H]`, the places of these tokens. The title says which is named most often.
    """
    places = to_array(favorites, "favorites", "L, H").astype(int)
    layers, heads = places.shape
    counts = np.bincount(places.ravel(), minlength=len(tokens))
    most = int(counts.argmax())
    from matplotlib.patches import Rectangle

    with style():
        title = f"In {counts[most]} of {places.size} heads “{word}” looks most at {tokens[most]}"
        figure = canvas(0.8 * heads + 0.9, 0.36 * layers + 1.0, title)
        axes = figure.subplots()
        axes.set(xlim=(-0.5, heads - 0.5), ylim=(layers - 0.5, -0.5))
        for (layer, head), place in np.ndenumerate(places):
            usual = place == most
            if not usual:
                axes.add_patch(Rectangle((head - 0.48, layer - 0.46), 0.96, 0.92, color=TINT, zorder=0))
            axes.text(
                head, layer, tokens[place], ha="center", va="center", fontsize=10,
                color=QUIET if usual else INK, weight="normal" if usual else "bold",
            )  # fmt: skip
        axes.set_xticks(range(heads), [f"head {head}" for head in range(heads)], fontsize=9)
        axes.set_yticks(range(layers), [f"layer {layer}" for layer in range(layers)], fontsize=9)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    named = [
        f"{tokens[place]} {counts[place]}" for place in np.argsort(-counts, kind="stable") if counts[place]
    ]
    return (
        figure,
        f"For {layers} layers of {heads} heads, the token that {word} looks at most: {', '.join(named)}.",
    )
