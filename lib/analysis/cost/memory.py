"""What autograd keeps for the backward pass."""

from collections.abc import Callable

import torch
from torch import Tensor, nn


def kept_bytes(model: nn.Module, call: Callable[[], object]) -> int:
    """The bytes that autograd keeps in one call: each storage once, the weights left out."""
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    tensors: dict[int, Tensor] = {}  # the tensors themselves, so that no address is given out twice

    def note(tensor: Tensor) -> Tensor:
        tensors[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        result = call()
    del result
    return sum(
        tensor.untyped_storage().nbytes() for address, tensor in tensors.items() if address not in weights
    )
