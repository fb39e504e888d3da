"""Hidden width taken out: a feature of the residual stream leaves every tensor that writes or reads it.

All layers share the stream, so a feature goes everywhere at once: its column of the three tables, its place
in every norm, its columns in what reads the stream (query, key, value, the first matrix of the feed-forward
network, the pooler), its rows in what writes it. The norms then take mean and variance over what is left: a
model whose features are merely set to 0 would go on counting them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import alteration, changes_of, note, simplify
from lib.bert.config import BertConfig
from lib.bert.hooks import hooked
from lib.bert.surgery import all_but, module_at, module_with, select_features
from lib.bert.validation import validate_eval
from lib.training.features import encoder_of
from lib.training.loop import Batch

TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")
#: what of a layer reads the residual stream, and what writes it
READERS = ("attention.self.query", "attention.self.key", "attention.self.value", "intermediate.dense")
WRITERS = ("attention.output.dense", "output.dense")


@alteration
def prune_width(model: nn.Module, path: str, features: Sequence[int]) -> None:
    """Remove some features, numbered from 0, from the hidden size of the BERT at `path`.

    The pooler writes no residual stream, but it loses its outputs of the same numbers, so that what is left
    is as wide everywhere. What stands on the encoder is left to `prune_inputs`.
    """
    bert = module_with(model, path, "embeddings", "encoder")
    tables = [bert.embeddings.get_submodule(name) for name in TABLES]
    _validate_untied(model, tables[0])
    kept = all_but(tables[0].embedding_dim, features, f"features in {path or 'the model'}")
    for table in tables:
        _select_columns(table, kept)
    for norm in [module for module in bert.modules() if isinstance(module, nn.LayerNorm)]:
        _select_norm(norm, kept)
    for layer in dict.fromkeys(bert.encoder.layer):  # a layer that is used twice is cut once
        for name in READERS:
            select_features(module_at(layer, name, nn.Linear), kept, dim=1)
        for name in WRITERS:
            select_features(module_at(layer, name, nn.Linear), kept, dim=0)
    if getattr(bert, "pooler", None) is not None:
        for dim in (0, 1):
            select_features(module_at(bert, "pooler.dense", nn.Linear), kept, dim)


@alteration
def prune_inputs(model: nn.Module, path: str, features: Sequence[int]) -> None:
    """Remove some inputs, numbered from 0, of the `nn.Linear` at `path`, such as a task's head."""
    linear = module_at(model, path, nn.Linear)
    select_features(linear, all_but(linear.in_features, features, f"inputs of {path}"), dim=1)


def remove_width(model: nn.Module, features: Sequence[int]) -> None:
    """Take features out of the hidden size of a model and of the heads that read it, in place."""
    bert = encoder_of(model)
    heads = [
        name for name, part in model.named_children() if part is not bert and isinstance(part, nn.Linear)
    ]
    prune_width(model, "" if bert is model else "bert", list(features))
    for name in heads:
        prune_inputs(model, name, list(features))


def width_importance(model: nn.Module, batches: Iterable[Batch]) -> Tensor:
    """What each feature of the residual stream is worth, [D]: a mean over texts, to first order.

    One gate for a feature closes it behind every norm, and in the pooler's output: |sum over norms and tokens
    of its value times the loss's gradient|. That norms will count fewer features is not foreseen by it.
    """
    validate_eval(model)
    bert = encoder_of(model)
    norms = [module for module in bert.modules() if isinstance(module, nn.LayerNorm)]
    pooler = [bert.pooler] if getattr(bert, "pooler", None) is not None else []
    gates = [_feature_gates(model, batch, [*norms, *pooler]) for batch in batches]
    return torch.cat(gates).abs().mean(dim=0)


def _feature_gates(model: nn.Module, batch: Batch, gated: Sequence[nn.Module]) -> Tensor:
    """The derivative of each text's loss by a gate for each feature, [B, D]."""
    seen: list[Tensor] = []

    def remember(_module: Any, _inputs: Any, output: Tensor) -> Tensor:
        seen.append(output if output.requires_grad else output.requires_grad_())
        return seen[-1]

    with torch.enable_grad(), hooked(gated, after=remember):
        loss = model(**batch).loss * len(batch["input_ids"])
    gradients = torch.autograd.grad(loss, seen)
    products = [output.detach() * gradient for output, gradient in zip(seen, gradients, strict=True)]
    of_texts = [product.flatten(1, -2).sum(dim=1) if product.dim() == 3 else product for product in products]
    return torch.stack(of_texts).sum(dim=0)


def settle(model: nn.Module) -> None:
    """Let the config say what it can of what was removed, so that the model needs no list of changes for it.

    After `simplify`: heads, where all layers have equally many, and the hidden size. Where heads times their
    size is the hidden size again, what is left is a plain BERT, which `transformers` loads as well.
    """
    simplify(model)
    bert = encoder_of(model)
    parts = [layer.attention.self for layer in bert.encoder.layer]
    settled, heads = {"prune_width", "prune_inputs"}, int(bert.config.num_attention_heads)
    if len({part.num_heads for part in parts}) == 1:
        heads = parts[0].num_heads
        settled.add("prune_heads")
    width = bert.embeddings.word_embeddings.embedding_dim
    size = parts[0].query.out_features // parts[0].num_heads
    sizes: dict[str, Any] = {
        "hidden_size": width,
        "num_attention_heads": heads,
        "attention_head_size": None if heads * size == width else size,
    }
    modules: list[Any] = list(model.modules())
    for module in modules:
        if isinstance(config := getattr(module, "config", None), BertConfig):
            module.config = replace(config, **sizes)
    note(model, tuple(change for change in changes_of(model) if change.name not in settled))


def _validate_untied(model: nn.Module, table: nn.Embedding) -> None:
    users = [m for m in model.modules() if getattr(m, "weight", None) is table.weight]
    if len(users) > 1:
        raise ValueError(
            "A masked-LM head reads the word vectors, too, and has a norm of its own: prune the width of the"
            " encoder alone (model.bert)."
        )


def _select_columns(table: nn.Embedding, kept: Sequence[int]) -> None:
    index = torch.tensor(kept, device=table.weight.device)
    table.weight = nn.Parameter(table.weight.detach().index_select(1, index), table.weight.requires_grad)
    table.embedding_dim = len(kept)


def _select_norm(norm: nn.LayerNorm, kept: Sequence[int]) -> None:
    index = torch.tensor(kept, device=norm.weight.device)
    for name in ("weight", "bias"):
        parameter = getattr(norm, name)
        setattr(norm, name, nn.Parameter(parameter.detach()[index], parameter.requires_grad))
    norm.normalized_shape = (len(kept),)
