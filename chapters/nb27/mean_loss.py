"""What a model loses, for the worth of single heads."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from lib.bert.model import PreTrainedBert


@torch.inference_mode()
def mean_loss(model: PreTrainedBert, batches: Iterable[dict[str, Tensor]]) -> float:
    """The loss of a text on average."""
    total, texts = 0.0, 0
    for batch in batches:
        total += float(model(**batch).loss) * len(batch["labels"])
        texts += len(batch["labels"])
    return total / texts
