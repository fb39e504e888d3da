"""Pairs for the three-way objective."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from chapters.nb11.draws import is_uniform
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.text import pair_tasks

DRAWS = 4_000
FIRST, SECOND = ["He locked up.", "It was late."], ["He slept.", "He woke.", "He ate."]
FOLLOWS, TURNED = "return first, second, 0", "return second, first, 1"
ELSEWHERE = "return first, other(len(second)), 2"
EVEN = "a third each"


def draw_many(candidate: Any, first: list[str], second: list[str]) -> dict[str, str]:
    """What the candidate pairs under each label, and whether the labels are as frequent."""
    rng = np.random.default_rng(0)
    made: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    names = {"A": first, "B": second}
    for _ in range(DRAWS):
        one, two = list(first), list(second)
        result = candidate(one, two, lambda size: [f"other {n}" for n in range(size)], rng)
        if (one, two) != (first, second):
            raise Unfit("It changes the texts that it was given, which others may still need.")
        if not isinstance(result, (list, tuple)) or len(result) != 3:
            raise Unfit(
                "It should return three things: the first text, the second text and the label, as in"
                " `return first, second, 0`."
            )
        label = f"label {result[2]}"
        counts[label] += 1
        made[label].add(" then ".join(name(text, names) for text in result[:2]))
    even = len(counts) == 3 and is_uniform(list(counts.values()))
    quarters = ", ".join(f"{label}: about {round(4 * counts[label] / DRAWS)}/4" for label in sorted(counts))
    labels = {label: " or ".join(sorted(made[label])) for label in sorted(made)}
    return labels | {"how often": EVEN if even else quarters}


def name(text: Any, names: dict[str, list[str]]) -> str:
    """A text in a word or two."""
    for known, own in names.items():
        if text == own:
            return known
    if isinstance(text, list) and all(str(sentence).startswith("other") for sentence in text):
        return f"{len(text)} sentences of another document"
    return "a function" if callable(text) else repr(text)


def only_shares_differ(arguments: tuple[Any, ...], answer: dict[str, str], expected: dict[str, str]) -> bool:
    return answer | {"how often": EVEN} == expected


EXERCISE = Exercise(
    name="three_way",
    minutes=5,
    difficulty=1,
    reference=pair_tasks.three_way,
    cases=lambda seed: [(FIRST, SECOND)],
    run=draw_many,
    mistakes=[
        Mistake(
            "upside_down",
            "Your 1 is the pair that follows, as is_next = True would be. BERT counts the other way: 0 is the"
            " pair as it stands in the text, and everything above 0 is wrong with it.",
            edit("second, 0", "second, 1").then("second, first, 1", "second, first, 0"),
        ),
        Mistake(
            "one_and_two_exchanged",
            "1 and 2 have changed places: 1 is the same two texts the other way round, 2 is text from another"
            " document.",
            edit("first, 1", "first, 2").then("other(len(second)), 2", "other(len(second)), 1"),
        ),
        Mistake(
            "not_swapped",
            "Your label 1 has the texts in their old order, so 0 and 1 cannot be told apart. B comes first"
            " there: return second, first, 1.",
            edit(TURNED, "return first, second, 1"),
        ),
        Mistake(
            "both_from_elsewhere",
            "For label 2 only the second text comes from another document. Yours replaces both, and these"
            " two may even follow each other.",
            edit("first, other(", "other(len(first)), other("),
        ),
        Mistake(
            "first_from_elsewhere",
            "For label 2 you replace the first text. It stays; the second is replaced.",
            (
                edit(ELSEWHERE, "return other(len(first)), second, 2"),
                edit(ELSEWHERE, "return other(len(second)), first, 2"),
                edit(ELSEWHERE, "return other(len(second)), second, 2"),
            ),
        ),
        Mistake(
            "as_long_as_the_first",
            "The text from elsewhere is as long as the first, and stands where the second stood. Then its"
            " length alone tells label 2 from label 0: ask for other(len(second)).",
            edit("len(second)", "len(first)"),
        ),
        Mistake(
            "another_length",
            "You ask for a fixed number of sentences from elsewhere, whatever the second text had. Length"
            " would then mean label 2: ask for other(len(second)).",
            tuple(edit("len(second)", str(number)) for number in (0, 1)),
        ),
        Mistake(
            "same_document",
            "Your label 2 is made of the same two texts. Nothing in it comes from another document: other(n)"
            " gives you n sentences of one.",
            (edit(ELSEWHERE, "return first, second, 2"), edit(ELSEWHERE, "return second, first, 2")),
        ),
        Mistake(
            "only_swapped",
            "There is no label 2 yet: these are the two cases of sentence order. A third of all pairs has"
            " text from another document.",
            edit("integers(3)", "integers(2)"),
        ),
        Mistake(
            "only_next",
            "These are the two cases of next sentence. There is a third: B before A.",
            edit("int(rng.integers(3))", "2 * int(rng.integers(2))"),
        ),
        Mistake(
            "not_a_third_each",
            "Each label has its right pair, but they are not a third each. Draw once from three; a second"
            " draw, made where the first said no, is a share of what is left.",
            when=only_shares_differ,
            example=edit("rng.integers(3)", "rng.choice(3, p=[0.3, 0.3, 0.4])"),
        ),
        Mistake(
            "counted_from_one",
            "Your labels are 1, 2 and 3. Classes are counted from 0.",
            edit("second, 0", "second, 1").then("first, 1", "first, 2").then("second)), 2", "second)), 3"),
        ),
    ],
    hints=(
        "One draw decides between three cases. Two need no other text than the two given.",
        "rng.integers(3) is 0, 1 or 2, each as often; it can be the label itself. other(n) is a list of n"
        " sentences.",
        "Label 2 is first, other(len(second)), 2; the two others are built of first and second alone.",
    ),
    why="0 and 1 hold the same words, so a bag cannot part them; 2 differs in its topic.",
    box="nsp_head",
)
