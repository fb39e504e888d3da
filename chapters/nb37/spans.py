"""One sentence under five corruptions: BERT's, whole words, SpanBERT's, T5's and BART's."""

from __future__ import annotations

from collections.abc import Sequence

Spans = Sequence[tuple[int, int]]


def span_corruption(
    tokens: list[str], spans: list[tuple[int, int]], sentinels: list[str]
) -> tuple[list[str], list[str]]:
    """What T5 reads and what it is to write (Raffel et al., 2020, section 3.1.4): two new lists.

    Each span (start, stop) becomes one sentinel. The target is each span's sentinel and its tokens, and at
    the end one more sentinel. Spans that touch are refused: nothing would stand between their sentinels.
    """
    read, target = [], []
    done = 0  # places before this one are handled
    for number, (start, stop) in enumerate(spans):
        if number > 0 and start <= done:
            raise ValueError(
                f"A span starts at {start}, and the one before it stops at {done}: join the two."
            )
        read += tokens[done:start]
        read.append(sentinels[number])
        target.append(sentinels[number])
        target += tokens[start:stop]
        done = stop
    read += tokens[done:]
    target.append(sentinels[len(spans)])
    return read, target


def five_ways(words: list[str], places: Sequence[int], spans: Spans) -> dict[str, list[str]]:
    """A table: how each relative shows a sentence, and what it is asked for.

    words: pieces, in which ## goes on a word. places: those that BERT hides. spans: of whole words.
    """
    sentinels = [f"<{number}>" for number in range(len(spans) + 1)]
    read, target = span_corruption(words, list(spans), sentinels)
    inside = [place for start, stop in spans for place in range(start, stop)]
    whole = sorted({place for chosen in places for place in whole_word(words, chosen)})
    infilled = [token if token not in sentinels else "[MASK]" for token in read]
    return {
        "relative": ["BERT, 2018", "BERT, whole words, 2019", "SpanBERT, 2019", "T5, 2019", "BART, 2019"],
        "reads": [
            " ".join(masked(words, places)),
            " ".join(masked(words, whole)),
            " ".join(masked(words, inside)),
            " ".join(read),
            " ".join(infilled),
        ],
        "is asked for": [
            " ".join(words[place] for place in sorted(places)),
            " ".join(words[place] for place in whole),
            " ".join(words[place] for place in inside),
            " ".join(target),
            " ".join(words),
        ],
    }


def masked(words: Sequence[str], places: Sequence[int]) -> list[str]:
    """The pieces with [MASK] at these places."""
    return ["[MASK]" if place in places else word for place, word in enumerate(words)]


def whole_word(words: Sequence[str], place: int) -> list[int]:
    """All places of the word that the piece at this place belongs to."""
    start, stop = place, place + 1
    while words[start].startswith("##"):
        start -= 1
    while stop < len(words) and words[stop].startswith("##"):
        stop += 1
    return list(range(start, stop))
