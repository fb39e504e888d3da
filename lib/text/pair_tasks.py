"""Questions about two texts to pretrain a model on: does B follow A, and in which order are they?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: from two texts that follow one another, what gives so much text of another document, and a generator, to
#: the two texts that are shown and their label; a text is an array of ids or a list of sentences
Draw = Callable[[Any, Any, Callable[[int], Any], np.random.Generator], tuple[Any, Any, int]]


def next_sentence(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: B is from another document (Devlin et al., 2019, section 3.1, task 2)."""
    if rng.random() < 0.5:
        return first, second, 0
    return first, other(len(second)), 1


def sentence_order(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: A follows B, the two swapped (Lan et al., 2020, section 3.1)."""
    if rng.random() < 0.5:
        return first, second, 0
    return second, first, 1


def three_way(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: B precedes A. 2: another document, a third each (Wang et al., 2020, section 2.3)."""
    label = int(rng.integers(3))
    if label == 0:
        return first, second, 0
    if label == 1:
        return second, first, 1
    return first, other(len(second)), 2


def no_pairs(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """Always the text as it stands, for masked words alone; the label means nothing."""
    return first, second, 0


@dataclass(frozen=True)
class PairTask:
    """A question about two texts, answered by one of `classes` labels, and what it asks of a corpus.

    needs_other_document: some of its texts are of another document. swaps: the texts may change places.
    """

    name: str
    draw: Draw
    classes: int = 2
    needs_other_document: bool = False
    swaps: bool = False


NO_PAIRS = PairTask("none", no_pairs)
NEXT_SENTENCE = PairTask("next", next_sentence, needs_other_document=True)
SENTENCE_ORDER = PairTask("order", sentence_order, swaps=True)
THREE_WAY = PairTask("three-way", three_way, classes=3, needs_other_document=True, swaps=True)

#: by the names that command lines and fingerprints have for them
PAIR_TASKS = {task.name: task for task in (NO_PAIRS, NEXT_SENTENCE, SENTENCE_ORDER, THREE_WAY)}
