"""What can be said of a wrong value without giving the right one away, which is never printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lib.exercises import compare

Same = Callable[[Any, Any], bool]


def category_in_words(answer: Any) -> str:
    """A malformed answer: its sort, and what is in it where that is what is wrong."""
    if isinstance(answer, (list, tuple, set)) and answer:
        inside = " and ".join(dict.fromkeys(compare.category(entry) for entry in answer))
        return f"{compare.a_kind_of(answer)}, which holds {inside}"
    return compare.a_kind_of(answer)


def how_far(answer: Any, expected: Any, same: Same, by_entries: bool) -> str:
    """How far a well-formed wrong value is right.

    same(answer, expected): of entries as well. by_entries: whether a list may be compared entry by entry.
    """
    if compare.category(expected) == "a number":
        if not math.isfinite(float(answer)):
            return f"{float(answer)} is no number that could be counted or measured: look at your divisions."
        return "Too high." if answer > expected else "Too low."
    if isinstance(expected, (set, frozenset)):
        return _choice(answer, expected)
    if isinstance(expected, (list, tuple)):
        if len(answer) != len(expected):
            return f"There are {len(expected)} to give; yours are {len(answer)}."
        if by_entries:
            right = [same(*pair) for pair in zip(answer, expected, strict=True)]
            first = f"the first that is not is number {right.index(False) + 1}"
            return f"{sum(right)} of {len(right)} are right; {first}."
    if isinstance(expected, dict):
        if answer.keys() != expected.keys():
            keys, yours = (", ".join(map(repr, value)) for value in (expected, answer))
            return f"The keys are {keys}; yours are {yours}."
        if wrong := [key for key in expected if not same({key: answer[key]}, {key: expected[key]})]:
            return f"Not right yet: {', '.join(map(str, wrong))}."
    return "That is not it. Look again, or ask for a hint."


def how_far_in_order(answer: Sequence[Any], expected: Sequence[Any]) -> str:
    """How far an order is right."""
    what = "line" if any(isinstance(entry, str) and " " in entry for entry in expected) else "one"
    if sorted(map(str, answer)) != sorted(map(str, expected)):
        listed = "the lines" if what == "line" else ", ".join(sorted(map(str, expected)))
        return f"Each of {listed} is needed, and needed once."
    first = [compare.same_value(*pair, 0) for pair in zip(answer, expected, strict=True)].index(False)
    if first == 0:
        return "Not this order: something else has to come first."
    return f"In place as far as {what} {first} of your order; what has to come next?"


def _choice(answer: Iterable[Any], expected: Any) -> str:
    """How many of a choice belong, and how many are missing."""
    chosen = {entry.strip().casefold() if isinstance(entry, str) else entry for entry in answer}
    right = {entry.casefold() if isinstance(entry, str) else entry for entry in expected}
    wrong, missing = len(chosen - right), len(right - chosen)
    if not missing:
        return f"All that belong are there, and {wrong} that {'does' if wrong == 1 else 'do'} not."
    if not wrong:
        return f"What you chose belongs, but {missing} more {'does' if missing == 1 else 'do'} too."
    there = len(chosen & right)
    belong = (
        f"Of yours {there} belong{'s' * (there == 1)} there" if there else "Nothing of yours belongs there"
    )
    return f"{belong}, and {missing} {'is' if missing == 1 else 'are'} missing."
