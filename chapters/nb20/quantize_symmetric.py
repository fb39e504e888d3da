"""A matrix as whole numbers, with a scale for each row."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import linear
from lib.exercises.spec import Exercise, Invariant, Mistake, Unfit, edit

SCALE = "scale = weight.detach().abs().amax(dim=1, keepdim=True) / largest_code"
CODES = "torch.round(weight / scale)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The row of the text; ties; then rows of many sizes, signs and bits, one of them all zeros."""
    yield torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]]), 4
    yield torch.tensor([[127.0, 0.5, 1.5, -2.5, 3.5]]), 8  # the scale is 1
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, bits in [(2, 5, 8), (3, 4, 2), (5, 3, 3), (4, 4, 6), (6, 40, 8)]:
        sizes = torch.tensor([0.01, 1.0, 30.0, 0.3, 5.0, 0.1])[:rows, None]
        yield sizes * torch.randn(rows, columns, generator=generator), bits
    yield -torch.rand(3, 6, generator=generator), 5  # the largest |weight| is negative
    yield torch.tensor([[0.0, 0.0, 0.0], [0.5, -1.0, 2.0]]), 4


def run(candidate: Any, weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Codes and scale; of a row of zeros any finite scale of 0 or more will do, and becomes 1."""
    answer = candidate(weight, bits)
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Unfit("quantize_symmetric returns two tensors: return codes, scale")
    codes, scale = answer
    if not isinstance(codes, Tensor) or not isinstance(scale, Tensor):
        raise Unfit("Both codes and scale are tensors: codes [out, in], scale [out, 1].")
    is_zero = (weight == 0).all(dim=1, keepdim=True)
    if scale.shape == is_zero.shape:
        scale = torch.where(is_zero & scale.isfinite() & (scale >= 0), torch.ones_like(scale), scale)
    return codes, scale.detach()


def within_half_a_step(candidate: Any, arguments: tuple[Tensor, int], result: Any) -> bool:
    codes, scale = result
    error: Tensor = (scale * codes.to(scale.dtype) - arguments[0]).abs()
    return bool((error <= 0.501 * scale).all())


def for_the_whole_matrix(weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    codes, scale = linear.quantize_symmetric(weight.reshape(1, -1), bits)
    return codes.view_as(weight), scale.expand(len(weight), 1).clone()


def truncated(weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    _, scale = linear.quantize_symmetric(weight, bits)
    return (weight / scale).to(torch.int8), scale


def version(
    scale_of: Callable[[Tensor, int], Tensor], codes_of: Callable[[Tensor, Tensor], Tensor]
) -> Callable[[Tensor, int], tuple[Tensor, Tensor]]:
    """A wrong version that clamps nothing, since nobody who divides by the largest needs to."""

    def quantize(weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
        scale = scale_of(weight, bits)
        scale = scale.where(scale > 0, 1)
        return codes_of(weight, scale).to(torch.int8), scale

    return quantize


def right_scale(weight: Tensor, bits: int) -> Tensor:
    return weight.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)


def nearest(weight: Tensor, scale: Tensor) -> Tensor:
    return torch.round(weight / scale)


def largest_not_absolute(weight: Tensor, bits: int) -> Tensor:
    return weight.amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)


def whole_range(weight: Tensor, bits: int) -> Tensor:
    return weight.amax(dim=1, keepdim=True) - weight.amin(dim=1, keepdim=True)


EXERCISE = Exercise(
    name="quantize_symmetric",
    minutes=5,
    difficulty=2,
    reference=linear.quantize_symmetric,
    cases=cases,
    run=run,
    returns=("codes", "scale"),
    gradients=False,
    tolerance=1e-6,
    invariants=[
        Invariant(
            "half_a_step",
            "Rounding to the nearest code is never off by more than half a scale, and yours is.",
            within_half_a_step,
        ),
    ],
    mistakes=[
        Mistake(
            "one_scale_for_all",
            "You use one scale for the whole matrix. Each row has its own: the largest |weight| of that row,"
            " so take amax over dim=1 and keep the dimension.",
            (
                for_the_whole_matrix,
                edit("amax(dim=1, keepdim=True)", "max().expand(len(weight), 1).clone()"),
            ),
        ),
        Mistake(
            "a_scale_for_each_column",
            "Your ranges go down the columns. A row of the weight [out, in] makes one output, and it is the"
            " row that gets a scale: dim=1.",
            edit("amax(dim=1, keepdim=True)", "amax(dim=0, keepdim=True)"),
        ),
        Mistake(
            "power_of_two",
            "Your scale divides by 2^(bits-1), which is no code: of 4 bits the largest code is 7, not 8. With"
            " 8, the largest weight of a row would need the code 8, and of 8 bits 128, which int8 doesn't"
            " have.",
            (
                edit(
                    "weight.detach().abs().amax(dim=1, keepdim=True) / largest_code",
                    "weight.detach().abs().amax(dim=1, keepdim=True) / (largest_code + 1)",
                ),
                version(lambda w, bits: w.abs().amax(dim=1, keepdim=True) / 2 ** (bits - 1), nearest),
            ),
        ),
        Mistake(
            "all_bits_on_one_side",
            "Your largest code is 2^bits - 1, which is right for codes without a sign. Here one bit goes to"
            " the sign: 2^(bits-1) - 1 codes on either side of 0.",
            edit(SCALE, "largest_code = 2**bits - 1; " + SCALE),
        ),
        Mistake(
            "negative_side_forgotten",
            "You look for the largest weight, not for the largest |weight|. A row whose largest number is"
            " negative then gets too small a scale.",
            (edit(".abs()", ""), version(largest_not_absolute, nearest)),
        ),
        Mistake(
            "range_of_both_ends",
            "You take the distance from the lowest to the highest weight. A symmetric scale looks at the"
            " largest |weight| alone, so that 0.0 is code 0.",
            (
                version(lambda w, bits: whole_range(w, bits) / (2 ** (bits - 1) - 1), nearest),
                version(lambda w, bits: whole_range(w, bits) / (2**bits - 1), nearest),
            ),
        ),
        Mistake(
            "cut_off",
            "Turning a number into an int cuts off what stands behind the point: 2.9 becomes 2. Use"
            " torch.round before .to(torch.int8).",
            (truncated, edit(CODES, "torch.trunc(weight / scale)")),
        ),
        Mistake(
            "rounded_down",
            "You round down, so every weight gets smaller on average. Round to the nearest code:"
            " torch.round.",
            (
                edit(CODES, "torch.floor(weight / scale)"),
                version(right_scale, lambda w, scale: torch.floor(w / scale)),
            ),
        ),
        Mistake(
            "half_up",
            "You round halves up. torch.round takes the even neighbor: 2.5 becomes 2, and 3.5 becomes 4.",
            (
                edit(CODES, "torch.floor(weight / scale + 0.5)"),
                version(right_scale, lambda w, scale: torch.floor(w / scale + 0.5)),
                version(right_scale, lambda w, scale: w.sign() * torch.floor(w.abs() / scale + 0.5)),
            ),
        ),
        Mistake(
            "not_divided",
            "Your codes are the weights themselves, rounded. Divide by the scale first.",
            (
                edit(CODES, "torch.round(weight)"),
                version(right_scale, lambda w, scale: torch.round(w)),
            ),
        ),
        Mistake(
            "multiplied",
            "You multiply the weights by the scale. A code says how many scales a weight is, so divide.",
            (
                edit(CODES, "torch.round(weight * scale)"),
                version(right_scale, lambda w, scale: torch.round(w * scale)),
            ),
        ),
        Mistake(
            "upside_down",
            "Your scale is upside down: the largest code over the largest |weight|. What is asked for is what"
            " one code is worth, so that weight is about scale * codes.",
            edit(SCALE, "scale = largest_code / weight.detach().abs().amax(dim=1, keepdim=True)"),
        ),
        Mistake(
            "restored",
            "Your codes are multiplied by the scale again, and cut to whole numbers. Return the codes as"
            " they are; scale * codes is what somebody else computes from them.",
            (
                edit(CODES, "scale * torch.round(weight / scale)"),
                version(right_scale, lambda w, scale: scale * nearest(w, scale)),
            ),
        ),
    ],
    hints=(
        "First what one code is worth in each row, so that the largest |weight| gets the largest code. Then"
        " how many of these each weight is, rounded.",
        "weight is [out, in]; weight.abs().amax(dim=1, keepdim=True) is [out, 1]. Where it is 0, put a 1.",
        "scale = weight.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1); codes = torch.round(weight /"
        " scale).to(torch.int8)",
    ),
    why="No weight is off by more than half of its row's scale.",
)
