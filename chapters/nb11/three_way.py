"""Pairs for the three-way objective."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from chapters.nb11.draws import is_uniform
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.text import pair_tasks

DRAWS = 4_000
ELSEWHERE = "return first, other(len(second)), 2"
EVEN = "a third each"


def draw_many(candidate: Any, first: list[str], second: list[str]) -> dict[str, str]:
    """What the candidate pairs under each label, and whether the labels are as frequent."""
    rng = np.random.default_rng(0)
    made: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for _ in range(DRAWS):
        result = candidate(first, second, lambda size: [f"other {n}" for n in range(size)], rng)
        if not isinstance(result, (list, tuple)) or len(result) != 3:
            raise Unfit("It should return three things, as in `return first, second, 0`.")
        label = f"label {result[2]}"
        counts[label] += 1
        texts = (", ".join(map(str, text)) if isinstance(text, list) else "no list" for text in result[:2])
        made[label].add(" then ".join(texts))
    even = len(counts) == 3 and is_uniform(list(counts.values()))
    labels = {label: " or ".join(sorted(made[label])) for label in sorted(made)}
    return labels | {"how often": EVEN if even else "not " + EVEN}


# fmt: off
EXERCISE = Exercise(
    name="three_way", minutes=5, difficulty=1, reference=pair_tasks.three_way,
    cases=lambda seed: [(["A1", "A2"], ["B1", "B2", "B3"])], run=draw_many,
    mistakes=[
        Mistake("labels_exchanged", "The labels count what is wrong with a pair: 0 is the pair as it stands"
            " in the text, 1 the same two texts the other way round, 2 has text from another document.",
            tuple(edit("second, 0", f"second, {a}").then("first, 1", f"first, {b}").then("), 2", f"), {c}")
                for a, b, c in ((1, 0, 2), (0, 2, 1), (1, 2, 3)))),
        Mistake("not_swapped", "Your label 1 has the texts in their old order, as 0 has. B comes first:"
            " return second, first, 1.", edit("second, first, 1", "first, second, 1")),
        Mistake("another_text_replaced", "For label 2 the first text stays; the second, and only it, comes"
            " from another document.",
            tuple(edit(ELSEWHERE, f"return {one}, {two}, 2")
                for one, two in (("other(2)", "other(3)"), ("other(2)", "second"), ("other(3)", "first")))),
        Mistake("another_length", "The text from elsewhere is as long as the second, or its length tells the"
            " label: len(second).", tuple(edit("len(second)", size) for size in ("len(first)", "0", "1"))),
        Mistake("two_cases", "There are three cases: the pair as it stands, turned round, and with text from"
            " elsewhere.",
            (edit("rng.integers(3)", "rng.integers(2)"), edit("rng.integers(3)", "2 * rng.integers(2)"))),
        Mistake("not_a_third_each", "The pairs are right, but not a third each: one draw decides among three,"
            " and no second one.",
            when=lambda arguments, answer, expected: answer | {"how often": EVEN} == expected,
            example=edit("rng.integers(3)", "rng.choice(3, p=[0.3, 0.3, 0.4])")),
    ],
    hints=("One draw decides between three cases. Two need no other text than the two given.",
           "rng.integers(3) is 0, 1 or 2, each as often; other(n) is a list of n sentences.",
           "Label 2 is first, other(len(second)), 2; the others are built of first and second alone."),
    why="0 and 1 hold the same words, so a bag cannot part them; 2 differs in its topic.", box="nsp_head",
)
# fmt: on
