"""Which layer of the teacher teaches which: all maps of a two-layer student, CKD's sets, ALP-KD's mixtures.

All students of a task learn alike but for the lesson about the inside of their teacher
(`chapters.nb23.layer_lessons`): the increasing maps of ELM, CKD's sets with both projections, ALP-KD's
mixtures, and controls that make no sense. All lessons compare by one distance, 2 - 2 cos, so that nothing
hangs on the size of a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from torch import Tensor

from chapters.nb23.layer_lessons import (
    EVERY,
    LAYERS,
    TEACHERS_LAYERS,
    Lesson,
    Teaching,
    mapped,
    teach,
    teach_labels,
)
from lib.compression.distillation.combined_layers import (
    Combine,
    LayerMixtures,
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
from lib.compression.distillation.knowledge import CLS_STATES, HIDDEN_STATES
from lib.compression.distillation.layer_maps import LayerPairs, Read
from lib.compression.distillation.layer_search import Gene, increasing_genes
from lib.compression.distillation.matches import Match
from lib.records.study import Arm, Study, measure_teacher


@dataclass(frozen=True)
class OfAnotherText:
    """Pairs of layers, but the teacher has read the next text of the batch: a control without any sense."""

    pairs: tuple[tuple[int, int], ...]

    def __call__(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [(student(m), teacher(n).roll(1, dims=0)) for m, n in self.pairs]


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


GENES = increasing_genes(LAYERS, TEACHERS_LAYERS)
MAPS: dict[str, dict[str, Lesson]] = {
    f"maps {first},": {named(gene): partial(mapped, gene) for gene in GENES if gene[0] == first}
    for first in range(TEACHERS_LAYERS + 1)
}
#: lessons of one run, since their teacher need be asked only once
FAMILIES: dict[str, dict[str, Lesson]] = {
    **MAPS,
    "controls": {"reverse 6,3": partial(mapped, (6, 3)), "another text 3,6": partial(confused, (3, 6))},
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
#: lessons of CKD and ALP-KD that tasks other than headlines have as well
EVERYWHERE = (
    "CKD overlap, student widened",
    "CKD overlap, teacher fused",
    "ALP",
    "ALP, over root d",
    "mean of all layers",
)
FEW = FAMILIES | {
    family: {name: FAMILIES[family][name] for name in EVERYWHERE if name in FAMILIES[family]}
    for family in ("CKD, student widened", "CKD, teacher fused", "ALP-KD")
}


def arms(teaching: Teaching, families: dict[str, dict[str, Lesson]]) -> dict[str, Arm]:
    """The teacher, the student that learns from labels alone, and a run for each family of lessons."""
    return {
        "teacher": measure_teacher,
        "labels": partial(teach_labels, teaching),
        **{family: partial(teach, lessons, teaching) for family, lessons in families.items()},
    }


STUDY = Study(
    "layer_maps",
    "Two-layer students of MiniLM, by which of its layers teach them",
    {
        "headlines": arms(Teaching(steps=100), FAMILIES),
        "reviews": arms(Teaching(steps=60), FEW),
        "SST-2": arms(Teaching(steps=225, most=4000, precision=None), FEW),
    },
    minutes=85,
)
