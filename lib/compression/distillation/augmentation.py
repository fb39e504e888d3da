"""Further sentences for a student: some words replaced by what a masked LM, or word vectors, suggest.

TinyBERT's data augmentation (Jiao et al., 2020). What a sentence means may change with a word, a
good film becoming a bad one: the teacher says what the new sentence is, and no label is carried over.

    augmenter = Augmenter(pocket, tokenizer, vectors())
    rng = np.random.default_rng(0)
    augmenter.augment("i love this class", rng)    # the sentence itself, then its variants
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from torch import Tensor

from lib.analysis.prediction.fill_mask import MaskedLM
from lib.bert import WordPieceTokenizer
from lib.bert.validation import validate_eval
from lib.bert.wordpiece import normalize
from lib.text.vectors import WordVectors

_LETTERS = re.compile("[a-z]+")


@dataclass(frozen=True)
class Augmenter:
    """What words may stand in a place, and sentences made of them.

    A word that is one piece is guessed by the masked LM; one of several pieces gets its nearest words by
    vectors, GloVe's in the original. Stop words, numbers and punctuation stay. count: guesses, or neighbors.
    """

    model: MaskedLM
    tokenizer: WordPieceTokenizer
    vectors: WordVectors
    count: int = 15

    def augment(self, text: str, rng: np.random.Generator, rounds: int = 20, p: float = 0.4) -> list[str]:
        """The text, in lowercase with spaces between its words, and at most `rounds` others.

        In each round every word that can be replaced is, with probability `p`. No sentence comes twice.
        """
        words = basic_words(text)
        return variants(words, self.candidates(words), rng, rounds, p)

    def candidates(self, words: Sequence[str]) -> dict[int, list[str]]:
        """What may stand in the place of some of the words, by their places; the best first."""
        candidates: dict[int, list[str]] = {}
        in_vocabulary: list[int] = []
        for place, word in enumerate(words):
            if word in ENGLISH_STOP_WORDS or not _LETTERS.fullmatch(word):
                continue
            if self.tokenizer.tokenize(word) == [word]:
                in_vocabulary.append(place)
            elif word in self.vectors.counts:
                candidates[place] = [neighbor for neighbor, _ in self.vectors.neighbors(word, self.count)]
        return dict(sorted({**candidates, **self._guessed(words, in_vocabulary)}.items()))

    @torch.no_grad()
    def _guessed(self, words: Sequence[str], places: Sequence[int]) -> dict[int, list[str]]:
        """What the masked LM says in each place, given the sentence with a blank there, and the whole one."""
        if not places:
            return {}
        validate_eval(self.model)
        blank = self.tokenizer.mask_token
        masked = [" ".join([*words[:place], blank, *words[place + 1 :]]) for place in places]
        batch = self.tokenizer(masked, [" ".join(words)] * len(places))
        is_blank: Tensor = batch["input_ids"] == self.tokenizer.mask_token_id  # [places, T], one in each row
        states = self.model.bert(**batch).last_hidden_state[is_blank]  # [places, D]
        best = self.model.cls.predictions(states).topk(self.count).indices  # [places, count]
        special = self.tokenizer.all_special_tokens
        guesses = {}
        for place, ids in zip(places, best.tolist(), strict=True):
            pieces = self.tokenizer.convert_ids_to_tokens(ids)
            guesses[place] = [
                piece for piece in pieces if not piece.startswith("##") and piece not in special
            ]
        return guesses


def variants(
    words: Sequence[str],
    candidates: Mapping[int, Sequence[str]],
    rng: np.random.Generator,
    rounds: int = 20,
    p: float = 0.4,
) -> list[str]:
    """The sentence, and what comes of it when words give way, by lot, to the candidates for their places."""
    if rounds < 0 or not 0 <= p <= 1:
        raise ValueError(f"{rounds} rounds at a probability of {p}: give 0 rounds or more, and a share.")
    texts = [" ".join(words)]
    for _ in range(rounds):
        new = list(words)
        for place, others in candidates.items():
            if others and rng.random() < p:
                new[place] = others[int(rng.integers(len(others)))]
        texts.append(" ".join(new))
    return list(dict.fromkeys(texts))


def basic_words(text: str) -> list[str]:
    """The words of a text in lowercase, punctuation marks alone: what an uncased BERT cuts into pieces."""
    return "".join(normalize(character, True, True, True) for character in text).split()
