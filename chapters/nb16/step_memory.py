"""What a training step holds beside the weights: gradients, AdamW's averages, and activations."""

from typing import Any

import torch

from lib.bert.model import PreTrainedBert
from lib.training.finetuning import FineTuning
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay
from lib.training.step_memory import training_memory


def step_megabytes(
    model: PreTrainedBert, inputs: dict[str, Any], labels: torch.Tensor
) -> tuple[float, float, float]:
    """Megabytes of gradients, of AdamW's averages and of activations in a first step of what learns."""
    objective, batch = FineTuning(model), {**inputs, "labels": labels}
    always: Any = lambda _number: batch  # noqa: E731 (no checkpoint asks for a fingerprint)
    trainer = Trainer(objective, always, adamw(objective), LinearDecay(1, 1e-3))
    trainer.step()
    held = training_memory(trainer, batch)
    return held.gradients / 1e6, held.optimizer / 1e6, held.activations / 1e6
