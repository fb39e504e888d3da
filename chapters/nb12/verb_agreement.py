"""Does the verb agree with its subject? Linzen et al. (2016) ask a model which of two forms it prefers.

"The keys to the cabinet [MASK] old.": are, or is? What is right follows from "keys", however far away it
stands and whatever stands between. Sizes in the comments: B sentences, T pieces, V pieces of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from lib.analysis.prediction.held_out import Scored
from lib.bert import WordPieceTokenizer
from lib.bert.validation import validate_tokenizer
from lib.stats import share_interval
from lib.text.grammar import AgreementPair
from lib.text.ngrams import NGrams

AT_ONCE = 64  # sentences


class Score(NamedTuple):
    """How many verbs of how many were right, and the 95 % interval of the share (Wilson, 1927)."""

    right: int
    tried: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.right / self.tried

    def __str__(self) -> str:
        return f"{self.right}/{self.tried} = {self.share:.0%} ({self.low:.0%} to {self.high:.0%})"


def in_one_piece(pairs: Sequence[AgreementPair], tokenizer: WordPieceTokenizer) -> list[AgreementPair]:
    """The pairs of which the blank holds either form: each is one piece of this vocabulary."""
    return [pair for pair in pairs if pair.right in tokenizer.vocab and pair.wrong in tokenizer.vocab]


def with_words(pairs: Sequence[AgreementPair], front: str = "", behind: str = "") -> list[AgreementPair]:
    """The same sentences with some words in front, or behind, before the period."""
    changed = []
    for pair in pairs:
        words = [*pair.words[:-1], *behind.split(), pair.words[-1]]
        if front:
            words[0] = words[0].lower()
        added = front.split()
        changed.append(pair._replace(words=[*added, *words], place=pair.place + len(added)))
    return changed


@torch.inference_mode()
def model_agrees(
    model: Scored, tokenizer: WordPieceTokenizer, pairs: Sequence[AgreementPair], shift: int = 0
) -> list[bool]:
    """Whether the model finds the right form likelier than the wrong one at [MASK], pair by pair.

    shift: -1 for a model that says the next piece, and so is asked one place before the blank.
    """
    validate_tokenizer(tokenizer)
    agrees: list[bool] = []
    for start in range(0, len(pairs), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        batch = tokenizer([pair.text for pair in some])
        place = (batch["input_ids"] == tokenizer.mask_token_id).long().argmax(dim=1) + shift  # [B]
        hidden = model.bert(**batch).last_hidden_state[torch.arange(len(some)), place]  # [B, D]
        logits = model.cls.predictions(hidden)  # [B, V]
        forms = [tokenizer.convert_tokens_to_ids([pair.right, pair.wrong]) for pair in some]
        right, wrong = logits.gather(1, torch.tensor(forms)).unbind(dim=1)
        agrees += (right > wrong).tolist()
    return agrees


def ngrams_agree(ngrams: NGrams, tokenizer: WordPieceTokenizer, pairs: Sequence[AgreementPair]) -> list[bool]:
    """Whether n-grams of pieces find the whole sentence likelier with the right form, pair by pair."""
    agrees = []
    for pair in pairs:
        pieces = tokenizer.tokenize(pair.text)
        right, wrong = (
            [form if piece == tokenizer.mask_token else piece for piece in pieces]
            for form in (pair.right, pair.wrong)
        )
        agrees.append(ngrams.log_probability(right) > ngrams.log_probability(wrong))
    return agrees


def between(pair: AgreementPair) -> str:
    """What stands between noun and verb, and whether a noun there has the same number or the other one."""
    if not pair.nearest:
        return "nothing"
    return f"{pair.kind}, {'other' if pair.differs else 'same'} number"


def total(agrees: Sequence[bool]) -> Score:
    """The score of all pairs together."""
    right = sum(agrees)
    return Score(right, len(agrees), *share_interval(right / len(agrees), len(agrees)))
