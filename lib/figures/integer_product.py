"""One output of a dense layer, rounded: by real numbers that were rounded, and by whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schematic import Box, Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 11.4, 4.5  # inches


@dataclass(frozen=True)
class IntegerProduct:
    """The numbers of one output: what comes in and its weights, both with codes and a scale."""

    x: Sequence[float]
    weight: Sequence[float]
    x_codes: Sequence[int]
    weight_codes: Sequence[int]
    x_scale: float
    weight_scale: float

    @property
    def total(self) -> int:
        """The sum of the products of the codes."""
        return sum(one * other for one, other in zip(self.x_codes, self.weight_codes, strict=True))

    @property
    def output(self) -> float:
        """What it stands for."""
        return self.total * self.x_scale * self.weight_scale


def draw_integer_product(numbers: IntegerProduct) -> "Figure":
    """Draw both ways from the same numbers to the same output: fake quantization above, integers below."""
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, "Round first, then two ways to one output", ha="left", fontsize=13,
              weight="bold")  # fmt: skip
    x = page.box(0.15, 2.35, 2.15, 0.62, "input", _row(numbers.x))
    weight = page.box(0.15, 1.3, 2.15, 0.62, "weights", _row(numbers.weight))
    page.frame(2.75, 2.5, 8.5, 1.6, "fake quantization: real numbers")
    page.frame(2.75, 0.2, 8.5, 1.85, "integer arithmetic")
    fake_x, fake_weight = _draw_fake(page, numbers)
    codes_x, codes_weight = _draw_integers(page, numbers)
    for source, fake, codes in ((x, fake_x, codes_x), (weight, fake_weight, codes_weight)):
        bend = 2.45 if source is x else 2.6
        for target in (fake, codes):
            page.arrow(source.east, (bend, source.east[1]), (bend, target.west[1]), target.west)
    page.text(10.2, 2.27, f"equal: {numbers.output:.2f}", weight="bold", color=QUIET)
    return page.figure


def describe_integer_product(numbers: IntegerProduct) -> str:
    """Say in words what `draw_integer_product` shows."""
    return (
        f"Input {_row(numbers.x)} and weights {_row(numbers.weight)}. Fake quantization rounds them to"
        f" {_row(_values(numbers.x_codes, numbers.x_scale))} and"
        f" {_row(_values(numbers.weight_codes, numbers.weight_scale))}, and multiplies and adds these real"
        f" numbers: {numbers.output:.2f}. Integer arithmetic keeps the codes {_row(numbers.x_codes)} and"
        f" {_row(numbers.weight_codes)} in int8, multiplies and adds them in int32 to {numbers.total}, and"
        f" multiplies once by {numbers.x_scale:g} times {numbers.weight_scale:g}: {numbers.output:.2f}."
    )


def _draw_fake(page: Schematic, numbers: IntegerProduct) -> tuple[Box, Box]:
    x = page.box(3.0, 3.25, 2.6, 0.52, "rounded input", _row(_values(numbers.x_codes, numbers.x_scale)))
    values = _values(numbers.weight_codes, numbers.weight_scale)
    weight = page.box(3.0, 2.62, 2.6, 0.52, "rounded weights", _row(values))
    total = page.box(6.3, 2.9, 2.35, 0.58, "multiply and add", "float32")
    output = page.box(9.35, 2.9, 1.7, 0.58, "output", f"{numbers.output:.2f}", look="tint")
    _join(page, x, weight, total)
    page.arrow(total.east, output.west)
    return x, weight


def _draw_integers(page: Schematic, numbers: IntegerProduct) -> tuple[Box, Box]:
    x = page.box(3.0, 1.1, 2.6, 0.52, "codes of the input, int8", _row(numbers.x_codes))
    weight = page.box(3.0, 0.35, 2.6, 0.52, "codes of the weights, int8", _row(numbers.weight_codes))
    total = page.box(6.3, 0.7, 1.9, 0.58, "multiply and add", f"int32: {numbers.total}", look="lit")
    scales = f"× {numbers.x_scale:g} × {numbers.weight_scale:g}"
    rescale = page.box(8.5, 0.7, 1.15, 0.58, "scale once", scales, look="lit")
    output = page.box(9.95, 0.7, 1.1, 0.58, "output", f"{numbers.output:.2f}", look="tint")
    _join(page, x, weight, total)
    page.arrow(total.east, rescale.west)
    page.arrow(rescale.east, output.west)
    return x, weight


def _join(page: Schematic, first: Box, second: Box, target: Box) -> None:
    for source in (first, second):
        bend = (source.east[0] + target.west[0]) / 2
        page.arrow(source.east, (bend, source.east[1]), (bend, target.west[1]), target.west)


def _values(codes: Sequence[int], scale: float) -> list[float]:
    return [scale * code for code in codes]


def _row(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:g}" if isinstance(number, int) else f"{number:.2g}" for number in numbers)
