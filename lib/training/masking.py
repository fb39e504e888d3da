"""The masked language model's corruption: which pieces are hidden, and behind what (Devlin et al., 2019).

Sizes in the comments: B texts, T pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IGNORED = -100  # a label that the loss leaves out, as `transformers` and PyTorch write it

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


def choose(candidates: Flags, words: Ids, rate: float, rng: np.random.Generator) -> Flags:
    """Whole words, in a random order, until they hold the share `rate` of a row's candidates: [B, T].

    candidates [B, T]; words [B, T] says which word of its row a piece is in, and each piece can be a word of
    its own. At least one word is chosen; one that would go beyond the share, and all after it, are not.
    """
    draws = np.take_along_axis(rng.random(words.shape), words - 1, axis=1)  # one for each word
    draws = np.where(candidates, draws, 2.0)  # what is no candidate comes last
    budget = np.maximum(1, np.rint(rate * candidates.sum(axis=1)))[:, None]  # [B, 1]
    pieces_so_far = (draws[:, None, :] <= draws[:, :, None]).sum(axis=2)  # [B, T], this word's included
    is_first = draws == draws.min(axis=1, keepdims=True)
    return candidates & (is_first | (pieces_so_far <= budget))


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
    units = begins if masking.whole_words else np.ones_like(begins)
    words = np.cumsum(units, axis=1, dtype=np.int64)
    chosen = choose(candidates, words, masking.rate, rng)
    fate = rng.random(input_ids.shape)
    corrupted = np.where(chosen & (fate < masking.mask), mask_token_id, input_ids)
    swapped = chosen & (fate >= masking.mask) & (fate < masking.mask + masking.random)
    corrupted = np.where(swapped, rng.integers(vocab_size, size=input_ids.shape), corrupted)
    return corrupted, np.where(chosen, input_ids, IGNORED)
