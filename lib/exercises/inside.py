"""Putting a learner's code where the published model runs, and the reference's weights into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from torch import Tensor, nn

from lib.bert import BertConfig
from lib.exercises.checking import Unfit


def load_weights(layer: nn.Module, state: Mapping[str, Tensor]) -> None:
    """Load the reference's weights into a learner's layer; Unfit, in words, if names or shapes differ."""
    theirs, name = layer.state_dict(), type(layer).__name__
    for key, tensor in state.items():
        if key not in theirs:
            there = ", ".join(sorted(theirs)[:6]) or "none"
            raise Unfit(
                f"Your {name} has no parameter `{key}`, which checkpoints have, of shape"
                f" {list(tensor.shape)}. Yours has: {there}{' ...' if len(theirs) > 6 else ''}."
            )
        if theirs[key].shape != tensor.shape:
            shapes = f"{list(theirs[key].shape)}; it should be {list(tensor.shape)}"
            raise Unfit(f"The parameter `{key}` of your {name} has the shape {shapes}.")
    if unknown := theirs.keys() - state.keys():
        raise Unfit(f"Your {name} has a parameter `{min(unknown)}` that no checkpoint has.")
    layer.load_state_dict(state, assign=True)  # so that gradients reach the tensors of the state


def run_layer(
    candidate: Any,
    config: BertConfig,
    state: Mapping[str, Tensor],
    hidden: Tensor,
    mask: Tensor | None,
    training: bool,
) -> Tensor:
    """Build a layer of BERT, give it the reference's weights, call it in train() or eval(): [B, T, D]."""
    layer = candidate(config)
    load_weights(layer, state)
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
