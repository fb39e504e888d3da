"""ELM: which layer teaches which, found by a genetic algorithm (Jiao et al., 2021).

A gene has a number for each layer of the student: the teacher's layer, from 1, that teaches it, and 0 where
none does. Each gene is tried on a small text by a short distillation, scored by fine-tuning, and the best
have children; with the winner one long distillation is run at last.

A student of two layers has so few genes that the course tries them all. The paper's loss of a layer, and
whether its genes have to increase, could not be verified. All that it prints do, (0, 0, 5, 10) and
(0, 5, 0, 0, 0, 10) among them, so here they do too: a choice of this course.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from lib.compression.distillation.knowledge import HIDDEN_STATES
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.losses import Distance, squared_error
from lib.compression.distillation.matches import Match

Gene = tuple[int, ...]


def increasing_genes(student_layers: int, teacher_layers: int) -> list[Gene]:
    """All genes whose numbers other than 0 increase: 28 of 49 for two layers and a teacher of six."""
    every = product(range(teacher_layers + 1), repeat=student_layers)
    return [gene for gene in every if repaired(gene) == gene]


def repaired(gene: Sequence[int]) -> Gene:
    """The gene with a 0 for each number that is not larger than all before it."""
    found: list[int] = []
    for layer in gene:
        found.append(layer if layer > max(found, default=0) else 0)
    return tuple(found)


def elm(gene: Gene, distance: Distance = squared_error) -> list[Match]:
    """The matches that a gene stands for: hidden states of all real tokens, and none where it is all 0.

    The embeddings, layer 0 elsewhere, are no target: a 0 means that nobody teaches. Both models have to be
    equally wide.
    """
    taught = tuple((own, layer) for own, layer in enumerate(gene, start=1) if layer)
    return [Match(HIDDEN_STATES, LayerPairs(taught), distance)] if taught else []
