"""Rounding that a gradient passes, except where it was clipped."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb20 import rounding
from chapters.nb20.codes import other_rounding
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LARGEST, KEPT = "2 ** (bits - 1) - 1", "x.clamp(-edge, edge)"
CODES = "torch.round(kept / scale)"
CODES_KEPT = "(x / scale).clamp(-largest_code, largest_code)"  # the same number, whole at the edges
RESULT = "kept + (rounded - kept).detach()"
OF_X = edit(RESULT, "x + (rounded - x).detach()")  # the gradient passes wherever x lies


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor | float, int]]:
    """The weight of the text; ties; numbers beyond both ends; then a scale for each row, and one for all."""
    yield torch.tensor([0.4, 0.6, 0.8]), 0.5, 3
    yield torch.tensor([[-9.0, -1.6, -1.25, -0.2, 0.0, 0.25, 0.75, 1.3, 4.0]]), 0.5, 3
    torch.manual_seed(seed)
    for bits in (2, 4, 8):
        x = torch.randn(3, 7)
        yield x, 0.7 * x.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1), bits  # some are clipped
    yield 3 * torch.randn(2, 4, 5), 0.05, 6


def run(candidate: Any, x: Tensor, scale: Tensor | float, bits: int) -> tuple[Tensor, Tensor]:
    """What comes out, and the gradient that its sum, weighted unevenly, sends to x."""
    leaf = x.clone().requires_grad_()
    rounded = candidate(leaf, scale, bits)
    if not isinstance(rounded, Tensor) or rounded.shape != x.shape:
        raise Unfit(f"fake_quantize returns a tensor of the shape of x, here {list(x.shape)}.")
    weights = torch.linspace(1, 2, x.numel()).view_as(x)
    total = (weights * rounded + 0 * leaf).sum()  # without a way to x the gradient is 0
    return rounded.detach(), torch.autograd.grad(total, leaf)[0] / weights


def is_right_inside(arguments: Any, answer: tuple[Tensor, ...], expected: tuple[Tensor, ...]) -> bool:
    """Whether an answer is wrong beyond the edges alone."""
    x, scale, bits = arguments
    is_inside = x.abs() < scale * (2 ** (bits - 1) - 1)
    pairs = zip(answer, expected, strict=True)
    return all(torch.allclose(part[is_inside], right[is_inside], atol=1e-5) for part, right in pairs)


def is_whole(codes: Tensor) -> bool:
    return torch.allclose(codes, torch.round(codes), atol=1e-3)


# fmt: off
EXERCISE = Exercise(
    name="fake_quantize", minutes=5, difficulty=2, reference=rounding.fake_quantize, cases=cases, run=run,
    returns=("the rounded numbers", "the gradient that reaches x"), gradients=False,
    mistakes=[
        Mistake("no_gradient", "No gradient reaches x: torch.round is flat. Return x + (rounded -"
            " x).detach(), for instance.", edit(RESULT, "rounded")),
        Mistake("gradient_beyond_the_edge", "Where x was clipped, the gradient is 0: let it pass through"
            " x.clamp(-edge, edge), not x.", OF_X),
        Mistake("not_clipped", "Beyond the largest code, 2^(bits-1) - 1, numbers become the outermost one,"
            " with gradient 0.", edit(KEPT, "x")),
        Mistake("codes_returned", "You return the codes. Fake quantization goes on with real numbers: scale *"
            " codes.", (edit(RESULT, f"({RESULT}) / scale"),
                edit(RESULT, "x + (rounded / scale - x).detach()"))),
        Mistake("other_codes", "Of 3 bits the codes are -3 to 3: one bit goes to the sign, and -4 is left out"
            " for symmetry.",
            (edit(KEPT, "x.clamp(-edge - scale, edge)"), edit(LARGEST, "2**bits - 1"),
             edit(LARGEST, "2 ** (bits - 1)"))),
        other_rounding("kept / scale", CODES_KEPT),
        Mistake("nothing_rounded", "You don't round: between the edges x comes out as it went in.",
            (edit(CODES, "(kept / scale)"), edit(RESULT, "x"))),
        Mistake("detached_the_other_way", "You exchanged the two: x comes out as it was, or clipped, and the"
            " rounded number gives the gradient, which is 0. Start from what has the gradient: kept +"
            " (rounded - kept).detach().",
            (edit(RESULT, "rounded + (kept - rounded).detach()"),
             edit(RESULT, "rounded + (x - rounded).detach()"))),
        Mistake("multiplied_by_the_scale", "You multiply x by the scale. A code counts how many scales fit"
            " into x: divide, round, and multiply the code.",
            (edit("kept / scale", "kept * scale").then("largest_code * scale", "largest_code / scale")
             .then("scale * torch.round", "1 / scale * torch.round"),
             edit("kept / scale", "kept * scale"))),
        Mistake("clipped_at_the_code", "You clip x at the largest code. That is a number of steps, and x is"
            " scale times as many: clip x / scale, or clip x at scale * largest code.",
            (edit(KEPT, "x.clamp(-largest_code, largest_code)"),
             OF_X.then(KEPT, "x.clamp(-largest_code, largest_code)"))),
        Mistake("negative_ones_lost", "Negative numbers are lost. Codes have a sign: they go from minus the"
            " largest to the largest.",
            (edit(KEPT, "x.clamp(0 * edge, edge)"), edit("kept / scale", "kept.abs() / scale"),
             edit(KEPT, "x.abs().clamp(-edge, edge)"), OF_X.then("kept / scale", "kept.abs() / scale"))),
        Mistake("in_place", "You write into x itself, with a method that ends in an underscore or an"
            " assignment. x is what learns, so PyTorch forbids it: make a new tensor.",
            (edit(KEPT, "x.div_(scale)"), edit(KEPT, "x.clamp_(-edge, edge)"))),
        Mistake("gradient_scaled", "The numbers are right, but the gradient is not 1: it passes the scale"
            " once, as it comes to the codes. Let it come to x: kept + (scale * codes - kept).detach().",
            (edit(RESULT, "kept / scale + (rounded - kept / scale).detach()"),
             edit(RESULT, "kept * scale + (rounded - kept * scale).detach()"))),
        Mistake("rounded_up", "You round up, with torch.ceil. The nearest code is meant: torch.round.",
            edit(CODES, f"torch.ceil({CODES_KEPT})")),
        Mistake("correction_not_clipped", "What you add to the clipped number is the rounding of the one that"
            " wasn't clipped. Beyond the edge they have nothing to do with each other: round what is"
            " clipped.",
            (edit(RESULT, "kept + (scale * torch.round(x / scale) - x).detach()"),
             edit(RESULT, "x + (rounded - kept).detach()"))),
        Mistake("off_the_grid", "What comes out is not on the grid: each number is scale times a whole code."
            " Divide by the scale, round, clip, and multiply by the same scale.",
            when=lambda arguments, answer, _: not is_whole(answer[0] / arguments[1]),
            example=edit(RESULT, "kept + (rounded + scale / 2 - kept).detach()")),
        Mistake("other_gradient", "The numbers are right, but not the gradient that reaches x: it is 1 up to"
            " the edge, and 0 beyond.",
            when=lambda _, answer, expected: torch.allclose(answer[0], expected[0], atol=1e-5),
            example=edit(RESULT, "2 * kept + (rounded - 2 * kept).detach()")),
        Mistake("other_code", "The gradient is right, but a code is another one somewhere: torch.round(x /"
            " scale), clipped to -(2^(bits-1) - 1) .. 2^(bits-1) - 1.",
            when=lambda _, answer, expected: torch.allclose(answer[1], expected[1], atol=1e-5),
            example=edit("kept / scale", "kept / scale + 0.25")),
        Mistake("edge_elsewhere", "Inside all is right, but your edge is elsewhere: numbers are clipped at"
            " scale times the largest code, 2^(bits-1) - 1, on either side, and have no gradient beyond.",
            when=is_right_inside, example=edit(LARGEST, "2 ** (bits - 1) + 1")),
    ],
    hints=("Clip, round, multiply by the scale: these are the numbers. Which of these steps still has a"
           " useful gradient?",
           "kept = x.clamp(-edge, edge) has the right gradient; edge is scale times the largest code.",
           "kept + (scale * torch.round(kept / scale) - kept).detach()"),
    why="What is used is on the grid, and what learns need not be.",
)
# fmt: on
