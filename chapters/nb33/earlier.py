"""What earlier notebooks built and this one stacks, in the order in which it is used."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.bert.alterations import cut_positions
from lib.compression.elastic import width
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.floppy import Floppy
from lib.text.tasks import TaskBatches, TextExample, encode_texts

LAYERS = 6


def right_rows(disk: Floppy, examples: Sequence[TextExample]) -> Tensor:
    """Whether each of the examples is sorted as its label says, [N] (notebook 14)."""
    guesses = torch.tensor(disk.predict([example.first for example in examples]))
    return guesses == torch.tensor([example.label for example in examples])


def right_of(disk: Floppy, examples: Sequence[TextExample]) -> float:
    """How many percent of the examples are sorted as their labels say (notebook 14)."""
    return 100 * right_rows(disk, examples).double().mean().item()


def sorted_by_importance(
    model: BertForSequenceClassification, examples: Sequence[TextExample], pieces: WordPieceTokenizer
) -> BertForSequenceClassification:
    """A copy that answers the same, in each layer the heads and neurons that matter most first (notebook 27).

    A head or neuron matters as far as the loss on these labeled examples, text by text, depends on its gate.
    """
    rows = encode_texts(examples, pieces)
    batches = TaskBatches(rows, batch_size=16, seed=None, group_by_length=True)
    return width.rewired(model, [batches(number) for number in range(batches.size)])


def cut(
    sorted_model: BertForSequenceClassification, layers: int, share: float, positions: int = 32
) -> BertForSequenceClassification:
    """So many of MiniLM's six layers, evenly spread, with the first share of each one's heads and neurons
    (notebook 27), and as many positions: a longer headline is cut off."""
    small = extracted(sorted_model, Size(width=share, depth=layers / LAYERS))
    cut_positions(small, "bert.embeddings", count=positions)
    return small
