"""How soups do that the notebook does not train: other pairs of offices, and pairs of runs on one office.

`other_offices` makes these numbers: new headlines right of 360.
"""

from __future__ import annotations

from typing import NamedTuple

from lib import stats

TESTED = 360


class Lead(NamedTuple):
    """How many headlines only the first of two models gets right, and how many only the second."""

    won: int
    lost: int

    @property
    def points(self) -> float:
        """By how many points of percent the first leads."""
        return 100 * (self.won - self.lost) / TESTED

    @property
    def luck(self) -> float:
        """How many points of a lead luck alone may make (02)."""
        return 100 * stats.luck(self.won + self.lost) / TESTED

    @property
    def is_resolved(self) -> bool:
        return abs(self.points) > self.luck


class Pooled(NamedTuple):
    """One model that learned from the headlines of both offices: its loss, and how it leads."""

    right: int
    loss: float
    over_soup: Lead
    over_better_parent: Lead


class Soup(NamedTuple):
    """The mean of two models, how it leads, and what only one of its parents knows."""

    right: int
    over_better_parent: Lead
    between_parents: Lead
    pooled: Pooled | None = None


SOUPS: dict[str, Soup] = {
    "AB": Soup(
        right=268,
        over_better_parent=Lead(won=40, lost=18),
        between_parents=Lead(won=52, lost=61),
        pooled=Pooled(
            right=274, loss=0.733, over_soup=Lead(won=29, lost=23), over_better_parent=Lead(won=48, lost=20)
        ),
    ),
    "AC": Soup(right=264, over_better_parent=Lead(won=39, lost=20), between_parents=Lead(won=52, lost=60)),
    "BC": Soup(right=261, over_better_parent=Lead(won=37, lost=22), between_parents=Lead(won=48, lost=47)),
    "DE": Soup(right=263, over_better_parent=Lead(won=29, lost=22), between_parents=Lead(won=36, lost=43)),
    "DF": Soup(right=252, over_better_parent=Lead(won=27, lost=24), between_parents=Lead(won=48, lost=41)),
    "EF": Soup(right=261, over_better_parent=Lead(won=26, lost=21), between_parents=Lead(won=47, lost=33)),
    "AA2": Soup(right=242, over_better_parent=Lead(won=18, lost=13), between_parents=Lead(won=28, lost=28)),
    "BB2": Soup(right=248, over_better_parent=Lead(won=20, lost=18), between_parents=Lead(won=33, lost=28)),
    "CC2": Soup(right=248, over_better_parent=Lead(won=10, lost=12), between_parents=Lead(won=24, lost=29)),
}
