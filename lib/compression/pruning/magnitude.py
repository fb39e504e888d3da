"""Which weights stay: masks from how much each weight counts, matrix by matrix, over all, or at random.

A mask is boolean, of the shape of its weight, and True where a weight is kept. Whoever prunes further and
further gets nested masks as long as what was pruned counts as 0: it is never chosen again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

#: by the paths of matrices
Tensors = Mapping[str, Tensor]
#: masks of all matrices, from how much each weight counts, and a level: sparsity, or a threshold
Choice = Callable[[Tensors, float], dict[str, Tensor]]


def magnitude_mask(weight: Tensor, sparsity: float) -> Tensor:
    """True for the weights that are kept: int(sparsity * weight.numel()) are not, those of smallest |w|.

    weight: of any shape, which is that of the mask. Of equal weights any may go.
    """
    removed = int(sparsity * weight.numel())
    sizes = weight.detach().abs().flatten()
    smallest = sizes.topk(removed, largest=False, sorted=False).indices
    mask = torch.ones_like(sizes, dtype=torch.bool)
    mask[smallest] = False
    return mask.view(weight.shape)


def keep_highest(scores: Tensor, sparsity: float) -> Tensor:
    """True for all but the int(sparsity * scores.numel()) lowest scores; which of equals go is open.

    scores: of any shape, which is that of the mask. ValueError for a sparsity outside 0 to 1.
    """
    if not 0 <= sparsity <= 1:
        raise ValueError(f"A sparsity of {sparsity}: give the share of weights to prune, from 0 to 1.")
    removed = int(sparsity * scores.numel())
    lowest = scores.flatten().topk(removed, largest=False, sorted=False).indices
    mask = torch.ones(scores.numel(), dtype=torch.bool, device=scores.device)
    mask[lowest] = False
    return mask.view(scores.shape)


def by_matrix(scores: Tensors, sparsity: float) -> dict[str, Tensor]:
    """The same share of every matrix is pruned: local pruning. Scores and masks [out, in], by path."""
    return {path: keep_highest(score, sparsity) for path, score in scores.items()}


def over_all(scores: Tensors, sparsity: float) -> dict[str, Tensor]:
    """One ranking of the weights of all matrices, so that some lose more than others: global pruning.

    Scores and masks [out, in], by path.
    """
    mask = keep_highest(torch.cat([score.flatten() for score in scores.values()]), sparsity)
    pieces = mask.split([score.numel() for score in scores.values()])
    return {path: piece.view(scores[path].shape) for path, piece in zip(scores, pieces, strict=True)}


@dataclass(frozen=True)
class AtRandom:
    """The same share of every matrix, drawn by lot: the control of every rule. Masks of a seed are nested.

    Scores, of which the shapes alone are read, and masks [out, in], by path.
    """

    seed: int = 0

    def __call__(self, scores: Tensors, sparsity: float) -> dict[str, Tensor]:
        return by_matrix({path: self._lots(path, score) for path, score in scores.items()}, sparsity)

    def _lots(self, path: str, score: Tensor) -> Tensor:
        generator = torch.Generator().manual_seed(zlib.crc32(path.encode()) + self.seed)
        return torch.rand(score.shape, generator=generator).to(score.device)
