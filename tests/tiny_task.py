"""A task of two words and two classes, models of a few weights for it, and one of them as a teacher."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch

from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, WordPieceTokenizer
from lib.records.teachers import Teacher
from lib.text.tasks import TextExample
from lib.training.task_kinds import Classification, Task

SIZES: dict[str, Any] = {
    "hidden_size": 24,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 24,
    "max_position_embeddings": 32,
}
LABELS = ("no", "yes")
EXAMPLES = [
    TextExample(f"{word} {number}", None, int(word == "red"))
    for number in range(4)
    for word in ("red", "dog")
]
TASK = Task("colors", Classification(LABELS), EXAMPLES, EXAMPLES[:4])


def tiny_model(*_: Any, labels: tuple[str, ...] = LABELS) -> BertForSequenceClassification:
    torch.manual_seed(0)
    return BertForSequenceClassification(BertConfig(**SIZES, id2label=dict(enumerate(labels)))).eval()


def tiny_teacher(*_: Any) -> Teacher:
    model, tokenizer = tiny_model(), WordPieceTokenizer.from_pretrained("minilm")
    predictions = TASK.kind.predict(model, TASK.test, tokenizer, 16)
    return Teacher(model, TASK.kind.score(predictions, TASK.test), predictions, [], 1.0)


def tiny_masked_lm(_name: str) -> BertForMaskedLM:
    torch.manual_seed(1)
    sizes = SIZES | {"max_position_embeddings": 64, "vocab_size": 9000}
    return BertForMaskedLM(BertConfig(**sizes)).eval()


#: in place of `BertForMaskedLM`, with the pocket BERT's pieces
TINY_POCKET = SimpleNamespace(from_pretrained=tiny_masked_lm)
