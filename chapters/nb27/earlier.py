"""What earlier notebooks built and this one uses again: batches, a test (14), time in turns (19)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor

from lib.analysis.cost.timing import processor_seconds_of
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
        guesses = model(**inputs).logits.argmax(dim=-1)
        right += int((guesses == labels).sum())
    return right / len(examples)


@torch.inference_mode()
def shares_of_time(models: Mapping[str, BertForSequenceClassification]) -> dict[str, float]:
    """Notebook 19: what each takes for 32 texts of 32 pieces, as a share of what the first one takes.

    They are timed in turns, in seconds of the processor, and the fastest of three readings counts: it is
    the one that was disturbed least.
    """
    ids = torch.randint(5, 30_000, (32, 32), generator=torch.Generator().manual_seed(0))
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(3):
        for name, model in models.items():
            model.eval()
            seconds[name].append(processor_seconds_of(partial(model, input_ids=ids)))
    fastest = {name: min(readings) for name, readings in seconds.items()}
    first = next(iter(fastest.values()))
    return {name: spent / first for name, spent in fastest.items()}


def megabytes(model: torch.nn.Module) -> float:
    """Notebook 19: the size of a file of the model's numbers, four bytes each."""
    return sum(4 * parameter.numel() for parameter in model.parameters()) / 1e6
