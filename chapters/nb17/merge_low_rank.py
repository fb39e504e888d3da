"""A low-rank update folded into its matrix."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import adapters
from lib.bert.attention import SelfAttention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SCALE, UPDATE = "alpha / len(a) * ", "b @ a"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, float]]:
    """Rank 1 with small whole numbers; then other ranks, matrices that are not square, and odd alphas."""
    yield torch.zeros(2, 3), torch.tensor([[3.0, 0, 1]]), torch.tensor([[1.0], [2]]), 1.0
    generator = torch.Generator().manual_seed(seed)
    for out, inputs, rank, alpha in [(3, 4, 2, 2.0), (5, 2, 2, 3.0), (4, 4, 3, 8.0), (4, 4, 4, 1.0)]:
        yield (
            torch.randn(out, inputs, generator=generator),
            torch.randn(rank, inputs, generator=generator),
            torch.randn(out, rank, generator=generator),
            alpha,
        )


def same_as_the_side_path(
    candidate: Any, arguments: tuple[Tensor, Tensor, Tensor, float], result: Tensor
) -> bool:
    weight, a, b, alpha = arguments
    x = torch.linspace(-1, 1, weight.size(1))
    return torch.allclose(result @ x, weight @ x + alpha / len(a) * (b @ (a @ x)), atol=1e-4)


@contextmanager
def use(candidate: Any, model: nn.Module) -> Iterator[None]:
    """An update is taken off every query and value matrix, and the candidate merges it again."""
    torch.manual_seed(0)
    with ExitStack() as stack:
        for part in model.modules():
            for linear in (part.query, part.value) if isinstance(part, SelfAttention) else ():
                weight = linear.weight.detach()
                a, b = 0.1 * torch.randn(2, weight.size(1)), 0.1 * torch.randn(len(weight), 2)
                merged = nn.Parameter(candidate(weight - 2.0 * b @ a, a, b, 4.0))
                stack.enter_context(replaced(linear, "weight", merged))
        yield


EXERCISE = Exercise(
    name="merge_low_rank",
    minutes=4,
    difficulty=1,
    reference=adapters.merge_low_rank,
    cases=cases,
    invariants=[
        Invariant(
            "two_ways",
            "x times your matrix has to be what the two ways give together: W x, and α / r times B (A x).",
            same_as_the_side_path,
        ),
    ],
    mistakes=[
        Mistake(
            "not_scaled",
            "The update is there, but without its factor alpha / r. It was learned with this factor, so"
            " without it the merged model is another one.",
            edit(SCALE, ""),
        ),
        Mistake(
            "not_divided",
            "You multiply the update by alpha. The factor is alpha / r, where r is the number of rows of a.",
            edit("alpha / len(a)", "alpha"),
        ),
        Mistake(
            "without_alpha",
            "You divide by r, but alpha is missing: the factor is alpha / r.",
            edit("alpha / len(a)", "1 / len(a)"),
        ),
        Mistake(
            "wrong_side",
            "You divide by the wrong side of a matrix. The rank r is the short side that a and b share: the"
            " number of rows of a, a.shape[0].",
            (edit("alpha / len(a)", "alpha / len(b)"), edit("alpha / len(a)", "alpha / a.size(1)")),
        ),
        Mistake(
            "factor_upside_down",
            "The factor is alpha / r, not r / alpha.",
            edit("alpha / len(a)", "len(a) / alpha"),
        ),
        Mistake(
            "rounded_down",
            "// divides and drops what is left over, so alpha = 3 and r = 2 give 1. Write alpha / r.",
            edit("alpha / len(a)", "alpha // len(a)"),
        ),
        Mistake(
            "a_times_b",
            "a @ b is [r, r], or does not fit at all. The update has the shape of the weight, [out, in]: b"
            " comes first.",
            edit(UPDATE, "a @ b"),
        ),
        Mistake(
            "transposed_update",
            "Your update is transposed. PyTorch keeps a weight as [out, in], and b @ a is [out, in] already.",
            edit(SCALE + UPDATE, f"({SCALE}{UPDATE}).T"),
        ),
        Mistake(
            "update_alone",
            "That is the update without the weight. Merging adds it to the weight.",
            edit("weight + ", ""),
        ),
        Mistake(
            "weight_scaled_too",
            "The factor belongs to the update alone; you multiply the weight by it, too.",
            edit(f"weight + {SCALE}{UPDATE}", f"alpha / len(a) * (weight + {UPDATE})"),
        ),
        Mistake(
            "subtracted",
            "You subtract the update. That would take an update out that was merged before.",
            edit("weight + ", "weight - "),
        ),
    ],
    hints=(
        "A column of b times a row of a is a whole matrix; b @ a adds up r of them. Scale that, and add it to"
        " the weight.",
        "b [out, r] times a [r, in] is [out, in], as the weight. r is len(a).",
        "return weight + alpha / len(a) * b @ a",
    ),
    why="After merging, the layer costs what it cost before.",
    use=use,
)
