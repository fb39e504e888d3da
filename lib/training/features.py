"""Features: a frozen model runs once over the rows of a task, and what learns reads the result.

Hidden states are counted as everywhere: 0 are the embeddings, l is what layer l - 1 gives, so that there are
L + 1 of them and the last is `last_hidden_state`. They are computed in eval(): what is trained on them sees
no dropout in the frozen part, other than in a run without cache.

Sizes in the comments: B rows, T pieces, D hidden size, n hidden states kept, N pieces of all rows together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from lib.bert.hooks import capture
from lib.text.tasks import Row, TaskBatches

READ = ("input_ids", "token_type_ids")  # what an encoder reads of a row


@dataclass(frozen=True)
class HiddenStates:
    """Some hidden states of all rows, without padding: `states[row]` is [T, n, D].

    In float32 a piece takes 4 n D bytes: 1.5 kB a layer in MiniLM, which makes 28 MB a layer for 1,200 texts
    of 15 pieces; half of that in float16, at the price of three digits.
    """

    values: Tensor  # [N, n, D], the rows one after the other
    lengths: tuple[int, ...]  # pieces in each row
    layers: tuple[int, ...]  # which hidden states these are

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, row: int) -> Tensor:
        end = int(self._ends[row])
        return self.values[end - self.lengths[row] : end]

    @cached_property
    def _ends(self) -> Any:
        return np.cumsum(self.lengths)

    @property
    def nbytes(self) -> int:
        return self.values.nbytes

    def take(self, *layers: int) -> HiddenStates:
        """Some of the hidden states, without a copy where they are one or lie side by side."""
        if missing := set(layers) - set(self.layers):
            raise ValueError(
                f"Hidden states {min(missing)} were not kept, only {', '.join(map(str, self.layers))}: give "
                "them to hidden_states(layers=...)."
            )
        places = [self.layers.index(layer) for layer in layers]
        if places == list(range(places[0], places[0] + len(places))):
            values = self.values[:, places[0] : places[-1] + 1]
        else:
            values = self.values[:, places]
        return HiddenStates(values, self.lengths, layers)

    def first(self) -> Tensor:
        """The vector of [CLS] of each row, float32 [rows, n, D]; a pooler reads that of the last layer."""
        return torch.stack([self[row][0] for row in range(len(self))]).float()

    def mean(self) -> Tensor:
        """The mean over each row's pieces, [CLS] and [SEP] too, float32 [rows, n, D]."""
        return torch.stack([self[row].float().mean(dim=0) for row in range(len(self))])

    @cached_property
    def digest(self) -> str:
        digest = hashlib.sha256(repr((self.lengths, self.layers, self.values.dtype)).encode())
        digest.update(self.values.contiguous().numpy().tobytes())
        return digest.hexdigest()


def encoder_of(model: nn.Module) -> Any:
    """The BERT in a model with a head, or the model itself; ValueError where it is none."""
    bert = getattr(model, "bert", model)
    if not (hasattr(bert, "embeddings") and hasattr(getattr(bert, "encoder", None), "layer")):
        raise ValueError(
            f"A {type(model).__name__} has no BERT inside: give a BertModel, or one with a head."
        )
    return bert


def hidden_states(
    model: nn.Module,
    rows: Sequence[Row],
    layers: Sequence[int] | None = None,
    dtype: torch.dtype = torch.float32,
    batch_size: int = 32,
) -> HiddenStates:
    """What a model makes of encoded texts (`lib.text.tasks`), in their order: all L + 1 states, or some.

    Rows of like length are read together, and no layer above the last that is asked for is run. Our models
    and those of `transformers`; where the model is, on whatever device. Its mode is what it was afterwards.
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
    lengths = [len(row["input_ids"]) for row in rows]
    starts = np.cumsum([0, *lengths])
    place = next(bert.parameters()).device
    values = torch.empty(starts[-1], len(chosen), bert.config.hidden_size, dtype=dtype)
    with torch.no_grad(), _up_to(bert, max(chosen)):
        for number in tqdm(range(batches.size), unit="batch", leave=False):
            batch = {name: tensor.to(place) for name, tensor in batches(number).items()}
            with capture(dict.fromkeys([bert.embeddings, *bert.encoder.layer])) as outputs:
                bert(**batch)
            states = torch.stack([outputs[layer] for layer in chosen], dim=2)  # [B, T, n, D]
            for state, row in zip(states, batches.places(number), strict=True):
                values[starts[row] : starts[row + 1]] = state[: lengths[row]].to("cpu", dtype)
    return HiddenStates(values, tuple(lengths), chosen)


@contextmanager
def _up_to(bert: Any, layer: int) -> Iterator[None]:
    """Inside this context the encoder ends where hidden state `layer` is there, in eval()."""
    modes = {module: module.training for module in bert.modules()}
    layers = bert.encoder.layer
    bert.encoder.layer = layers[:layer]
    bert.eval()
    try:
        yield
    finally:
        bert.encoder.layer = layers
        for module, mode in modes.items():
            module.training = mode
