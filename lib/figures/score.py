"""How one attention weight comes about, feature by feature."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_chosen, check_tokens, to_array
from .style import INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_score(
    query: Any,
    keys: Any,
    tokens: Sequence[str],
    from_token: int,
    to_token: int,
    title: str | None = None,
    ylims: Sequence[tuple[float, float]] | None = None,
) -> tuple["Figure", str]:
    """Draw how one attention weight comes about, feature by feature.

    `query` `[D_h]` is the query of token number `from_token`, `keys` `[T, D_h]` the keys of all
    tokens, in one head. Shown are the query, the key of `to_token`, their products, the running
    sum of these, which ends at the score, and the weight the scaled score becomes in its row. `ylims`
    fixes the ends of these four y axes where pictures are to be compared.
    """
    q, k, names = _score_inputs(query, keys, tokens, from_token, to_token)
    size = len(q)
    key, score = k[to_token], float(q @ k[to_token])
    products, scaled = q * key, score / np.sqrt(size)
    weights = _softmax(k @ q / np.sqrt(size))
    with style():
        figure = canvas(9.4, 4.6 if title is None else 5.0, title)
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(1.45, 1))[0]
        rows = left.subplots(4, 1, sharex=True)
        _draw_features(rows[0], f"query\n{names[from_token]}", q, SERIES[0])
        _draw_features(rows[1], f"key\n{names[to_token]}", key, SERIES[1], "////")
        _draw_features(rows[2], "query × key", products, SERIES[3])
        rows[3].step(np.arange(size), np.cumsum(products), where="mid", color=INK, linewidth=1.8)
        rows[3].plot(size - 1, score, "o", color=INK)
        _quiet_row(rows[3], "running\nsum")
        for axes, ends in zip(rows, ylims or [], strict=False):
            axes.set_ylim(ends)
        rows[3].set_xlabel(f"feature of the head, 0 to {size - 1}", color=QUIET)
        _draw_row(right.subplots(), names, weights, from_token, to_token)
        weight = float(weights[to_token])
        steps = {"sum of the products": score, f"divided by √{size}": scaled, "after the softmax": weight}
        right.suptitle(
            "\n".join(f"{step:<20}{value:>7.2f}" for step, value in steps.items()),
            x=0.05, ha="left", fontsize=10.5, family="DejaVu Sans Mono", linespacing=1.5,
        )  # fmt: skip
    most = int(np.abs(products).argmax())
    alt = (
        f"Bars for the {size} features of the query of {names[from_token]}, the key of "
        f"{names[to_token]} and their products; feature {most} counts most ({products[most]:.2f}). "
        f"They sum to the score {score:.2f}; divided by the square root of {size} it is "
        f"{scaled:.2f}, and in its row it becomes the weight {weight:.2f}."
    )
    return figure, alt


def _score_inputs(
    query: Any, keys: Any, tokens: Sequence[str], from_token: int, to_token: int
) -> tuple[Array, Array, list[str]]:
    q, k = to_array(query, "query", "D_h"), to_array(keys, "keys", "T, D_h")
    if k.shape[1] != len(q):
        raise ValueError(f"The query has {len(q)} features and the keys {k.shape[1]}; use one head.")
    names = check_tokens(tokens, len(k), "keys")
    check_chosen([from_token], len(k), "from_token")
    check_chosen([to_token], len(k), "to_token")
    return q, k, names


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def _draw_features(axes: "Axes", label: str, values: Array, color: str, hatch: str = "") -> None:
    """Draw a bar for each feature of a vector."""
    axes.bar(np.arange(len(values)), values, color=color, hatch=hatch, edgecolor="white", linewidth=0.4)
    _quiet_row(axes, label)


def _quiet_row(axes: "Axes", label: str) -> None:
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.set_ylabel(label, rotation=0, ha="right", va="center", fontsize=10.5, labelpad=8)
    axes.yaxis.set_label_coords(-0.08, 0.5)
    axes.spines[["bottom", "left"]].set_visible(False)
    axes.tick_params(length=0, labelsize=9)
    axes.locator_params(axis="y", nbins=3)
    axes.grid(axis="y")


def _draw_row(axes: "Axes", names: list[str], weights: Array, row: int, lit: int) -> None:
    colors = [LIT if place == lit else TINT for place in range(len(names))]
    places = np.arange(len(names))
    axes.barh(places, weights, color=colors, edgecolor=QUIET, linewidth=0.7)
    axes.set_yticks(places, names, fontsize=10.5 if len(names) <= 14 else 8)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.2)  # always up to a whole attention, so that rows can be compared
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[["bottom"]].set_visible(False)
    for place, weight in enumerate(weights):
        axes.text(
            weight, place, f" {weight:.2f}", va="center",
            fontsize=10 if len(names) <= 14 else 8, weight="bold" if place == lit else "normal",
        )  # fmt: skip
    axes.set_xlabel(f"weights in the row of {names[row]}", color=QUIET)
