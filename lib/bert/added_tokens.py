"""Tokens that are cut out of a text whole, before WordPiece sees it: special ones, and what was added later.

The fields are those of `tokenizers.AddedToken`, and so is what they do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

SPACE = r"[^\S\x1c-\x1f]"  # what Unicode calls white space; Python's \s has four control characters more

OF_WORDS = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"}  # categories of characters


class AddedToken(NamedTuple):
    """A piece that no rule cuts, and how it is looked for."""

    content: str
    single_word: bool = False  # only where no letter or digit stands beside it
    lstrip: bool = False  # it takes the spaces before it
    rstrip: bool = False  # and after it
    normalized: bool = False  # it is looked for after the normalizer, as which it is normalized too
    special: bool = False  # `decode` can leave it out


class Splitter:
    """Cuts a text at tokens, given by what is looked for: at the first, and there at the longest."""

    def __init__(self, tokens: Mapping[str, AddedToken]) -> None:
        self.tokens = tokens
        longest_first = sorted(tokens, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def __call__(self, text: str) -> Iterator[tuple[AddedToken | None, int, int]]:
        """Each token with where it begins and ends, and None with where each stretch between them does."""
        done = 0
        for found in self.pattern.finditer(text):
            token, (start, stop) = self.tokens[found.group()], found.span()
            if token.single_word and (_in_word(text[start - 1 : start]) or _in_word(text[stop : stop + 1])):
                continue
            if token.lstrip:
                start = done + len(re.sub(rf"{SPACE}+\Z", "", text[done:start]))
            if token.rstrip:
                stop = re.compile(f"{SPACE}*").match(text, stop).end()  # type: ignore[union-attr]
            if done < start:
                yield None, done, start
            if start < stop:  # or else the token before took these spaces
                yield token, start, stop
            done = stop
        if done < len(text):
            yield None, done, len(text)


def _in_word(character: str) -> bool:
    """Whether a character can stand in a word, as joiners and circled letters can; "", the end, cannot."""
    return any(
        unicodedata.category(part) in OF_WORDS or re.match("[\u200c\u200d\u24b6-\u24e9]", part)
        for part in character
    )
