"""Batches of labeled texts for MiniLM, and how many of them a model answers right (notebook 14).

`TaskBatches` numbers the batches of a whole run. These are for a loop that stands in a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import TextExample
from lib.training.devices import in_16_bits


def batches_of(examples: Sequence[TextExample], size: int) -> Iterator[tuple[dict[str, Tensor], Tensor]]:
    """Inputs [size, T] and labels [size], texts of like length together, so that little is padding."""
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    by_length = sorted(examples, key=lambda example: len(example.first))
    for start in range(0, len(by_length), size):
        batch = by_length[start : start + size]
        texts = [example.first for example in batch]
        labels = [example.label for example in batch]
        yield pieces(texts, max_length=64), torch.tensor(labels)


@torch.no_grad()
def accuracy(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> float:
    """The share of examples whose label is the model's guess; it puts the model into eval()."""
    model.eval()
    right = 0
    for inputs, labels in batches_of(examples, 40):
        with in_16_bits():
            guesses = model(**inputs).logits.argmax(dim=-1)
        right += int((guesses == labels).sum())
    return right / len(examples)
