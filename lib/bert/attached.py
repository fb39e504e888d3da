"""Something beside a model's own modules, which acts through hooks: the names of all other tensors stay."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle


class Attached(nn.Module):
    """A module that was attached to another, its owner.

    Its hooks are its own methods, so that a copy of the model has hooks that lead to the copy's modules.
    """

    handles: tuple[RemovableHandle, ...] = ()  # of those hooks


def attach(owner: nn.Module, name: str, attached: Attached, like: Tensor) -> None:
    """Make it a child of `owner`, of the type and on the device of the tensor `like`; its hooks come next."""
    if hasattr(owner, name):
        raise ValueError(f"This {type(owner).__name__} has a {name} already: remove_added(model) removes it.")
    owner.add_module(name, attached.to(like).train(owner.training))


def detach(owner: nn.Module, name: str) -> None:
    """Undo `attach`, hooks and all."""
    attached: Any = getattr(owner, name)
    for handle in attached.handles:
        handle.remove()
    delattr(owner, name)
