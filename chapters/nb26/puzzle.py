"""The two orders of the puzzle of notebook 26, which the page names only after its question is answered."""

import torch
from torch import Tensor


def one_order(weight: Tensor) -> Tensor:
    """A number for each weight; half of the weights go, those with the lowest numbers: the size."""
    return weight.abs()


def another_order(weight: Tensor) -> Tensor:
    """A number for each weight; half of the weights go, those with the lowest numbers: drawn at random."""
    return torch.rand_like(weight)
