"""A dense layer in whole numbers: a zero point inside the product, exact sums, a bias that stays real."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import integers
from lib.exercises.spec import Exercise, Mistake, edit

SHIFTED, WEIGHTS = "x_codes.to(torch.int32) - x_zero", "weight_codes.to(torch.int32)"
RESULT = "x_scale * weight_scales * sums + bias"
LONG = 2_350  # products, whose sum is just beyond 2^26
OVER = 5  # what float32 loses of it
Case = tuple[Tensor, float, int, Tensor, Tensor, Tensor]


def cases(seed: int) -> Iterator[Case]:
    """The three weights of the picture; differences beyond eight bits; random codes; sums that are long."""
    x = torch.tensor([[4, 0, 15]], dtype=torch.uint8)
    weight = torch.tensor([[3, -1, 7]], dtype=torch.int8)
    yield x, 0.17, 1, weight, torch.tensor([0.1]), torch.tensor([0.2])
    x = torch.tensor([[-128, 127, 5], [100, -100, 0]], dtype=torch.int8)
    weight = torch.tensor([[1, 2, 3], [-127, 127, 4]], dtype=torch.int8)
    yield x, 0.5, 100, weight, torch.tensor([0.25, 2.0]), torch.tensor([0.3, -0.6])
    torch.manual_seed(seed)
    for dtype, zero, rows, inputs, outputs in [
        (torch.uint8, 128, 3, 5, 2),
        (torch.int8, -7, 4, 6, 4),
        (torch.int8, 0, 2, 9, 3),
        (torch.uint8, 200, 5, 40, 6),
    ]:
        info = torch.iinfo(dtype)
        x = torch.randint(info.min, info.max + 1, (rows, inputs), dtype=dtype)
        weight = torch.randint(-127, 128, (outputs, inputs), dtype=torch.int8)
        yield x, 0.03, zero, weight, 0.001 + 0.02 * torch.rand(outputs), torch.randn(outputs)
    yield beyond_float32()


def beyond_float32() -> Case:
    """Sums of which float32 loses a 5 in whatever order it adds them up, and a bias that takes off the rest.

    A row's products are 28,560, a multiple of 16, but that of its own place, which is 16 m + 5. All are
    positive, and their sum exceeds 2^26 by less than one of them, so only the last addition goes beyond. As
    soon as the 5 is part of a sum above 2^24, it is a 4 (of 16 m + 4 and 16 m + 6 a tie goes to the former),
    and beyond 2^26, among multiples of 8, the 4 is a tie again, and gone. So a row keeps its 5 only if the
    part of the last two that has its place is at most 2^24, a quarter of the sum. Both parts are not, and
    one alone has not the places of all rows, which are a third. All else is exact, with fused additions too.
    """
    x = torch.full((1, LONG), 255, dtype=torch.uint8)
    places = torch.arange(0, LONG, 3)
    weight = torch.full((len(places), LONG), 112, dtype=torch.int8)
    weight[torch.arange(len(places)), places] = 123
    rest = 255 * (112 * LONG + 11) - OVER
    return x, 1.0, 0, weight, torch.ones(len(places)), torch.full((len(places),), -float(rest))


def run(
    candidate: Any,
    x_codes: Tensor,
    x_scale: float,
    x_zero: int,
    weight_codes: Tensor,
    weight_scales: Tensor,
    bias: Tensor,
) -> Any:
    """What comes out; of the long sums, whether the 5 is left: float64 has 5, and float32 8, rounded once."""
    result = candidate(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias)
    is_long = x_codes.size(1) == LONG and isinstance(result, Tensor)
    return result >= OVER if is_long else result


def in_floats(x: Tensor, scale: float, zero: int, weight: Tensor, scales: Tensor, bias: Tensor) -> Tensor:
    """The layer with its sums in float32."""
    return scale * scales * ((x.float() - zero) @ weight.float().T) + bias


def wrong_where_long(arguments: Case, _answer: Tensor, _expected: Tensor) -> bool:
    """Whether the codes are so many that sums in float32 lose ones."""
    return arguments[0].size(1) == LONG


# fmt: off
EXERCISE = Exercise(
    name="integer_linear", minutes=7, difficulty=2, reference=integers.integer_linear, cases=cases, run=run,
    gradients=False,
    mistakes=[
        Mistake("zero_point_forgotten", "You multiply the codes as they are. Code x_zero stands for 0.0, so"
            " it has to be subtracted from the codes of the input before they are multiplied, or x_zero times"
            " the sum of each row's weight codes from the sums.", edit(" - x_zero", "")),
        Mistake("zero_point_added", "Your zero point has the wrong sign: the number is scale * (code - zero"
            " point).", edit(" - x_zero", " + x_zero")),
        Mistake("zero_point_from_the_weights", "x_zero belongs to the input. The weights are symmetric, their"
            " 0.0 is code 0: subtract it from x_codes.",
            (edit(SHIFTED, "x_codes.to(torch.int32)").then(WEIGHTS, f"({WEIGHTS} - x_zero)"),
             edit(WEIGHTS, f"({WEIGHTS} - x_zero)"))),
        Mistake("zero_point_from_the_sums", "You subtract x_zero once from a sum. It is part of every code of"
            " the input, so each of the products has its share: subtract it before you multiply.",
            edit(" - x_zero", "").then("weight_scales * sums", "weight_scales * (sums - x_zero)")),
        Mistake("overflow", "A number on the way does not fit into its type: eight bits, without a word, go"
            " on from the other end (100 - (-100) is -56 in int8), and sixteen hold no sum of three large"
            " products. Turn both kinds of codes into torch.int32 before you compute with them.",
            (edit(SHIFTED, "(x_codes - x_zero).to(torch.int32)"),
             edit(SHIFTED, "(x_codes.to(torch.int32) - x_zero).to(torch.int8).to(torch.int32)"),
             edit(SHIFTED, "x_codes.to(torch.int8).to(torch.int32) - x_zero"),
             edit(SHIFTED, "x_codes.to(torch.int8) - x_zero").then(WEIGHTS, "weight_codes"),
             edit(SHIFTED, "(x_codes - x_zero).to(torch.int8)").then(WEIGHTS, "weight_codes"),
             edit(SHIFTED, "x_codes.to(torch.int16) - x_zero").then(WEIGHTS, "weight_codes.to(torch.int16)"),
             edit(SHIFTED, "(x_codes - x_zero).to(torch.int16)")
                 .then(WEIGHTS, "weight_codes.to(torch.int16)"))),
        Mistake("scales_along_the_rows_of_the_input", "weight_scales [out] has one scale for each output."
            " Broadcast it along the last dimension of the sums [N, out], not along N.",
            (edit("* weight_scales *", "* weight_scales[:, None] *"),
             edit("* weight_scales *", "* weight_scales.view(-1, 1) *"),
             edit("* weight_scales *", "* weight_scales.unsqueeze(1) *"))),
        Mistake("scales_forgotten", "A sum of codes is no output yet: multiply it by the scale of the input"
            " and that of the weights.",
            (edit("x_scale * weight_scales * sums", "sums.float()"),
             edit("x_scale * weight_scales * sums", "weight_scales * sums"),
             edit("x_scale * weight_scales * sums", "x_scale * sums"))),
        Mistake("bias_scaled", "You add the bias before you scale. It is a real number, not a code: scale the"
            " sums first.", edit(RESULT, "x_scale * weight_scales * (sums + bias)")),
        Mistake("bias_rounded", "You round the bias. It costs four bytes a row and is added once, in real"
            " numbers: leave it as it is.",
            (edit(RESULT, "x_scale * weight_scales * (sums + torch.round(bias / (x_scale * weight_scales)))"),
             edit(RESULT, "x_scale * weight_scales * sums + torch.round(bias)"),
             edit(RESULT, "x_scale * weight_scales * (sums + bias.to(torch.int32))"))),
        Mistake("bias_forgotten", "The bias is missing.", edit(" + bias", "")),
        Mistake("sums_in_floats", "All is right where the sums are small. But float32 holds every whole"
            " number only up to 2^24, and the sums of the longest case go beyond on the way, so that ones are"
            " lost. Sum the products as torch.int32.", when=wrong_where_long, example=in_floats),
    ],
    hints=("Which real number does a code of the input stand for, and which one a code of the weights? Take"
           " both scales out of the sum; what is left in it are whole numbers.",
           "(x_codes - x_zero) is [N, in], weight_codes [out, in], the sums [N, out]. In which type does none"
           " of these overflow?",
           "sums = (x_codes.to(torch.int32) - x_zero) @ weight_codes.to(torch.int32).T, and then x_scale *"
           " weight_scales * sums + bias"),
    why="Whole numbers up to the last line, and no code has overflowed.",
)
# fmt: on
