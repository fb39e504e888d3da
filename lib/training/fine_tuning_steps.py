"""Fine-tuning in full view: one step to be read, and the loop around it.

Runs that measure, stop early and go on after a break are those of `lib.training.finetuning`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import torch.nn.functional as F
from torch import Tensor, nn
from torch.optim import Optimizer
from tqdm import tqdm

from lib.text.tasks import TaskBatches
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay


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


def fine_tune_steps(
    model: nn.Module, batches: TaskBatches, steps: int, learning_rate: float, warmup: float = 0.1
) -> list[float]:
    """The losses of so many steps, each a call of `fine_tune_step` or of what stands in for it.

    The learning rate rises for the share `warmup` of the steps and then falls to zero. The model is left in
    eval() mode.
    """
    optimizer, schedule = adamw(model), LinearDecay(steps, learning_rate, warmup)
    model.train()  # dropout on
    # on stdout, as a notebook shows what comes on stderr as a fault
    numbers = tqdm(range(steps), unit="step", file=sys.stdout)
    losses = [fine_tune_step(model, batches(number), optimizer, schedule(number)) for number in numbers]
    model.eval()
    return losses
