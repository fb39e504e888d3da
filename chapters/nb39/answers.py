"""The answers to the exercises of notebook 39, in plain PyTorch.

Sizes in the comments: Q questions, N texts, D hidden size.
"""

from __future__ import annotations

import torch
from torch import Tensor


def recall_at(scores: Tensor, right: Tensor, k: int) -> float:
    """The share of questions whose right text is among the k best; equal scores count against it.

    scores [Q, N], right int64 [Q]: the column of each question's right text.
    """
    of_right = scores.gather(1, right[:, None])  # [Q, 1]
    as_good = (scores >= of_right).sum(dim=1)  # [Q], the right text among them
    return (as_good <= k).float().mean().item()


def answer_with_source(question: Tensor, vectors: Tensor, threshold: float) -> int | None:
    """The place of the vector [N, D] with the greatest cosine with the question [D].

    None where that cosine is below the threshold.
    """
    lengths = vectors.norm(dim=1) * question.norm()  # [N]
    cosines = vectors @ question / lengths  # [N]
    best = int(cosines.argmax())
    if cosines[best] < threshold:
        return None
    return best


def central_sentences(vectors: Tensor, k: int) -> list[int]:
    """The places of the k vectors [N, D] with the greatest sums of cosines with all, ascending."""
    units = vectors / vectors.norm(dim=1, keepdim=True)  # [N, D]
    sums = (units @ units.T).sum(dim=1)  # [N]
    best = torch.topk(sums, min(k, len(vectors))).indices
    return sorted(best.tolist())
