"""The headlines as notebook 32 reads them: batches, accuracy, and a teacher whose heads are sorted."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.compression.elastic import width
from lib.text.tasks import TaskBatches, TextExample, encode_texts, own
from lib.training import known_tasks

LENGTH = 64


def load() -> tuple[list[TextExample], list[TextExample], list[str]]:
    """Labeled headlines to learn from, those of the test, and 3,090 texts without labels."""
    task = known_tasks.load_task("headlines")
    train, test = list(task.train), list(task.test)
    return train, test, [example.first for example in train] + own.unlabeled("headlines")


def batches(
    tokenizer: WordPieceTokenizer, texts: Sequence[str], count: int, seed: int
) -> list[dict[str, Tensor]]:
    """So many batches of 16 texts of like length, in an order that the seed draws."""
    torch.manual_seed(seed)
    picked = sorted((texts[place] for place in torch.randperm(len(texts))[: 16 * count]), key=len)
    made = [tokenizer(picked[start : start + 16], max_length=LENGTH) for start in range(0, len(picked), 16)]
    return [made[place] for place in torch.randperm(count)]


@torch.no_grad()
def accuracy(
    model: BertForSequenceClassification, tokenizer: WordPieceTokenizer, examples: Sequence[TextExample]
) -> float:
    """The share of right answers; the model is in eval() after it."""
    model.eval()
    ordered, right = sorted(examples, key=lambda example: len(example.first)), 0.0
    for start in range(0, len(ordered), 40):
        batch = ordered[start : start + 40]
        predicted = model(**tokenizer([example.first for example in batch], max_length=LENGTH)).logits.argmax(
            -1
        )
        right += (predicted == torch.tensor([example.label for example in batch])).sum().item()
    return right / len(ordered)


def rewired(
    model: BertForSequenceClassification, tokenizer: WordPieceTokenizer, examples: Sequence[TextExample]
) -> BertForSequenceClassification:
    """A copy that answers alike, its heads and neurons sorted by importance as in notebook 28."""
    made = TaskBatches(encode_texts(examples, tokenizer), batch_size=16, seed=None, group_by_length=True)
    return width.rewired(model, [made(number) for number in range(made.size)])
