"""What was added to a model by adapters, low-rank updates, prefixes and prompts: named, and removed.

On our models and on `transformers`', since their parts have the same names.
"""

from __future__ import annotations

import re

from torch import nn

from lib.bert.adapters import LoRA
from lib.bert.alterations import Change, changes_of, note
from lib.bert.attached import Attached, detach
from lib.bert.surgery import unparametrize

ATTACHING = {"add_adapter", "add_ghosts", "add_prefix", "add_prompt"}  # alterations that end in `attach`


def layer_paths(model: nn.Module, part: str) -> list[str]:
    """The paths of a part of every layer, such as "attention.output", in their order; ValueError if none."""
    paths = [name for name, _ in model.named_modules() if re.search(rf"layer\.\d+\.{re.escape(part)}$", name)]
    if not paths:
        raise ValueError(
            f"No layer of {type(model).__name__} has a part {part}: give one as 'attention.self.query' is."
        )
    return paths


def added_parameters(model: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that were added, by name: all others can be frozen."""
    return {
        f"{path}.{name}".lstrip("."): parameter
        for path, module in model.named_modules()
        if isinstance(module, Attached | LoRA)
        for name, parameter in module.named_parameters()
    }


def remove_added(model: nn.Module) -> None:
    """Remove all that was added: the model computes and is saved as before.

    Its own weights stay as they are now, so they are those of before if they were frozen.
    """
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if isinstance(child, Attached):
                detach(owner, name)
        for tensor, steps in list(getattr(owner, "parametrizations", nn.ModuleDict()).items()):
            if all(isinstance(step, LoRA) for step in steps):
                unparametrize(owner, tensor, keep_value=False)
            else:
                for number in reversed(range(len(steps))):
                    if isinstance(steps[number], LoRA):
                        del steps[number]
    note(model, tuple(change for change in changes_of(model) if not _adds(change)))


def _adds(change: Change) -> bool:
    return change.name in ATTACHING or change.arguments.get("kind") == "LoRA"
