"""Sentences from another document, whose draft has two bugs."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from chapters.nb11.draws import is_uniform
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.text import sentence_pairs

DRAWS = 2_000
RETURN = "return document[start : start + size]"
SIZES, SOURCES, ROW, LAST = "sentences in a text", "from the documents", "in a row", "reaches the last"
BEGIN, EVEN, PLACES = "texts begin at", "documents as often", "places as often"


def cases(seed: int) -> Iterator[tuple[list[list[str]], int, int]]:
    """Documents of one length, so that there is one way to give all places the same chance; of several."""
    for lengths, own, size in [
        ((6, 6, 6, 6, 6), 2, 3),
        ((6, 6, 6, 6, 6), 0, 1),
        ((7, 7, 7, 7), 3, 4),
        ((8, 6, 4, 7), 1, 4),
    ]:
        yield [[f"{n}.{place}" for place in range(length)] for n, length in enumerate(lengths)], own, size


def draw_many(candidate: Any, documents: list[list[str]], own: int, size: int) -> dict[str, Any]:
    """What many draws have in common: how long, of which documents, in a row, from where, how often."""
    rng = np.random.default_rng(0)
    before = [list(document) for document in documents]
    texts = []
    for _ in range(DRAWS):
        text = candidate(documents, own, size, rng)
        if documents != before:
            raise Unfit("It changes the documents that it was given, which others may still need.")
        if not isinstance(text, (list, tuple)) or not all(isinstance(one, str) for one in text):
            raise Unfit("It should return a list of sentences.")
        texts.append([tuple(map(int, sentence.split("."))) for sentence in text])
    starts = Counter(text[0] for text in texts if text)
    sources = Counter(document for document, _ in starts.elements())
    equal = len(set(map(len, documents))) == 1
    return {
        SIZES: sorted(set(map(len, texts))),
        SOURCES: sorted({document for text in texts for document, _ in text}),
        ROW: all(two == (one[0], one[1] + 1) for text in texts for one, two in pairwise(text)),
        BEGIN: sorted({place for _, place in starts}),
        LAST: any(place == len(documents[n]) - 1 for text in texts for n, place in text),
        EVEN: not equal or is_uniform(list(sources.values())),
        PLACES: not equal or is_uniform(list(Counter(place for _, place in starts.elements()).values())),
    }


def own_is_drawn(arguments: tuple[Any, ...], answer: dict[str, Any], expected: dict[str, Any]) -> bool:
    return arguments[1] in answer[SOURCES]


EXERCISE = Exercise(
    name="from_another",
    kind="bug",
    minutes=6,
    difficulty=2,
    reference=sentence_pairs.from_another,
    cases=cases,
    run=draw_many,
    mistakes=[
        Mistake(
            "two_faults",
            "Two faults are in it, as in the draft: how long is its text, and can it be of the document that"
            " it must not be of?",
            when=lambda arguments, answer, expected: (
                own_is_drawn(arguments, answer, expected) and answer[SIZES] == [1]
            ),
            example=edit("len(documents) - 1", "len(documents)")
            .then("other if other < own else other + 1", "other")
            .then(" - size + 1", "")
            .then(RETURN, "return [document[start]]"),
        ),
        Mistake(
            "one_sentence",
            "It keeps out of its own document now. But it still returns one sentence, whatever `size` says.",
            when=lambda arguments, answer, expected: answer[SIZES] == [1],
            example=edit(RETURN, "return [document[start]]"),
        ),
        Mistake(
            "own_document",
            "Sometimes the text is of document `own` itself, under a label that says it is not.",
            when=own_is_drawn,
            example=edit("len(documents) - 1", "len(documents)").then(
                "other if other < own else other + 1", "other"
            ),
        ),
        Mistake(
            "scattered",
            "Your sentences do not follow each other. Text that follows stands in a row, so this must, too,"
            " or incoherence gives it away.",
            when=lambda arguments, answer, expected: not answer[ROW],
            example=edit(RETURN, "return [document[n] for n in rng.integers(len(document), size=size)]"),
        ),
        Mistake(
            "from_the_start",
            "All your texts begin where their document does, and beginnings are recognizable: new names,"
            ' no "he" yet. Draw the place too.',
            when=lambda arguments, answer, expected: answer[BEGIN] == [0],
            example=edit(RETURN, "return document[:size]"),
        ),
        Mistake(
            "always_the_end",
            "All your texts are the end of their document, and endings are recognizable. Draw the place too.",
            edit(RETURN, "return document[-size:]"),
        ),
        Mistake(
            "cut_at_the_end",
            "Near the end of a document your text runs out of sentences and is shorter than `size`, and short"
            " means label 1 again. Draw a start from which `size` sentences are left.",
            when=lambda arguments, answer, expected: min(answer[SIZES]) < arguments[2],
            example=edit("len(document) - size + 1", "len(document)"),
        ),
        Mistake(
            "never_the_last",
            "The last sentence of a document never comes up: there are len(document) - size + 1 places to"
            " start from.",
            (edit("- size + 1", "- size"), edit("len(document) - size + 1", "max(1, len(document) - size)")),
            when=lambda arguments, answer, expected: not answer[LAST],
        ),
        Mistake(
            "unequal_documents",
            "It keeps out of its own document, but the others do not come up equally often. Draw one of the"
            " len(documents) - 1 others, each with the same chance.",
            when=lambda arguments, answer, expected: answer[SOURCES] != expected[SOURCES] or not answer[EVEN],
            example=edit("int(rng.integers(len(documents) - 1))", "0"),
        ),
        Mistake(
            "unequal_places",
            "Some places come up more often than others. There are len(document) - size + 1 places to start"
            " from: draw one of them, each with the same chance.",
            when=lambda arguments, answer, expected: not answer[PLACES],
            example=edit(
                "int(rng.integers(len(document) - size + 1))",
                "min(int(rng.integers(len(document))), len(document) - size)",
            ),
        ),
    ],
    hints=(
        "Everything that is drawn has to look like the text that it stands for: as long, in a row, from"
        " anywhere. And it must be of another document.",
        "There are len(documents) - 1 other documents, and len(document) - size + 1 places to start from.",
        "start = rng.integers(len(document) - size + 1); return document[start : start + size]",
    ),
    why="As long, in a row, from anywhere: nothing but what it says is left to tell it by.",
)
