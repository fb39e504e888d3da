"""Running a candidate: in a state of its own, on copies of the arguments, forward and backward.

Whatever runs starts alike (gradients on, float32, seeds), and what it leaves behind is put back.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils import _device

from lib.exercises import compare

SEED = 0


class Unfit(Exception):
    """Raised by an exercise's `run` for an answer that cannot be tried: its text is the message."""


@dataclass(frozen=True)
class Outcome:
    """What a candidate did with a case: a result, or the exception that stopped it."""

    result: Any = None
    error: BaseException | None = None
    changed: tuple[int, ...] = ()  # the arguments that it wrote into
    setting: str = ""  # what it left changed in PyTorch


def call(candidate: Any, *arguments: Any) -> Any:
    """How a candidate is run on a case, unless an exercise says otherwise."""
    return candidate(*arguments)


@contextmanager
def fresh_state() -> Iterator[list[str]]:
    """The state in which everything starts; the list names what was left changed when it ends."""
    modes, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    device = _device.CURRENT_DEVICE  # torch.get_default_device fails where there is no such device
    threads = torch.get_num_threads()
    random_states = random.getstate(), np.random.get_state(), torch.get_rng_state()
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    random.seed(SEED)
    np.random.seed(SEED)
    torch.default_generator.manual_seed(SEED)  # torch.manual_seed notes the stack for a GPU, which takes long
    left: list[str] = []
    try:
        yield left
    finally:
        if not torch.is_grad_enabled():
            left.append("torch.set_grad_enabled")
        if torch.get_default_dtype() != torch.float32:
            left.append("torch.set_default_dtype")
        if _device.CURRENT_DEVICE is not None:
            left.append("torch.set_default_device")
        torch.set_grad_enabled(modes)
        torch.set_default_dtype(dtype)
        torch.set_default_device(device)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        random.setstate(random_states[0])
        np.random.set_state(random_states[1])
        torch.set_rng_state(random_states[2])


def outcome_of(run: Callable[..., Any], candidate: Any, arguments: tuple[Any, ...]) -> Outcome:
    """Run a candidate on copies of the arguments, and see whether it wrote into them."""
    copies = copy.deepcopy(arguments)
    with fresh_state() as left:
        try:
            result = run(candidate, *copies)
        except BaseException as error:  # the learner's: SystemExit and KeyboardInterrupt as well
            return Outcome(error=error)
    changed = [
        number
        for number, (now, before) in enumerate(zip(copies, arguments, strict=True))
        if isinstance(before, (Tensor, list, dict, set)) and not compare.agree(now, before, 0)
    ]
    return Outcome(result, changed=tuple(changed), setting=", ".join(left))


def gradients(
    run: Callable[..., Any], candidate: Any, names: Sequence[str], arguments: tuple[Any, ...]
) -> dict[str, Tensor | None]:
    """The gradients at floating-point arguments, by name, of a fixed random sum of the results.

    Tensors in a dict are arguments too: a state that `inside.load_weights` gives to a layer.
    """
    copies = copy.deepcopy(arguments)
    leaves: dict[str, Tensor] = {}
    for name, value in zip(names, copies, strict=False):
        if _is_real(value) and "mask" not in name:  # who would train a mask of 0 and 1?
            leaves[name] = value.requires_grad_()
        if isinstance(value, dict):
            for key in [key for key, entry in value.items() if _is_real(entry)]:
                leaves[str(key)] = value[key] = nn.Parameter(value[key])
    if not leaves:
        return {}
    with fresh_state():
        result = run(candidate, *copies)
        generator = torch.Generator().manual_seed(SEED)
        total = sum(
            (part * torch.rand(part.shape, generator=generator, dtype=part.dtype)).sum()
            for part in _tensors_in(result)
        )
        if not isinstance(total, Tensor) or not total.requires_grad:
            return dict.fromkeys(leaves)
        total.backward()
    return {name: leaf.grad for name, leaf in leaves.items()}


def _is_real(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype.is_floating_point


def _tensors_in(result: Any) -> list[Tensor]:
    """The floating-point tensors of a result that gradients can start from."""
    parts = result.values() if isinstance(result, Mapping) else result
    listed = list(parts) if isinstance(result, (Mapping, list, tuple)) else [result]
    return [part for part in listed if _is_real(part)]
