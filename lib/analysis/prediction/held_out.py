"""What a pretrained model knows about text that it never saw."""

from __future__ import annotations

from dataclasses import replace

import torch
import torch.nn.functional as F

from lib.bert.heads import BertForPreTraining
from lib.text.masking import IGNORED
from lib.text.pretraining_batches import PretrainingBatches
from lib.training.pretraining import PretrainingSums


@torch.inference_mode()
def score_pieces(model: BertForPreTraining, batches: PretrainingBatches, count: int) -> dict[str, float]:
    """Shares of right answers over the first `count` batches, hidden as in training.

    `loss`: nats a hidden piece. `pieces`: of hidden pieces. `pairs`: of the pairs' labels.
    """
    sums, chosen, rows = dict.fromkeys(("masked_lm", "right", "pairs_right"), 0.0), 0, 0
    device = next(model.parameters()).device
    for number in range(count):
        batch = batches(number)
        found = PretrainingSums(model)(**{name: tensor.to(device) for name, tensor in batch.items()})
        sums = {name: value + float(found[name]) for name, value in sums.items()}
        chosen += int((batch["labels"] != IGNORED).sum())
        rows += len(batch["labels"])
    return {
        "loss": sums["masked_lm"] / chosen,
        "pieces": sums["right"] / chosen,
        "pairs": sums["pairs_right"] / rows,
    }


def whole_words_hidden(batches: PretrainingBatches) -> PretrainingBatches:
    """The same batches with whole words hidden, so that no piece of a word gives the others away."""
    return replace(batches, corruption=batches.corruption.with_whole_words())


@torch.inference_mode()
def score(model: BertForPreTraining, batches: PretrainingBatches, count: int) -> dict[str, float]:
    """Shares of right answers over the first `count` batches, with whole words hidden.

    `pieces` and `words`: of hidden pieces, and of words all of whose pieces are right. `loss`: nats a piece.
    `pairs`: of the pairs' labels. Accuracy by piece cannot be compared between vocabularies, by word it can.
    """
    batches = whole_words_hidden(batches)
    device = next(model.parameters()).device
    sums = torch.zeros(6)  # loss, right pieces, pieces, right words, words, right pairs
    for number in range(count):
        batch = batches(number)
        chosen = batch["labels"] != IGNORED  # [B, T]
        output = model.bert(batch["input_ids"].to(device), token_type_ids=batch["token_type_ids"].to(device))
        logits = model.cls.predictions(output.last_hidden_state[chosen.to(device)]).float().cpu()  # [N, V]
        labels = batch["labels"][chosen]  # [N]
        right = logits.argmax(-1) == labels
        true = torch.where(chosen, batch["labels"], batch["input_ids"])
        begins = torch.from_numpy(batches.begin_words(true.numpy()))  # [B, T]
        word = begins.flatten().cumsum(0)[chosen.flatten()]  # [N]: which word a hidden piece is of
        wrong_words = word[~right].unique().numel()
        words = int(word.unique().numel())
        pairs = model.cls.seq_relationship(output.pooler_output).argmax(-1).cpu() == batch["pair_labels"]
        sums += torch.tensor(
            [float(F.cross_entropy(logits, labels, reduction="sum")), float(right.sum()), len(labels),
             words - wrong_words, words, float(pairs.float().mean())]
        )  # fmt: skip
    loss, right_pieces, pieces, right_words, words_, right_pairs = sums.tolist()
    return {
        "loss": loss / pieces,
        "pieces": right_pieces / pieces,
        "words": right_words / words_,
        "pairs": right_pairs / count,
    }
