"""What others print of the subject of notebook 30, and what comes out when it is computed again."""

import torch
from torch import Tensor

from lib.compression.quantizers.binary import binarize, split_ternary
from lib.compression.quantizers.ternary import ternarize
from lib.errata import Erratum

EIGHT = torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]], dtype=torch.float64)


def split_as_printed(weight: Tensor) -> tuple[Tensor, Tensor]:
    """`split_ternary` with the sums of positive and negative small weights exchanged in the share a."""
    codes, scale = ternarize(weight)
    is_zero = codes == 0
    kept, small = weight.abs()[~is_zero].sum(), (weight * is_zero).sum()
    share = (kept + small) / (2 * kept)
    shift = (weight.numel() * scale - weight.abs().sum()) / (2 * is_zero.sum())
    first = torch.where(is_zero, weight.clamp(min=0) + shift, share * weight)
    return first, weight - first


def off_by(weight: Tensor, halves: tuple[Tensor, Tensor]) -> float:
    """How far the sum of two binary weights is from the ternary one, at most."""
    codes, scale = ternarize(weight)
    (one, one_scale), (other, other_scale) = map(binarize, halves)
    return float((one * one_scale + other * other_scale - codes * scale).abs().max())


def _split() -> str:
    printed, right = (off_by(EIGHT, split(EIGHT)) for split in (split_as_printed, split_ternary))
    return (
        f"of the eight weights of notebook 20 the two binary ones are then off by up to {printed:.4f}; with"
        f" S_J and S_K exchanged, as the released code has them, by {right:.0e}"
    )


def _row_five() -> str:
    columns = [83.9, 84.2, 91.2, 90.9, 92.3, 44.4, 87.2, 83.3, 65.3]  # MNLI's two, and seven tasks
    return f"the mean of the row's {len(columns)} columns is {sum(columns) / len(columns):.1f}"


ERRATA = [
    Erratum(
        "The share a of a weight that stays in the first half of a split",
        "Bai et al., 2021, as a book chapter reprints it",
        "a = (S_I + S_J - S_K) / (2 S_I), J the positive and K the negative weights that become 0",
        _split,
        "run",
    ),
    Erratum(
        "The average of the split BERT with 4-bit activations and without further texts, on development sets",
        "Liu, Huawei, 2021, from Bai and others, 2021, table 1, row 5",
        "79.9",
        _row_five,
        "rows",
    ),
]
