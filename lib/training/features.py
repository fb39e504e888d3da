"""Features: a frozen model runs once over the rows of a task, and what learns reads the result.

Sizes in the comments: B rows, T pieces, D hidden size, n hidden states kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from lib.bert.hooks import capture
from lib.text.tasks import Row, TaskBatches

READ = ("input_ids", "token_type_ids")  # what an encoder reads of a row


def encoder_of(model: nn.Module) -> Any:
    """The BERT in a model with a head, or the model itself; ValueError where it is none."""
    bert = getattr(model, "bert", model)
    if not (hasattr(bert, "embeddings") and hasattr(getattr(bert, "encoder", None), "layer")):
        raise ValueError(
            f"A {type(model).__name__} has no BERT inside: give a BertModel, or one with a head."
        )
    return bert


def cls_states(
    model: nn.Module, rows: Sequence[Row], layers: Sequence[int] | None = None, batch_size: int = 32
) -> Tensor:
    """The vector of [CLS] in encoded texts (`lib.text.tasks`), in their order: float32 [rows, n, D].

    layers: which hidden states; all L + 1 without it, 0 the embeddings and l what layer l - 1 gives. They are
    computed in eval(): what is trained on them sees no dropout in the frozen part. Rows of like length are
    read together, and no layer above the last that is asked for is run. Our models and those of
    `transformers`; where the model is, on whatever device. Its mode is what it was afterwards.
    """
    bert = encoder_of(model)
    count = len(bert.encoder.layer)
    chosen = tuple(range(count + 1) if layers is None else layers)
    if not chosen or not all(0 <= layer <= count for layer in chosen):
        raise ValueError(f"Hidden states {list(chosen)}: give numbers from 0, the embeddings, to {count}.")
    if any(isinstance(row["input_ids"][0], list) for row in rows):
        raise ValueError("Rows with choices hold several texts each: give each choice as a row of its own.")
    inputs = [{name: row[name] for name in READ if name in row} for row in rows]
    # what it pads with is hidden by the mask
    batches = TaskBatches(inputs, batch_size=batch_size, seed=None, group_by_length=True)
    device = next(bert.parameters()).device
    vectors = torch.empty(len(rows), len(chosen), bert.config.hidden_size)
    with torch.no_grad(), in_eval(bert), _up_to(bert, max(chosen)):
        for number in tqdm(range(batches.size), unit="batch", leave=False):
            batch = {name: tensor.to(device) for name, tensor in batches(number).items()}
            with capture(dict.fromkeys([bert.embeddings, *bert.encoder.layer])) as outputs:
                bert(**batch)
            first = torch.stack([outputs[layer][:, 0] for layer in chosen], dim=1)  # [B, n, D]
            vectors[list(batches.places(number))] = first.float().cpu()
    return vectors


@contextmanager
def in_eval(model: nn.Module) -> Iterator[None]:
    """Inside this context the model is in eval(); afterwards each module is in its own mode again."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, mode in modes.items():
            module.training = mode


@contextmanager
def _up_to(bert: Any, layer: int) -> Iterator[None]:
    """Inside this context the encoder ends where hidden state `layer` is there."""
    layers = bert.encoder.layer
    bert.encoder.layer = layers[:layer]
    try:
        yield
    finally:
        bert.encoder.layer = layers
