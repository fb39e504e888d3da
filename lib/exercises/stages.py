"""Where an answer is shown at work: the published MiniLM, the pocket BERT with its masked-LM head, or a small
BERT that begins to learn."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

TEXTS = (
    "she opened a bank account",
    "he sat on the river bank",
    "i love this class and its notebooks",  # which is two pieces, notebook ##s
)
PAIRS = (("i love this class", "so do i"), ("he sat on the river bank", "it was cold"))
BLANKS = (
    "i think teddy [MASK] make great presents for kids",
    "paris is the [MASK] of france",
    "she opened a bank [MASK]",
)
STEPS = 8  # of pretraining


@dataclass(frozen=True)
class Stage:
    """A model for answers to run in.

    load: the model in eval() and its tokenizer. run(model, tokenizer): what it computes. computes: that in
    words.
    """

    title: str
    computes: str
    load: Callable[[], tuple[Any, Any]]
    run: Callable[[Any, Any], list[Tensor]]


@cache
def _minilm() -> tuple[Any, Any]:
    from lib.bert import BertModel, WordPieceTokenizer

    return BertModel.from_pretrained("minilm").eval(), WordPieceTokenizer.from_pretrained("minilm")


@cache
def _pocket() -> tuple[Any, Any]:
    from lib.bert import BertForPreTraining, WordPieceTokenizer

    return BertForPreTraining.from_pretrained("pocket").eval(), WordPieceTokenizer.from_pretrained("pocket")


@cache
def _small() -> tuple[Any, Any]:
    from lib.experiments import small_bert

    texts = small_bert.grammar_texts()
    return small_bert.new_model(texts, layers=1, hidden_size=64, heads=4, seed=0), texts.tokenizer


def _states_and_vectors(model: Any, tokenizer: Any) -> list[Tensor]:
    """Every hidden state of TEXTS at their own tokens, and their pooled vectors."""
    from lib.analysis.vectors import similarity

    inputs, real = _inputs(tokenizer, TEXTS)
    result = model(**inputs, output_hidden_states=True, output_attentions=True)
    pooled = similarity.mean_pool(result.last_hidden_state, inputs["attention_mask"])
    return [*(hidden[real] for hidden in result.hidden_states), pooled]


def _states_of_pairs(model: Any, tokenizer: Any) -> list[Tensor]:
    """Every hidden state of PAIRS, at their own tokens."""
    inputs, real = _inputs(tokenizer, *zip(*PAIRS, strict=True))
    result = model(**inputs, output_hidden_states=True)
    return [hidden[real] for hidden in result.hidden_states]


def _states_and_scores(model: Any, tokenizer: Any) -> list[Tensor]:
    """Every hidden state of BLANKS at their own tokens, and the scores of all pieces for each blank."""
    inputs, real = _inputs(tokenizer, BLANKS)
    result = model(**inputs, output_hidden_states=True, output_attentions=True)
    blank = inputs["input_ids"] == tokenizer.mask_token_id
    return [*(hidden[real] for hidden in result.hidden_states), result.prediction_logits[blank]]


def _losses(model: Any, tokenizer: Any) -> list[Tensor]:
    """The loss after each of some steps of pretraining, made by a copy of the model: STEPS of [1]."""
    from lib.analysis.prediction.held_out import score_pieces
    from lib.experiments import small_bert
    from lib.text.pretraining_batches import PretrainingBatches
    from lib.text.sentence_rows import SentenceRows

    learner = copy.deepcopy(model)
    batches = PretrainingBatches(SentenceRows(small_bert.grammar_texts().train, tokenizer, 20, 32))
    with torch.enable_grad():
        snapshots = small_bert.train_with_snapshots(learner, batches, range(1, STEPS + 1), learning_rate=1e-3)
        return [torch.tensor([score_pieces(learner, batches, 1)["loss"]]) for _ in snapshots]


def _inputs(
    tokenizer: Any, texts: tuple[str, ...], pairs: tuple[str, ...] | None = None
) -> tuple[Any, Tensor]:
    """A batch, cut into pieces anew, and where its own tokens are: what stands at padding means nothing."""
    from lib.bert import WordPieceTokenizer

    inputs = WordPieceTokenizer(tokenizer.vocab)(texts, pairs)  # a new one has no pieces in memory
    return inputs, inputs["attention_mask"].bool()


STAGES = {
    "minilm": Stage(
        "all-MiniLM-L6-v2",
        f"7 hidden states and the sentence vectors of {len(TEXTS)} sentences",
        _minilm,
        _states_and_vectors,
    ),
    "pairs": Stage(
        "all-MiniLM-L6-v2",
        f"the vectors of all tokens of {len(PAIRS)} pairs of texts, after every layer",
        _minilm,
        _states_of_pairs,
    ),
    "pocket": Stage(
        "the pocket BERT",
        f"7 hidden states and every score for {len(BLANKS)} blanks",
        _pocket,
        _states_and_scores,
    ),
    "small": Stage(
        "a small BERT that is trained",
        f"the losses after each of {STEPS} steps of pretraining",
        _small,
        _losses,
    ),
}
