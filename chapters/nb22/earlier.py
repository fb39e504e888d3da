"""What earlier notebooks built and this one uses: scores, batches without padding, texts right."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.text.tasks import TextExample

HEADS = 12  # of the teacher and of its students


def attention_scores(attention: Any, read: Tensor) -> Tensor:
    """Scaled products of queries and keys, before softmax, [B, H, T, T] (notebooks 05 and 06).

    attention: the self-attention of a layer. read [B, T, D]: the states that the layer reads.
    """
    query = attention.query(read).unflatten(-1, (HEADS, -1)).transpose(1, 2)  # [B, H, T, K]
    key = attention.key(read).unflatten(-1, (HEADS, -1)).transpose(1, 2)
    scores: Tensor = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
    return scores


def batches_of_equal_length(
    texts: Sequence[str], tokenizer: WordPieceTokenizer, size: int
) -> list[dict[str, Tensor]]:
    """The tokens of up to `size` texts at a time that are equally long, the shortest first (notebook 02)."""
    of_length: dict[int, list[str]] = {}
    for text in texts:
        length = tokenizer([text])["input_ids"].size(1)
        of_length.setdefault(length, []).append(text)
    batches: list[dict[str, Tensor]] = []
    for length in sorted(of_length):
        for start in range(0, len(of_length[length]), size):
            batches.append(tokenizer(of_length[length][start : start + size]))
    return batches


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
