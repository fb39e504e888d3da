"""What earlier notebooks built and this one uses again: the batches of a run (14)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.text.tasks import TextExample
from lib.training.labeled_texts import batches_of


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
