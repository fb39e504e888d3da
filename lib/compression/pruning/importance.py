"""What each head and each neuron is worth: how much the loss would change without it, to first order.

Put a gate in front of a head, a number that is 1: the derivative of the loss by the gate says what closing it
would do, and it is the sum of context times gradient (Michel et al., 2019, equation 4). One backward pass
gives it for all heads and neurons at once:

    gradients = gate_gradients(model, batches)
    importance_of_heads(gradients, per_token)  # [H] for each layer

Over what the absolute value is taken, a token, an example or a batch, is a function of its own, since
papers and their code disagree. Sizes: B texts, H heads, T tokens, K head size, F neurons, L layers, N heads
or neurons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lib.bert.attention import split_heads
from lib.bert.hooks import hooked
from lib.bert.validation import validate_eval
from lib.compression.distillation.knowledge import heads_of
from lib.training.features import encoder_of
from lib.training.loop import Batch


def head_importance(context: Tensor, gradient: Tensor) -> Tensor:
    """What each head of a layer is worth, [H]: per token |context . gradient|, the mean over all tokens.

    context: what the heads give, before the dense layer mixes them; gradient: that of the loss by it; both
    [B, H, T, K]. The absolute value is taken token by token, as in the code of Michel et al. (2019).
    """
    return (context * gradient).sum(dim=-1).abs().mean(dim=(0, 2))


def neuron_importance_by_weights(layer: nn.Module) -> Tensor:
    """What each neuron of a layer is worth from both of its sides, [F]: DynaBERT's.

    |row of the first matrix and its bias, each times its gradient| + |column of the second times its
    gradient|, of an `EncoderLayer` after `backward()`; the second summand is what `of_all` says of the same
    batches. DynaBERT's code (Hou et al., 2020) never sets gradients to zero between batches, so that it adds
    up running totals; here the gradients are those that the layer has: `zero_grad` is the caller's.
    ValueError where it has none.
    """
    first: Any = layer.get_submodule("intermediate.dense")
    second: Any = layer.get_submodule("output.dense")
    tensors = first.weight, first.bias, second.weight
    if any(tensor.grad is None for tensor in tensors):
        raise ValueError("The feed-forward network has no gradients: call backward() on a loss before.")
    rows, biases, columns = (tensor.detach() * tensor.grad for tensor in tensors)  # [F, D], [F], [D, F]
    return (rows.sum(dim=1) + biases).abs() + columns.sum(dim=0).abs()


class GateGradients(NamedTuple):
    """What one batch says of all gates: derivatives of the loss summed over its texts, layer by layer."""

    heads: tuple[Tensor, ...]  # [B, H, T]; 0 at padding, which nobody reads
    neurons: tuple[Tensor, ...]  # [B, F, 1]: the sum over tokens, since one for each would fill the memory
    tokens: int  # that are no padding


def gate_gradients(model: nn.Module, batches: Iterable[Batch]) -> list[GateGradients]:
    """The derivatives by a gate before each head and each neuron, of a model in eval() with labels at hand.

    The loss is summed over the texts of a batch, so that a text counts the same in every batch. Weights keep
    the gradients that they have. Ours and `transformers`' models; layers may have unlike numbers of heads.
    """
    validate_eval(model)
    device = next(model.parameters()).device
    on_device = ({name: tensor.to(device) for name, tensor in batch.items()} for batch in batches)
    return [_gate_gradients(model, batch) for batch in on_device]


def _gate_gradients(model: nn.Module, batch: Batch) -> GateGradients:
    layers: list[Any] = list(encoder_of(model).encoder.layer)
    mixed = [layer.attention.output.dense for layer in layers]
    wide = [layer.output.dense for layer in layers]
    seen: dict[nn.Module, Tensor] = {}

    def remember(module: nn.Module, inputs: tuple[Any, ...]) -> tuple[Tensor, ...]:
        # a leaf of its own, whose gradient is there also where all weights are frozen
        seen[module] = inputs[0] if inputs[0].requires_grad else inputs[0].requires_grad_()
        return (seen[module], *inputs[1:])

    with torch.enable_grad(), hooked([*mixed, *wide], before=remember):
        loss = model(**batch).loss * len(batch["input_ids"])
    features = [seen[module] for module in (*mixed, *wide)]  # [B, T, H * K] and [B, T, F], each L times
    gradients = torch.autograd.grad(loss, features)
    products = [feature.detach() * gradient for feature, gradient in zip(features, gradients, strict=True)]
    heads, neurons = products[: len(layers)], products[len(layers) :]
    mask = batch.get("attention_mask")
    return GateGradients(
        tuple(
            split_heads(product, heads_of(layer.attention.self)).sum(dim=-1)
            for product, layer in zip(heads, layers, strict=True)
        ),
        tuple(product.sum(dim=1)[..., None] for product in neurons),
        int(batch["input_ids"].numel() if mask is None else mask.sum()),
    )


# --- over what the absolute value is taken ----------------------------------------------------------

#: from what each batch says of a layer's gates, [B, N, T], and the number of tokens in all: [N]
Reduction = Callable[[Sequence[Tensor], int], Tensor]


def per_token(gates: Sequence[Tensor], tokens: int) -> Tensor:
    """The mean over tokens of the absolute value at each, [N]: `head_importance`, padding not counted."""
    return _total([gate.abs().sum(dim=(0, 2)) for gate in gates]) / tokens


def per_example(gates: Sequence[Tensor], tokens: int) -> Tensor:
    """The mean over texts of the absolute value of each text's, [N]: as defined in Michel et al. (2019)."""
    return torch.cat([gate.sum(dim=2) for gate in gates]).abs().mean(dim=0)


def per_batch(gates: Sequence[Tensor], tokens: int) -> Tensor:
    """The mean over batches, [N]: what a gate that a batch shares can see; texts may cancel each other."""
    return torch.stack([gate.sum(dim=(0, 2)) for gate in gates]).abs().mean(dim=0)


def running_totals(gates: Sequence[Tensor], tokens: int) -> Tensor:
    """`per_batch`, [N], with gradients that nobody sets to zero: the first batches count in all later ones.

    This is what `run_bertology` of `transformers` computes for heads, and DynaBERT's code for neurons.
    """
    return torch.stack([gate.sum(dim=(0, 2)) for gate in gates]).cumsum(dim=0).abs().mean(dim=0)


def of_all(gates: Sequence[Tensor], tokens: int) -> Tensor:
    """The absolute value of the sum over everything, [N], all batches taken as one."""
    return _total([gate.sum(dim=(0, 2)) for gate in gates]).abs()


def _total(parts: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(parts)).sum(dim=0)


def importance_of_heads(gradients: Sequence[GateGradients], reduction: Reduction = per_token) -> list[Tensor]:
    """What each head is worth, [H] for each layer; ValueError without batches."""
    return _reduced([batch.heads for batch in gradients], gradients, reduction)


def importance_of_neurons(gradients: Sequence[GateGradients], reduction: Reduction = of_all) -> list[Tensor]:
    """What each neuron is worth, [F] for each layer; ValueError without batches."""
    return _reduced([batch.neurons for batch in gradients], gradients, reduction)


def importance_by_text(model: nn.Module, batches: Iterable[Batch]) -> tuple[list[Tensor], list[Tensor]]:
    """Of heads [H] and neurons [F] of each layer: what a text's loss minds each, on average, by size.

    Also of neurons the absolute value is taken text by text: over all texts together gradients of a model
    that has learned them nearly cancel, and what is left is an order that keeps fewer answers.
    """
    gradients = gate_gradients(model, batches)
    return importance_of_heads(gradients, per_example), importance_of_neurons(gradients, per_example)


def _reduced(
    gates: Sequence[tuple[Tensor, ...]], gradients: Sequence[GateGradients], reduction: Reduction
) -> list[Tensor]:
    if not gradients:
        raise ValueError("There are no batches to judge by: give one at least.")
    tokens = sum(batch.tokens for batch in gradients)
    return [reduction(layer, tokens) for layer in zip(*gates, strict=True)]


# --- layers made comparable -------------------------------------------------------------------------


def last_layer_per_example(scores: Sequence[Tensor], gradients: Sequence[GateGradients]) -> list[Tensor]:
    """`per_token` with the last layer divided by the number of texts, as in the code of Michel et al. (2019).

    scores: [N] for each layer. There only [CLS] is read by the classifier, and most tokens give 0.
    """
    tokens, texts = sum(batch.tokens for batch in gradients), sum(len(batch.heads[0]) for batch in gradients)
    return [*scores[:-1], scores[-1] * (tokens / texts)]


def layer_normalized(scores: Sequence[Tensor]) -> list[Tensor]:
    """Each layer's scores [N] divided by their L2 norm, which makes layers alike (Michel et al., 2019).

    What a layer was multiplied by before, as in `last_layer_per_example`, makes no difference then.
    """
    return [layer / (layer.norm() + 1e-20) for layer in scores]
