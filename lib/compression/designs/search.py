"""A search for the best design under a limit: AutoTinyBERT's evolution (Yin et al., 2021), and chance.

    space = Space(layers=(2, 4, 6), hidden_size=(384,), neurons=(384, 768), heads=(4, 8, 12), head_size=(32,))
    fits = [design for design in space.designs() if predicted(design) <= limit]
    tried = evolve(space, fits, fitness, tries=30, rng=random.Random(0))

Random numbers are drawn in the order of the released code (`searcher.py`), so one seed gives its designs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from random import Random

from lib.compression.designs.super_network import Design

Fitness = Callable[[Design], float]
#: how often a mutation moves a size, and how many places at most, as in the released code
STEPS = {
    "layers": (0.25, 1),
    "hidden_size": (0.5, 1),
    "neurons": (0.5, 2),
    "heads": (0.25, 2),
    "head_size": (0.25, 2),
}
DRAWS = 200  # mutations of one parent before another is tried: in a small space it may have no new child


@dataclass(frozen=True)
class Space:
    """What each size may be, in ascending order."""

    layers: tuple[int, ...]
    hidden_size: tuple[int, ...]
    neurons: tuple[int, ...]
    heads: tuple[int, ...]
    head_size: tuple[int, ...]

    def designs(self) -> list[Design]:
        """All of them."""
        return [Design(*sizes) for sizes in product(*(getattr(self, field.name) for field in fields(self)))]

    def mutated(self, design: Design, rng: Random) -> Design:
        """A design near this one, or the same: each size that has a choice moves with its chance."""
        for name, (chance, reach) in STEPS.items():
            choices = getattr(self, name)
            if len(choices) > 1 and rng.random() < chance:
                place = choices.index(getattr(design, name)) + rng.choice(range(-reach, reach + 1))
                if 0 <= place < len(choices):
                    design = replace(design, **{name: choices[place]})
        return design


def roulette(fitness: Mapping[Design, float], rng: Random) -> Design:
    """A design with a chance in proportion to how much fitter it is than the least fit."""
    least = min(fitness.values())
    point, passed = rng.uniform(0, sum(value - least for value in fitness.values())), 0.0
    for design, value in fitness.items():
        passed += value - least
        if passed >= point:
            return design
    return design


def next_generation(
    tried: Mapping[Design, float], candidates: Sequence[Design], space: Space, size: int, rng: Random
) -> list[Design]:
    """So many designs that nobody has tried: half of them drawn at random, half mutations of the fittest.

    Fewer where no more are left.
    """
    parents = dict(sorted(tried.items(), key=lambda one: one[1], reverse=True)[:size])
    allowed, new = set(candidates), list[Design]()
    while len(new) < min(size, len(allowed - tried.keys())):
        design = None
        if rng.random() < 0.5 or not parents:
            while design is None or design in tried:
                design = rng.choice(candidates)
        else:
            parent, draws = roulette(parents, rng), 0
            while design not in allowed or design in tried:
                design, draws = space.mutated(parent, rng), draws + 1
                if draws > DRAWS:
                    break
        if design in allowed and design not in tried and design not in new:
            new.append(design)
    return new


def evolve(
    space: Space,
    candidates: Sequence[Design],
    fitness: Fitness,
    tries: int,
    rng: Random,
    generation: int = 25,
) -> dict[Design, float]:
    """The designs that evolution tries, in their order, with their fitness: so many, or all candidates."""
    _validate(candidates, tries)
    tried: dict[Design, float] = {}
    while len(tried) < min(tries, len(candidates)):
        size = min(generation, tries - len(tried))
        new = next_generation(tried, candidates, space, size, rng)
        tried |= {design: fitness(design) for design in new}
    return tried


def _validate(candidates: Sequence[Design], tries: int) -> None:
    if not candidates or tries < 1:
        raise ValueError(
            f"{tries} tries among {len(candidates)} designs: raise the limit until one fits, and try one."
        )


def pareto_front(points: Sequence[tuple[float, float]]) -> list[int]:
    """The places of the points (cost, accuracy) that no other beats, in ascending cost.

    One beats another that costs no less and is no more accurate, and is worse in one of the two. Of equal
    points the first alone.
    """
    order = sorted(range(len(points)), key=lambda place: (points[place][0], -points[place][1], place))
    front: list[int] = []
    for place in order:
        if not front or points[place][1] > points[front[-1]][1]:
            front.append(place)
    return front
