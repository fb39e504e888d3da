"""Which weights of a matrix stay when the smallest go."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.pruning import magnitude
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

RETURNED = "mask.view(weight.shape)"
BY_ROW = "torch.stack([keep_highest(row.abs(), sparsity) for row in weight])"


def cases(seed: int) -> Iterator[tuple[Tensor, float]]:
    """The eight weights of the text; a share that does not come out even; ties; nothing and all; matrices."""
    row = torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]])
    yield from ((row, 0.5), (row, 0.7), (row, 0.0), (row, 1.0))  # of 0.7, which are 5.6 weights, five go
    yield torch.tensor([[1.0, -2.0, 1.0, -1.0], [3.0, 1.0, -1.0, 0.5]]), 0.5
    torch.manual_seed(seed)
    for rows, columns, sparsity in [(3, 5, 0.9), (6, 4, 0.25), (10, 10, 0.95)]:
        yield torch.tensor([1.0, 0.1, 3.0]).repeat(4)[:rows, None] * torch.randn(rows, columns), sparsity


def run(candidate: Any, weight: Tensor, sparsity: float) -> Any:
    """The mask; of weights that are equally large the first are kept, whichever the answer keeps."""
    mask = candidate(weight, sparsity)
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool or mask.shape != weight.shape:
        return mask
    same = weight.flatten().abs() == weight.flatten().abs()[:, None]  # [N, N]
    return (same.tril(-1).sum(1) < (same & mask.flatten()).sum(1)).view(weight.shape)


# fmt: off
EXERCISE = Exercise(
    name="magnitude_mask", minutes=6, difficulty=2, reference=magnitude.magnitude_mask, cases=cases, run=run,
    gradients=False,
    invariants=[
        Invariant("so_many", "Exactly int(sparsity * weight.numel()) entries of the mask have to be False. A"
            " threshold treats equally large weights alike: take places, such as those of topk or argsort.",
            lambda _, arguments, result: int((~result).sum()) == int(arguments[1] * arguments[0].numel())),
    ],
    mistakes=[
        Mistake("exchanged", "Kept and pruned are exchanged: True is for the largest, and a sparsity of 0.9"
            " keeps one in ten.",
            (edit(RETURNED, f"~{RETURNED}"),
             edit("largest=False", "largest=True"),
             edit("int(sparsity", "int((1 - sparsity)"))),
        Mistake("rounded", "int() cuts off, and you round: of 8 weights a sparsity of 0.7 prunes int(5.6) ="
            " 5.", edit("int(sparsity", "round(sparsity")),
        Mistake("row_by_row", "Here the whole matrix is one ranking: a row of small weights may lose all of"
            " them.", edit(RETURNED, BY_ROW)),
        Mistake("share_of_a_size", "You compare |w| with a size. Sparsity is a share of the *number* of"
            " weights: rank them.",
            tuple(edit(RETURNED, f"weight.abs() / {size} > sparsity")
                for size in ("1", "weight.abs().max()"))),
        Mistake("places_for_ranks", "argsort gives places: its first number says *where* the smallest weight"
            " stands. Use them as an index, mask[places[:removed]] = False, not as ranks.",
            edit("mask[smallest] = False", "mask = sizes.argsort() >= removed")),
    ],
    hints=("Find the places of the smallest |w|. Begin with a mask that is True everywhere, and set it False"
           " there.",
           "sizes = weight.abs().flatten() is [N]; sizes.topk(removed, largest=False).indices are the places"
           " of the `removed` smallest.",
           "mask = torch.ones(weight.numel(), dtype=torch.bool); mask[places] = False; return"
           " mask.view(weight.shape)"),
    why="Exactly so many are gone, and no weight that is kept is smaller than one that is not.",
)
# fmt: on
