"""What a training step holds beside the weights: gradients, AdamW's averages, and activations."""

from typing import Any

import torch
from torch import nn

from lib.analysis.cost import memory


def step_megabytes(
    model: nn.Module, inputs: dict[str, Any], labels: torch.Tensor
) -> tuple[float, float, float]:
    """Megabytes of gradients, of AdamW's averages and of activations in a first step of what learns."""
    optimizer = torch.optim.AdamW([weight for weight in model.parameters() if weight.requires_grad])
    kept = memory.kept_bytes(model, lambda: model(**inputs, labels=labels).loss)
    model(**inputs, labels=labels).loss.backward()
    optimizer.step()
    gradients = sum(weight.grad.nbytes for weight in model.parameters() if weight.grad is not None)
    averages = sum(
        value.nbytes
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, torch.Tensor)
    )
    return gradients / 1e6, averages / 1e6, kept / 1e6
