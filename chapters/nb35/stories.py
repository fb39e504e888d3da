"""The text of notebook 35: stories of the course's grammar, one after the other, in streams that go on.

A reader with a memory has to read a text in its order. So the text is cut into as many equal streams as
there are sequences in a batch, and row b of the next batch goes on where row b of this one ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import torch
from torch import Tensor

from lib.text import grammar

LEARNED, TESTED = 1_900, 300  # stories: some 60,000 words to learn from, and 9,000 for the test
UNKNOWN = "[UNK]"


@cache
def vocabulary() -> dict[str, int]:
    """The number of each word in the stories to learn from; 0 is for all others."""
    known = dict.fromkeys(story_words(LEARNED, seed=0))
    return {UNKNOWN: 0} | {word: number for number, word in enumerate(known, start=1)}


def story_words(count: int, seed: int) -> list[str]:
    """The words of so many stories, in lowercase; a full stop is a word."""
    stories = grammar.stories(count, seed)
    return [word.lower() for story in stories for one in story.sentences for word in one.parse.words]


@cache
def story_ids(part: str) -> Tensor:
    """The numbers of the words, int64 [N], of the stories "to learn" or "to test"."""
    count, seed = {"to learn": (LEARNED, 0), "to test": (TESTED, 1)}[part]
    known = vocabulary()
    return torch.tensor([known.get(word, 0) for word in story_words(count, seed)])


def streams_of(ids: Tensor, count: int) -> Tensor:
    """A text, int64 [N], as so many streams [count, N // count], each the continuation of the one above."""
    length = len(ids) // count
    return ids[: count * length].view(count, length)


def segments(streams: Tensor, length: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Streams [B, N] from left to right in segments: ids [B, length], and for each the id that follows it.

    A segment that would be shorter is left out.
    """
    if streams.shape[1] <= length:
        raise ValueError(
            f"A stream has {streams.shape[1]} tokens, and a segment of {length} needs {length + 1}: choose"
            " shorter segments, fewer streams or a longer text."
        )
    for start in range(0, streams.shape[1] - length, length):
        yield streams[:, start : start + length], streams[:, start + 1 : start + length + 1]
