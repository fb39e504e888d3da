"""Distillation as an objective of the one loop: a student, its teacher, and what is matched between them.

    objective = Distillation(student, teacher, methods.hinton(temperature=2.0, alpha=0.5))
    distill(objective, batches, Recipe(epochs=2), seed=0)

Other ways of choosing text (adversarial, the hardest of neighbors) are other batches, or objectives that are
made of this one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import torch
from torch import Tensor, nn

from lib.compression.distillation.knowledge import Observation, observe
from lib.compression.distillation.matches import UNITS, Match, named, parts_of, terms_of
from lib.names import stable_name
from lib.training.loop import Batch, Objective, Term


class Distillation(Objective):
    """A student that learns from a teacher, and the maps between their layers that learn with it.

    The teacher reads what the student reads, in eval(), without gradients; it is neither trained nor saved.
    What a batch brings of it (`lib.compression.distillation.answers`) it is not asked for again; where
    batches bring all, there may be none. Both have to be on the same device.
    """

    def __init__(self, student: nn.Module, teacher: nn.Module | None, matches: Sequence[Match]) -> None:
        super().__init__()
        if not matches:
            raise ValueError("There is nothing to learn: give one match at least, such as methods.hinton().")
        self.student = student
        self.matches = named(matches)
        maps = dict.fromkeys(match.map for match in matches if isinstance(match.map, nn.Module))
        self.maps = nn.ModuleList(maps)  # what of them is trainable learns too; each once
        self._teachers = () if teacher is None else (teacher.eval(),)  # a tuple: no module of this one

    @property
    def teacher(self) -> nn.Module | None:
        return self._teachers[0] if self._teachers else None

    def train(self, mode: bool = True) -> Self:
        """Of the student and the maps; the teacher stays in eval()."""
        super().train(mode)
        for teacher in self._teachers:
            teacher.eval()
        return self

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """What matches are divided by, [] each: rows, tokens, labels."""
        units = dict.fromkeys(match.knowledge.unit for match in self.matches.values())
        return {unit: UNITS[unit](batch).sum() for unit in units}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        return self._terms(batch, batch)

    def _terms(self, batch: Batch, read: Batch) -> dict[str, Term]:
        """The terms of a student that reads `read` where its teacher reads `batch`."""
        student = observe(self.student, read, parts_of(self.matches.values()))
        return terms_of(self.matches, student, self._observed_teacher(batch), batch)

    def _observed_teacher(self, batch: Batch) -> Observation | None:
        """The teacher's run on this batch, if there is something left to ask it."""
        matches = [
            match
            for match in self.matches.values()
            if not match.knowledge.gold and match.knowledge.given not in batch
        ]
        if self.teacher is None or not matches:
            return None
        with torch.no_grad():
            return observe(self.teacher, batch, parts_of(matches))

    @property
    def fingerprint(self) -> Any:
        matches = {
            name: [match.knowledge.unit, *map(stable_name, (match.map, match.distance)), match.weight]
            for name, match in self.matches.items()
        }
        return {**super().fingerprint, "matches": matches, "teacher": self._teacher_digest}

    @cached_property
    def _teacher_digest(self) -> str | None:
        if self.teacher is None:
            return None
        digest = hashlib.sha256()
        for name, tensor in self.teacher.state_dict().items():
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
        return digest.hexdigest()
