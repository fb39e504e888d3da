"""Filling blanks: what a masked language model thinks stands behind [MASK], at the end and on the way there.

Every function takes a model with a masked-LM head, `BertForMaskedLM` or `BertForPreTraining`, in eval().
Sizes in the comments: L layers, N blanks, V pieces, W words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForMaskedLM, BertForPreTraining
from lib.bert.validation import validate_eval

MaskedLM = BertForMaskedLM | BertForPreTraining


class Guess(NamedTuple):
    """A piece that a model puts into a blank."""

    piece: str
    probability: float


class Step(NamedTuple):
    """What a model would say for a blank, were it to speak after a certain layer."""

    guess: Guess  # its best one there
    rank: int  # there, from 1, of the guess it makes at the end
    probability: float  # there, of that guess


@torch.inference_mode()
def blank_log_probs(model: MaskedLM, tokenizer: WordPieceTokenizer, text: str) -> Tensor:
    """Log-probability of every piece at every [MASK] of a text, read off every hidden state: [L + 1, N, V].

    The masked-LM head was trained on the last hidden state; on the others it is a probe ("logit lens").
    """
    validate_eval(model, tokenizer)
    if not hasattr(getattr(model, "cls", None), "predictions"):
        raise ValueError(f"A {type(model).__name__} fills no blanks: load it as a BertForMaskedLM.")
    batch = tokenizer(text)
    blank = batch["input_ids"][0] == tokenizer.mask_token_id  # [T]
    if not blank.any():
        raise ValueError(f"There is no blank in {text!r}: write [MASK] where a word is to be guessed.")
    states = model.bert(**batch, output_hidden_states=True).hidden_states
    here = torch.stack([state[0, blank] for state in states])  # [L + 1, N, D]
    logits: Tensor = model.cls.predictions(here)
    return logits.log_softmax(dim=-1)


def fill_mask(model: MaskedLM, tokenizer: WordPieceTokenizer, text: str, count: int = 5) -> list[Guess]:
    """The `count` likeliest pieces for the one [MASK] of a text, the best first."""
    return best_guesses(tokenizer, _one_blank(model, tokenizer, text)[-1], count)


@torch.no_grad()
def first_guesses(model: MaskedLM, tokenizer: WordPieceTokenizer, texts: list[str]) -> list[str]:
    """The likeliest piece for the one [MASK] of each text, all texts in one batch."""
    batch = tokenizer(texts)
    is_blank = batch["input_ids"] == tokenizer.mask_token_id  # [B, T]
    logits = model(**batch).logits[is_blank]  # [B, V]
    return tokenizer.convert_ids_to_tokens(logits.argmax(dim=-1).tolist())


def best_guesses(tokenizer: WordPieceTokenizer, log_probs: Tensor, count: int = 5) -> list[Guess]:
    """The `count` likeliest pieces by these log-probabilities, [V], the best first."""
    best = log_probs.topk(count)
    pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return [Guess(*guess) for guess in zip(pieces, best.values.exp().tolist(), strict=True)]


def word_probabilities(
    model: MaskedLM, tokenizer: WordPieceTokenizer, text: str, words: Sequence[str]
) -> list[float]:
    """How probable each of these words is for the one [MASK] of a text. A word has to be a single piece."""
    pieces = [tokenizer.tokenize(word) for word in words]
    for word, parts in zip(words, pieces, strict=True):
        if len(parts) != 1 or parts[0] == tokenizer.unk_token:
            raise ValueError(
                f"{word!r} is {len(parts)} pieces here, {' '.join(parts)}, and a blank holds one: take "
                "another word."
            )
    ids = tokenizer.convert_tokens_to_ids([parts[0] for parts in pieces])
    probabilities: list[float] = _one_blank(model, tokenizer, text)[-1, ids].exp().tolist()
    return probabilities


def follow_guess(model: MaskedLM, tokenizer: WordPieceTokenizer, text: str) -> list[Step]:
    """How the guess for the one [MASK] of a text forms: a step for the embeddings, then one a layer."""
    log_probs = _one_blank(model, tokenizer, text)  # [L + 1, V]
    final = int(log_probs[-1].argmax())
    best = log_probs.max(dim=-1)
    pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    ranks = (log_probs > log_probs[:, [final]]).sum(dim=-1) + 1
    steps = zip(pieces, best.values.exp().tolist(), ranks.tolist(), log_probs[:, final].tolist(), strict=True)
    return [
        Step(Guess(piece, probability), rank, math.exp(of_final))
        for piece, probability, rank, of_final in steps
    ]


@torch.inference_mode()
def side_log_probs(
    model: MaskedLM, tokenizer: WordPieceTokenizer, text: str, side: Literal["left", "right"]
) -> Tensor:
    """What the one [MASK] of a text could be, seen from one side alone: log-probabilities [V].

    The other side is hidden by the attention mask, so that what stays keeps its place. This shows what a side
    tells this model; one that was trained on a single side would have learned to make more of it.
    """
    validate_eval(model, tokenizer)
    ids = tokenizer(text)["input_ids"][0]  # [T]
    blanks = (ids == tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    _validate_one_blank(len(blanks), text)
    blank = blanks[0]
    places = torch.arange(len(ids))
    seen = places <= blank if side == "left" else places >= blank
    state = model.bert(ids[None], attention_mask=seen.long()[None]).last_hidden_state[0, blank]
    logits: Tensor = model.cls.predictions(state)
    return logits.log_softmax(dim=-1)


def _one_blank(model: MaskedLM, tokenizer: WordPieceTokenizer, text: str) -> Tensor:
    """`blank_log_probs` of a text with a single blank: [L + 1, V]."""
    log_probs = blank_log_probs(model, tokenizer, text)
    _validate_one_blank(log_probs.size(1), text)
    return log_probs[:, 0]


def _validate_one_blank(count: int, text: str) -> None:
    if count != 1:
        raise ValueError(f"There are {count} blanks in {text!r}: write [MASK] once.")
