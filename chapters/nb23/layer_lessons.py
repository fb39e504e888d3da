"""What a two-layer student can be taught by the inside of its teacher's six, beside the answers.

The arms of `studies.layer_maps`: all maps of ELM, CKD's sets with both projections, ALP-KD's
mixtures, and controls that make no sense. All compare by one distance, 2 - 2 cos, so that nothing hangs on
the size of a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from lib.compression.distillation.combined_layers import (
    Combine,
    LayerMixtures,
    all_layers,
    combine_evenly,
    combine_fixed,
    combine_layers,
    combine_scaled,
)
from lib.compression.distillation.fused_layers import (
    FOUR_SETS,
    FusedTeacher,
    LayerSets,
    WidenedStudent,
    normalized_sum,
    regular_sets,
)
from lib.compression.distillation.kept_states import KeptStates
from lib.compression.distillation.knowledge import CLS_STATES, HIDDEN, HIDDEN_STATES, observe
from lib.compression.distillation.layer_maps import LayerPairs, Read
from lib.compression.distillation.layer_search import Gene, elm, increasing_genes
from lib.compression.distillation.matches import Match

LAYERS, TEACHERS_LAYERS = 2, 6
GENES = increasing_genes(LAYERS, TEACHERS_LAYERS)
LOOKED_AT = 10  # batches in which weights and spreads are measured

#: what is compared inside, by how wide both models are
Lesson = Callable[[int], list[Match]]
#: one batch: the student's side, the teacher's, and which tokens are no padding
Run = tuple[Read, Read, Tensor]


# --- what is compared -----------------------------------------------------------------------------


@dataclass(frozen=True)
class OfAnotherText:
    """Pairs of layers, but the teacher has read the next text of the batch: a control without any sense."""

    pairs: tuple[tuple[int, int], ...]

    def __call__(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [(student(m), teacher(n).roll(1, dims=0)) for m, n in self.pairs]


def mapped(gene: Gene, _size: int) -> list[Match]:
    return elm(gene, normalized_sum)


def confused(gene: Gene, _size: int) -> list[Match]:
    pairs = tuple(enumerate(gene, start=1))
    return [Match(HIDDEN_STATES, OfAnotherText(pairs), normalized_sum)]


def widened(sets: LayerSets, size: int) -> list[Match]:
    return [Match(HIDDEN_STATES, WidenedStudent(sets, size, size), normalized_sum)]


def fused(sets: LayerSets, size: int) -> list[Match]:
    return [Match(HIDDEN_STATES, FusedTeacher(sets, size, size), normalized_sum)]


def mixed(combine: Combine, sets: LayerSets, _size: int) -> list[Match]:
    return [Match(CLS_STATES, LayerMixtures(sets, combine), normalized_sum)]


def first_states(gene: Gene, _size: int) -> list[Match]:
    return [Match(CLS_STATES, LayerPairs(tuple(enumerate(gene, start=1))), normalized_sum)]


def named(gene: Gene) -> str:
    """Such as "0,6"."""
    return ",".join(map(str, gene))


EVERY = all_layers(LAYERS, TEACHERS_LAYERS)
#: arms that are one run, since their teacher need be asked only once
FAMILIES: dict[str, dict[str, Lesson]] = {
    **{
        f"maps {first},": {named(gene): partial(mapped, gene) for gene in GENES if gene[0] == first}
        for first in range(TEACHERS_LAYERS + 1)
    },
    "controls": {
        "reverse 6,3": partial(mapped, (6, 3)),
        "another text 3,6": partial(confused, (3, 6)),
    },
    "CKD, student widened": {
        f"CKD {name}, student widened": partial(widened, sets) for name, sets in FOUR_SETS.items()
    },
    "CKD, teacher fused": {
        f"CKD {name}, teacher fused": partial(fused, sets) for name, sets in FOUR_SETS.items()
    },
    "ALP-KD": {
        "ALP": partial(mixed, combine_layers, EVERY),
        "ALP, over root d": partial(mixed, combine_scaled, EVERY),
        "ALP, weights fixed": partial(mixed, combine_fixed, EVERY),
        "ALP, buckets": partial(mixed, combine_layers, regular_sets(LAYERS, TEACHERS_LAYERS)),
        "mean of all layers": partial(mixed, combine_evenly, EVERY),
        "[CLS] 3,6": partial(first_states, (3, 6)),
    },
}
ARMS: dict[str, Lesson] = {name: lesson for family in FAMILIES.values() for name, lesson in family.items()}


# --- what it looks like inside --------------------------------------------------------------------


@torch.no_grad()
def looked_at(student: nn.Module, kept: KeptStates, lessons: Sequence[Match]) -> dict[str, Any]:
    """What lessons on fused or mixed layers look like, over the first batches.

    "weights": of ALP-KD, the mean over texts for each of the student's layers. "spread": of CKD, how far its
    targets are from being one and the same, from 0 to 1, for each of the student's layers.
    """
    found: dict[str, Any] = {}
    for match in lessons:
        runs: list[Run] = []
        for number in range(min(LOOKED_AT, kept.size)):
            batch = kept(number)
            seen, given = observe(student.eval(), batch, {HIDDEN}), batch[match.knowledge.given]
            runs.append((match.knowledge.of_run(seen), match.knowledge.of_batch(given), seen.real))
        if isinstance(match.map, LayerMixtures):
            found["weights"] = [weights.mean(0).tolist() for weights in weights_in(match.map, runs)]
        elif isinstance(match.map, WidenedStudent | FusedTeacher):
            found["spread"] = [spread_of(targets) for targets in _targets(match.map, runs)]
    return found


def weights_in(mixtures: LayerMixtures, runs: Sequence[Run]) -> list[Tensor]:
    """For each of the student's layers its weights of the teacher's, [texts, N]."""
    return [
        torch.cat(
            [
                mixtures.combine(student(number), torch.stack([teacher(n) for n in layers], dim=-2))[0]
                for student, teacher, _ in runs
            ]
        )
        for number, layers in enumerate(mixtures.sets, start=1)
    ]


def _targets(fusion: WidenedStudent | FusedTeacher, runs: Sequence[Run]) -> list[Tensor]:
    """For each of the student's layers its targets, [tokens, X]."""
    pairs = [[target[real] for _, target in fusion(student, teacher)] for student, teacher, real in runs]
    return [torch.cat(layer) for layer in zip(*pairs, strict=True)]


def spread_of(vectors: Tensor) -> float:
    """How far vectors [N, X] are from pointing all the same way: 0 where they do, and at most 1.

    1 less the squared length of the mean of what they are when brought to length 1.
    """
    units = nn.functional.normalize(vectors, dim=-1)
    return float(1 - units.mean(dim=0).square().sum())
