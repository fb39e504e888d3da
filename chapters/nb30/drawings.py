"""The drawings of notebook 30: a weight as two, what two signs add up to, three ways on record, a clock."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from statistics import mean
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from chapters.nb30.exchanged import EIGHT, off_by, sum_of_binary
from lib import records
from lib.analysis.cost.timing import processor_seconds_of
from lib.compression.quantizers.binary import binarize, pack_signs, split_ternary, xnor_product
from lib.compression.quantizers.ternary import ternarize
from lib.figures.charts import draw_bars
from lib.figures.ranges import draw_seeds
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, MARKERS, QUIET, SERIES, canvas, style
from lib.records.table import Table
from lib.stats import paired_difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 2.1  # inches
TINY = 1e-9  # a zero that double precision leaves
WAYS = {  # on record: what each is called, and its arm
    "binary at once": "binary, whole width",
    "split": "split, trained further",
    "not split": "not split, trained further",
    "whole model": "teacher",
}
PAIRS = (("not split", "binary at once"), ("split", "binary at once"), ("split", "not split"))
NETWORKS = {"32 bits": "landscape", "ternary": "ternary, landscape", "binary": "binary, landscape"}


def shares(right: Mapping[str, float], **more: Mapping[str, float]) -> dict[str, list[str]]:
    """A table of models, of what share of the headlines each gets right, 0 to 1, and of more."""
    table = {"model": [*right], "right": [f"{share:.1%}" for share in right.values()]}
    for name, values in more.items():
        table[name] = [f"{values[model]:.2f}" for model in right]
    return table


def share_of_zeros(model: nn.Module) -> float:
    """The share of zeros, 0 to 1, in the matrices of a model's layers and pooler."""
    encoder: Any = model
    weights = [part.weight for part in encoder.bert.modules() if isinstance(part, nn.Linear)]
    return sum(int((one == 0).sum()) for one in weights) / sum(one.numel() for one in weights)


# ---------------------------------------------------------------------------------------------
# A weight as two


def draw_split() -> tuple["Figure", str]:
    """Draw the eight weights of notebook 20 as two times eight; and say in words what is shown."""
    first, second = split_ternary(EIGHT)
    (one, scale), (other, _) = binarize(first), binarize(second)
    weights, codes = EIGHT[0].tolist(), ternarize(EIGHT)[0][0].tolist()
    rows = {
        "weight": [f"{weight:.2f}" for weight in weights],
        "its set": [_set_of(code, weight) for code, weight in zip(codes, weights, strict=True)],
        "first, binary": _decimals(one * scale, 3),
        "second, binary": _decimals(other * scale, 3),
        "binary, summed": _decimals((one + other) * scale, 4),
        "first, latent": _decimals(first, 3),
        "second, latent": _decimals(second, 3),
        "latent, summed": _decimals(first + second, 2),
    }
    looks = {
        "first, binary": "tint",
        "second, binary": "tint",
        "binary, summed": "lit",
        "latent, summed": "lit",
    }
    return draw_rows(rows, looks, "Eight weights as two times eight")


def _decimals(row: Tensor, digits: int) -> list[str]:
    return [f"{number:.{digits}f}" for number in row[0].tolist()]


def _set_of(code: float, weight: float) -> str:
    if code:
        return "I"
    return "J" if weight > 0 else "K"


def draw_rows(
    rows: Mapping[str, Sequence[str]], looks: Mapping[str, str], title: str
) -> tuple["Figure", str]:
    """Draw rows of boxes under each other, a column for each weight; and say in words what they hold.

    rows: by name, equally long. looks: of a row by its name, or of an entry, those of `Schematic.box`.
    """
    height = 0.62 * len(rows)
    page = Schematic(WIDTH, height + 0.6)
    page.text(0.15, height + 0.38, title, ha="left", fontsize=12, weight="bold")
    side = (WIDTH - LEFT - 0.2) / max(map(len, rows.values()))
    for number, (name, entries) in enumerate(rows.items()):
        y = height - 0.62 * number - 0.52
        page.text(0.15, y + 0.22, name, ha="left", color=QUIET, fontsize=10.5)
        for place, entry in enumerate(entries):
            look = looks.get(name, looks.get(entry, "plain"))
            page.box(LEFT + side * place + 0.04, y, side - 0.08, 0.44, entry, look=look)
    description = "; ".join(f"{name}: {', '.join(entries)}" for name, entries in rows.items())
    return page.figure, f"{description}."


def table_of_slip(
    splits: Mapping[str, Callable[[Tensor], tuple[Tensor, Tensor]]], matrix: Tensor
) -> dict[str, list[str]]:
    """What ways to split make of a zero among the eight weights, and how far they miss a matrix [out, in]."""
    weight = matrix.detach().double()
    zeros = [sum_of_binary(split(EIGHT))[ternarize(EIGHT)[0] == 0][0].item() for split in splits.values()]
    errors = [off_by(weight, split(weight)) for split in splits.values()]
    return {
        "a": [*splits],
        "a zero of the eight": [f"{abs(zero):.4f}" if abs(zero) < TINY else f"{zero:.4f}" for zero in zeros],
        "largest error in a matrix": [f"{error:.0e}" for error in errors],
    }


def table_of_sums(part: nn.Module) -> dict[str, list[str]]:
    """The four sums of two binary weights in a layer that is split, and how many weights have each."""
    latent: Any = part.parametrizations
    (one, scale), (other, other_scale) = map(binarize, (latent.weight.original0, latent.weight.original1))
    table: dict[str, list[str]] = {"signs": [], "sum": [], "weights": []}
    for sign in (1, -1):
        for other_sign in (sign, -sign):
            table["signs"].append(
                " ".join("+" if each > 0 else "\N{MINUS SIGN}" for each in (sign, other_sign))
            )
            table["sum"].append(f"{(sign * scale + other_sign * other_scale).item():.6f}")
            count = int(((one == sign) & (other == other_sign)).sum())
            table["weights"].append(f"{count:,}")
    return table


def gap_of_scales(part: nn.Module) -> float:
    """How far the two scales of a layer that is split lie apart, as a share of the first."""
    latent: Any = part.parametrizations
    first, second = (
        half.detach().abs().mean() for half in (latent.weight.original0, latent.weight.original1)
    )
    return float((second / first - 1).abs())


def count_of_fourth(split: nn.Module) -> int:
    """How many weights of a model have minus in the first half and plus in the second, the fourth sum."""
    count = 0
    for part in split.modules():
        if parametrize.is_parametrized(part):
            latent: Any = part.parametrizations
            count += int(((latent.weight.original0 < 0) & (latent.weight.original1 >= 0)).sum())
    return count


# ---------------------------------------------------------------------------------------------
# Records


def draw_ways(record: Table) -> tuple["Figure", str]:
    """Draw three ways to as many bits in the layers, and the whole model, on two tasks."""
    reached = {
        f"{task}, {name}": [100 * share for share in record.values(task, arm)]
        for task in record.tasks()
        for name, arm in WAYS.items()
    }
    return draw_seeds(
        reached, "right, %", title="Three ways to equal bits in the layers, and the whole model", digits=1
    )


def verdicts_on_ways(record: Table) -> str:
    """How far the ways lie apart on each task, how many of the differences are resolved, and their cost."""
    lines = []
    for name, rival in PAIRS:
        gains = [
            paired_difference(record.values(task, WAYS[rival]), record.values(task, WAYS[name]))
            for task in record.tasks()
        ]
        points = " and ".join(f"{100 * gain.of_means:+.1f}" for gain in gains)
        resolved = sum(gain.is_resolved for gain in gains)
        lines.append(f"{name} less {rival}: {points} points, resolved in {resolved} of {len(gains)}")
    seconds = {
        name: mean(record.values("headlines", arm, "processor_seconds"))
        for name, arm in WAYS.items()
        if name != "whole model"
    }
    spent = ", ".join(f"{name} {taken:.1f}" for name, taken in seconds.items())
    return "\n".join([*lines, f"seconds of these 700 steps, headlines: {spent}"])


def draw_curvature(record: Table) -> tuple["Figure", str]:
    """Draw the top eigenvalue of each part in three networks at the end of their training, both tasks."""
    curved: dict[str, list[float]] = {name: [] for name in NETWORKS}
    parts: list[str] = []
    for task in record.tasks():
        for name, arm in NETWORKS.items():
            seeds = record.values(task, arm, "eigenvalues")
            curved[name] += [mean(seed[part] for seed in seeds) for part in seeds[0]]
        parts += [f"{task}, {part}" for part in seeds[0]]
    title = "Curvature of three networks where their training ended, recorded"
    said = [
        f"{name}: {', '.join(f'{part} {value:.1f}' for part, value in zip(parts, values, strict=True))}"
        for name, values in curved.items()
    ]
    return draw_bars(parts, curved, "top eigenvalue", title, digits=1), f"{title}. {'; '.join(said)}."


# What a weight may be: its place in the picture, and its arms in the records `bits` and `ternary_binary`
WEIGHTS = ("32 bits", "8 bits", "6 bits", "4 bits", "3 bits", "three values", "1 bit")
ROUNDED = {
    "32 bits": ("bits", "teacher"),
    **{f"{count} bits": ("bits", f"all, row, {count} bits") for count in (8, 6, 4, 3)},
    "three values": ("ternary_binary", "TWN, paper's layout"),
    "1 bit": ("ternary_binary", "binary, whole width, untrained"),
}
TRAINED = {
    "32 bits": ("bits", "float32"),
    "3 bits": ("bits", "3 bits per row"),
    "three values": ("ternary_binary", "ternary, answers, states and scores"),
    "1 bit": ("ternary_binary", "binary, whole width"),
}
FOUR_BIT_INPUTS = ("ternary_binary", "ternary, 4-bit inputs by token")


def draw_bits() -> tuple["Figure", str]:
    """Draw the recorded accuracy on headlines over the bits of a weight, and say it in words.

    One line is rounded only, one trained with the rounding inside; bars reach from the lowest of three seeds
    to the highest. A single point has its inputs in four bits as well.
    """
    lines = {"rounded only": ROUNDED, "trained with the rounding inside": TRAINED}
    described = []
    with style():
        figure = canvas(8.0, 4.0, "Accuracy on headlines over the bits of a weight, recorded")
        axes = figure.subplots()
        for number, (name, arms) in enumerate(lines.items()):
            shares = {weight: _percent(*arm) for weight, arm in arms.items()}
            _draw_seeds(axes, name, shares, SERIES[number], MARKERS[number], DASHES[number])
            described.append(_in_words(name, shares))
        beside = {"three values": _percent(*FOUR_BIT_INPUTS)}
        name = "trained, with inputs in four bits"
        _draw_seeds(axes, name, beside, SERIES[3], MARKERS[3], DASHES[3])
        described.append(_in_words(name, beside))
        axes.axhline(100 / 9, color=QUIET, linewidth=1.2, linestyle=":", label="a guess")
        axes.set(xlabel="a weight has", ylabel="right, %", ylim=(0, 90))
        axes.set_xticks(range(len(WEIGHTS)), WEIGHTS)
        axes.grid(axis="y")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 0.14))
    return figure, f"Accuracy on headlines, %. {' '.join(described)} A guess: 11.1."


def _percent(record: str, arm: str) -> list[float]:
    return [100 * share for share in records.table(record).values("headlines", arm)]


def _draw_seeds(
    axes: "Axes", name: str, shares: Mapping[str, Sequence[float]], color: str, marker: str, dash: Any
) -> None:
    """A line through the means, broken where there is no record, and a bar from lowest to highest seed."""
    means = [mean(shares[weight]) if weight in shares else nan for weight in WEIGHTS]
    axes.plot(range(len(WEIGHTS)), means, color=color, marker=marker, linestyle=dash, label=name)
    for weight, seeds in shares.items():
        axes.vlines(WEIGHTS.index(weight), min(seeds), max(seeds), color=color)


def _in_words(name: str, shares: Mapping[str, Sequence[float]]) -> str:
    means = ", ".join(f"{weight} {mean(seeds):.1f}" for weight, seeds in shares.items())
    return f"{name.capitalize()}: {means}."


# ---------------------------------------------------------------------------------------------
# A product of signs


def draw_clock(x: Tensor, matrix: Tensor) -> tuple["Figure", str]:
    """Draw the microseconds of a matrix [out, in] on x [N, in], in 32 bits and in one."""
    x_bits, w_bits = pack_signs(x), pack_signs(matrix)
    routes: dict[str, Callable[[], Tensor]] = {
        "float32": lambda: x @ matrix.T,
        "XOR and popcount": lambda: xnor_product(x_bits, w_bits, x.size(1)),
    }
    with torch.no_grad():
        spent = {
            name: 1e6 * min(processor_seconds_of(call) for _ in range(3)) for name, call in routes.items()
        }
    title = f"Microseconds of one dense layer for {len(x)} tokens"
    said = ", ".join(f"{name} {value:,.0f}" for name, value in spent.items())
    return draw_bars([*spent], [*spent.values()], "microseconds", title, digits=0), f"{title}: {said}."


def count_of_changed(before: Tensor, after: Tensor) -> str:
    """How many of equally many signs or codes differ, of how many."""
    return f"{int((before != after).sum()):,} of {len(before):,}"
