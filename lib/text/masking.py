"""The masked language model's corruption: which pieces are hidden, and behind what (Devlin et al., 2019).

Sizes in the comments: B texts, T pieces, L lengths that a span can have.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lib.bert.validation import IGNORED

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Masking:
    """How much is hidden and behind what (section 3.1): of the chosen, `mask` become [MASK], `random` another
    piece of the vocabulary, and the rest stay as they are. `whole_words` chooses words, not pieces."""

    rate: float = 0.15
    mask: float = 0.8
    random: float = 0.1
    whole_words: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1:
            raise ValueError(f"The masking rate is {self.rate}: give a share between 0 and 1, such as 0.15.")
        if min(self.mask, self.random) < 0 or self.mask + self.random > 1:
            raise ValueError(
                f"{self.mask} to [MASK] and {self.random} at random: give shares that sum to at most 1."
            )

    def choose(self, candidates: Flags, begins: Flags, rng: np.random.Generator) -> tuple[Flags, Ids]:
        """Which pieces are chosen, and the place in its row of the piece whose draw each shares: two [B, T].

        candidates [B, T]: false on special tokens; begins [B, T]: whether a piece begins a word.
        """
        units = begins if self.whole_words else np.ones_like(begins)
        chosen = choose(candidates, np.cumsum(units, axis=1, dtype=np.int64), self.rate, rng)
        return chosen, np.broadcast_to(np.arange(begins.shape[1]), begins.shape)  # to each its own

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What is hidden and how, as JSON."""
        return {"kind": type(self).__name__, **asdict(self)}

    def with_whole_words(self) -> Masking:
        """As much hidden behind the same, but whole words, so that no piece of one gives the others away."""
        return Masking(self.rate, self.mask, self.random, whole_words=True)

    def corrupt(
        self, ids: Ids, candidates: Flags, begins: Flags, vocab_size: int, mask_token_id: int,
        rng: np.random.Generator,
    ) -> tuple[Ids, Ids]:  # fmt: skip
        """See `mask_pieces`."""
        return mask_pieces(ids, candidates, begins, self, vocab_size, mask_token_id, rng)


@dataclass(frozen=True)
class SpanMasking(Masking):
    """Runs of whole words, all of a run behind the same thing (SpanBERT; Joshi et al., 2020, section 3.1).

    A run of n words is drawn with a probability in proportion to (1 - p)^(n - 1), n up to `longest`.
    """

    p: float = 0.2
    longest: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1 or self.longest < 1:
            raise ValueError(
                f"p is {self.p} and the longest span has {self.longest} words: give a p between 0 and 1 "
                "and at least one word."
            )

    @property
    def lengths(self) -> NDArray[np.float64]:
        """[L]: how likely a span of 1, 2, ... words is."""
        weights = (1 - self.p) ** np.arange(self.longest)
        return weights / weights.sum()

    def choose(self, candidates: Flags, begins: Flags, rng: np.random.Generator) -> tuple[Flags, Ids]:
        """As in `Masking`; a piece shares the draw of the first piece of its span."""
        chosen, first = np.zeros_like(candidates), np.tile(np.arange(candidates.shape[1]), (len(begins), 1))
        for row, words in enumerate(np.cumsum(begins, axis=1)):
            for span in _spans(candidates[row], words, self, rng):
                chosen[row, span] = True
                first[row, span] = span[0]
        return chosen, first


def _spans(candidates: Flags, words: Ids, masking: SpanMasking, rng: np.random.Generator) -> list[list[int]]:
    """The spans of a row, as places [T], until they hold its share of the candidates or there is no room.

    A span ends before a special token, before another span, and before a word that would go beyond the share.
    """
    places = {word: np.flatnonzero((words == word) & candidates).tolist() for word in np.unique(words)}
    left = int(_budget(candidates, masking.rate, rng))
    taken: set[int] = {word for word, pieces in places.items() if not pieces}
    spans: list[list[int]] = []
    for start in rng.permutation(list(places)).tolist() if left else []:
        length = int(rng.choice(masking.longest, p=masking.lengths)) + 1
        span: list[int] = []
        for word in range(start, start + length):
            if word in taken or word not in places or (len(places[word]) > left and (spans or span)):
                break
            taken.add(word)
            span += places[word]
            left -= len(places[word])
        if span:
            spans.append(span)
        if left <= 0:
            break
    return spans


def choose(candidates: Flags, words: Ids, rate: float, rng: np.random.Generator) -> Flags:
    """Whole words, in a random order, until they hold the share `rate` of a row's candidates: [B, T].

    candidates [B, T]; words [B, T] says which word of its row a piece is in, and each piece can be a word of
    its own. A word that would go beyond the share is not chosen, nor any after it; but the first always is,
    where the share is not nothing.
    """
    draws = np.take_along_axis(rng.random(words.shape), words - 1, axis=1)  # one for each word
    draws = np.where(candidates, draws, 2.0)  # what is no candidate comes last
    budget = _budget(candidates, rate, rng)[:, None]  # [B, 1]
    pieces_so_far = (draws[:, None, :] <= draws[:, :, None]).sum(axis=2)  # [B, T], this word's included
    is_first = draws == draws.min(axis=1, keepdims=True)
    return candidates & (is_first | (pieces_so_far <= budget)) & (budget > 0)


def _budget(candidates: Flags, rate: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """How many of each row's candidates [..., T] are hidden: [...]; on average exactly the share `rate`.

    Rounded up or down by lot. BERT's code rounds to the nearest number, at least 1; rows of nine pieces,
    which some of the course's are, would then hide 11 % at a rate of 5 %.
    """
    return np.floor(rate * candidates.sum(axis=-1) + rng.random(candidates.shape[:-1]))


def mask_pieces(
    input_ids: Ids,
    candidates: Flags,
    begins: Flags,
    masking: Masking,
    vocab_size: int,
    mask_token_id: int,
    rng: np.random.Generator,
) -> tuple[Ids, Ids]:
    """What the model reads and what it is to say: two [B, T], the second `IGNORED` where nothing was chosen.

    candidates [B, T]: false on special tokens. A random piece is drawn from the whole vocabulary, special
    tokens included, as in the original code.
    """
    chosen, shares = masking.choose(candidates, begins, rng)
    draws = np.take_along_axis(rng.random(input_ids.shape), shares, axis=1)
    random_ids = rng.integers(vocab_size, size=input_ids.shape)
    ids, picked, drawn, swaps = map(torch.from_numpy, (input_ids, chosen, draws, random_ids))
    corrupted, labels = corrupt(ids, picked, drawn, swaps, mask_token_id, masking.mask, masking.random)
    return corrupted.numpy(), labels.numpy()


def corrupt(
    input_ids: Tensor,
    chosen: Tensor,
    draws: Tensor,
    random_ids: Tensor,
    mask_token_id: int,
    mask: float = 0.8,
    random: float = 0.1,
) -> tuple[Tensor, Tensor]:
    """What the model reads and what it is to say, given the draws (Devlin et al., 2019, section 3.1).

    All tensors are [B, T]: `chosen` boolean; `draws` between 0 and 1: below `mask` a chosen piece becomes
    [MASK], below `mask` + `random` the piece in `random_ids`, and else it stays. Labels are `IGNORED` where
    not chosen.
    """
    corrupted = input_ids.masked_fill(chosen & (draws < mask), mask_token_id)
    swapped = chosen & (draws >= mask) & (draws < mask + random)
    return torch.where(swapped, random_ids, corrupted), input_ids.masked_fill(~chosen, IGNORED)
