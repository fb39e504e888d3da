"""A low-rank update folded into its matrix."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb17.new_weights import merge_low_rank
from lib.bert.attention import SelfAttention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

FACTOR = "alpha / len(a)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, float]]:
    """Rank 1 with small whole numbers; then other ranks, matrices that are not square, and odd alphas."""
    yield torch.zeros(2, 3), torch.tensor([[3.0, 0, 1]]), torch.tensor([[1.0], [2]]), 1.0
    torch.manual_seed(seed)
    for out, inputs, rank, alpha in [(3, 4, 2, 2.0), (5, 2, 2, 3.0), (4, 4, 3, 8.0), (4, 4, 4, 1.0)]:
        yield torch.randn(out, inputs), torch.randn(rank, inputs), torch.randn(out, rank), alpha


def same_as_the_side_path(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
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


# fmt: off
EXERCISE = Exercise(
    name="merge_low_rank", minutes=4, difficulty=1, reference=merge_low_rank, cases=cases,
    invariants=[
        Invariant("two_ways", "x times your matrix has to be what the two ways give together: W x, and α / r"
            " times B (A x).", same_as_the_side_path),
    ],
    mistakes=[
        Mistake("not_scaled", "The update is there, but without the factor alpha / r with which it was"
            " learned.", edit(FACTOR + " * ", "")),
        Mistake("wrong_side", "You divide by the wrong side of a matrix. The rank r is the short side that a"
            " and b share: the number of rows of a, a.shape[0].",
            (edit(FACTOR, "alpha / len(b)"), edit(FACTOR, "alpha / a.size(1)"))),
        Mistake("transposed_update", "Your update is transposed. PyTorch keeps a weight as [out, in], and b @"
            " a is [out, in] already.", edit(f"{FACTOR} * b @ a", f"({FACTOR} * b @ a).T")),
        Mistake("other_order", "b comes first: b [out, r] times a [r, in] is [out, in], as the weight.",
            edit("* b @ a", "* a @ b")),
        Mistake("weight_scaled_too", "The factor belongs to the update alone; you multiply the weight by it,"
            " too.", edit(f"weight + {FACTOR} * b @ a", f"{FACTOR} * (weight + b @ a)")),
    ],
    hints=("A column of b times a row of a is a whole matrix; b @ a adds up r of them. Scale that, and add it"
           " to the weight.",
           "b [out, r] times a [r, in] is [out, in], as the weight. r is len(a).",
           "return weight + alpha / len(a) * b @ a"),
    why="After merging, the layer costs what it cost before.",
    use=use,
)
# fmt: on
