"""FreeLB: a student that reads its word vectors a little moved, to where it does worst (Zhu et al., 2020).

A perturbation of all word vectors of a text begins at random and climbs the loss in a few ascents, each by
a step of fixed length along the gradient. Every ascent is a micro-batch of the loop: one backward pass gives
the gradient of the weights, which add up to a mean over the ascents, and that of the perturbation, which the
next ascent starts from. So K ascents cost K passes, none of them for the perturbation alone.

    objective = FreeLB(student, teacher, matches)
    Trainer(objective, Ascents(batches, 3), ..., gradient_accumulation=3)

Sizes in the comments: B texts, T tokens, D hidden size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from lib.compression.distillation.knowledge import real_tokens
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.training.features import encoder_of
from lib.training.loop import Batch, Batches, Term

ASCENT = "ascent"  # in a batch: the number of its ascent, from 0


@dataclass(frozen=True)
class Ascents:
    """Each batch `count` times in a row, with the number of its ascent; one process reads them all."""

    batches: Batches
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"{self.count} ascents: give 1 at least, which is a random perturbation.")

    @property
    def fingerprint(self) -> dict[str, Any]:
        return {"kind": "ascents", "batches": self.batches.fingerprint, "count": self.count}

    def __call__(self, number: int) -> Batch:
        place, ascent = divmod(number, self.count)
        return {**self.batches(place), ASCENT: torch.tensor(ascent)}


class FreeLB(Distillation):
    """A distillation, or with labels alone a fine-tuning, whose student reads perturbed word vectors.

    start: how far the random beginning lies from the text at most. rate: the length of an ascent. radius: the
    farthest that a perturbation may lie. All three are norms over the T * D numbers of a text. The paper has
    one number for start and radius, the official code two. Dropout is drawn once for all ascents of a batch.
    """

    def __init__(
        self,
        student: nn.Module,
        teacher: nn.Module | None,
        matches: Sequence[Match],
        start: float = 0.1,
        rate: float = 0.1,
        radius: float = 0.5,
    ) -> None:
        super().__init__(student, teacher, matches)
        if min(start, rate, radius) < 0:
            raise ValueError(f"Start {start}, rate {rate}, radius {radius}: give lengths from 0.")
        self.start, self.rate, self.radius = start, rate, radius
        self._perturbation: Tensor | None = None
        self._random_state = torch.get_rng_state()

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        if ASCENT not in batch:
            raise ValueError("A batch has no number of an ascent: give Ascents(batches, count).")
        ids = batch["input_ids"]
        vectors = encoder_of(self.student).embeddings.word_embeddings(ids)  # [B, T, D]
        if int(batch[ASCENT]) == 0:
            moved = random_perturbation(real_tokens(batch), vectors.size(-1), self.start)
            self._random_state = torch.get_rng_state()
        else:
            moved = self._climbed()
            torch.set_rng_state(self._random_state)  # the same dropout as in the ascent before
        self._perturbation = moved.requires_grad_()
        read = {**batch, "inputs_embeds": vectors + self._perturbation}
        del read["input_ids"]
        return self._terms(batch, read)  # the teacher, if he is asked, reads the text as it is

    def _climbed(self) -> Tensor:
        last = self._perturbation
        if last is None or last.grad is None:
            raise ValueError("This ascent has none before it: train with gradient_accumulation=count.")
        return climbed(last.detach(), last.grad, self.rate, self.radius)


def random_perturbation(real: Tensor, size: int, norm: float) -> Tensor:
    """Numbers of a uniform distribution, [B, T, D], 0 on padding, real [B, T] saying what is none.

    Each lies between -norm / sqrt(N) and norm / sqrt(N), N being the numbers of a text that are no padding,
    so that a text's norm is `norm` at most.
    """
    drawn = 2 * torch.rand(*real.shape, size, device=real.device) - 1
    numbers = real.sum(dim=1) * size  # [B]
    return drawn * real[..., None] * (norm / numbers.sqrt())[:, None, None]


def climbed(perturbation: Tensor, gradient: Tensor, rate: float, radius: float) -> Tensor:
    """One ascent: a step of length `rate` along each text's gradient, and back into the ball, [B, T, D]."""
    lengths = gradient.flatten(1).norm(dim=1).clamp(min=1e-8)  # [B]
    moved = perturbation + rate * gradient / lengths[:, None, None]
    norms = moved.flatten(1).norm(dim=1)
    return moved * (radius / norms.clamp(min=1e-8)).clamp(max=1)[:, None, None]
