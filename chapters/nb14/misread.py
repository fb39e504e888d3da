"""Ten reviews of the trap set that MiniLM got wrong when it had learned from that set alone."""

from __future__ import annotations

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


def places(examples: Sequence[TextExample]) -> list[int]:
    """Where the ten stand among the test reviews; ValueError where one is not there."""
    numbers = []
    for beginning in BEGINNINGS:
        here = [place for place, example in enumerate(examples) if example.first.startswith(beginning)]
        if len(here) != 1:
            raise ValueError(f"{len(here)} reviews begin with {beginning!r}: give the test reviews.")
        numbers += here
    return numbers
