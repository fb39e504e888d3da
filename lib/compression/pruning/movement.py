"""Movement pruning: weights stay that training moves away from 0 (Sanh, Wolf and Rush, 2020).

    add_scores(model)
    objective = FineTuning(model)                             # hard: the highest scores of each matrix stay
    GradualPruning(model, CubicRamp(0.9, last=steps), by_matrix, every=1)
    objective = SoftlyPruned(FineTuning(model), model)        # soft: all scores above a threshold stay
    GradualPruning(model, CubicRamp(THRESHOLD, last=steps), above_threshold, every=1)

Both need an optimizer with `score_rate(...)` and `decay_of_weights()`: scores learn some hundred times
faster than weights. In the hard form only their order counts, and Adam's rate does not change it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.pruning.magnitude import Tensors, keep_highest
from lib.compression.pruning.masks import Masked, add_masks
from lib.compression.pruning.schedule import Ramp
from lib.compression.quantizers.fake import straight_through
from lib.names import stable_name
from lib.training.loop import Batch, Callback, Objective, Term, Trainer
from lib.training.optim import OfParameter, decay_matrices

#: of the sigmoid of a score, in the soft form, at its end; and how heavily scores weigh there
THRESHOLD, STRENGTH = 0.1, 400.0
#: of a matrix, whatever its scores: the code of the paper's authors leaves half a percent
LEAST_KEPT = 0.005


def movement_update(scores: Tensor, weight: Tensor, gradient: Tensor, learning_rate: float) -> Tensor:
    """The scores after a step of gradient descent: the score of a weight that moves away from 0 grows.

    All of the shape of the weight; gradient: of the loss, for the masked weight that the model computed with.
    It is taken for pruned weights too, so that they may return.
    """
    return scores - learning_rate * gradient * weight


def add_to_score(score: Tensor, weight: Tensor, gradient: Tensor) -> Tensor:
    """The scores after one more batch, by whose gradient the loss changes by about -g * w without a weight w.

    All of one shape. The products add up with their sign: those of batches that disagree cancel.
    """
    return score - gradient * weight


@parametrization
class Movement(Masked):
    """A weight times a mask, and a score for each weight that learns as if it stood in the mask's place.

    The mask is made of the scores outside (`GradualPruning`) and counts, for their gradient, as the scores
    themselves: straight through. So the gradient of a score is that of the masked weight times the weight,
    also where the weight is pruned; that of the weight stops at the mask.
    Weight, mask and scores are [out, in].
    """

    def __init__(self, weight: Tensor) -> None:
        super().__init__(weight)
        self.scores = nn.Parameter(torch.zeros_like(weight))

    def forward(self, weight: Tensor) -> Tensor:
        return weight * straight_through(self.mask.to(weight.dtype), like=self.scores)

    def importance(self, weight: Tensor) -> Tensor:
        """The scores: they, not the weights, are ranked."""
        return self.scores.detach()


def add_scores(model: nn.Module, paths: list[str] | None = None) -> None:
    """Put weights, those of `add_masks`, under masks whose scores learn."""
    add_masks(model, paths, Movement.__name__)


def above_threshold(scores: Tensors, threshold: float) -> dict[str, Tensor]:
    """Masks of the soft form: a weight stays where the sigmoid of its score is above the threshold.

    Half a percent of each matrix stays in any case. How much is pruned is not said, but learned.
    Scores and masks are [out, in], by path.
    """
    masks = {}
    for path, score in scores.items():
        mask = score.sigmoid() > threshold
        is_enough = mask.float().mean() >= LEAST_KEPT
        masks[path] = mask if is_enough else keep_highest(score, 1 - LEAST_KEPT)
    return masks


def score_rate(factor: float) -> OfParameter:
    """Scores learn `factor` times as fast as all else; 1e-2 and 3e-5 in the paper's runs."""
    return lambda name, _parameter: factor if is_score(name) else 1.0


def decay_of_weights(decay: float = 0.01) -> OfParameter:
    """Matrices are decayed, scores are not."""
    of_matrices = decay_matrices(decay)
    return lambda name, parameter: 0.0 if is_score(name) else of_matrices(name, parameter)


def is_score(name: str) -> bool:
    """Whether a parameter of this name is a score of `Movement`."""
    return name.endswith(".scores")


class SoftlyPruned(Objective):
    """An objective and, beside it, `strength` times the mean of the sigmoids of all scores of a model.

    Without it no score would have a reason to fall. A matrix counts as much as any other, whatever its size,
    as in the authors' code. The strength is 0 until somebody sets it: `PenaltyGrows`.
    """

    def __init__(self, objective: Objective, model: nn.Module) -> None:
        super().__init__()
        self.objective = objective
        self.strength = 0.0
        self._scored = tuple(module for module in model.modules() if isinstance(module, Movement))
        if not self._scored:
            raise ValueError("The model has no scores to be pruned by: call add_scores(model) first.")

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """Those of the objective inside; the penalty is a mean over micro-batches."""
        return {**self.objective.counts(batch), "batches": 1}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        terms: dict[str, Term] = self.objective(**batch)
        return {**terms, "score_penalty": Term(self.penalty(), "batches", self.strength)}

    def penalty(self) -> Tensor:
        """The mean over matrices of the mean sigmoid of their scores, []: from 0 to 1."""
        return torch.stack([module.scores.sigmoid().mean() for module in self._scored]).mean()

    @property
    def fingerprint(self) -> Any:
        return {**super().fingerprint, "objective": self.objective.fingerprint}


class PenaltyGrows(Callback):
    """The strength of a penalty grows with the threshold, to `strength` where the ramp reaches `final`."""

    def __init__(
        self, objective: SoftlyPruned, ramp: Ramp, final: float = THRESHOLD, strength: float = STRENGTH
    ) -> None:
        self.objective, self.ramp, self.final, self.strength = objective, ramp, final, strength

    def before_step(self, trainer: Trainer) -> None:
        self.objective.strength = self.strength * self.ramp(trainer.steps_done) / self.final

    @property
    def fingerprint(self) -> Any:
        return [type(self).__name__, stable_name(self.ramp), self.final, self.strength]
