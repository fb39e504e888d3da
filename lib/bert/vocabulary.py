"""Learning a vocabulary of pieces from a text, pair by pair.

Every word begins as its characters. Then the best pair of neighbors becomes one piece wherever it stands,
and so on. What "best" means is a rule: `frequency` is byte-pair encoding (Sennrich et al., 2016);
`likelihood_gain` follows the words of the paper on WordPiece (Schuster and Nakajima, 2012);
`likelihood_ratio` is the formula by which WordPiece is mostly taught, a guess of the Hugging Face course
(2022). The program that made BERT's vocabulary was never published.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from lib.bert.wordpiece import WordPieceTokenizer, normalize

#: how good a pair is, from four counts: of the pair, its first piece, its second piece, and of all pieces
Rule = Callable[[int, int, int, int], float]


def frequency(pair: int, first: int, second: int, total: int) -> float:
    """How often the pair occurs."""
    return pair


def likelihood_ratio(pair: int, first: int, second: int, total: int) -> float:
    """How many times as often as by chance the pair occurs: the most for pieces that occur nowhere else.

    `total` is the same for all pairs of a moment, so the best is that of the largest
    pair / (first * second).
    """
    return pair * total / (first * second)


def likelihood_gain(pair: int, first: int, second: int, total: int) -> float:
    """How much the text's log likelihood rises, in nats, if the pair becomes a piece.

    The likelihood is that of pieces drawn one by one, each by its own frequency: the sum of
    count * log(count / total) over all pieces. A pair takes `pair` from both its pieces' counts.
    """
    before = _n_log_n(first) + _n_log_n(second) - _n_log_n(total)
    after = _n_log_n(first - pair) + _n_log_n(second - pair) + _n_log_n(pair) - _n_log_n(total - pair)
    return after - before


@cache
def _n_log_n(count: int) -> float:
    return count * math.log(count) if count else 0.0


class Merge(NamedTuple):
    """Two neighbors that become one piece, how often they stood so, and what the rule said of them."""

    first: str
    second: str
    times: int
    score: float

    @property
    def piece(self) -> str:
        """What they become: `the` of `t` and `##he`, `##ing` of `##in` and `##g`."""
        return self.first + self.second.removeprefix("##")


def count_words(texts: Iterable[str]) -> Counter[str]:
    """How often each word occurs, split as an uncased BERT does: lowercase, punctuation marks alone."""
    normalized = ("".join(normalize(character, True, True, True) for character in text) for text in texts)
    return Counter(word for text in normalized for word in text.split(" ") if word)


def merge_pair(pieces: list[str], first: str, second: str) -> list[str]:
    """The pieces of a word, with `first` and `second` glued wherever they stand side by side."""
    merged: list[str] = []
    for piece in pieces:
        if merged and (merged[-1], piece) == (first, second):
            merged[-1] += piece.removeprefix("##")
        else:
            merged.append(piece)
    return merged


def merges(words: Mapping[str, int], rule: Rule = likelihood_gain, min_count: int = 1) -> Iterator[Merge]:
    """Merge pair after pair, the best first, for as long as one occurs `min_count` times.

    words: how often each word occurs. Of equally good pairs the more frequent one is merged, and of
    equally frequent ones the first in the alphabet, so that every run gives the same.
    """
    cuts = {word: [word[0], *(f"##{character}" for character in word[1:])] for word in words}
    pieces: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    where: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # the words that have, or had, a pair

    def count(word: str, times: int) -> None:
        for piece in cuts[word]:
            pieces[piece] += times
        for pair in pairwise(cuts[word]):
            pairs[pair] += times
            where[pair].add(word)

    for word, times in words.items():
        count(word, times)
    while True:
        total, best = pieces.total(), None
        for pair, often in pairs.items():
            if often >= min_count:
                score = rule(often, pieces[pair[0]], pieces[pair[1]], total)
                if best is None or (-score, -often, pair) < best:
                    best = -score, -often, pair
        if best is None:
            return
        score, often, (first, second) = best
        yield Merge(first, second, -often, -score)
        for word in where.pop((first, second)):
            count(word, -words[word])
            cuts[word] = merge_pair(cuts[word], first, second)
            count(word, words[word])
        del pairs[first, second]


def learn_vocabulary(
    words: Mapping[str, int], size: int, rule: Rule = likelihood_gain, min_count: int = 1
) -> list[str]:
    """The pieces in the order of their ids: special tokens, characters, then what `merges` makes of them.

    Each character is there twice, to begin a word and to go on with one, so that every word of known
    characters can be cut. There are fewer than `size` pieces if the pairs give out. `WordPieceTokenizer`
    takes the list as it is.
    """
    characters = sorted({character for word in words for character in word})
    vocab = [*WordPieceTokenizer.all_special_tokens, *characters, *(f"##{c}" for c in characters)]
    if not characters or len(vocab) > size:
        raise ValueError(
            f"{len(characters)} characters and the special tokens take {len(vocab)} places of {size}: "
            + ("enlarge size." if characters else "give some words.")
        )
    known = set(vocab)
    for merge in merges(words, rule, min_count):
        if len(vocab) == size:
            break
        if merge.piece not in known:  # another pair may have made it already
            known.add(merge.piece)
            vocab.append(merge.piece)
    return vocab
