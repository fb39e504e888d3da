"""Sentences from another document, whose draft has two bugs."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from chapters.nb11.draws import is_uniform
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.text import sentence_pairs

DRAWS = 2_000
RETURN = "return document[start : start + size]"
SIZES, SOURCES, ROW = "sentences in a text", "from the documents", "in a row"
BEGIN, EVEN, PLACES = "texts begin at", "documents as often", "places as often"


def draw_many(candidate: Any, documents: list[list[str]], own: int, size: int) -> dict[str, Any]:
    """What many draws have in common: how long, of which documents, in a row, from where, how often."""
    rng = np.random.default_rng(0)
    texts = []
    for _ in range(DRAWS):
        text = candidate(documents, own, size, rng)
        if not (isinstance(text, (list, tuple)) and text and all(isinstance(one, str) for one in text)):
            raise Unfit("It should return a list of sentences.")
        texts.append([tuple(map(int, sentence.split("."))) for sentence in text])
    sources, starts = zip(*(text[0] for text in texts), strict=True)
    return {
        SIZES: sorted(set(map(len, texts))),
        SOURCES: sorted({document for text in texts for document, _ in text}),
        ROW: all(two == (one[0], one[1] + 1) for text in texts for one, two in pairwise(text)),
        BEGIN: sorted(set(starts)),
        EVEN: is_uniform(list(Counter(sources).values())),
        PLACES: is_uniform(list(Counter(starts).values())),
    }


# fmt: off
EXERCISE = Exercise(
    name="from_another", kind="bug", minutes=6, difficulty=2, reference=sentence_pairs.from_another,
    cases=lambda seed: [([[f"{n}.{place}" for place in range(length)] for n in range(5)], own, size)
        for length, own, size in ((6, 2, 3), (6, 0, 1), (7, 3, 4), (4, 1, 4))],
    run=draw_many,
    mistakes=[
        Mistake("two_faults", "Two faults are in it, as in the draft: how long is its text, and can it be of"
            " the document that it must not be of?",
            when=lambda arguments, answer, expected: arguments[1] in answer[SOURCES] and answer[SIZES] == [1],
            example=edit(RETURN, "return [documents[own][start]]")),
        Mistake("one_sentence", "It keeps out of its own document now, but returns one sentence, whatever"
            " `size` says.",
            when=lambda arguments, answer, expected: answer[SIZES] == [1],
            example=edit(RETURN, "return [document[start]]")),
        Mistake("scattered", "Your sentences do not follow each other. Text that follows stands in a row: so"
            " must this.",
            when=lambda arguments, answer, expected: not answer[ROW],
            example=edit(RETURN, "return [document[n] for n in rng.integers(len(document), size=size)]")),
        Mistake("other_documents", "Draw one of the len(documents) - 1 others, each with the same chance, and"
            " never `own`.",
            when=lambda arguments, answer, expected: answer[SOURCES] != expected[SOURCES] or not answer[EVEN],
            example=tuple(
                edit("int(rng.integers(len(documents) - 1))", other) for other in ("0", "own - 1"))),
        Mistake("other_places", "A text may begin at each of the len(document) - size + 1 places from which"
            " `size` sentences are left, all with the same chance.",
            edit("- size + 1", "- size"),
            when=lambda arguments, answer, expected: answer[BEGIN] != expected[BEGIN] or not answer[PLACES]),
    ],
    hints=("All that is drawn has to look like the text that it stands for: as long, in a row, from"
           " anywhere.",
           "There are len(documents) - 1 other documents, and len(document) - size + 1 places to start from.",
           "start = rng.integers(len(document) - size + 1); return document[start : start + size]"),
    why="As long, in a row, from anywhere: nothing else is left to tell it by.",
)
# fmt: on
