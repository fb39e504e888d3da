"""How a classifier is tested: on rows that it did not learn from, as it will be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor, nn


def share_right(model: nn.Module, batches: Iterable[Mapping[str, Tensor]]) -> float:
    """The share of all rows whose class the model guesses right, from 0 to 1.

    batches: each has `input_ids` and `attention_mask` [B, T], and `labels` [B]; B may differ. The model stays
    in eval().
    """
    model.eval()
    right = 0
    rows = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"]).logits  # [B, C]
            guesses = logits.argmax(dim=-1)  # [B]
            right += (guesses == batch["labels"]).sum().item()
            rows += len(guesses)
    return right / rows
