"""What earlier notebooks built and this one uses again: batches and a test (14), 16 bits (16)."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import TextExample
from lib.training import devices


def batches_of(examples: Sequence[TextExample], size: int) -> Iterator[tuple[dict[str, Tensor], Tensor]]:
    """Notebook 14: batches of headlines and their labels, those of like length together."""
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    by_length = sorted(examples, key=lambda example: len(example.first))
    for start in range(0, len(by_length), size):
        batch = by_length[start : start + size]
        texts = [example.first for example in batch]
        labels = [example.label for example in batch]
        yield pieces(texts, max_length=64), torch.tensor(labels)


def in_16_bits() -> torch.autocast:
    """Notebook 16: in this context products take 16 bits, on a processor that multiplies them itself."""
    return torch.autocast("cpu", torch.bfloat16, enabled=devices.precision_here() == "bf16")


@torch.no_grad()
def accuracy(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> float:
    """Notebook 14: the share of examples whose label is the model's guess; it puts the model into eval()."""
    model.eval()
    right = 0
    for inputs, labels in batches_of(examples, 40):
        with in_16_bits():
            guesses = model(**inputs).logits.argmax(dim=-1)
        right += int((guesses == labels).sum())
    return right / len(examples)
