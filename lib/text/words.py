"""What counts as a word where no vocabulary of pieces is at hand."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")  # letters, and an apostrophe inside: teddy, don't


def lowercase_words(text: str) -> list[str]:
    """The words of a text in lowercase, without numbers and punctuation."""
    return WORD.findall(text.lower())
