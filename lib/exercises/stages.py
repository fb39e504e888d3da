"""Where an answer is shown at work: the published MiniLM, the pocket BERT with its masked-LM head, or a small
BERT that begins to learn hidden words."""

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
PAIR = ("she opened a bank account", "i love this class")
MASKED_TEXTS = (
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
    from lib.records import small_bert

    texts = small_bert.grammar_texts()
    return small_bert.new_model(texts, layers=1, hidden_size=64, heads=4, seed=0), texts.tokenizer


def _states_and_vectors(model: Any, tokenizer: Any) -> list[Tensor]:
    """Every hidden state of TEXTS and of PAIR at their own tokens, and the pooled vectors."""
    from lib.analysis.vectors import similarity

    outputs: list[Tensor] = []
    for inputs, real in (_inputs(tokenizer, list(TEXTS)), _inputs(tokenizer, *([text] for text in PAIR))):
        result = model(**inputs, output_hidden_states=True, output_attentions=True)
        outputs += [hidden[real] for hidden in result.hidden_states]
        outputs.append(similarity.mean_pool(result.last_hidden_state, inputs["attention_mask"]))
    return outputs


def _states_and_scores(model: Any, tokenizer: Any) -> list[Tensor]:
    """Every hidden state of MASKED_TEXTS at their own tokens, and the scores of all pieces for each blank."""
    inputs, real = _inputs(tokenizer, list(MASKED_TEXTS))
    result = model(**inputs, output_hidden_states=True, output_attentions=True)
    blank = inputs["input_ids"] == tokenizer.mask_token_id
    return [*(hidden[real] for hidden in result.hidden_states), result.prediction_logits[blank]]


def _losses(model: Any, tokenizer: Any) -> list[Tensor]:
    """The loss after each of some steps of pretraining, made by a copy of the model: STEPS of [1]."""
    from lib.analysis.prediction.held_out import score_pieces
    from lib.records import small_bert
    from lib.text.pretraining_batches import PretrainingBatches
    from lib.text.sentence_rows import SentenceRows

    learner = copy.deepcopy(model)
    batches = PretrainingBatches(SentenceRows(small_bert.grammar_texts().train, tokenizer, 20, 32))
    with torch.enable_grad():
        snapshots = small_bert.train_with_snapshots(learner, batches, range(1, STEPS + 1), learning_rate=1e-3)
        return [torch.tensor([score_pieces(learner, batches, 1)["loss"]]) for _ in snapshots]


def _inputs(tokenizer: Any, texts: list[str], seconds: list[str] | None = None) -> tuple[Any, Tensor]:
    """A batch of texts, or of pairs from two lists, cut into pieces anew, and where its own tokens are: what
    stands at padding means nothing."""
    from lib.bert import WordPieceTokenizer

    inputs = WordPieceTokenizer(tokenizer.vocab)(texts, seconds)  # a new one has no pieces in memory
    return inputs, inputs["attention_mask"].bool()


STAGES = {
    "minilm": Stage(
        "all-MiniLM-L6-v2",
        f"the vectors before and after each of its 6 layers and the averaged vectors, for {len(TEXTS)}"
        " sentences and a pair",
        _minilm,
        _states_and_vectors,
    ),
    "pocket": Stage(
        "the pocket BERT",
        f"the vectors before and after each of its 6 layers and every score, for {len(MASKED_TEXTS)} blanks",
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
