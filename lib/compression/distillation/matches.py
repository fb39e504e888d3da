"""A match: which knowledge, between which layers, by which distance, and how much it counts.

All distillation is a sum of such terms over some text. A method of the literature is a list of matches
(`lib.compression.distillation.methods`); a new one brings a new `Knowledge`, map or distance.

Sizes in the comments: B texts, T tokens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from lib.compression.distillation.knowledge import Knowledge, Observation, real_tokens
from lib.compression.distillation.layer_maps import LayerMap, Read
from lib.compression.distillation.losses import Distance
from lib.text.masking import IGNORED
from lib.training.loop import Batch, Term


def _rows(batch: Batch) -> Tensor:
    some = batch["input_ids"] if "input_ids" in batch else batch["inputs_embeds"]
    return torch.ones(len(some), dtype=torch.bool, device=some.device)


def _labels(batch: Batch) -> Tensor:
    if "labels" not in batch:
        raise ValueError("A batch has no labels: give its rows some, -100 where there is none.")
    return batch["labels"] != IGNORED


#: what comparisons are of, and divided by: boolean [B] or [B, T], from the batch alone
UNITS: dict[str, Callable[[Batch], Tensor]] = {
    "rows": _rows,
    "tokens": real_tokens,
    "labels": _labels,
    # padding too, as much official code has it
    "all_tokens": lambda batch: torch.ones_like(real_tokens(batch)),
}


@dataclass(frozen=True)
class Match:
    """The student's knowledge is to come near the teacher's.

    Its loss is `weight` times the sum over the map's pairs of layers of the mean distance over all units
    (texts, tokens, labels) of a step. Heads are averaged.
    """

    knowledge: Knowledge
    map: LayerMap
    distance: Distance
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.knowledge.unit not in UNITS:
            raise ValueError(
                f"{self.knowledge.name} is counted in {self.knowledge.unit!r}: use {', '.join(UNITS)}, or "
                "add a unit to UNITS."
            )
        if not 0 <= self.weight < math.inf:
            raise ValueError(
                f"The match of {self.knowledge.name} weighs {self.weight}: give a number from 0."
            )

    def distances(self, student: Read, teacher: Read, batch: Batch) -> Tensor:
        """How far apart both are: [pairs of layers, units that count]. ValueError where shapes differ."""
        chosen = UNITS[self.knowledge.unit](batch)
        per_pair = []
        for own, target in self.map(student, teacher):
            self._validate_shapes(own, target)
            distances = self.distance(own[chosen], target[chosen])  # [units] or [units, heads]
            per_pair.append(distances.flatten(1).mean(1) if distances.dim() > 1 else distances)
        return torch.stack(per_pair)

    def _validate_shapes(self, own: Tensor, target: Tensor) -> None:
        if own.shape != target.shape and not self.knowledge.gold:
            raise ValueError(
                f"The student's {self.knowledge.name} are {list(own.shape)} and the teacher's "
                f"{list(target.shape)}: features need a projection (layer_maps.Projected), heads and classes "
                "have to be as many on both sides."
            )


def named(matches: Iterable[Match]) -> dict[str, Match]:
    """Matches by the names of their terms: the knowledge's, numbered where it is taught more than once."""
    by_name: dict[str, Match] = {}
    for match in matches:
        name, number = match.knowledge.name, 2
        while name in by_name:
            name, number = f"{match.knowledge.name}_{number}", number + 1
        by_name[name] = match
    return by_name


def parts_of(matches: Iterable[Match]) -> set[str]:
    """What `observe` has to keep of a model's run for these."""
    return {part for match in matches for part in match.knowledge.parts}


def terms_of(
    matches: Mapping[str, Match], student: Observation, teacher: Observation | None, batch: Batch
) -> dict[str, Term]:
    """The terms of a loss: of the teacher is taken what the batch brings, and else what was observed."""
    terms = {}
    for name, match in matches.items():
        knowledge = match.knowledge
        if knowledge.given in batch:
            taught = knowledge.of_batch(batch[knowledge.given])
        elif teacher is not None and not knowledge.gold:
            taught = knowledge.of_run(teacher)
        else:
            raise ValueError(
                f"A batch has no {knowledge.given!r}, and nobody else can say it: give the rows labels, or "
                "the objective a teacher."
            )
        distances = match.distances(knowledge.of_run(student), taught, batch)
        terms[name] = Term(distances.sum(), knowledge.unit, match.weight)
    return terms
