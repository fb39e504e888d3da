"""Fine-tuning in full view: one step to be read; notebook 14 has the loop around it.

Runs that measure, stop early and go on after a break are those of `lib.training.finetuning`.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch.nn.functional as F
from torch import Tensor, nn
from torch.optim import Optimizer


def fine_tune_step(model: nn.Module, batch: Mapping[str, Tensor], optimizer: Optimizer, rate: float) -> float:
    """One step of fine-tuning a classifier: BERT and its head learn together.

    batch: `input_ids`, `attention_mask` and `token_type_ids` [B, T], and `labels` [B], the number of each
    row's class. The model, given all but the labels, answers with `logits` [B, C]. The gradient's norm is cut
    to 1, all groups of the optimizer get the learning rate `rate`, and the gradients are empty afterwards.
    Returns the loss before the update: nats, the mean over the rows.
    """
    inputs = {name: tensor for name, tensor in batch.items() if name != "labels"}
    logits = model(**inputs).logits  # [B, C]
    loss = F.cross_entropy(logits, batch["labels"])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()
