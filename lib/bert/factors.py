"""A matrix as the product of two thin ones: the best for its own numbers, or for what comes out of it.

A matrix [rows, columns] and a pair left [rows, rank], right [rank, columns] hold rows * columns and
rank * (rows + columns) numbers. The best pair for the matrix is its truncated singular value decomposition
(Eckart and Young, 1936). What a model minds is its output, though: directions that no input takes may go
(DRONE; Chen et al., 2021), and so may those of rows that are hardly ever looked up (GroupReduce; Chen et al.,
2018). `lib.bert.alterations.factorize` and `put_factors` put the pair into a model.
"""

from __future__ import annotations

import torch
from torch import Tensor


def break_even_rank(rows: int, columns: int) -> int:
    """The largest rank whose two factors hold fewer numbers than the matrix, 0 if there is none."""
    return (rows * columns - 1) // (rows + columns)


def factorize(weight: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The two factors of this rank whose product is nearest to weight [out, in]: left and right.

    rank: from 1 to min(out, in). left [out, rank], right [rank, in]. What is lost, squared, is the sum of the
    squared singular values that are left out. Each factor gets the root of a singular value, so that both are
    of one size.
    """
    if not 1 <= rank <= min(weight.shape):
        raise ValueError(f"A rank of {rank}: give one from 1 to {min(weight.shape)}.")
    left, values, right = torch.linalg.svd(weight.detach(), full_matrices=False)
    roots = values[:rank].sqrt()
    return left[:, :rank] * roots, roots[:, None] * right[:rank]


def factorize_for_inputs(weight: Tensor, inputs: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The two factors of this rank whose product answers these inputs [N, in] best: left and right.

    Of all pairs ||inputs @ weight.T - inputs @ (left @ right).T|| is the least. weight [out, in], left
    [out, rank], right [rank, in]. left holds the main directions of the outputs, right what of the weight
    leads into them. With the identity for inputs, the product is that of `factorize`.
    """
    _validate_rank(weight, rank)
    basis, inner = torch.linalg.qr(weight.detach())  # [out, k], [k, in]: outputs lie in no more than k = in
    left = basis @ main_directions(inputs @ inner.T, rank)
    return left, left.T @ weight.detach()


def factorize_table(table: Tensor, counts: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The two factors of this rank with the least error in table [V, D], row v counted counts[v] >= 0 times.

    left [V, rank], right [rank, D]. Equal counts give the product of `factorize`.
    """
    _validate_rank(table, rank)
    basis = main_directions(table.detach() * counts.to(table.dtype).sqrt()[:, None], rank)  # [D, rank]
    return table.detach() @ basis, basis.T.contiguous()


def main_directions(vectors: Tensor, rank: int) -> Tensor:
    """The directions [D, rank], at right angles, that hold most of the squared length of vectors [N, D]."""
    exact = vectors.detach().double()
    _, directions = torch.linalg.eigh(exact.T @ exact)  # in ascending order
    return directions[:, -rank:].flip(1).to(vectors.dtype)


def _validate_rank(weight: Tensor, rank: int) -> None:
    if weight.dim() != 2 or not 1 <= rank <= min(weight.shape):
        raise ValueError(
            f"A rank of {rank} for a tensor of shape {list(weight.shape)}: give a matrix, and a rank from 1 "
            f"to {min(weight.shape, default=0)}."
        )
