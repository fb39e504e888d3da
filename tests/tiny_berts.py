"""Models of a few thousand weights, ours and theirs, rows for them, and a loss as the loop computes it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
import transformers
from torch import Tensor, nn

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.compression.parts import paths_of
from lib.compression.pruning.masks import masks_of
from lib.compression.quantizers.activations import quantize_activations
from lib.compression.quantizers.model import quantize_weights
from lib.text.tasks import Row, TaskBatches
from lib.training.loop import Batch, Objective

SIZES: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 32, "max_position_embeddings": 16, "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0, "initializer_range": 0.3,
}  # fmt: skip
CONFIG = BertConfig(**SIZES)
#: as many pieces as the models know
TOKENIZER = WordPieceTokenizer(
    [*WordPieceTokenizer.all_special_tokens, *"abcdefghijklmnopqrstuvwxyz012345678"]
)
#: of a model with rows enough that their codes are a good part of a file
WIDER: dict[str, Any] = {
    "vocab_size": 53, "hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 48,
    "max_position_embeddings": 20, "initializer_range": 0.02,
}  # fmt: skip


def ours(kind: Any = BertForSequenceClassification, seed: int = 0, **sizes: Any) -> Any:
    torch.manual_seed(seed)
    return kind(replace(CONFIG, **sizes)).eval()


def theirs(seed: int = 0, **sizes: Any) -> Any:
    torch.manual_seed(seed)
    config = transformers.BertConfig(**(SIZES | sizes), attn_implementation="eager")
    return transformers.BertForSequenceClassification(config).eval()


def shaken(model: Any, by: float = 0.2) -> Any:
    """The model itself, its biases and norms not 0 and 1, as in a trained one."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(by * torch.randn_like(parameter))
    return model


def drawn(*shape: int, seed: int = 0) -> Tensor:
    """Normal numbers that depend on no other test."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def rows(count: int = 10) -> list[Row]:
    """Texts of unlike lengths with a class each."""
    rng = np.random.default_rng(0)
    found: list[Row] = []
    for number in range(count):
        length = 4 + number * 7 % 5
        ids = rng.integers(5, 40, length).tolist()
        found.append({"input_ids": ids, "token_type_ids": [0] * length, "labels": number % 2})
    return found


def batch_of(count: int = 4, **more: Tensor) -> Batch:
    return {**TaskBatches(rows(count), batch_size=count, seed=None)(0), **more}


def without_labels(batch: Batch) -> Batch:
    return {name: tensor for name, tensor in batch.items() if name != "labels"}


def answers(model: nn.Module, batch: Batch | None = None) -> Tensor:
    """The logits for a batch, here without gradients."""
    with torch.no_grad():
        logits: Tensor = model(**without_labels(batch or batch_of())).logits
    return logits


def with_padding(batch: Batch, columns: int) -> Batch:
    """The same texts with so many more columns of padding."""
    widened = {"input_ids": 7, "token_type_ids": 0, "attention_mask": 0}
    return {
        name: nn.functional.pad(tensor, (0, columns), value=widened[name]) if name in widened else tensor
        for name, tensor in batch.items()
    }


def loss(objective: Objective, *batches: Batch) -> Tensor:
    """Of a step of several micro-batches, as the loop computes it."""
    counts = [objective.counts(batch) for batch in batches]
    total = {name: sum(int(count[name]) for count in counts) for name in counts[0]}
    terms = [term for batch in batches for term in objective(**batch).values()]
    return torch.stack([term.weight * term.sum / total[term.over] for term in terms]).sum()


def narrow(seed: int = 1) -> Any:
    """Two layers, 12 wide, with as many heads as the teacher."""
    return ours(seed=seed, hidden_size=12)


def masked_weights(model: nn.Module) -> dict[str, Tensor]:
    """The weights under masks as the model computes with them, by path."""
    modules: dict[str, Any] = {path: model.get_submodule(path) for path in masks_of(model)}
    return {path: module.weight.detach() for path, module in modules.items()}


def prepare_q8bert(model: nn.Module, decay: float) -> None:
    """Ranges as Q8BERT learns them (Zafrir et al., 2019): one a matrix, and one of each input and output."""
    quantize_weights(model, 8, groups=1)
    for path in paths_of(model):
        if isinstance(model.get_submodule(path), nn.Linear):
            for side in ("input", "output"):
                quantize_activations(model, path, side, "MovingRange", bits=8, decay=decay)
