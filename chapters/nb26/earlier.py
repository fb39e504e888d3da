"""What earlier notebooks wrote and this one uses again: guesses (10), batches and a test (14), costs (19)."""

import csv
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.compression import packed
from lib.text.tasks import TextExample, own


@torch.no_grad()
def first_guesses(model: BertForMaskedLM, tokenizer: WordPieceTokenizer, texts: list[str]) -> list[str]:
    """The likeliest piece for the [MASK] of each text."""
    batch = tokenizer(texts)
    is_blank = batch["input_ids"] == tokenizer.mask_token_id
    logits = model(**batch).logits[is_blank]  # [texts, V]
    return tokenizer.convert_ids_to_tokens(logits.argmax(dim=-1).tolist())


def batches_of(examples: Sequence[TextExample], size: int) -> Iterator[tuple[dict[str, Tensor], Tensor]]:
    """Batches of headlines and their labels, those of like length together, so that little is padding."""
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
        guesses = model(**inputs).logits.argmax(dim=-1)
        right += int((guesses == labels).sum())
    return right / len(examples)


def megabytes(model: BertForSequenceClassification, path: Path) -> float:
    """The size of a model's file, in which zeros under masks are left out."""
    packed.save_packed(model, path)
    return path.stat().st_size / 1e6


@torch.no_grad()
def seconds(model: BertForSequenceClassification) -> float:
    """How long 32 texts of 32 pieces take: the fastest of five readings, which is disturbed least."""
    model.eval()
    texts = torch.randint(5, model.config.vocab_size, (32, 32))
    took = []
    for _ in range(5):
        begin = time.perf_counter()
        model(input_ids=texts)
        took.append(time.perf_counter() - begin)
    return min(took)


def save_example(model: BertForSequenceClassification, examples: Sequence[TextExample], folder: Path) -> None:
    """A folder as transformers has it, and a CSV of texts and labels in words, as a spreadsheet saves it."""
    model.save_pretrained(folder / "minilm")
    WordPieceTokenizer.from_pretrained("minilm").save_pretrained(folder / "minilm")
    with open(folder / "texts.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["text", "label"])
        for example in examples:
            writer.writerow([example.first, own.CATEGORIES[int(example.label or 0)]])
