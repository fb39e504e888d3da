"""The exercises of notebook 08, the feed-forward network."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertModel, encoder
from lib.exercises.exercise import Exercise, Invariant, Mistake

NOTEBOOK = "08_feed_forward"

ROOT_2 = math.sqrt(2)


# --- gelu -----------------------------------------------------------------------------------------


def _cases(seed: int) -> Iterator[tuple[Tensor]]:
    """A ruler, random batches, numbers far out, double precision."""
    generator = torch.Generator().manual_seed(seed)
    yield (torch.linspace(-3, 3, 7),)
    yield (2 * torch.randn(3, 4, generator=generator),)
    yield (torch.randn(2, 3, 8, generator=generator),)
    yield (torch.tensor([[-50.0, -8.0, 0.0, 8.0, 50.0]]),)
    yield (torch.randn(2, 5, generator=generator, dtype=torch.float64),)


def _far_out(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    x = arguments[0]
    return torch.allclose(result[x.abs() > 6], F.relu(x)[x.abs() > 6], atol=1e-4)


def _both_sides(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    return torch.allclose(candidate(arguments[0]) - candidate(-arguments[0]), arguments[0], atol=1e-4)


@contextmanager
def _in_every_layer(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with the candidate's result in the place of what each wide half gives."""

    def instead(intermediate: Any, given: tuple[Tensor], result: Tensor) -> Tensor:
        return candidate(intermediate.dense(given[0]))

    with ExitStack() as stack:
        for module in model.modules():
            if isinstance(module, encoder.Intermediate):
                stack.enter_context(module.register_forward_hook(instead))
        yield


def _use(candidate: Any, model: BertModel) -> AbstractContextManager[None]:
    return _in_every_layer(candidate, model)


GELU = Exercise(
    name="gelu",
    notebook=NOTEBOOK,
    reference=encoder.gelu,
    cases=_cases,
    invariants=[
        Invariant(
            "far_out",
            "Look far out: a large x has all of the bell curve below it and passes unchanged, a very negative"
            " one has none and becomes 0. Yours does not.",
            _far_out,
        ),
        Invariant(
            "both_sides",
            "The shares below x and below -x sum to 1, so gelu(x) - gelu(-x) has to be x. Yours is not.",
            _both_sides,
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
            lambda x: x * torch.sigmoid(1.702 * x),
        ),
        Mistake(
            "silu",
            "This is SiLU, x · σ(x): a cousin, with the logistic curve where GELU has the normal one.",
            F.silu,
        ),
        Mistake(
            "relu",
            "This is ReLU, which closes at 0 with a kink. GELU lets a little through there, -0.16 at -1: x"
            " times the probability that a normal draw lies below x.",
            F.relu,
        ),
        Mistake(
            "without_x",
            "That is the probability alone, which runs from 0 to 1. GELU is x times it.",
            lambda x: 0.5 * (1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "density",
            "You multiply by the height of the bell curve at x. What is meant is the share of it that lies"
            " below x, which erf gives.",
            lambda x: x * torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi),
        ),
        Mistake(
            "without_root",
            "erf counts in units of √2 standard deviations, so for a standard normal it has to be"
            " erf(x / √2).",
            lambda x: x * 0.5 * (1 + torch.erf(x)),
        ),
        Mistake(
            "times_root",
            "You multiply by √2 inside erf. Divide: erf(x / √2).",
            lambda x: x * 0.5 * (1 + torch.erf(x * ROOT_2)),
        ),
        Mistake(
            "halved_inside",
            "Inside erf you divide by 2; it has to be the root of 2.",
            lambda x: x * 0.5 * (1 + torch.erf(x / 2)),
        ),
        Mistake(
            "without_one",
            "erf runs from -1 to 1, and a probability from 0 to 1: add 1, then halve. Without it, -3 comes"
            " out as positive as 3.",
            lambda x: x * 0.5 * torch.erf(x / ROOT_2),
        ),
        Mistake(
            "without_half",
            "Twice too much: 1 + erf runs from 0 to 2. Halve it, and it is a probability.",
            lambda x: x * (1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "without_parentheses",
            "Parentheses are missing: x/2 multiplies 1 + erf(...) as a whole, and yours multiplies only the"
            " 1.",
            lambda x: x * 0.5 * 1 + torch.erf(x / ROOT_2),
        ),
        Mistake(
            "without_parentheses",
            "Parentheses are missing: x/2 multiplies 1 + erf(...) as a whole, and yours multiplies only the"
            " 1.",
            lambda x: x * (0.5 * 1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "tanh_for_erf",
            "You put tanh where erf stands. They look alike, but only erf belongs to the bell curve.",
            lambda x: x * 0.5 * (1 + torch.tanh(x / ROOT_2)),
        ),
        Mistake(
            "math_of_a_tensor",
            "math.erf takes one number. For a tensor use torch.erf, which also lets the gradient through.",
            lambda x: x * 0.5 * (1 + math.erf(x / ROOT_2)),
        ),
        Mistake(
            "upside_down",
            "You multiply by the share above x, so large numbers are closed off and negative ones pass. It"
            " is 1 + erf, not 1 - erf.",
            lambda x: x * 0.5 * torch.erfc(x / ROOT_2),
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
    use=_use,
)

EXERCISES = [GELU]
