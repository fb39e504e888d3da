"""GELU, of any shape."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import encoder
from lib.bert.hooks import hooked
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

INSIDE = "x / math.sqrt(2)"
SHARE = f"0.5 * (1 + torch.erf({INSIDE}))"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """A ruler, random batches, numbers far out, double precision."""
    generator = torch.Generator().manual_seed(seed)
    yield (torch.linspace(-3, 3, 7),)
    yield (2 * torch.randn(3, 4, generator=generator),)
    yield (torch.randn(2, 3, 8, generator=generator),)
    yield (torch.tensor([[-50.0, -8.0, 0.0, 8.0, 50.0]]),)
    yield (torch.randn(2, 5, generator=generator, dtype=torch.float64),)


def far_out(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    far = arguments[0].abs() > 6
    return torch.allclose(result[far], arguments[0][far].relu(), atol=1e-4)


def both_sides(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    x = arguments[0]
    return torch.allclose(result - candidate(-x), x, atol=1e-4)


def use(candidate: Any, model: nn.Module) -> AbstractContextManager[None]:
    """The candidate's result in the place of what each wide half gives."""

    def instead(half: Any, given: tuple[Tensor], result: Tensor) -> Tensor:
        return candidate(half.dense(given[0]))

    return hooked([one for one in model.modules() if isinstance(one, encoder.Intermediate)], after=instead)


EXERCISE = Exercise(
    name="gelu",
    minutes=5,
    difficulty=1,
    reference=encoder.gelu,
    cases=cases,
    invariants=[
        Invariant(
            "far_out",
            "Look far out: a large x has all of the bell curve below it and passes unchanged, a very negative"
            " one has none and becomes 0. Yours does not.",
            far_out,
        ),
        Invariant(
            "both_sides",
            "The shares below x and below -x sum to 1, so gelu(x) - gelu(-x) has to be x. Yours is not.",
            both_sides,
        ),
        Invariant(
            "not_the_bell",
            "Right far out, but in between the share is not that of the normal curve with a spread of 1:"
            " (1 + erf(x / √2)) / 2.",
            lambda candidate, arguments, result: torch.allclose(result, F.gelu(arguments[0]), atol=1e-5),
        ),
    ],
    mistakes=[
        Mistake(
            "tanh",
            "Right to the third digit: this is the approximation with tanh, from when erf was slow. In BERT's"
            " configuration `gelu` means the exact one, x/2 times (1 + erf(x / √2)).",
            lambda x: F.gelu(x, approximate="tanh"),
        ),
        Mistake(
            "sigmoid",
            "This is the approximation with a sigmoid, x · σ(1.702 x), off by up to 0.02. The exact one uses"
            " erf.",
            edit(SHARE, "torch.sigmoid(1.702 * x)"),
        ),
        Mistake(
            "silu",
            "This is SiLU, x · σ(x): a cousin, with the logistic curve where GELU has the normal one.",
            edit(SHARE, "torch.sigmoid(x)"),
        ),
        Mistake(
            "relu",
            "This is ReLU, which closes at 0 with a kink. GELU lets a little through there, -0.16 at -1: x"
            " times the probability that a normal draw lies below x.",
            edit(SHARE, "(x > 0)"),
        ),
        Mistake(
            "without_x",
            "That is the probability alone, which runs from 0 to 1. GELU is x times it.",
            edit("x * 0.5", "0.5"),
        ),
        Mistake(
            "root_misplaced",
            "erf counts in units of √2 standard deviations, so for a standard normal it has to be"
            " erf(x / √2): divided, once, by the root.",
            (edit(INSIDE, "x"), edit("x / math", "x * math"), edit("math.sqrt(2)", "2")),
        ),
        Mistake(
            "without_one",
            "erf runs from -1 to 1, and a probability from 0 to 1: add 1, then halve. Without the 1, -3 comes"
            " out as positive as 3.",
            (edit("1 + ", ""), edit("1 + ", "").then("0.5 * ", "")),
        ),
        Mistake(
            "without_half",
            "Twice too much: 1 + erf runs from 0 to 2. Halve it, and it is a probability.",
            edit("0.5 * ", ""),
        ),
        Mistake(
            "without_parentheses",
            "Parentheses are missing: x multiplies the whole of (1 + erf(...)) / 2, and the half belongs to"
            " both terms too.",
            (
                edit(SHARE, f"0.5 * 1 + torch.erf({INSIDE})"),
                edit(SHARE, f"(0.5 * 1 + torch.erf({INSIDE}))"),
                edit(SHARE, f"1 + torch.erf({INSIDE}) / 2"),
                edit(SHARE, f"(1 + torch.erf({INSIDE}) / 2)"),
            ),
        ),
        Mistake(
            "tanh_for_erf",
            "You put tanh where erf stands. They look alike, but only erf belongs to the bell curve.",
            edit("torch.erf", "torch.tanh"),
        ),
        Mistake(
            "numbers_for_tensors",
            "math.erf takes one number and torch.sqrt a tensor. It is torch.erf of x / math.sqrt(2).",
            (edit("torch.erf", "math.erf"), edit("math.sqrt", "torch.sqrt")),
        ),
        Mistake(
            "upside_down",
            "You multiply by the share above x, so large numbers are closed off and negative ones pass. It"
            " is 1 + erf, not 1 - erf.",
            edit("1 + ", "1 - "),
        ),
    ],
    hints=(
        "Draw a number from the bell curve. GELU lets x through in proportion to how likely the draw lies"
        " below it: all of a large x, half of 0, next to nothing of a very negative one.",
        "Every number by itself, any shape: what comes out has the shape of x. torch.erf does the same.",
        "The probability is 0.5 * (1 + torch.erf(x / math.sqrt(2))), and GELU is x times that.",
    ),
    why="Smooth, with a dip to -0.17 near -0.75, where ReLU is flat.",
    box="feed_forward",
    use=use,
)
