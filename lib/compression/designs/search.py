"""What a search for the best design under a limit moves in (AutoTinyBERT; Yin et al., 2021).

    space = Space(layers=(2, 4, 6), hidden_size=(384,), neurons=(384, 768), heads=(4, 8, 12), head_size=(32,))
    fits = [design for design in space.designs() if predicted(design) <= limit]
    space.mutated(fits[0], rng=random.Random(0))

Random numbers are drawn in the order of the released code (`searcher.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from random import Random

from lib.compression.designs.super_network import Design

#: how often a mutation moves a size, and how many places at most, as in the released code
STEPS = {
    "layers": (0.25, 1),
    "hidden_size": (0.5, 1),
    "neurons": (0.5, 2),
    "heads": (0.25, 2),
    "head_size": (0.25, 2),
}


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
