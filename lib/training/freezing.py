"""Freezing: which weights learn, from when on, and how fast.

A frozen weight has `requires_grad` False: no gradient is computed for it, and its `grad` stays None, which
makes optimizers skip it, weight decay included. A gradient of zeros is another matter: with it, weight decay
and momentum go on moving a weight.

A model has parts: the embeddings, layer 0 and so on, the pooler, and the head, which is all the rest. They
are told by the names of parameters, which our models and those of `transformers` share; what is put into a
layer (`parametrizations.weight.original`, an adapter) belongs to that layer. A matrix with two names, as a
masked-LM head has the word vectors, belongs to the part that is named first: the embeddings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from torch import nn

from lib.training.loop import Callback, Trainer
from lib.training.optim import OfParameter

EMBEDDINGS, POOLER, HEAD = "embeddings", "pooler", "head"

_LAYER = re.compile(r"(?:^|\.)encoder\.layer\.(\d+)\.")
_OUTSIDE = re.compile(rf"(?:^|\.)({EMBEDDINGS}|{POOLER})\.")


def parameter_part(name: str) -> str:
    """The part a parameter belongs to: "embeddings", "layer 0" and so on, "pooler", or "head"."""
    if found := _LAYER.search(name):
        return f"layer {found[1]}"
    found = _OUTSIDE.search(name)
    return found[1] if found else HEAD


def parts(model: nn.Module) -> dict[str, list[nn.Parameter]]:
    """The parameters of each part that the model has, from the bottom to the top: the head last."""
    by_part: dict[str, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        by_part.setdefault(parameter_part(name), []).append(parameter)
    return dict(sorted(by_part.items(), key=lambda item: _height(item[0])))


def _height(part: str) -> tuple[int, int]:
    """Where a part stands: its floor, and among layers the number."""
    if part.startswith("layer "):
        return 1, int(part.removeprefix("layer "))
    return {EMBEDDINGS: 0, POOLER: 2, HEAD: 3}[part], 0


# --- what learns ----------------------------------------------------------------------------------


def freeze(model: nn.Module, *patterns: str) -> None:
    """Freeze all parameters whose name, or whose part's name, one of the patterns fits; the others stay.

    Patterns are those of `fnmatch`: "embeddings", "layer [0-3]", "*.LayerNorm.*". What gradient they had is
    dropped, for an optimizer would go on by it. ValueError where a pattern fits nothing.
    """
    for parameter in _matching(model, patterns):
        _set_trainable(parameter, False)


def train_only(model: nn.Module, *patterns: str) -> None:
    """Freeze everything but the parameters that the patterns fit, as in `freeze`, and let those learn."""
    chosen = {id(parameter) for parameter in _matching(model, patterns)}
    for parameter in model.parameters():
        _set_trainable(parameter, id(parameter) in chosen)


def train_top(model: nn.Module, k: int) -> None:
    """Let the top `k` encoder layers, the pooler and the head learn, and nothing below.

    With k = 0 that is the head and the pooler, which is not part of a published encoder's layers and which a
    checkpoint may lack as it may lack the head (`head_prefixes`); with as many as there are layers it is
    everything but the embeddings. For everything: `model.requires_grad_(True)`.
    """
    found = list(parts(model))
    layers = [part for part in found if part.startswith("layer ")]
    if not 0 <= k <= len(layers):
        raise ValueError(f"The top {k} of {len(layers)} layers: give a number from 0 to {len(layers)}.")
    chosen = [*layers[len(layers) - k :], *(part for part in (POOLER, HEAD) if part in found)]
    if not chosen:
        raise ValueError(
            f"This {type(model).__name__} has neither pooler nor head, so with 0 layers nothing is left that "
            "could learn: take one layer at least, or a model with a head."
        )
    train_only(model, *chosen)


def _matching(model: nn.Module, patterns: Sequence[str]) -> list[nn.Parameter]:
    named = dict(model.named_parameters())
    for pattern in patterns:
        if not any(_fits(name, pattern) for name in named):
            raise ValueError(
                f"No parameter's name fits {pattern!r}: take a part, such as {', '.join(parts(model))}, or a "
                f"pattern of names, such as {next(iter(named))}."
            )
    return [
        parameter for name, parameter in named.items() if any(_fits(name, pattern) for pattern in patterns)
    ]


def _fits(name: str, pattern: str) -> bool:
    """Whether a parameter's name, or that of its part, fits."""
    return fnmatchcase(name, pattern) or fnmatchcase(parameter_part(name), pattern)


def _set_trainable(parameter: nn.Parameter, trainable: bool) -> None:
    parameter.requires_grad_(trainable)
    if not trainable:
        parameter.grad = None


class GradualUnfreezing(Callback):
    """First the head learns, with the pooler; then every `every` steps one more part, from the top down.

    That is the last layer, those below it, and the embeddings (Howard and Ruder, 2018, section 3.3, where a
    step is an epoch). What learns in a step follows from its number alone, so a run that was killed goes on
    exactly. Make it before the optimizer, while everything can learn that ever shall: it freezes when the
    first step begins, and what is frozen before it is made stays so to the end. Parts that are frozen whole
    take no turn.
    """

    def __init__(self, model: nn.Module, every: int):
        if every < 1:
            raise ValueError(f"One more part every {every} steps: give at least 1.")
        self.every = every
        learning = {
            part: [parameter for parameter in parameters if parameter.requires_grad]
            for part, parameters in parts(model).items()
        }
        top = [parameter for part in (POOLER, HEAD) for parameter in learning.pop(part, [])]
        below = {part: parameters for part, parameters in reversed(learning.items()) if parameters}
        #: what is thawed together, by name, in its turn
        self.stages = ({HEAD: top} if top else {}) | below
        if not self.stages:
            raise ValueError(
                f"Everything in this {type(model).__name__} is frozen, so there is nothing to thaw: call "
                "model.requires_grad_(True) before."
            )

    def thawed(self, step: int) -> list[str]:
        """The stages that learn in a step, counted from 0."""
        return list(self.stages)[: 1 + step // self.every]

    def before_step(self, trainer: Trainer) -> None:
        if trainer.accelerator.num_processes > 1:
            raise ValueError(
                "Several processes exchange the gradients of what could learn at the beginning, so nothing "
                "can be thawed in between: use one process, or freeze to the end."
            )
        thawed = self.thawed(trainer.steps_done)
        for stage, parameters in self.stages.items():
            for parameter in parameters:
                _set_trainable(parameter, stage in thawed)

    @property
    def fingerprint(self) -> dict[str, Any]:
        stages = [[stage, len(parameters)] for stage, parameters in self.stages.items()]
        return {"kind": type(self).__name__, "every": self.every, "stages": stages}


# --- how fast -------------------------------------------------------------------------------------


def layer_rates(num_layers: int, top: float, decay: float) -> list[float]:
    """A learning rate for the embeddings and each layer, num_layers + 1 of them, the embeddings first.

    The last layer learns at `top`, every one below at `decay` times the rate above it (Howard and Ruder,
    2018, section 3.2, with decay = 1 / 2.6).
    """
    return [top * decay ** (num_layers - place) for place in range(num_layers + 1)]


def layer_factors(rates: Sequence[float], peak: float) -> OfParameter:
    """Rates as `adamw` and `parameter_groups` take them: by what the schedule's rate is multiplied.

    rates: as `layer_rates` gives them, the embeddings first. peak: the schedule's highest rate, at which the
    pooler and the head learn. ValueError, when it is used, for a layer that has no rate.
    """
    if not peak > 0:
        raise ValueError(f"The schedule's highest rate is {peak}: give a number above 0.")

    def factor(name: str, parameter: nn.Parameter) -> float:
        part = parameter_part(name)
        if part in (POOLER, HEAD):
            return 1.0
        place = 0 if part == EMBEDDINGS else 1 + int(part.removeprefix("layer "))
        if place >= len(rates):
            raise ValueError(
                f"{name} is in {part}, and there are rates for the embeddings and {len(rates) - 1} layers: "
                "give layer_rates the model's own number of layers."
            )
        return rates[place] / peak

    return factor
