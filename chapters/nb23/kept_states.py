"""A teacher's inside, seen once: several students read the same batches, and the teacher runs for the first.

    kept = KeptStates.of(teacher, batches, count=150)
    for student in students:
        subject.train(Distillation(student, None, matches), kept, 150, rate)

States fill memory: a batch of 16 texts of 20 pieces takes 7 states of 384 features, 1.7 MB in half precision,
whose three digits are finer than what a student's training resolves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import torch
from torch import Tensor, nn

from lib.bert.validation import validate_eval
from lib.compression.distillation.knowledge import CLS_STATES, HIDDEN, HIDDEN_STATES, LOGITS, observe
from lib.training.loop import Batch, Batches


@dataclass(frozen=True)
class KeptStates:
    """The first batches of some, each with the teacher's logits and all of its hidden states.

    Beyond the last of them it begins again with the first.
    """

    batches: Sequence[Batch]
    logits: Sequence[Tensor]  # [B, C] of each batch
    states: Sequence[Tensor]  # [B, L + 1, T, D] of each batch, half precision

    @classmethod
    def of(cls, teacher: nn.Module, batches: Batches, count: int) -> Self:
        """Ask the teacher, on its device, about so many batches; ValueError where it is in training mode."""
        validate_eval(teacher)
        device = next(teacher.parameters()).device
        chosen = [batches(number) for number in range(count)]
        logits, states = [], []
        with torch.no_grad():
            for batch in chosen:
                seen = observe(teacher, {name: tensor.to(device) for name, tensor in batch.items()}, {HIDDEN})
                logits.append(LOGITS.read(seen, 0).cpu())
                states.append(torch.stack(list(seen.hidden_states), dim=1).half().cpu())
        return cls(chosen, logits, states)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.batches)

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        digest = hashlib.sha256()
        for batch, logits, states in zip(self.batches, self.logits, self.states, strict=True):
            for tensor in (*batch.values(), logits, states):
                digest.update(f"{tensor.dtype} {list(tensor.shape)}".encode())
                digest.update(tensor.contiguous().numpy().tobytes())
        return {"kind": "kept", "count": self.size, "contents": digest.hexdigest()}

    def __call__(self, number: int) -> Batch:
        place = number % self.size
        states = self.states[place].float()
        return {
            **self.batches[place],
            LOGITS.given: self.logits[place],
            HIDDEN_STATES.given: states,
            CLS_STATES.given: states[:, :, 0],
        }
