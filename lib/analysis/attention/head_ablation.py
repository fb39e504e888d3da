"""Attention changed on purpose: heads switched off, and weights exchanged for others.

Michel et al. (2019) switch heads off; Jain and Wallace (2019) exchange weights and see who notices.
Sizes in the comments: B sentences, H heads, T tokens, K head size, N chosen places.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertForMaskedLM, BertModel, WordPieceTokenizer
from lib.bert.attention import merge_heads, scaled_dot_product_attention, split_heads
from lib.bert.hooks import hooked, replace_forward
from lib.bert.validation import validate_ours
from lib.text import reader
from lib.text.masking import IGNORED

Head = tuple[int, int]  # a layer and a head, from 0


@contextmanager
def heads_off(model: BertModel, heads: Iterable[Head]) -> Iterator[None]:
    """Inside this context those heads say nothing: their features are 0 before the dense layer mixes them.

    A head's weights stay as they are; to scale the others up instead would be another model.
    """
    validate_ours("model", model, "a BertModel")
    layers: list[Any] = list(model.encoder.layer)
    by_layer: dict[int, list[int]] = {}
    for layer, head in heads:
        if not (0 <= layer < len(layers) and 0 <= head < layers[layer].attention.self.num_heads):
            raise ValueError(f"There is no head {head} in layer {layer}: both are counted from 0.")
        by_layer.setdefault(layer, []).append(head)

    with ExitStack() as stack:
        for layer, which in by_layer.items():
            attention = layers[layer].attention
            silence = partial(_silenced, which, attention.self.num_heads)
            stack.enter_context(hooked([attention.output.dense], before=silence))
        yield


def _silenced(heads: list[int], num_heads: int, _module: Any, inputs: tuple[Any, ...]) -> Tensor:
    """The features that go into the dense layer, [B, T, H * K], with those of some heads 0."""
    parts = split_heads(inputs[0], num_heads).clone()  # [B, H, T, K]
    parts[:, heads] = 0
    return merge_heads(parts)


@contextmanager
def other_weights(
    model: BertModel, change: Callable[[Tensor], Tensor], layers: Sequence[int]
) -> Iterator[None]:
    """Inside this context those layers average with `change(weights)`, [B, H, T, T], not with their own."""
    validate_ours("model", model, "a BertModel")

    def attend(module: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        query, key, value = (
            split_heads(part(hidden), module.num_heads) for part in (module.query, module.key, module.value)
        )  # [B, H, T, K] each
        weights = scaled_dot_product_attention(query, key, value, mask)[1]
        return merge_heads(change(weights) @ value)

    with ExitStack() as stack:
        for layer in layers:
            attention: Any = model.encoder.layer[layer].attention
            stack.enter_context(replace_forward(attention.self, partial(attend, attention.self)))
        yield


def shuffled(weights: Tensor) -> Tensor:
    """Every row's weights dealt out anew among its tokens: the same numbers, other places."""
    return weights.gather(-1, torch.rand_like(weights).argsort(-1))


# --- what a head is worth -------------------------------------------------------------------------


def hidden_batches(
    tokenizer: WordPieceTokenizer, count: int, seed: int, texts: int = 8, length: int = 64
) -> list[tuple[Tensor, Tensor]]:
    """Batches of the course's own text with 15 % of the pieces behind [MASK]: ids and labels, [B, T] each."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in reader():
        pieces = tokenizer.encode(" ".join(document))[1:-1]
        room = length - 2
        rows += [pieces[start : start + room] for start in range(0, len(pieces) - room + 1, room)]
    first, last, mask = (tokenizer.vocab[token] for token in ("[CLS]", "[SEP]", "[MASK]"))
    chosen = rng.permutation(len(rows))[: count * texts]
    if len(chosen) < count * texts:
        raise ValueError(f"The reader gives {len(rows)} rows of {length} pieces: ask for fewer batches.")
    batches = []
    for numbers in chosen.reshape(count, texts):
        ids = torch.tensor([[first, *rows[number], last] for number in numbers])  # [B, T]
        hide = torch.from_numpy(rng.random(ids.shape) < 0.15)
        hide[:, [0, -1]] = False
        batches.append((ids.masked_fill(hide, mask), ids.masked_fill(~hide, IGNORED)))
    return batches


@torch.inference_mode()
def losses(model: BertForMaskedLM, batches: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """The masked-LM loss of each batch, in nats a hidden piece: [batches]."""
    per_batch = []
    for ids, labels in batches:
        chosen = labels != IGNORED
        hidden = model.bert(ids).last_hidden_state[chosen]  # [N, D]
        per_batch.append(F.cross_entropy(model.cls.predictions(hidden), labels[chosen]))
    return torch.stack(per_batch)
