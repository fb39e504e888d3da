"""ELM: which layer teaches which, found by a genetic algorithm (Jiao et al., 2021).

A gene has a number for each layer of the student: the teacher's layer, from 1, that teaches it, and 0 where
none does. Each gene is tried on a small text by a short distillation, scored by fine-tuning, and the best
have children; with the winner one long distillation is run at last.

The paper's numbers of genes, generations and mutations, its loss of a layer, and whether its genes have to
increase could not be verified. All that it prints do, (0, 0, 5, 10) and (0, 5, 0, 0, 0, 10) among them, so
here they do too: a choice of this course, as are the sizes in `Evolution`.

    found = evolve(score_of, student_layers=2, teacher_layers=6, rng=np.random.default_rng(0))
    found.winner, found.best_so_far
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product

import numpy as np

from lib.compression.distillation.knowledge import HIDDEN_STATES
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.losses import Distance, squared_error
from lib.compression.distillation.matches import Match

Gene = tuple[int, ...]
#: how good a gene is, the larger the better; it is asked once of each
Fitness = Callable[[Gene], float]


# --- genes ----------------------------------------------------------------------------------------


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


def child_of(first: Gene, second: Gene, cut: int) -> Gene:
    """The first gene up to place `cut` and the second from there on, repaired.

    Both have M numbers and 0 <= cut <= M. A number that is not larger than all before it becomes 0, however
    many zeros stand between.
    """
    return repaired(first[:cut] + second[cut:])


def mutated(gene: Gene, teacher_layers: int, rate: float, rng: np.random.Generator) -> Gene:
    """Each number gives way, with probability `rate`, to any of 0 to N, and what then falls becomes 0."""
    return repaired(
        [int(rng.integers(teacher_layers + 1)) if rng.random() < rate else layer for layer in gene]
    )


def random_gene(student_layers: int, teacher_layers: int, rng: np.random.Generator) -> Gene:
    """Any of the increasing genes, all with equal chances: what falls is drawn again."""
    while True:
        gene = tuple(int(layer) for layer in rng.integers(teacher_layers + 1, size=student_layers))
        if repaired(gene) == gene:
            return gene


def elm(gene: Gene, distance: Distance = squared_error, weight: float = 1.0) -> list[Match]:
    """The matches that a gene stands for: hidden states of all real tokens, and none where it is all 0.

    The embeddings, layer 0 elsewhere, are no target: a 0 means that nobody teaches. Both models have to be
    equally wide.
    """
    taught = tuple((own, layer) for own, layer in enumerate(gene, start=1) if layer)
    return [Match(HIDDEN_STATES, LayerPairs(taught), distance, weight)] if taught else []


# --- the search -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evolution:
    """How large a search is: the course's sizes."""

    population: int = 8
    generations: int = 5
    elite: int = 2  # that live on as they are
    mutation: float = 0.2  # of each number

    def __post_init__(self) -> None:
        if not 1 <= self.elite <= self.population or self.generations < 1 or not 0 <= self.mutation <= 1:
            raise ValueError(
                f"{self} cannot be run: give 1 generation at least, an elite of 1 to {self.population}, and "
                "a rate of mutation from 0 to 1."
            )


@dataclass
class Found:
    """What a search tried: each gene once, in the order of its first trial, with its fitness."""

    tried: dict[Gene, float] = field(default_factory=dict)
    generations: list[list[Gene]] = field(default_factory=list)

    @property
    def winner(self) -> Gene:
        return max(self.tried, key=lambda gene: self.tried[gene])

    @property
    def best_so_far(self) -> list[float]:
        """The best fitness after each trial."""
        return list(accumulate(self.tried.values(), max))

    def ask(self, genes: Iterable[Gene], fitness: Fitness) -> None:
        """Try those of the genes that have not been tried: a gene that comes again costs nothing."""
        for gene in genes:
            if gene not in self.tried:
                self.tried[gene] = fitness(gene)


def evolve(
    fitness: Fitness,
    student_layers: int,
    teacher_layers: int,
    rng: np.random.Generator,
    sizes: Evolution | None = None,
) -> Found:
    """Search by selection, crossover and mutation, from genes by lot.

    The best of a generation live on, and parents are drawn by how much better they are than its worst.
    Fitness has to come from the same seed and the same batches for every gene, and not from test rows.
    """
    sizes, found = sizes or Evolution(), Found()
    genes = [random_gene(student_layers, teacher_layers, rng) for _ in range(sizes.population)]
    for generation in range(sizes.generations):
        if generation:
            genes = _next_generation(genes, found.tried, teacher_layers, sizes, rng)
        found.ask(genes, fitness)
        found.generations.append(genes)
    return found


def _next_generation(
    genes: Sequence[Gene],
    fitness: dict[Gene, float],
    teacher_layers: int,
    sizes: Evolution,
    rng: np.random.Generator,
) -> list[Gene]:
    ranked = sorted(genes, key=lambda gene: fitness[gene], reverse=True)
    next_genes = list(dict.fromkeys(ranked))[: sizes.elite]
    chances = _roulette([fitness[gene] for gene in genes])
    while len(next_genes) < sizes.population:
        first, second = (genes[place] for place in rng.choice(len(genes), 2, p=chances))
        cut = int(rng.integers(1, max(len(first), 2)))
        next_genes.append(mutated(child_of(first, second, cut), teacher_layers, sizes.mutation, rng))
    return next_genes


def _roulette(scores: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Each one's chance of being a parent: what it has more than the worst; equal where all are."""
    above = np.array(scores, dtype=np.float64) - min(scores)
    return above / above.sum() if above.sum() > 0 else np.full(len(scores), 1 / len(scores))
