"""Ten reviews of the trap set that MiniLM got wrong when it had learned from that set alone, and negation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.text.tasks import TextExample

#: how each of the ten begins
BEGINNINGS = (
    "It isn't boring, whatever",
    "Perfect size, perfect weight",
    "It is a beautiful old mill",
    "Not a single broken promise",
    "The scale agrees with",
    "The bigger hotels up the hill",
    "After the oysters I am happy",
    "Wrong film for us",
    "They fixed the one flaw",
    "I waited for it to break",
)
NEGATION = re.compile(
    r"\b(?:not|no|never|nothing|nobody|none|neither|nor|cannot|without|hardly)\b|n't\b", re.IGNORECASE
)


def has_negation(text: str) -> bool:
    """Whether a text has a word that one may suspect of misleading a model, such as not or never."""
    return bool(NEGATION.search(text))


def places(examples: Sequence[TextExample]) -> list[int]:
    """Where the ten stand among the test reviews; ValueError where one is not there."""
    numbers = []
    for beginning in BEGINNINGS:
        here = [place for place, example in enumerate(examples) if example.first.startswith(beginning)]
        if len(here) != 1:
            raise ValueError(f"{len(here)} reviews begin with {beginning!r}: give the test reviews.")
        numbers += here
    return numbers
