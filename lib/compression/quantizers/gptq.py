"""GPTQ (Frantar et al., 2022, arXiv:2210.17323): weights that are still exact make up for rounded ones.

The columns of a matrix are rounded in turn. What a column loses, the columns after it take over in shares
that depend on the layer's inputs alone, so that the mean squared error of the outputs is as small as it can
be.
"""

import torch
from torch import Tensor


def all_shares(products: Tensor) -> Tensor:
    """Of what each column loses, the shares that the columns after it take over, [columns, columns].

    products: [columns, columns], the mean of x_i x_j over the tokens; it has an inverse. Row c of the result
    holds H_RR^-1 H_Rc for the columns R after c, and 0 up to c. With L L^T = H^-1, each column of the
    Cholesky factor L, divided by its first number, holds them with the other sign.
    """
    factor = torch.linalg.cholesky(torch.linalg.inv(products.double()))
    return -(factor / factor.diagonal()).T.triu(diagonal=1).to(products.dtype)


def gptq(weight: Tensor, shares: Tensor, scale: Tensor, most: int = 3) -> Tensor:
    """Round a matrix [rows, columns] column by column to -most to most times its rows' scales [rows, 1].

    shares: [columns, columns], of `all_shares`.
    """
    weight = weight.clone()
    for column in range(len(shares)):
        rest = slice(column + 1, None)
        old = weight[:, [column]]
        new = (old / scale).round().clamp(-most, most) * scale
        change = (old - new) * shares[column, rest]
        weight[:, [column]] = new
        weight[:, rest] += change
    return weight
