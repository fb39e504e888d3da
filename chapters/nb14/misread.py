"""Ten test reviews that MiniLM, fine-tuned with seed 0, got wrong, and cues that one may suspect in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
CONTRAST = re.compile(r"\b(?:but|yet|though|although|however|still|despite)\b", re.IGNORECASE)

#: what one may suspect, and whether a review has it
CUES: dict[str, Callable[[str], bool]] = {
    "a negation": lambda text: bool(NEGATION.search(text)),
    "but, yet, though": lambda text: bool(CONTRAST.search(text)),
    "25 words or more": lambda text: len(text.split()) >= 25,
}


def places(examples: Sequence[TextExample]) -> list[int]:
    """Where the ten stand among the test reviews; ValueError where one is not there."""
    numbers = []
    for beginning in BEGINNINGS:
        here = [place for place, example in enumerate(examples) if example.first.startswith(beginning)]
        if len(here) != 1:
            raise ValueError(f"{len(here)} reviews begin with {beginning!r}: give the test reviews.")
        numbers += here
    return numbers
