"""What one model knows that learns from all the headlines of three offices, and how three other offices do.

`other_offices` makes these numbers: new headlines right of 360. Its first three are A, B and C.
"""

from __future__ import annotations

TESTED = 360
RIGHT = {
    "first three": {
        "A": 237, "B": 246, "C": 245, "AB": 268, "AC": 264, "BC": 261, "ABC": 265,
        "answers averaged": 270, "one model": 281,
    },
    "other three": {
        "D": 249, "E": 256, "F": 242, "DE": 263, "DF": 252, "EF": 261, "DEF": 261,
        "answers averaged": 265, "one model": 286,
    },
}  # fmt: skip


def scores_of(three: str) -> dict[str, float]:
    """The percent of the new headlines that each model and each mixture of "first three" or "other three"
    gets right."""
    return {name: 100 * right / TESTED for name, right in RIGHT[three].items()}


def gains_of(scores: dict[str, float]) -> dict[str, float]:
    """How many points each mean of two, such as AB, lies above the better of its parents, A and B."""
    pairs = [name for name in scores if len(name) == 2]
    return {pair: scores[pair] - max(scores[pair[0]], scores[pair[1]]) for pair in pairs}
