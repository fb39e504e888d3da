"""Which weights of a matrix stay when the smallest go."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.pruning import magnitude
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

HIGHEST = magnitude.keep_highest
REMOVED = "removed = int(sparsity * scores.numel())"


def cases(seed: int) -> Iterator[tuple[Tensor, float]]:
    """The eight weights of the text; a share that does not come out even; ties; nothing and all; matrices."""
    row = torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]])
    yield row, 0.5
    yield row, 0.7  # 5.6 weights: five go
    yield torch.tensor([[1.0, -2.0, 1.0, -1.0], [3.0, 1.0, -1.0, 0.5]]), 0.5
    yield row, 0.0
    yield row, 1.0
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, sparsity in [(3, 5, 0.9), (6, 4, 0.25), (10, 10, 0.95), (5, 7, 0.6)]:
        sizes = torch.tensor([1.0, 0.1, 3.0]).repeat(4)[:rows, None]  # rows of unlike sizes
        yield sizes * torch.randn(rows, columns, generator=generator), sparsity
    yield -torch.rand(4, 6, generator=generator), 0.5
    yield torch.zeros(2, 5), 0.3


def run(candidate: Any, weight: Tensor, sparsity: float) -> Any:
    """The mask; of weights that are equally large the first are kept, whichever the answer keeps."""
    mask = candidate(weight.clone(), sparsity)
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool or mask.shape != weight.shape:
        return mask
    settled = mask.clone().view(-1)
    size = weight.abs().flatten()
    for value in size.unique():
        places = (size == value).nonzero().flatten()
        settled[places] = torch.arange(len(places)) < int(settled[places].sum())
    return settled.view(weight.shape)


def counted(_candidate: Any, arguments: tuple[Tensor, float], result: Any) -> bool:
    weight, sparsity = arguments
    return int((~result).sum()) == int(sparsity * weight.numel())


def by_row(weight: Tensor, sparsity: float) -> Tensor:
    return torch.stack([HIGHEST(row.abs(), sparsity) for row in weight])


def at_the_border(keep: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, float], Tensor]:
    """A threshold, which treats all weights that lie on it alike."""

    def mask(weight: Tensor, sparsity: float) -> Tensor:
        size, count = weight.abs(), int(sparsity * weight.numel())
        if not count:
            return torch.ones_like(size, dtype=torch.bool)
        return keep(size, size.flatten().kthvalue(count).values)

    return mask


def share_of_the_largest(weight: Tensor, sparsity: float) -> Tensor:
    return weight.abs() > sparsity * weight.abs().max()


def places_for_ranks(weight: Tensor, sparsity: float) -> Tensor:
    places = weight.abs().flatten().argsort()
    return (places >= int(sparsity * weight.numel())).view(weight.shape)


def share_itself(weight: Tensor, sparsity: float) -> Tensor:
    return weight.abs() > sparsity


EXERCISE = Exercise(
    name="magnitude_mask",
    minutes=6,
    difficulty=2,
    reference=magnitude.magnitude_mask,
    cases=cases,
    run=run,
    gradients=False,
    invariants=[
        Invariant(
            "so_many",
            "Exactly int(sparsity * weight.numel()) entries of the mask have to be False, and yours has"
            " another number of them.",
            counted,
        ),
    ],
    mistakes=[
        Mistake(
            "inverted",
            "Your mask is True where a weight is pruned. It is to be True where a weight is kept.",
            lambda weight, sparsity: ~magnitude.magnitude_mask(weight, sparsity),
        ),
        Mistake(
            "signed",
            "You rank the weights with their signs, so -0.42 goes before 0.04. It is the size |w| that"
            " counts: weight.abs().",
            edit("weight.detach().abs()", "weight.detach()"),
        ),
        Mistake(
            "largest_pruned",
            "You prune the largest weights and keep the smallest.",
            edit("largest=False", "largest=True", of=HIGHEST),
        ),
        Mistake(
            "share_kept",
            "You keep the share that should go. A sparsity of 0.9 means that nine of ten weights are 0.",
            (
                edit("int(sparsity * scores.numel())", "int((1 - sparsity) * scores.numel())", of=HIGHEST),
                edit(REMOVED, "removed = scores.numel() - int(sparsity * scores.numel())", of=HIGHEST),
            ),
        ),
        Mistake(
            "rounded",
            "int() cuts off what stands behind the point, and you round: of 8 weights a sparsity of 0.7"
            " prunes int(5.6) = 5.",
            (
                edit("int(sparsity * scores.numel())", "round(sparsity * scores.numel())", of=HIGHEST),
                lambda weight, sparsity: HIGHEST(
                    weight.abs(), min(1.0, (math.ceil(sparsity * weight.numel()) + 0.5) / weight.numel())
                ),
            ),
        ),
        Mistake(
            "row_by_row",
            "You prune the same share of every row. Here the whole matrix is one ranking, so that a row of"
            " small weights may lose all of them.",
            by_row,
        ),
        Mistake(
            "all_on_the_border",
            "You compare with a threshold, and all weights that lie on it go together. Where several are"
            " equally large, only so many of them may go that the number is right: take places, such as those"
            " of topk or argsort, and no threshold.",
            at_the_border(lambda size, border: size > border),
        ),
        Mistake(
            "none_on_the_border",
            "The weight that lies on your threshold stays, so one weight too few goes, and more where several"
            " are equally large.",
            at_the_border(lambda size, border: size >= border),
        ),
        Mistake(
            "share_of_the_largest",
            "You compare with a share of the largest weight. Sparsity is a share of the *number* of weights:"
            " rank them, and take so many from the low end.",
            share_of_the_largest,
        ),
        Mistake(
            "sparsity_as_threshold",
            "You compare |w| with the sparsity itself. It is a share of the number of weights, not a size.",
            share_itself,
        ),
        Mistake(
            "places_for_ranks",
            "argsort gives places: its first number says *where* the smallest weight stands. You compare"
            " these places with the count, as if they were ranks. Use them as an index:"
            " mask[places[:removed]] = False.",
            places_for_ranks,
        ),
    ],
    hints=(
        "How many have to go? Rank all weights of the matrix by |w|, take the places of so many from the low"
        " end, and set the mask to False there.",
        "weight.abs().flatten() is [N] and argsort() of it [N] places, the smallest weight's first. The mask"
        " begins as N times True and gets the shape of the weight in the end.",
        "mask = torch.ones(weight.numel(), dtype=torch.bool);"
        " mask[weight.abs().flatten().argsort()[:removed]] = False; return mask.view(weight.shape)",
    ),
    why="Exactly so many are gone, and no weight that is kept is smaller than one that is not.",
)
