"""Weights under a mask: what is pruned is 0 in every forward pass, whatever an optimizer does to it.

    add_masks(model)
    prune(model, 0.5)                                   # the smallest half of every encoder matrix
    prune(model, 0.5, over_all)                         # the smallest half of all of them together
    fine_tune(..., callbacks=[GradualPruning(model, CubicRamp(0.9, last=steps))])
    save_packed(model, "sparse.safetensors")            # zeros take no room: sparse_encoding

The mask stands in the forward pass, so a pruned weight gets no gradient. What momentum or decay do to the
number underneath is never seen: it counts as 0 wherever weights are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization, parametrize
from lib.compression.encodings import Encoded
from lib.compression.parts import layer_of, paths_of
from lib.compression.pruning.magnitude import Choice, by_matrix
from lib.compression.pruning.schedule import Ramp
from lib.compression.pruning.sparse_encoding import encode_sparse
from lib.names import stable_name
from lib.training.loop import Callback, Trainer


@parametrization
class Masked(nn.Module):
    """A weight times a mask, which begins by keeping all that is not 0.

    Weight [out, in] and boolean mask [out, in]; what is computed of a weight has its shape too.
    """

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.mask: Tensor
        self.register_buffer("mask", weight.detach() != 0)

    def forward(self, weight: Tensor) -> Tensor:
        return weight * self.mask

    def importance(self, weight: Tensor) -> Tensor:
        """How much each weight counts where masks are chosen; what is pruned already counts 0."""
        return self.forward(weight).detach().abs()

    def encode(self, weight: Tensor) -> Encoded:
        """As few bytes as its zeros allow."""
        return encode_sparse(self.forward(weight).detach())


def add_masks(model: nn.Module, paths: Sequence[str] | None = None, kind: str = Masked.__name__) -> None:
    """Put the weights at `paths`, all Linears of the layers if not given, under masks that keep all.

    kind: the name of a parametrization, Masked or one of its children. ValueError where no layers are known.
    """
    for path in _matrices_of_layers(model) if paths is None else paths:
        parametrize(model, path, kind)


def _matrices_of_layers(model: nn.Module) -> list[str]:
    """The Linears of all layers: tables, biases, norms, pooler and head stay whole."""
    linears = [path for path in paths_of(model) if isinstance(model.get_submodule(path), nn.Linear)]
    found = [path for path in linears if layer_of(path) is not None]
    if not found:
        raise ValueError(f"This {type(model).__name__} has no layers that are known: name the paths.")
    return found


def prune(model: nn.Module, level: float, choice: Choice = by_matrix) -> None:
    """Choose the masks of a model anew, for a sparsity or whatever else the choice takes for a level."""
    by_path = dict(_masked(model))
    scores = {path: masked.importance(weight) for path, (masked, weight) in by_path.items()}
    set_masks(model, choice(scores, level))


def set_masks(model: nn.Module, masks: Mapping[str, Tensor]) -> None:
    """Give the weights at these paths these masks, boolean [out, in]; ValueError if a weight has none yet."""
    by_path = dict(_masked(model))
    for path, mask in masks.items():
        if path not in by_path:
            raise ValueError(f"The weight of {path} has no mask: call add_masks(model, [...]) first.")
        by_path[path][0].mask.copy_(mask)


def masks_of(model: nn.Module) -> dict[str, Tensor]:
    """Copies of all masks of a model, boolean [out, in] by path; none without `add_masks`."""
    return {path: masked.mask.clone() for path, (masked, _) in _masked(model)}


def originals(model: nn.Module) -> dict[str, tuple[Tensor, nn.Parameter]]:
    """Each mask of a model and the weight underneath, both [out, in], themselves and no copies, by path."""
    return {path: (masked.mask, weight) for path, (masked, weight) in _masked(model)}


def _masked(model: nn.Module) -> Iterator[tuple[str, tuple[Masked, nn.Parameter]]]:
    """Each mask of a model and the number underneath, by the path of the module."""
    for path, module in model.named_modules():
        steps: Any = getattr(getattr(module, "parametrizations", None), "weight", ())
        for step in steps:
            if isinstance(step, Masked):
                yield path, (step, steps.original)


class Remaining(NamedTuple):
    """How many weights are left, of those under masks and of the whole model."""

    masked: int  # weights under masks
    kept: int  # those of them that are not 0
    rest: int  # parameters that no mask is on

    @property
    def of_masked(self) -> float:
        """How many times fewer weights the masked matrices have now: what papers like to print."""
        return self.masked / self.kept

    @property
    def of_model(self) -> float:
        """How many times fewer the whole model has."""
        return (self.masked + self.rest) / (self.kept + self.rest)


def remaining(model: nn.Module) -> Remaining:
    """What pruning left of a model; a tensor that is used twice counts once, and scores are no part of it."""
    by_path = dict(_masked(model))
    inside = {id(tensor) for masked, weight in by_path.values() for tensor in (weight, *masked.parameters())}
    return Remaining(
        sum(weight.numel() for _, weight in by_path.values()),
        sum(int(masked(weight).count_nonzero()) for masked, weight in by_path.values()),
        sum(parameter.numel() for parameter in model.parameters() if id(parameter) not in inside),
    )


class GradualPruning(Callback):
    """After each step, a model's masks are chosen for the level that a ramp has reached.

    Where the level stays, so do the masks: `every` of a ramp saves the ranking. A choice that ranks what
    learns besides, as the scores of movement pruning, is made anew all the same if `every` of this callback
    says so.
    """

    def __init__(
        self, model: nn.Module, ramp: Ramp, choice: Choice = by_matrix, every: int | None = None
    ) -> None:
        self.model, self.ramp, self.choice, self.every = model, ramp, choice, every

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        step = trainer.steps_done
        level = self.ramp(step)
        is_due = self.every is not None and step % self.every == 0
        if is_due or level != self.ramp(step - 1):
            with torch.no_grad():
                prune(self.model, level, self.choice)

    @property
    def fingerprint(self) -> Any:
        return [type(self).__name__, stable_name(self.ramp), stable_name(self.choice), self.every]
