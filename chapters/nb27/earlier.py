"""What earlier notebooks built and this one uses again: right answers (14), time and size (19)."""

from collections.abc import Mapping, Sequence
from functools import partial

import torch

from lib.analysis.cost.timing import processor_seconds_of
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import TextExample
from lib.training.devices import in_16_bits
from lib.training.labeled_texts import batches_of


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


@torch.no_grad()
def sorted_rightly(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> torch.Tensor:
    """Notebook 14: for each example, in the order of `batches_of`, whether the model's guess is its label."""
    model.eval()
    right = []
    for inputs, labels in batches_of(examples, 40):
        with in_16_bits():
            guesses = model(**inputs).logits.argmax(dim=-1)
        right.append(guesses == labels)
    return torch.cat(right)
