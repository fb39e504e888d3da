"""How often two models answer alike.

Two models that both have 85 % right may disagree on no row or on three in ten; accuracy cannot tell which.
Agreement is also the surer figure: whether a row is hard moves the accuracy of both models, while agreement
compares them row by row, so that only the rows on which they differ are left to chance. With 872 rows, an
accuracy of 85 % has a standard error of 1.2 points, and an agreement of 99 % one of 0.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


def agreement(first: Sequence[Any], second: Sequence[Any]) -> float:
    """The share of rows on which two models predict the same: a class, an answer's words, all of its tags."""
    _validate_rows(first, second)
    return sum(answer == other for answer, other in zip(first, second, strict=True)) / len(first)


class Flips(NamedTuple):
    """What became of the answers when one model took the place of another, in rows."""

    lost: int  # right before, wrong now
    gained: int  # wrong before, right now
    moved: int  # wrong before and now, in another way


def flips(before: Sequence[Any], now: Sequence[Any], right: Sequence[Any]) -> Flips:
    """How the answers changed: accuracy changes by `gained - lost` rows, agreement by the sum of all three.

    `lib.stats.uneven_by_luck(lost, gained)` says how often luck alone would part them so.
    """
    _validate_rows(before, now)
    _validate_rows(before, right)
    changed = [
        (old == true, new == true) for old, new, true in zip(before, now, right, strict=True) if old != new
    ]
    return Flips(changed.count((True, False)), changed.count((False, True)), changed.count((False, False)))


def _validate_rows(first: Sequence[Any], second: Sequence[Any]) -> None:
    if len(first) != len(second) or not first:
        raise ValueError(
            f"{len(first)} and {len(second)} answers cannot be compared: give both models the same rows, "
            "one or more."
        )
