"""What earlier notebooks built and this one uses again: guesses (10), batches, a test, a step (14)."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import TextExample
from lib.training.devices import has_bf16


@torch.no_grad()
def first_guesses(model: BertForMaskedLM, tokenizer: WordPieceTokenizer, texts: list[str]) -> list[str]:
    """Notebook 10: the likeliest piece for the [MASK] of each text."""
    batch = tokenizer(texts)
    is_blank = batch["input_ids"] == tokenizer.mask_token_id
    logits = model(**batch).logits[is_blank]  # [texts, V]
    return tokenizer.convert_ids_to_tokens(logits.argmax(dim=-1).tolist())


def batches_of(examples: Sequence[TextExample], size: int) -> Iterator[tuple[dict[str, Tensor], Tensor]]:
    """Notebook 14: batches of headlines and their labels, those of like length together."""
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    by_length = sorted(examples, key=lambda example: len(example.first))
    for start in range(0, len(by_length), size):
        batch = by_length[start : start + size]
        texts = [example.first for example in batch]
        labels = [example.label for example in batch]
        yield pieces(texts, max_length=64), torch.tensor(labels)


def shuffled_batches(
    examples: Sequence[TextExample], size: int, steps: int
) -> list[tuple[dict[str, Tensor], Tensor]]:
    """Notebook 14: the batches of so many steps, in an order that the seed decides.

    Texts of like length share a batch. As in the studies, new ones meet in each epoch: a quarter of the
    shuffled texts after the other is sorted, and then the batches are shuffled.
    """
    stretch = size * max(1, len(examples) // (4 * size))
    batches: list[tuple[dict[str, Tensor], Tensor]] = []
    while len(batches) < steps:
        shuffled = [examples[place] for place in torch.randperm(len(examples)).tolist()]
        of_epoch = []
        for start in range(0, len(shuffled), stretch):
            of_epoch += list(batches_of(shuffled[start : start + stretch], size))
        batches += [of_epoch[number] for number in torch.randperm(len(of_epoch)).tolist()]
    return batches[:steps]


@torch.no_grad()
def accuracy(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> float:
    """Notebook 14: the share of examples whose label is the model's guess; it puts the model into eval()."""
    model.eval()
    right = 0
    for inputs, labels in batches_of(examples, 40):
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bf16()):
            guesses = model(**inputs).logits.argmax(dim=-1)
        right += int((guesses == labels).sum())
    return right / len(examples)
