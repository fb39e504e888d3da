"""MiniMax-kNN: of the texts nearest to one that is learned, those on which the student errs most.

Kamalloo et al., 2021. The neighbors of every text, and the teacher's answers to them, are found once. In each
step the student reads all of them forward, and learns, backward too, from the few where it is farthest from
its teacher. A backward pass costs about twice a forward pass, so this is cheaper than to learn from all.

Sizes in the comments: N texts, P texts in the pool, B texts in a batch, k neighbors, C classes, D features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.distillation.answers import TaughtBatches
from lib.compression.distillation.knowledge import INPUTS
from lib.compression.distillation.losses import Distance, SoftenedKL
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.names import stable_name
from lib.text.tasks import Row, TaskBatches
from lib.training.features import in_eval
from lib.training.loop import Batch, Term

PREFIX = "neighbor_"  # of what a batch brings of the neighbors


def nearest(vectors: Tensor, pool: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The places in the pool [P, D] of the `count` nearest to each vector [N, D], and how far: two [N, k].

    The nearest first. The distance is the angle between both, divided by pi: 1 is the opposite direction.
    ValueError if the pool has fewer.
    """
    if not 1 <= count <= len(pool):
        raise ValueError(f"{count} neighbors of a pool of {len(pool)}: give a number from 1 to its size.")
    cosines = F.normalize(vectors, dim=-1) @ F.normalize(pool, dim=-1).T  # [N, P]
    top = cosines.topk(count)
    return top.indices, top.values.clamp(-1, 1).arccos() / torch.pi


def hardest_rows(student_logits: Tensor, teacher_logits: Tensor, count: int, temperature: float) -> Tensor:
    """The rows, of B * k neighbors one after the other, where the student is farthest from its teacher.

    Both logits [B, k, C]. For each text the `count` neighbors with the largest KL(teacher || student), both
    softened; returns [B * count], first those of the first text, the largest first.
    """
    own = (student_logits / temperature).log_softmax(dim=-1)
    taught = (teacher_logits / temperature).log_softmax(dim=-1)
    apart = (taught.exp() * (taught - own)).sum(dim=-1)  # [B, k]
    places = apart.topk(count, dim=1).indices  # [B, count]
    first = torch.arange(len(places), device=places.device)[:, None] * apart.size(1)  # [B, 1]
    return (first + places).flatten()


# --- which of the neighbors teach -----------------------------------------------------------------

#: how to ask for the student's logits [B, k, C], if at all, and the teacher's, to the rows that are learned
Choose = Callable[[Callable[[], Tensor], Tensor], Tensor]


@dataclass(frozen=True)
class Hardest:
    """The rows [B * count] on which student and teacher differ most; the student has to read all of them.

    Both logits [B, k, C].
    """

    count: int
    temperature: float = 5.0

    def __call__(self, ask: Callable[[], Tensor], teacher_logits: Tensor) -> Tensor:
        return hardest_rows(ask(), teacher_logits, self.count, self.temperature)


@dataclass(frozen=True)
class ByLot:
    """Any rows [B * count], drawn anew each time: what `Hardest` is to be compared with.

    The teacher's logits [B, k, C] say how many there are; the student is not asked.
    """

    count: int

    def __call__(self, ask: Callable[[], Tensor], teacher_logits: Tensor) -> Tensor:
        texts, neighbors, _ = teacher_logits.shape
        places = torch.rand(texts, neighbors).topk(self.count, dim=1).indices.to(teacher_logits.device)
        return (torch.arange(texts, device=places.device)[:, None] * neighbors + places).flatten()


@dataclass(frozen=True)
class Nearest:
    """The first rows [B * count], which are the nearest; with a count of k it is plain augmentation.

    The teacher's logits [B, k, C] say how many there are; the student is not asked.
    """

    count: int

    def __call__(self, ask: Callable[[], Tensor], teacher_logits: Tensor) -> Tensor:
        texts, neighbors, _ = teacher_logits.shape
        rows = torch.arange(texts * neighbors, device=teacher_logits.device)
        return rows.view(texts, neighbors)[:, : self.count].flatten()


# --- batches and objective ------------------------------------------------------------------------


@dataclass(frozen=True)
class NeighborBatches:
    """The batches of `TaughtBatches`, each with its rows' neighbors and the teacher's answers to these.

    pool: texts, with their answers [P, C]; places [N, k]: the neighbors of each row. A batch brings, under
    names that begin with "neighbor_", `input_ids` and the like [B, k, T] and `logits` [B, k, C].
    """

    batches: TaughtBatches
    pool: Sequence[Row]
    answers: Tensor
    places: Tensor
    pad_id: int = 0

    def __post_init__(self) -> None:
        if len(self.places) != len(self.batches.batches.rows) or len(self.answers) != len(self.pool):
            raise ValueError(
                f"{len(self.places)} rows with neighbors for {len(self.batches.batches.rows)} rows, and "
                f"{len(self.answers)} answers for a pool of {len(self.pool)}: give one for each."
            )

    @property
    def size(self) -> int:
        """Batches in an epoch."""
        return self.batches.size

    @property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        pool = TaughtBatches(TaskBatches(self.pool, self.pad_id), {"logits": self.answers})
        places = self.places.tolist()
        return {**self.batches.fingerprint, "kind": "neighbors", "pool": pool.fingerprint, "places": places}

    def __call__(self, number: int) -> Batch:
        places = self.places[self.batches.batches.places(number)]  # [B, k]
        rows = [self.pool[place] for place in places.flatten().tolist()]
        read = [{name: row[name] for name in INPUTS if name in row} for row in rows]
        neighbors = TaskBatches(read, self.pad_id, len(read), seed=None)(0)
        neighbors = {name: tensor.unflatten(0, places.shape) for name, tensor in neighbors.items()}
        neighbors["logits"] = self.answers[places].float()
        return {**self.batches(number), **{PREFIX + name: tensor for name, tensor in neighbors.items()}}


class WithNeighbors(Distillation):
    """A distillation that learns from some neighbors of each text besides.

    Its loss gets `weight` times the sum of the distances of a text's chosen neighbors, meaned over the texts.
    "forward_passes" and "backward_passes", which are only reported, count the texts that the student reads
    for each text of the batch. Which neighbors are chosen the student says in eval(): dropout shall not pick
    them.
    """

    def __init__(
        self,
        student: nn.Module,
        teacher: nn.Module | None,
        matches: Sequence[Match],
        choose: Choose,
        distance: Distance | None = None,
        weight: float = 0.5,
    ) -> None:
        super().__init__(student, teacher, matches)
        self.choose, self.distance, self.weight = choose, distance or SoftenedKL(5.0), weight

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """Also the texts of the batch, by which what the neighbors say is divided."""
        return {**super().counts(batch), "rows": len(batch["input_ids"])}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        terms = super().forward(**batch)
        taught = batch[f"{PREFIX}logits"]  # [B, k, C]
        inputs = {name: batch[PREFIX + name].flatten(0, 1) for name in INPUTS if PREFIX + name in batch}
        read = 0

        @torch.no_grad()
        def ask() -> Tensor:
            nonlocal read
            read = len(inputs["input_ids"])
            with in_eval(self.student):
                logits: Tensor = self.student(**inputs).logits.float()
            return logits.view_as(taught)

        rows = self.choose(ask, taught)  # [B * k1]
        logits = self.student(**{name: tensor[rows] for name, tensor in inputs.items()}).logits
        apart = self.distance(logits, taught.flatten(0, 1)[rows]).sum()
        learned = len(taught) + len(rows)
        passes = {"forward_passes": learned + read, "backward_passes": learned}
        counted = {name: Term(torch.tensor(float(each)), "rows", 0.0) for name, each in passes.items()}
        return terms | {"neighbors": Term(apart, "rows", self.weight)} | counted

    @property
    def fingerprint(self) -> Any:
        chosen = {
            "choose": stable_name(self.choose),
            "distance": stable_name(self.distance),
            "weight": self.weight,
        }
        return {**super().fingerprint, **chosen}
