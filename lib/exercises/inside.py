"""Putting a learner's code where the published model runs, and the reference's weights into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.hooks import hooked
from lib.exercises.mistakes import Invariant
from lib.exercises.running import Unfit


def load_weights(layer: nn.Module, state: Mapping[str, Tensor]) -> None:
    """Load the reference's weights into a learner's layer; Unfit, in words, if names or shapes differ."""
    own, name = layer.state_dict(), type(layer).__name__
    for key, tensor in state.items():
        if key not in own:
            there = ", ".join(sorted(own)[:6]) or "none"
            raise Unfit(
                f"Your {name} has no parameter `{key}`, which checkpoints have, of shape"
                f" {list(tensor.shape)}. Yours has: {there}{' ...' if len(own) > 6 else ''}."
            )
        if own[key].shape != tensor.shape:
            shapes = f"{list(own[key].shape)}; it should be {list(tensor.shape)}"
            raise Unfit(f"The parameter `{key}` of your {name} has the shape {shapes}.")
    if unknown := own.keys() - state.keys():
        raise Unfit(f"Your {name} has a parameter `{min(unknown)}` that no checkpoint has.")
    layer.load_state_dict(state, assign=True)  # so that gradients reach the tensors of the state


def with_weights_of(original: nn.Module, layer: nn.Module) -> nn.Module:
    """A learner's module in eval(), with the weights of the one whose place it takes."""
    weights = original.state_dict()
    layer.load_state_dict({name: weights[name] for name in layer.state_dict()})
    return layer.eval()


def layer_cases(layer: type[nn.Module], seed: int, eps: float = 0.1) -> Iterator[tuple[Any, ...]]:
    """The arguments of `run_layer`: in eval(), with a mask and without; in train(), with a rate of 1.

    What is dropped out at a rate of 1 vanishes, so dropout is judged without depending on random draws.
    """
    for length, masked, training, rate, attention_rate in (
        (3, False, False, 0.5, 0.5),
        (5, True, False, 0.5, 0.5),
        (4, False, True, 1.0, 0.0),
        (4, True, True, 0.0, 1.0),
    ):
        torch.manual_seed(seed)
        rates: dict[str, Any] = {"hidden_dropout_prob": rate, "attention_probs_dropout_prob": attention_rate}
        config = BertConfig(30, 8, 1, 2, 12, layer_norm_eps=eps, **rates)
        state = {name: t + 0.3 * torch.randn_like(t) for name, t in layer(config).state_dict().items()}
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        yield config, state, torch.randn(2, length, 8), mask[:, None, None, :] if masked else None, training


def run_layer(
    candidate: Any,
    config: BertConfig,
    state: Mapping[str, Tensor] | Iterable[tuple[str, Tensor]],
    hidden: Tensor,
    mask: Tensor | None,
    training: bool,
) -> Tensor:
    """Build a layer of BERT, give it the reference's weights, call it in train() or eval(): [B, T, D]."""
    layer = candidate(config)
    load_weights(layer, dict(state))
    result: Tensor = layer.train(training)(hidden, mask)
    return result


@contextmanager
def replaced(module: ModuleType | nn.Module, name: str, candidate: Any) -> Iterator[None]:
    """Let `candidate` stand in for `module.name` as long as the context lasts."""
    original = getattr(module, name)
    setattr(module, name, candidate)
    try:
        yield
    finally:
        setattr(module, name, original)


def computed_instead(
    model: nn.Module, kind: type[nn.Module], compute: Callable[[Any, Tensor], Tensor]
) -> AbstractContextManager[None]:
    """Let `compute(part, input)` stand in for what each part of a kind makes of what it is given."""
    parts = [part for part in model.modules() if isinstance(part, kind)]
    return hooked(parts, after=lambda part, inputs, result: compute(part, inputs[0]))


def _eval_draws_nothing(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    config, _, hidden, mask, _ = arguments
    layer = candidate(config).eval()
    return torch.equal(layer(hidden.clone(), mask), layer(hidden.clone(), mask))


def _at_most_two_dropouts(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    """What is [B, T, D]: attention written by hand drops out its weights, [B, H, T, T], as well."""
    config, _, hidden, mask, _ = arguments
    with patch.object(F, "dropout", wraps=F.dropout) as dropout:
        candidate(config).train()(hidden.clone(), mask)
    inputs = [[*call.args, *call.kwargs.values()][0] for call in dropout.call_args_list]
    return sum(tensor.dim() == hidden.dim() for tensor in inputs) <= 2


# fmt: off
DROPOUT_OF_LAYERS = (
    Invariant("dropout_in_eval", "You drop out in eval() too: called twice, your layer gives two results."
        " F.dropout does not know in which state the layer is: give it training=self.training, or use"
        " self.dropout.", _eval_draws_nothing),
    Invariant("dropped_out_too_often", "In train() you drop out too often: drop out the two updates, as they"
        " come from their last dense layer, once each, and nothing else.", _at_most_two_dropouts),
)
# fmt: on
