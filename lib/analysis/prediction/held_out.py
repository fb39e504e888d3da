"""What a pretrained model knows about text that it never saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.text.masking import IGNORED
from lib.text.pretraining_batches import PretrainingBatches


class Scored(Protocol):
    """What a score asks of a model: an encoder, and heads on what it gives, as in `BertForPreTraining`."""

    bert: Any
    cls: Any

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]: ...


class Answers(NamedTuple):
    """What a model says about one batch: N hidden places, B rows."""

    logits: Tensor  # [N, V]
    labels: Tensor  # [N]
    pairs_right: Tensor  # [B], boolean


@torch.inference_mode()
def _answers(model: Scored, batch: dict[str, Tensor]) -> Answers:
    device = next(model.parameters()).device
    chosen = batch["labels"] != IGNORED  # [B, T]
    output = model.bert(batch["input_ids"].to(device), token_type_ids=batch["token_type_ids"].to(device))
    logits = model.cls.predictions(output.last_hidden_state[chosen.to(device)]).float().cpu()  # [N, V]
    pairs = model.cls.seq_relationship(output.pooler_output).argmax(-1).cpu()  # [B]
    return Answers(logits, batch["labels"][chosen], pairs == batch["pair_labels"])


def score_pieces(model: Scored, batches: Callable[[int], dict[str, Tensor]], count: int) -> dict[str, float]:
    """Shares of right answers over the first `count` batches, hidden as in training.

    `loss`: nats a hidden piece. `pieces`: of hidden pieces. `pairs`: of the pairs' labels.
    """
    loss = 0.0
    right = pieces = pairs_right = pairs = 0
    for number in range(count):
        logits, labels, pair_answers = _answers(model, batches(number))
        loss += float(F.cross_entropy(logits, labels, reduction="sum"))
        right += int((logits.argmax(-1) == labels).sum())
        pieces += len(labels)
        pairs_right += int(pair_answers.sum())
        pairs += len(pair_answers)
    return {"loss": loss / pieces, "pieces": right / pieces, "pairs": pairs_right / pairs}


def whole_words_hidden(batches: PretrainingBatches) -> PretrainingBatches:
    """The same batches with whole words hidden, so that no piece of a word gives the others away."""
    return replace(batches, corruption=batches.corruption.with_whole_words())


def score(model: Scored, batches: PretrainingBatches, count: int) -> dict[str, float]:
    """Shares of right answers over the first `count` batches, with whole words hidden.

    `pieces` and `words`: of hidden pieces, and of words all of whose pieces are right. `loss`: nats a piece.
    `pairs`: of the pairs' labels. Accuracy by piece cannot be compared between vocabularies, by word it can.
    """
    batches = whole_words_hidden(batches)
    sums = torch.zeros(6)  # loss, right pieces, pieces, right words, words, right pairs
    for number in range(count):
        batch = batches(number)
        logits, labels, pairs_right = _answers(model, batch)
        right = logits.argmax(-1) == labels  # [N]
        chosen = batch["labels"] != IGNORED  # [B, T]
        true = torch.where(chosen, batch["labels"], batch["input_ids"])
        begins = torch.from_numpy(batches.begin_words(true.numpy()))  # [B, T]
        word = begins.flatten().cumsum(0)[chosen.flatten()]  # [N]: which word a hidden piece is of
        wrong_words = word[~right].unique().numel()
        words = int(word.unique().numel())
        sums += torch.tensor(
            [float(F.cross_entropy(logits, labels, reduction="sum")), float(right.sum()), len(labels),
             words - wrong_words, words, float(pairs_right.float().mean())]
        )  # fmt: skip
    loss, right_pieces, pieces, right_words, words_, right_pairs = sums.tolist()
    return {
        "loss": loss / pieces,
        "pieces": right_pieces / pieces,
        "words": right_words / words_,
        "pairs": right_pairs / count,
    }
