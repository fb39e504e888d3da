"""What earlier notebooks built and this one uses: how many test texts a model gets right."""

from collections.abc import Sequence

import torch

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.text.tasks import TextExample


@torch.no_grad()
def accuracy(model: PreTrainedBert, tokenizer: WordPieceTokenizer, examples: Sequence[TextExample]) -> float:
    """The share of texts whose first guess is the label (notebook 14), without dropout.

    Texts of like length are asked together, because a batch is as long as its longest text (notebook 02).
    """
    model.eval()
    ordered = sorted(examples, key=lambda example: len(example.first))
    right = 0
    for start in range(0, len(ordered), 40):
        part = ordered[start : start + 40]
        guesses = model(**tokenizer([example.first for example in part])).logits.argmax(dim=-1)
        right += sum(int(guess) == example.label for guess, example in zip(guesses, part, strict=True))
    return right / len(ordered)
