"""What earlier notebooks built and this one uses again: batches of texts and labels (14)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from chapters.nb18.landscapes import LENGTH
from lib.bert import WordPieceTokenizer
from lib.text.tasks import TextExample


def batches_of(
    examples: Sequence[TextExample], tokenizer: WordPieceTokenizer, size: int
) -> list[dict[str, Tensor]]:
    """Notebook 14: texts of like length share a batch, so that little of it is padding."""
    ordered = sorted(examples, key=lambda example: len(example.first))
    batches = []
    for start in range(0, len(ordered), size):
        some = ordered[start : start + size]
        batch = tokenizer([example.first for example in some], max_length=LENGTH)
        batch["labels"] = torch.tensor([example.label for example in some])
        batches.append(batch)
    return batches
