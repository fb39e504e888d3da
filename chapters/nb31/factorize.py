"""The two factors of a rank that come nearest to a matrix."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.bert import factors
from lib.exercises import compare
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LEFT, RIGHT = "left[:, :rank] * roots", "roots[:, None] * right[:rank]"
BOTH = f"return {LEFT}, {RIGHT}"
CUT = "values[:rank].sqrt()"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The matrix of the text, its full rank; wide, tall and square ones; equal values, few of them, none."""
    small = torch.tensor([[2.0, 2.0, 1.0], [2.0, 2.0, -1.0]])
    yield from ((small, 1), (small, 2))
    torch.manual_seed(seed)
    for shape, rank in (((6, 4), 3), ((4, 7), 2), ((5, 5), 1), ((9, 3), 3), ((1, 4), 1)):
        yield torch.randn(shape), rank
    yield torch.randn(5, 5, dtype=torch.float64), 3
    yield torch.eye(4), 2  # any two directions are as good
    yield torch.randn(6, 1) @ torch.randn(1, 5), 3  # one is enough
    yield torch.zeros(3, 4), 2


def run(candidate: Any, weight: Tensor, rank: int) -> Any:
    """The product of the pair; of products that are equally near the reference's, whichever it is."""
    pair = candidate(weight, rank)
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(p, Tensor) for p in pair):
        listed = ", ".join(map(compare.a_kind_of, pair if isinstance(pair, tuple | list) else [pair]))
        raise Unfit(f"It should return two tensors: `return left, right`. Yours are: {listed}.")
    left, right = pair
    wanted = (len(weight), rank), (rank, weight.size(1))
    if (left.shape, right.shape) != wanted:
        shapes = f"Your factors are {list(left.shape)} and {list(right.shape)}, and "
        wish = f"left should be {list(wanted[0])}, right {list(wanted[1])}."
        if left.dim() == right.dim() == 2 and left.size(1) != rank and left.size(1) == len(right):
            wish += " Keep `rank` columns of the one and `rank` rows of the other."
        raise Unfit(shapes + wish)
    if left.dtype != right.dtype:
        raise Unfit(f"left is {left.dtype} and right {right.dtype}: both should be of weight's dtype.")
    product = (left @ right).detach()
    best = torch.matmul(*factors.factorize(weight, rank))
    if product.dtype == best.dtype:
        slack = 1e-5 * weight.norm()
        if (weight - product).norm() <= (weight - best).norm() + slack:
            return best
    return product


def has_other_sizes(arguments: tuple[Tensor, int], answer: Tensor, _expected: Tensor) -> bool:
    """Whether a product has the first directions of the matrix alone, with sizes that are not theirs."""
    weight, rank = arguments
    left, values, right = torch.linalg.svd(weight, full_matrices=False)
    sizes = left.T @ answer @ right.T  # [k, k], with what is in no direction but its own on the diagonal
    wanted = torch.diag(sizes.diagonal()[:rank])
    return torch.allclose(left[:, :rank] @ wanted @ right[:rank], answer, atol=1e-4 * float(values[0] + 1))


def columns_alone(weight: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The first columns of the matrix as they are."""
    return weight[:, :rank], torch.eye(weight.size(1), dtype=weight.dtype)[:rank]


def rows_alone(weight: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The first rows of the matrix as they are."""
    return torch.eye(len(weight), dtype=weight.dtype)[:, :rank], weight[:rank]


# fmt: off
EXERCISE = Exercise(
    name="factorize", minutes=5, difficulty=2, reference=factors.factorize, cases=cases, run=run,
    gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("smallest", "You keep the smallest singular values. svd sorts them, the largest first, and"
            " the largest carry most of the matrix: take the first `rank`, not the last.",
            (edit(CUT, "values[-rank:].sqrt()")
             .then(BOTH, "return left[:, -rank:] * roots, roots[:, None] * right[-rank:]"),
             edit(BOTH, "return left[:, rank:] * values[rank:], right[rank:]"))),
        Mistake("values_forgotten", "The singular values are missing: left and right have directions alone,"
            " all of length 1. Multiply them into one of the factors, or their roots into both.",
            edit(BOTH, "return left[:, :rank], right[:rank]")),
        Mistake("values_twice", "The singular values stand in both factors, so the product has their squares."
            " Put them into one factor, or their roots into both.", edit(CUT, "values[:rank]")),
        Mistake("one_root", "One factor has the root of the singular values and the other nothing, so the"
            " product has only the roots.",
            (edit(BOTH, f"return {LEFT}, right[:rank]"), edit(BOTH, f"return left[:, :rank], {RIGHT}"))),
        Mistake("not_turned", "You take the columns of right for its rows, or its rows for columns."
            " torch.linalg.svd returns Vh, whose *rows* are the directions; torch.svd returns V, whose"
            " columns are.",
            (edit(RIGHT, "roots[:, None] * right.T[:rank]"),
             edit(RIGHT, "roots[:, None] * right.T.contiguous()[:rank, : right.size(1)]"),
             edit(BOTH, "return left[:, :rank] * values[:rank], right[:, :rank]"),
             edit(BOTH, "return left[:, :rank] * values[:rank], right[:rank].T"),
             edit(BOTH, "return left[:, :rank] * values[:rank], right.T[:, :rank]"))),
        Mistake("columns_as_they_are", "You keep some rows or columns of the matrix as they are and lose all"
            " others. The main directions are mixtures: take them from torch.linalg.svd.",
            (columns_alone, rows_alone, edit(BOTH, "return weight[:, :rank], weight[:rank]"),
             edit(BOTH, "return weight[:, :rank], right[:rank]"),
             edit(BOTH, "return left[:, :rank], weight[:rank]"))),
        Mistake("largest_value_for_all", "You multiply all directions by one number. Each has a singular"
            " value of its own.",
            (edit(BOTH, "return left[:, :rank], right[:rank] * values[0]"),
             edit(BOTH, "return left[:, :rank], right[:rank] * values[:rank].mean()"),
             edit(BOTH, "return left[:, :rank], right[:rank] * values[:rank].sum()"))),
        Mistake("one_too_few", "One direction fewer is kept than could be: the product should have `rank` of"
            " them.",
            (edit(CUT, "values[:rank].sqrt() * (torch.arange(rank) < max(rank - 1, 1))"),
             edit(CUT, "values[:rank].sqrt() * (torch.arange(rank) < rank - 1)"),
             edit(BOTH, "return left[:, : rank - 1], right[: rank - 1]"))),
        Mistake("not_cut", "You cut one of the factors, or none. Keep `rank` columns of left and `rank` rows"
            " of right.",
            (edit(BOTH, "return left * values, right"),
             edit(BOTH, "return left[:, :rank] * values[:rank], right"),
             edit(BOTH, "return left * values, right[:rank]"))),
        Mistake("rows_of_left", "You cut the rows of left. Its directions are columns, [out, rank]: left[:,"
            " :rank].",
            (edit(BOTH, f"return left[:rank] * roots, {RIGHT}"),
             edit(BOTH, "return left[:rank], values[:rank, None] * right[:rank]"),
             edit(BOTH, "return left[:rank] * values, right"))),
        Mistake("product_returned", "You return the product, which has as many numbers as the matrix. Return"
            " the two factors, left and right.", edit(BOTH, f"return ({LEFT}) @ ({RIGHT})")),
        Mistake("three_returned", "You return three parts. Multiply the singular values into left or into"
            " right, and return two.", edit(BOTH, "return left[:, :rank], values[:rank], right[:rank]")),
        Mistake("parts_exchanged", "Your factors come in the other order, or turned over: left [out, rank]"
            " first, then right [rank, in].",
            (edit(BOTH, f"return {RIGHT}, {LEFT}"), edit(BOTH, f"return ({LEFT}).T, ({RIGHT}).T"))),
        Mistake("values_along_the_wrong_axis", "Each singular value belongs to a column of left and to a row"
            " of right. left[:, :rank] * values[:rank] goes along the columns; for right an axis is needed,"
            " values[:rank, None].",
            (edit(BOTH, f"return {LEFT}, roots * right[:rank]"),
             edit(BOTH, f"return {LEFT}, right[:rank] * roots"),
             edit(BOTH, "return left[:, :rank], values[:rank] * right[:rank]"),
             edit(BOTH, "return left[:, :rank], right[:rank] * values[:rank]"),
             edit(BOTH, f"return left[:, :rank] * roots[:, None], {RIGHT}"),
             edit(BOTH, "return left[:, :rank] * values[:rank, None], right[:rank]"),
             edit(BOTH, f"return roots[:, None] * left[:, :rank], {RIGHT}"))),
        Mistake("one_too_many", "One direction too many is kept: the first `rank` are [:rank], whose end"
            " doesn't count.",
            edit(BOTH, "return left[:, : rank + 1] * values[: rank + 1], right[: rank + 1]")),
        Mistake("numpy_arrays", "You return NumPy arrays. torch.linalg.svd does the same with tensors, and"
            " gives tensors.", edit(BOTH, f"return ({LEFT}).numpy(), ({RIGHT}).numpy()")),
        Mistake("values_divided", "You divide by the singular values. Multiply by them: left * values @ right"
            " is the matrix.",
            (edit(BOTH, "return left[:, :rank] / values[:rank], right[:rank]"),
             edit(BOTH, "return left[:, :rank], right[:rank] / values[:rank, None]"))),
        Mistake("qr", "The columns of a QR decomposition stand in the order of the matrix, not by how much"
            " they carry. Take the main directions from torch.linalg.svd.",
            edit(BOTH, "q, r = torch.linalg.qr(weight)\n    return q[:, :rank], r[:rank]")),
        Mistake("values_not_cut", "You multiply `rank` directions by all singular values. Cut these too:"
            " values[:rank].",
            (edit(BOTH, "return left[:, :rank] * values, right[:rank]"),
             edit(BOTH, "return left[:, :rank] @ torch.diag(values), right[:rank]"),
             edit(BOTH, "return left[:, :rank], torch.diag(values) @ right[:rank]"),
             edit(BOTH, "return left[:, :rank], values[:, None] * right[:rank]"))),
        Mistake("weight_turned", "You decompose weight.T, so left and right have changed places. Give weight"
            " itself to svd.", edit("weight.detach()", "weight.detach().T")),
        Mistake("sizes_of_directions", "Your directions are right, but not how large they are: each is"
            " multiplied by its own singular value, once.",
            when=has_other_sizes, example=edit(CUT, "values[:rank] ** 0.75")),
    ],
    hints=("Which directions carry most of the matrix? torch.linalg.svd(weight, full_matrices=False) returns"
           " left, values, right, the largest value first.",
           "left is [out, k], values [k], right [k, in], and left * values @ right is the matrix. Keep `rank`"
           " of the k in each of them.",
           "left, values, right = torch.linalg.svd(weight, full_matrices=False); return left[:, :rank] *"
           " values[:rank], right[:rank]"),
    why="No other pair of this rank is nearer to the matrix.",
)
# fmt: on
