"""Pairs of whole sentences, short enough to read: what `pair_rows` makes of pieces, made of sentences.

A document here is the list of its sentences, a text a few of them in a row. No text is cut, so neither its
length nor its end says where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from lib.text.pair_tasks import Draw

#: after a full stop and what may close behind it, but not after a title
GAP = re.compile(r"(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?:(?<=[.!?])|(?<=[.!?][\"')]))\s+")

Document = list[str]


class SentencePair(NamedTuple):
    """Two texts, what the task says of them, and the number of the document that they are about."""

    first: str
    second: str
    label: int
    document: int


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph, by their full stops. Good enough for stories; it knows three titles."""
    return GAP.split(paragraph.strip())


def documents_in_sentences(documents: Sequence[list[str]]) -> list[Document]:
    """Documents of paragraphs as documents of sentences, without their titles, which no text follows."""
    return [
        [sentence for paragraph in paragraphs[1:] for sentence in split_sentences(paragraph)]
        for paragraphs in documents
    ]


def from_another(documents: list[list[str]], own: int, size: int, rng: np.random.Generator) -> list[str]:
    """`size` sentences in a row from a document other than number `own`, all places being as likely."""
    other = int(rng.integers(len(documents) - 1))
    document = documents[other if other < own else other + 1]
    start = int(rng.integers(len(document) - size + 1))
    return document[start : start + size]


def draw_pairs(
    documents: list[Document],
    task: Draw,
    size: int,
    count: int,
    rng: np.random.Generator,
    another: Callable[[list[Document], int, int, np.random.Generator], list[str]] = from_another,
) -> list[SentencePair]:
    """`count` pairs of texts of `size` sentences, the documents in turn.

    `task` is how one of `lib.text.pair_tasks` draws, such as `next_sentence`; `another` is where it gets text
    of another document from.
    """
    _validate_sizes(documents, size)
    pairs = []
    for number in range(count):
        own = number % len(documents)
        _, first, second = _neighbors(documents[own], size, rng)

        def other(size: int, own: int = own) -> list[str]:
            return another(documents, own, size, rng)

        one, two, label = task(first, second, other, rng)
        pairs.append(SentencePair(" ".join(one), " ".join(two), label, own))
    return pairs


def relations(
    documents: list[Document], own: int, size: int, rng: np.random.Generator
) -> dict[str, SentencePair]:
    """One text of document `own` with four others: what follows it, the two swapped, text from elsewhere in
    the same document, and text from another. The label is 0 for the first and 1 for all others."""
    _validate_sizes(documents, 3 * size)
    document = documents[own]
    start, first, second = _neighbors(document, size, rng)
    apart = [n for n in range(len(document) - size + 1) if n + size <= start or n >= start + 2 * size]
    elsewhere = int(rng.choice(apart))
    texts = {
        "follows": (first, second),
        "swapped": (second, first),
        "same document": (first, document[elsewhere : elsewhere + size]),
        "another document": (first, from_another(documents, own, size, rng)),
    }
    return {
        name: SentencePair(" ".join(one), " ".join(other), int(name != "follows"), own)
        for name, (one, other) in texts.items()
    }


def _neighbors(document: Document, size: int, rng: np.random.Generator) -> tuple[int, list[str], list[str]]:
    """Two texts of a document that follow one another, and the place of the first."""
    start = int(rng.integers(len(document) - 2 * size + 1))
    return start, document[start : start + size], document[start + size : start + 2 * size]


def _validate_sizes(documents: list[Document], size: int) -> None:
    if len(documents) < 2 or min(map(len, documents)) < 2 * size:
        raise ValueError(
            f"Two texts of {size} sentences do not fit into every document, or there is only one: "
            "take fewer sentences, or give more documents."
        )
