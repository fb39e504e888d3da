"""A whole model in factors: which of its matrices are cut to a rank, and for which inputs.

    inputs = inputs_of(model, batches)  # what each dense layer reads
    factorize_linears(model, rank=96, inputs=inputs)  # without inputs: the best for the weights themselves
    factorize_words(model, rank=128, counts=word_counts(texts, vocab_size))

The factors are chosen by `lib.bert.factors` and noted as `lib.bert.alterations.factorize`, so the model is
saved and loaded like any other, and learns on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import factorize, put_factors
from lib.bert.factors import factorize_for_inputs, factorize_table
from lib.compression.distillation.knowledge import INPUTS, real_tokens
from lib.compression.parts import BERT_PARTS, paths_of
from lib.training.loop import Batch

#: the six matrices of a layer, the most of an encoder
IN_LAYERS = [part for part in BERT_PARTS if part != "pooler" and not part.endswith("_embeddings")]


@torch.no_grad()
def inputs_of(model: nn.Module, batches: Iterable[Batch]) -> dict[str, Tensor]:
    """What the Linears of the layers read at real tokens: [N, in] by path."""
    chosen = paths_of(model, IN_LAYERS)
    read: dict[str, list[Tensor]] = {path: [] for path in chosen}
    hooks = []
    try:
        for batch in batches:
            real = real_tokens(batch)  # [B, T]
            for path in chosen:
                keep = partial(_keep, read[path], real)
                hooks.append(model.get_submodule(path).register_forward_pre_hook(keep))
            model(**{name: batch[name] for name in INPUTS if name in batch})
            while hooks:
                hooks.pop().remove()
    finally:
        for hook in hooks:
            hook.remove()
    return {path: torch.cat(tensors) for path, tensors in read.items()}


def _keep(kept: list[Tensor], real: Tensor, _module: nn.Module, inputs: Any) -> None:
    kept.append(inputs[0][real])


def factorize_linears(
    model: nn.Module,
    rank: int,
    paths: Sequence[str] | None = None,
    inputs: Mapping[str, Tensor] | None = None,
) -> None:
    """Cut the Linears at `paths`, all in the layers if not given, to a rank.

    inputs: what each of them reads, [N, in] by path, as `inputs_of` has it of the whole model: then the
    factors are the best for these. Without them they are the best for the weights.
    """
    for path in paths_of(model, IN_LAYERS) if paths is None else paths:
        if inputs is None:
            factorize(model, path, rank)
        else:
            weight: Any = model.get_submodule(path).weight
            put_factors(model, path, *factorize_for_inputs(weight, inputs[path], rank))


def factorize_words(model: nn.Module, rank: int, counts: Tensor | None = None) -> None:
    """Cut the table of words to a rank: ALBERT's factorized embedding (Lan et al., 2020), from a given table.

    counts [V]: how often each piece is read; then a row's error counts so often. Unlike ALBERT's, the
    positions, types and norm stay as wide as the hidden states, and no bias follows.
    """
    (path,) = paths_of(model, ["word_embeddings"])
    if counts is None:
        factorize(model, path, rank)
    else:
        table: Any = model.get_submodule(path).weight
        put_factors(model, path, *factorize_table(table, counts, rank))


def piece_counts(batches: Iterable[Batch], vocab_size: int) -> Tensor:
    """How often each piece stands at a real token of these batches: [V]."""
    counts = torch.zeros(vocab_size)
    for batch in batches:
        counts += torch.bincount(batch["input_ids"][real_tokens(batch)].cpu(), minlength=vocab_size)
    return counts
