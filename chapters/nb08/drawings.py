"""What notebook 08 draws and counts for its tables: the feed-forward half, neurons, and what a sum keeps."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb08.residual import DRAWS, KINDS, RATES, STEPS, Start
from lib import figures, stats
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, INK, LIT, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = tuple[dict[str, Any], str]  # columns, and the caption

WIDTH = 10.3  # inches
ROW = 2.25  # the height of one half of a layer
TALL = 0.62
DETOUR = 0.9  # how far above the path the boxes of the update stand


# ---------------------------------------------------------------------------------------------
# Section 1


def draw_half(size: int, wide: int) -> tuple["Figure", str]:
    """Draw a token's way through the feed-forward half of a layer of BERT.

    The residual path runs straight from left to right, and the update is a detour over it. `size` and `wide`
    are how many features enter the half and how many its middle has.
    """
    _refuse_narrow(size, wide)
    page = Schematic(WIDTH, ROW + 0.1)
    title = "The feed-forward half: the update is a detour, and the plus sign adds it to the token"
    page.text(0.15, ROW - 0.12, title, ha="left", fontsize=13, weight="bold")
    _draw_row(page, "post-LN", 0.2, size, wide)
    alt = (
        "The feed-forward half of a layer. The hidden state goes two ways: along the residual path straight"
        f" to a plus sign, and through an update: {_update_in_words(size, wide)}. The sum goes through the"
        " layer norm to the next half."
    )
    return page.figure, alt


def search_table(found: Mapping[str, Tensor]) -> Table:
    """How many of the questions each model answers [N of bool], and the lead of the first over the others."""
    best, whole = next(iter(found.items()))
    lead = f"more with {best}" if best.isupper() else f"more in the {best} model"
    columns: dict[str, list[str]] = {"model": [], "answers found": [], lead: [], "2√k": []}
    for name, right in found.items():
        columns["model"].append(name)
        columns["answers found"].append(f"{int(right.sum())} of {len(right)}")
        only_one = int((right != whole).sum())
        columns[lead].append(f"{int(whole.sum() - right.sum())}" if only_one else "")
        columns["2√k"].append(f"{stats.luck(only_one):.1f}" if only_one else "")
    return columns, "Answers that come first. k: the questions that only one of the two models answers"


# ---------------------------------------------------------------------------------------------
# Section 2


def draw_activations(gelu: Callable[[Tensor], Tensor]) -> tuple["Figure", str]:
    """GELU and ReLU, and their slopes, from -3 to 2."""
    x = torch.linspace(-3, 2, 101, requires_grad=True)
    curves = {"ReLU": F.relu(x), "GELU": gelu(x)}
    for name in list(curves):
        curves[f"slope of {name}"] = torch.autograd.grad(curves[name].sum(), x, retain_graph=True)[0]
    curves = {name: values.detach() for name, values in curves.items()}
    gap = (curves["GELU"] - curves["ReLU"]).abs().max()
    title = "GELU and ReLU are close, but just below 0 only GELU has a slope"
    with style():
        picture = canvas(9.6, 3.9, title)
        left, right = picture.subplots(1, 2)
    for axes, kind, prefix in ((left, "value", ""), (right, "slope", "slope of ")):
        with style():
            for number, name in enumerate(("ReLU", "GELU")):
                look = {"color": SERIES[number], "linestyle": DASHES[number], "linewidth": 2.6}
                axes.plot(x.detach(), curves[prefix + name], label=name, **look)
            axes.axhline(0, color=QUIET, linewidth=0.9, zorder=1)
            axes.set(xlabel="x", ylabel=kind)
            axes.grid(axis="y")
            axes.legend(loc="upper left", frameon=False, handlelength=3.5)
    slopes = [f"{curves['slope of GELU'][place]:.2f} at {x[place]:.1f}" for place in (50, 40, 0)]
    alt = (
        "ReLU is 0 up to x = 0 and rises straight from there, and its slope jumps from 0 to 1. GELU is at"
        f" most {gap:.2f} lower. Slope of GELU: {', '.join(slopes)}."
    )
    return picture, alt


# ---------------------------------------------------------------------------------------------
# Section 3


def lists_table(rows: Sequence[Sequence[Any]], wide: int) -> Table:
    """Lists and their neurons: name, neuron, how many words fit, of how many; those of random lists."""
    columns: dict[str, list[str]] = {"list": [], "its neuron": [], "fit": [], "random lists, theirs": []}
    for name, neuron, fits, listed, random_fits in rows:
        entries = [name, f"{neuron % wide} of layer {neuron // wide}", f"{fits} of {listed}"]
        entries.append(", ".join(str(count) for count in random_fits))
        for column, entry in zip(columns.values(), entries, strict=True):
            column.append(entry)
    return columns, "How many words of a list are among the 20 strongest of its neuron, in the other stories"


# ---------------------------------------------------------------------------------------------
# Section 4


def sum_table(vectors: Mapping[str, Tensor], x: Tensor) -> Table:
    """How long some vectors [D] are, and the cosine of each with x [D]."""
    columns: dict[str, list[Any]] = {"vector": [], "length": [], "cosine with x": []}
    for name, vector in vectors.items():
        columns["vector"].append(name)
        columns["length"].append(float(vector.norm()))
        columns["cosine with x"].append(float(F.cosine_similarity(vector, x, dim=0)))
    return columns, "One token in the feed-forward half of layer 0"


def nearest_table(tokens: Sequence[str], nearest: Mapping[str, Tensor]) -> Table:
    """Which token each vector is nearest to at the end [T], in words, for some models."""
    columns = {"token": list(tokens)}
    for name, places in nearest.items():
        columns[name] = [tokens[place] for place in places.tolist()]
    return columns, "After six layers, each token's vector is nearest to the first vector of ..."


def draw_recognized(lines: Mapping[str, Sequence[float]], chance: float) -> tuple["Figure", str]:
    """The share of tokens that are nearest to their own first vector, after each layer."""
    lost = min(lines, key=lambda name: lines[name][-1])
    title = f"{lost.capitalize()}, {lines[lost][-1]:.0%} of the tokens are recognized at the end"
    layers = range(len(lines[lost]))
    percent = {name: [100 * share for share in shares] for name, shares in lines.items()}
    picture = figures.draw_lines(
        layers, percent, "layers passed", "tokens recognized, in %", title,
        ylim=(0, 105), baseline=("a guess", 100 * chance),
    )  # fmt: skip
    told = []
    for name, shares in lines.items():
        told.append(f"{name}: {', '.join(f'{share:.2f}' for share in shares)}")
    return picture, f"The share of tokens recognized. {'; '.join(told)}. A guess gets {chance:.2f}."


def alike_table(rows: Mapping[str, tuple[Tensor, float]]) -> Table:
    """After the last layer: the share of tokens recognized, and the mean cosine of two tokens."""
    columns: dict[str, list[str]] = {"model": [], "tokens recognized": [], "mean cosine of two tokens": []}
    for name, (shares, cosine) in rows.items():
        columns["model"].append(name)
        columns["tokens recognized"].append(f"{shares[-1]:.0%}")
        columns["mean cosine of two tokens"].append(f"{cosine:.2f}")
    return columns, "After six layers, in thirty sentences"


# ---------------------------------------------------------------------------------------------
# Stretches


def draw_orders(size: int, wide: int) -> tuple["Figure", str]:
    """Draw the feed-forward half in both orders: post-LN above, pre-LN below."""
    _refuse_narrow(size, wide)
    page = Schematic(WIDTH, 2 * ROW + 0.45)
    title = "The same parts: in pre-LN the layer norm moves from after the sum to before the update"
    page.text(0.15, 2 * ROW + 0.23, title, ha="left", fontsize=13, weight="bold")
    _draw_row(page, "post-LN", ROW + 0.2, size, wide, is_named=True)
    _draw_row(page, "pre-LN", 0.2, size, wide, is_named=True)
    alt = (
        "The feed-forward half of a layer, twice. The hidden state goes two ways: along the residual path"
        f" straight to a plus sign, and through an update: {_update_in_words(size, wide)}. Post-LN, as in"
        " BERT: their sum goes through the layer norm, which stands on the residual path. Pre-LN: the layer"
        " norm stands before the update, off the path, and the sum goes on as it is."
    )
    return page.figure, alt


def draw_learning(right: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """The share of letters right against the step, for the two orders."""
    ends = {name: sum(shares[-10:]) / 10 for name, shares in right.items()}
    best, worst = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
    title = f"From the same first weights, {best} gets {ends[best]:.0%} right and {worst} {ends[worst]:.0%}"
    percent = {name: [100 * share for share in shares] for name, shares in right.items()}
    picture = figures.draw_lines(
        range(STEPS), percent, "step", "letters right, in %", title,
        ylim=(0, 105), baseline=("chance", 100 / 26),
    )  # fmt: skip
    told = "; ".join(f"{name} {share:.0%}" for name, share in ends.items())
    return picture, f"The share of letters right against the step. Mean of the last ten steps: {told}."


def warm_up_table(record: Any) -> Table:
    """How many of three seeds learn, by start, order, warm-up and learning rate."""
    columns: dict[str, list[Any]] = {"start": [], "order": [], "warm-up": []}
    columns |= {f"rate {rate}": [] for rate in RATES}
    for start, order, steps in product(DRAWS, KINDS, (0, 40)):
        row = [start, order, steps]
        for rate in RATES:
            share = record.values("letters", f"{start}, {order}, warm-up {steps}, rate {rate}", "right")
            row.append(f"{sum(share > 0.95 for share in share)} of 3")
        for column, entry in zip(columns.values(), row, strict=True):
            column.append(entry)
    caption = f"Seeds that end with more than 95% of the letters right (recorded {record.made('date')[0]})"
    return columns, caption


def left_table(starts: Mapping[str, Start]) -> Table:
    """The mean length of an update, and what is left of a token in both orders, from some starts."""
    columns: dict[str, list[Any]] = {"start": list(starts), "mean r": []}
    columns |= {name: [] for name in KINDS}
    for start in starts.values():
        columns["mean r"].append(sum(start.update_to_residual) / len(start.update_to_residual))
        for name in KINDS:
            columns[name].append(start.left[name])
    return columns, "What is left of a token before training: the cosine of its first and last vector"


def silence_table(moved: Mapping[str, tuple[float, float, int]]) -> Table:
    """What silencing some neurons does: the change of the cosine, the length added, the pairs that rise."""
    columns: dict[str, list[Any]] = {"silent neuron": [], "cosine changes by": [], "it adds": []}
    columns["pairs that rise"] = []
    for name, (change, length, pairs) in moved.items():
        columns["silent neuron"].append(name)
        columns["cosine changes by"].append(f"{change:+.4f}")
        columns["it adds"].append(length)
        columns["pairs that rise"].append(f"{pairs} of 10")
    return columns, "The cosine of a sentence and its denial, without one neuron"


def firing_table(values: Tensor, layers: int) -> Table:
    """How many of the values [N, L * F] are above 0 and above 1, layer by layer."""
    by_layer = values.split(values.size(1) // layers, dim=1)
    columns: dict[str, list[Any]] = {"layer": list(range(layers)), "above 0": [], "above 1": []}
    columns["neurons never above 0"] = []
    for fires in by_layer:
        columns["above 0"].append(f"{(fires > 0).float().mean():.0%}")
        columns["above 1"].append(f"{(fires > 1).float().mean():.1%}")
        columns["neurons never above 0"].append(int((fires.amax(dim=0) <= 0).sum()))
    return columns, f"What leaves GELU at {len(values):,} tokens"


# ---------------------------------------------------------------------------------------------
# The half of a layer


def _refuse_narrow(size: int, wide: int) -> None:
    if not 0 < size < wide:
        raise ValueError(f"A feed-forward network widens its input; it cannot go from {size} to {wide}.")


def _update_in_words(size: int, wide: int) -> str:
    return f"a dense layer from {size:,} to {wide:,} features, GELU, a dense layer back to {size:,}"


def _draw_row(
    page: Schematic, name: str, bottom: float, size: int, wide: int, is_named: bool = False
) -> None:
    is_post = name == "post-LN"
    if is_named:
        where = "on the path, after the sum" if is_post else "off the path, where the update begins"
        title = f"{name}: the norm stands {where}"
        page.text(
            0.15, bottom + DETOUR + TALL + 0.24, title, ha="left", color=LIT, weight="bold", fontsize=12
        )
    path, over = bottom + TALL / 2, bottom + DETOUR
    branch, end, radius = 1.7, 9.3, 0.17
    first, plus = (2.0, 7.05) if is_post else (3.6, 8.65)  # where the dense layers begin, and the sum

    page.axes.plot([1.4, end], [path, path], color=LIT, linewidth=4, zorder=1, solid_capstyle="butt")
    page.arrow((end - 0.05, path), (end + 0.1, path))
    page.text(9.46, path, "next half", ha="left", color=QUIET)
    page.text((branch + plus) / 2, path + 0.16, "residual path", color=LIT, fontsize=10.5)
    page.box(0.15, bottom, 1.25, TALL, "hidden state", f"{size:,}")
    norm_left, norm_bottom = (7.65, bottom) if is_post else (2.0, over)
    norm = page.box(norm_left, norm_bottom, 1.25, TALL, "layer norm", look="lit")
    parts = [
        page.box(first, over, 1.4, TALL, "dense", f"{size:,} to {wide:,}"),
        page.box(first + 1.75, over, 1.1, TALL, "GELU", f"{wide:,}", look="tint"),
        page.box(first + 3.2, over, 1.4, TALL, "dense", f"{wide:,} to {size:,}"),
    ]
    detour = parts if is_post else [norm, *parts]
    page.arrow((branch, path), (branch, over + TALL / 2), detour[0].west)
    for one, other in pairwise(detour):
        page.arrow(one.east, other.west)
    page.arrow(detour[-1].east, (plus, over + TALL / 2), (plus, path + radius))
    _draw_plus(page, plus, path, radius)


def _draw_plus(page: Schematic, x: float, y: float, radius: float) -> None:
    from matplotlib.patches import Circle

    page.axes.add_patch(Circle((x, y), radius, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
