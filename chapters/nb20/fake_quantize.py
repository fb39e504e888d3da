"""Rounding that a gradient passes, except where it was clipped."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import fake
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

ROUNDED = "torch.round(x / scale)"
CLAMP = ".clamp(-largest_code, largest_code)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor | float, int]]:
    """The weight of the text; ties; numbers beyond both ends; then a scale for each row, and one for all."""
    yield torch.tensor([0.4, 0.6, 0.8]), 0.5, 3
    yield torch.tensor([0.25, 0.75, -1.25]), 0.5, 3
    yield torch.tensor([[-9.0, -1.6, -0.2, 0.0, 1.3, 4.0]]), 0.5, 3
    generator = torch.Generator().manual_seed(seed)
    for bits in (2, 4, 8):
        x = torch.randn(3, 7, generator=generator)
        scale = x.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)
        yield x, 0.7 * scale, bits  # the largest numbers of each row are clipped
    yield 3 * torch.randn(2, 4, 5, generator=generator), 0.05, 6


def run(candidate: Any, x: Tensor, scale: Tensor | float, bits: int) -> tuple[Tensor, Tensor]:
    """What comes out, and the gradient that its sum, weighted unevenly, sends to x."""
    leaf = x.clone().requires_grad_()
    rounded = candidate(leaf, scale, bits)
    if not isinstance(rounded, Tensor) or rounded.shape != x.shape:
        raise Unfit(f"fake_quantize returns a tensor of the shape of x, here {list(x.shape)}.")
    if not rounded.requires_grad:
        return rounded.detach(), torch.zeros_like(x)  # as torch.round alone would pass it
    weights = torch.linspace(1, 2, x.numel()).view_as(x)
    (gradient,) = torch.autograd.grad((weights * rounded).sum(), leaf, allow_unused=True)
    passed = torch.zeros_like(x) if gradient is None else gradient / weights
    return rounded.detach(), passed


def draft(x: Tensor, scale: Any, bits: int) -> Tensor:
    """Without any way for a gradient."""
    largest = 2 ** (bits - 1) - 1
    return scale * torch.round(x / scale).clamp(-largest, largest)


def lets_all_pass(x: Tensor, scale: Any, bits: int) -> Tensor:
    return x + (draft(x, scale, bits) - x).detach()


def nothing_clipped(x: Tensor, scale: Any, bits: int) -> Tensor:
    return x + (scale * torch.round(x / scale) - x).detach()


def half_a_step_more(x: Tensor, scale: Any, bits: int) -> Tensor:
    edge = scale * (2 ** (bits - 1) - 0.5)
    kept = torch.minimum(torch.maximum(x, -1 * (edge + 0 * x)), edge + 0 * x)
    return kept + (draft(x, scale, bits) - kept).detach()


def scaled_gradient(x: Tensor, scale: Any, bits: int) -> Tensor:
    through = fake.fake_quantize(x, scale, bits)
    return through / scale + (through - through / scale).detach()


EXERCISE = Exercise(
    name="fake_quantize",
    minutes=5,
    difficulty=2,
    reference=fake.fake_quantize,
    cases=cases,
    run=run,
    returns=("the rounded numbers", "the gradient that reaches x"),
    gradients=False,
    tolerance=1e-5,
    mistakes=[
        Mistake(
            "no_gradient",
            "The numbers are right, but no gradient reaches x: torch.round is flat, so its derivative is 0"
            " everywhere. Return something whose value is the rounded one and whose gradient is that of x"
            " itself, such as x + (rounded - x).detach().",
            (draft, lambda x, scale, bits: draft(x, scale, bits).detach()),
        ),
        Mistake(
            "gradient_beyond_the_edge",
            "Nearly right: where x was clipped, moving it changes nothing, so the gradient there is 0. Let it"
            " pass through x.clamp(-edge, edge) instead of x, with edge the largest code times the scale.",
            lets_all_pass,
        ),
        Mistake(
            "not_clipped",
            "Nothing is clipped: beyond the largest code, 2^(bits-1) - 1, there are no codes, so numbers out"
            " there become the outermost one, and their gradient is 0.",
            (nothing_clipped, lambda x, scale, bits: scale * torch.round(x / scale)),
        ),
        Mistake(
            "edge_half_a_step_out",
            "Your numbers are right, and your gradient reaches half a scale too far. The edge is the largest"
            " code times the scale; beyond it x is clipped.",
            half_a_step_more,
        ),
        Mistake(
            "codes_returned",
            "You return the codes. Fake quantization goes on with real numbers: scale * codes.",
            (
                lambda x, scale, bits: draft(x, scale, bits) / scale,
                lambda x, scale, bits: x + (draft(x, scale, bits) / scale - x).detach(),
                lambda x, scale, bits: lets_all_pass(x / scale, 1.0, bits),
                lambda x, scale, bits: fake.fake_quantize(x / scale, 1.0, bits),
            ),
        ),
        Mistake(
            "gradient_scaled",
            "The numbers are right, but the gradient is divided by the scale, as if x were a code. It is 1"
            " with respect to x itself.",
            scaled_gradient,
        ),
        Mistake(
            "lowest_code_used",
            "You use the code -2^(bits-1), too, of 8 bits -128. A symmetric scheme leaves it out, so that"
            " both ends are equally far from 0.",
            (
                edit(CLAMP, ".clamp(-largest_code - 1, largest_code)"),
                edit(CLAMP, ".clamp(-largest_code - 1, largest_code)").then(
                    "x.clamp(-edge, edge)", "x.clamp(-edge - scale, edge)"
                ),
            ),
        ),
        Mistake(
            "all_bits_on_one_side",
            "Your largest code is 2^bits - 1. One bit goes to the sign, so there are 2^(bits-1) - 1 codes on"
            " either side of 0.",
            edit("largest_code = positive_codes(bits)", "largest_code = 2**bits - 1"),
        ),
        Mistake(
            "power_of_two",
            "Your largest code is 2^(bits-1), one too many: of 3 bits there are the codes -3 to 3.",
            edit("largest_code = positive_codes(bits)", "largest_code = 2 ** (bits - 1)"),
        ),
        Mistake(
            "clipped_at_the_code",
            "You clip x itself to the largest code before you divide. The edge is the largest code times the"
            " scale.",
            edit("edge: Any = largest_code * scale", "edge: Any = largest_code").then(
                ROUNDED, "torch.round(x.clamp(-largest_code, largest_code) / scale)"
            ),
        ),
        Mistake(
            "rounded_down",
            "You round down. The nearest code is meant: torch.round.",
            (
                edit(ROUNDED, "torch.floor(x / scale)"),
                lambda x, scale, bits: (
                    scale * torch.floor(x / scale).clamp(1 - 2 ** (bits - 1), 2 ** (bits - 1) - 1)
                ),
            ),
        ),
        Mistake(
            "half_up",
            "You round halves up. torch.round takes the even neighbor: 2.5 becomes 2, as 1.5 does.",
            (
                edit(ROUNDED, "torch.floor(x / scale + 0.5)"),
                edit(ROUNDED, "(x.sign() * torch.floor(x.abs() / scale + 0.5))"),
            ),
        ),
        Mistake(
            "cut_off",
            "You cut off what stands behind the point, so numbers between two codes always go toward 0. The"
            " nearest code is meant: torch.round.",
            edit(ROUNDED, "torch.trunc(x / scale)"),
        ),
        Mistake(
            "nothing_rounded",
            "You clip, but you don't round: between the edges x comes out as it went in.",
            (
                edit(ROUNDED, "x / scale"),
                lambda x, scale, bits: x,
            ),
        ),
    ],
    hints=(
        "Compute the rounded numbers first, without a thought for gradients. Then return a sum: something"
        " with the right gradient, plus a difference that is detached and corrects its value.",
        "x is any shape, scale a number or [out, 1]. kept = x.clamp(-edge, edge) has the right gradient;"
        " edge is scale times the largest code.",
        "kept + (scale * torch.round(x / scale).clamp(-largest, largest) - kept).detach()",
    ),
    why="What is used is on the grid, and what learns need not be.",
)
