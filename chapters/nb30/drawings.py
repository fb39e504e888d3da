"""The drawings of notebook 30: a weight as two, a dot product of signs, and accuracy over bits."""

from collections.abc import Mapping, Sequence
from math import nan
from statistics import mean
from typing import TYPE_CHECKING, Any

from lib import records
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 2.1  # inches


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
