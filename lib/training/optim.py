"""Optimizers: which parameter learns how fast and is decayed how much, and what is remembered of each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

LR_FACTOR = "lr_factor"  # of a group: what the schedule's learning rate is multiplied by

#: a number for a parameter, given its name and itself
OfParameter = Callable[[str, nn.Parameter], float]


def same_rate(name: str, parameter: nn.Parameter) -> float:
    """All parameters learn at the schedule's rate."""
    return 1.0


def decay_matrices(decay: float) -> OfParameter:
    """Matrices are decayed; biases, norms and step sizes, which have one dimension or none, are not."""
    return lambda name, parameter: decay if parameter.dim() > 1 else 0.0


def parameter_groups(
    module: nn.Module, rate_of: OfParameter = same_rate, decay_of: OfParameter | None = None
) -> list[dict[str, Any]]:
    """An optimizer's groups, in which every trainable parameter of the module has its place.

    rate_of: what the schedule's learning rate is multiplied by for a parameter. decay_of: its weight decay;
    without it 0.01 for matrices. ValueError where one of the two is no finite number from 0.
    """
    decay_of = decay_of or decay_matrices(0.01)
    groups: defaultdict[tuple[float, float], list[nn.Parameter]] = defaultdict(list)
    for name, parameter in module.named_parameters():
        if parameter.requires_grad:
            rate, decay = rate_of(name, parameter), decay_of(name, parameter)
            _validate_number(name, "learning-rate factor", rate)
            _validate_number(name, "weight decay", decay)
            groups[rate, decay].append(parameter)
    if not groups:
        raise ValueError(f"Nothing in this {type(module).__name__} is trainable: every parameter is frozen.")
    return [
        {"params": parameters, LR_FACTOR: rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def _validate_number(name: str, what: str, number: object) -> None:
    if not isinstance(number, int | float) or not (math.isfinite(number) and number >= 0):
        raise ValueError(
            f"{name} has the {what} {number}: give a finite number from 0, or freeze it with "
            "requires_grad_(False)."
        )


def adamw(
    module: nn.Module,
    weight_decay: float = 0.01,
    rate_of: OfParameter = same_rate,
    betas: tuple[float, float] = (0.9, 0.999),
) -> torch.optim.AdamW:
    """AdamW (Loshchilov and Hutter, 2019) in one kernel; biases, norms and step sizes are not decayed."""
    groups = parameter_groups(module, rate_of, decay_matrices(weight_decay))
    return torch.optim.AdamW(groups, betas=betas, fused=True)


def validate_coverage(optimizer: Optimizer, module: nn.Module) -> None:
    """ValueError where a trainable parameter of the module is not the optimizer's, and would never learn, or
    where one of the optimizer's is not the module's, and would be in no checkpoint."""
    covered = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    if covered - {id(parameter) for parameter in module.parameters()}:
        raise ValueError(
            f"The optimizer has a parameter that is none of this {type(module).__name__}'s: make the "
            "optimizer with parameter_groups(objective), after whatever gives the model other parameters."
        )
    for name, parameter in module.named_parameters():
        if parameter.requires_grad and id(parameter) not in covered:
            raise ValueError(
                f"{name} is trainable, but the optimizer does not have it: make the optimizer with "
                "parameter_groups(objective), before anything is frozen, or freeze it to the end."
            )


def optimizer_state(optimizer: Optimizer, module: nn.Module) -> dict[str, Tensor]:
    """What an optimizer remembers of each of the module's parameters, as NAME/KEY."""
    names = {id(parameter): name for name, parameter in module.named_parameters()}
    return {
        f"{names[id(parameter)]}/{key}": value
        for parameter, remembered in optimizer.state.items()
        for key, value in remembered.items()
    }


def load_optimizer_state(optimizer: Optimizer, module: nn.Module, stored: dict[str, Tensor]) -> None:
    """Give an optimizer back what `optimizer_state` read, by the names of the module's parameters."""
    remembered: defaultdict[str, dict[str, Tensor]] = defaultdict(dict)
    for path, value in stored.items():
        name, _, key = path.rpartition("/")
        remembered[name][key] = value
    names = {id(parameter): name for name, parameter in module.named_parameters()}
    order = [names[id(parameter)] for group in optimizer.param_groups for parameter in group["params"]]
    unknown = sorted(remembered.keys() - set(order))
    if unknown:
        raise ValueError(f"The optimizer has no {unknown[0]}, of which the checkpoint remembers something.")
    state = {place: remembered[name] for place, name in enumerate(order) if name in remembered}
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
