"""Learning a vocabulary of pieces from a text, from below or from above.

From below, every word begins as its characters. Then the best pair of neighbors becomes one piece wherever it
stands, and so on. What "best" means is a rule: `frequency` is byte-pair encoding (Sennrich et al., 2016);
`likelihood_gain` follows the words of the paper on WordPiece (Schuster and Nakajima, 2012);
`likelihood_ratio` is the formula by which WordPiece is mostly taught, a guess of the Hugging Face course
(2022). From above, whole words come first: the learner of TensorFlow Text, whose guide says that it follows
the one for BERT. The program that made BERT's vocabulary was never published.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from lib.bert.wordpiece import WordPieceTokenizer, normalize, wordpiece

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
        return self.first + _letters(self.second)


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
    characters = _characters(words)
    vocab = [*WordPieceTokenizer.all_special_tokens, *characters, *(f"##{c}" for c in characters)]
    if len(vocab) > size:
        raise ValueError(
            f"{len(characters)} characters and the special tokens take {len(vocab)} places, and size is "
            f"{size}: enlarge it."
        )
    known = set(vocab)
    for merge in merges(words, rule, min_count):
        if len(vocab) == size:
            break
        if merge.piece not in known:  # another pair may have made it already
            known.add(merge.piece)
            vocab.append(merge.piece)
    return vocab


def learn_from_above(words: Mapping[str, int], min_count: int, rounds: int = 4) -> list[str]:
    """The pieces in the order of their ids: special tokens, characters, the rest by how often they occur.

    No pair is merged. Every beginning of a word is counted, and every beginning of the rest from where the
    vocabulary of the round before would cut it; in the first round, from everywhere. Then, the longest first,
    what occurs `min_count` times is kept, and its own beginnings occur that much less: `giraff` alone is
    nothing where `giraffe` is a piece. The way of the learner published with TensorFlow Text, in short.
    """
    characters = _characters(words)
    single = [*characters, *(f"##{character}" for character in characters)]
    pieces: dict[str, int] = {}
    for number in range(rounds):
        known, counts = {*pieces, *single}, Counter[str]()
        for word, times in words.items():
            steps = (len(_letters(piece)) for piece in wordpiece(word, known)[:-1])
            for start in accumulate(steps, initial=0) if number else range(len(word)):
                for end in range(start + 1, len(word) + 1):
                    counts["##" * (start > 0) + word[start:end]] += times
        pieces = {}
        for piece in sorted(counts, key=lambda piece: (-len(_letters(piece)), piece)):
            if counts[piece] >= min_count:
                pieces[piece] = counts[piece]
                for end in range(len(piece) - len(_letters(piece)) + 1, len(piece)):
                    counts[piece[:end]] -= counts[piece]
    by_count = sorted(pieces, key=lambda piece: (-pieces[piece], piece))
    return list(dict.fromkeys([*WordPieceTokenizer.all_special_tokens, *characters, *by_count, *single]))


def not_merged(vocab: Iterable[str]) -> list[str]:
    """The pieces of two characters or more that cannot come from a merge: no two others make them.

    A learner that only merges leaves none. Special tokens, in brackets, are not counted.
    """
    known = set(vocab)
    return [
        piece
        for piece in vocab
        if len(_letters(piece)) > 1 and not (piece.startswith("[") and piece.endswith("]"))
        if not any(
            piece[:end] in known and f"##{piece[end:]}" in known
            for end in range(len(piece) - len(_letters(piece)) + 1, len(piece))
        )
    ]


def _letters(piece: str) -> str:
    return piece.removeprefix("##")


def _characters(words: Iterable[str]) -> list[str]:
    characters = sorted({character for word in words for character in word})
    if not characters:
        raise ValueError("There are no words to learn from: give some, with how often each occurs.")
    return characters
