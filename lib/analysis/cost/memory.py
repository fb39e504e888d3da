"""What autograd keeps for the backward pass."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from lib.bert.encoder import Encoder


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


def with_checkpoints(encoder: Encoder, hidden: Tensor) -> Tensor:
    """The encoder's last hidden state [B, T, D]; of each layer only its input is kept, and the layer is run
    again on the way back (Chen et al., 2016, section 4)."""
    for layer in encoder.layer:
        hidden = checkpoint(layer, hidden, use_reentrant=False)
    return hidden
