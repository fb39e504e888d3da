"""What alterations are made of: a module found or replaced, features selected, tensors no longer computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize as torch_parametrize

M = TypeVar("M", bound=nn.Module)


def module_at(model: nn.Module, path: str, kind: type[M]) -> M:
    """The module at `path`; ValueError if there is none, or one of another kind, or a parametrized one."""
    try:
        module = model.get_submodule(path)
    except AttributeError:
        raise ValueError(
            f"{type(model).__name__} has no module {path}: name one of model.named_modules()."
        ) from None
    if not isinstance(module, kind):
        raise ValueError(
            f"{path or 'The model'} is of type {type(module).__name__}: name a module of type "
            f"{kind.__name__}."
        )
    if kind is nn.Linear and torch_parametrize.is_parametrized(module):
        raise ValueError(f"The weights of {path} are computed: change its shape before you parametrize it.")
    return module


def module_with(model: nn.Module, path: str, *names: str) -> Any:
    """The module at `path`, if it has children of these names; ValueError if not.

    By this, and not by its class, because the parts of `transformers`' models have the same names.
    """
    module = module_at(model, path, nn.Module)
    for name in names:
        if not isinstance(getattr(module, name, None), nn.Module):
            raise ValueError(
                f"{path or 'The model'} is of type {type(module).__name__} and has no {name}: name a module "
                f"that has {', '.join(names)}."
            )
    return module


def replace_module(model: nn.Module, path: str, module: nn.Module) -> None:
    """Put another module at `path`."""
    parent, _, name = path.rpartition(".")
    setattr(model.get_submodule(parent), name, module)


def unparametrize(module: nn.Module, tensor: str, keep_value: bool) -> None:
    """Let a tensor be a plain one again, with the value that it has now or with the one underneath.

    A module and its deep copy share the class that PyTorch made for it, and would both lose the tensor. And
    PyTorch would put it last: a weight comes first, as in all layers, so that an optimizer numbers the
    parameters as before.
    """
    shared = type(module)
    module.__class__ = type(shared.__name__, shared.__bases__, dict(vars(shared)))
    torch_parametrize.remove_parametrizations(module, tensor, leave_parametrized=keep_value)
    others = [name for name, _ in module.named_parameters(recurse=False) if tensor == "weight" != name]
    for name, parameter in [(name, getattr(module, name)) for name in others]:
        delattr(module, name)
        module.register_parameter(name, parameter)


def latents_of(steps: Any) -> tuple[Tensor, ...]:
    """What a tensor is computed of, by the list of its parametrizations: one as a rule, of one's shape.

    Several where the first of them takes several.
    """
    if steps.is_tensor:
        return (steps.original,)
    return tuple(getattr(steps, f"original{number}") for number in range(steps.ntensors))


def select_features(linear: nn.Linear, kept: Sequence[int], dim: int) -> None:
    """Leave some outputs (dim 0) or some inputs (dim 1) of a dense layer, in place."""
    index = torch.tensor(kept, device=linear.weight.device)
    linear.weight = _selected(linear.weight, index, dim)
    if dim == 1:
        linear.in_features = len(kept)
        return
    linear.out_features = len(kept)
    if linear.bias is not None:
        linear.bias = _selected(linear.bias, index, 0)


def _selected(parameter: Tensor, index: Tensor, dim: int) -> nn.Parameter:
    return nn.Parameter(parameter.detach().index_select(dim, index), parameter.requires_grad)


def all_but(count: int, removed: Sequence[int], what: str) -> list[int]:
    """The numbers 0 to `count - 1` without those removed; `what` they count is for messages."""
    left_out = set(removed)
    kept = [number for number in range(count) if number not in left_out]
    if not kept or not all(0 <= number < count for number in removed):
        raise ValueError(
            f"There are {count} {what}: remove some of 0 to {count - 1}, and leave one at least."
        )
    return kept
