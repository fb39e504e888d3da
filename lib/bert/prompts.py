"""Learned vectors ahead of the text, for a model whose own weights stay as they are: prefixes and prompts.

A prefix stands ahead of the keys and values of a layer, a prompt ahead of the words, once for all layers.
Both work on our models and on `transformers`', as encoders:

    for path in layer_paths(model, "attention.self"):
        add_prefix(model, path, size=8)
    add_prompt(model, "bert", size=8)

Sizes in the comments: B sentences, H heads, T tokens, p vectors ahead of them, D hidden size, K head size.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import alteration
from lib.bert.attached import Attached, attach
from lib.bert.attention import SelfAttention, split_heads
from lib.bert.config import BertConfig
from lib.bert.surgery import module_with
from lib.bert.validation import validate_inputs

#: the arguments of both BertModels that may come without a name, in their order
POSITIONAL = ("input_ids", "attention_mask", "token_type_ids", "position_ids", "inputs_embeds")


class Prefix(Attached):
    """Keys and values [p, H * K] that every token finds ahead of those of the text (Li and Liang, 2021).

    They take their share of the softmax from the start, also where they are all 0: a new prefix changes what
    the model says. Where `masked` is set, no token looks at it, and the model is what it is without. The text
    keeps its positions.
    """

    def __init__(self, size: int, width: int):
        super().__init__()
        if size < 0:
            raise ValueError(f"A prefix of {size} vectors: give 0 or more.")
        self.keys = nn.Parameter(torch.empty(size, width))
        self.values = nn.Parameter(torch.empty(size, width))
        self.masked = False
        for vectors in (self.keys, self.values):
            nn.init.normal_(vectors, std=0.02)  # as all of BERT's weights start

    def after_key(self, _key: nn.Module, _inputs: Any, keys: Tensor) -> Tensor:
        """[B, T, H * K] to [B, p + T, H * K]."""
        return torch.cat([self.keys.to(keys).expand(len(keys), -1, -1), keys], dim=1)

    def after_value(self, _value: nn.Module, _inputs: Any, values: Tensor) -> Tensor:
        return torch.cat([self.values.to(values).expand(len(values), -1, -1), values], dim=1)

    def before_attention(self, _attention: nn.Module, inputs: Any, named: Any) -> Any:
        """Our `SelfAttention` is told that the p vectors may be looked at."""
        hidden, mask = inputs if len(inputs) == 2 else (*inputs, named.get("mask"))
        if mask is None and self.masked:
            mask = torch.ones(1, 1, 1, hidden.size(1), dtype=torch.bool, device=hidden.device)
        return (hidden, self._extended(mask)), {}

    def before_their_attention(self, _attention: nn.Module, inputs: Any, named: Any) -> Any:
        """`transformers`' takes this prefix for the keys and values of earlier tokens, which it asks for."""
        mask = named.get("attention_mask")
        if mask is None and self.masked:  # theirs may be added to the scores: 0 where a token may look
            mask = inputs[0].new_zeros(1, 1, 1, inputs[0].size(1))
        return inputs, named | {"attention_mask": self._extended(mask), "past_key_values": self}

    def update(self, keys: Tensor, values: Tensor, *_: Any) -> tuple[Tensor, Tensor]:
        """What `transformers` asks of its caches: two [B, H, T, K] to two [B, H, p + T, K]."""
        batch, heads = keys.shape[:2]
        ahead = [
            split_heads(vectors.to(keys).expand(batch, -1, -1), heads)  # [B, H, p, K]
            for vectors in (self.keys, self.values)
        ]
        return torch.cat([ahead[0], keys], dim=2), torch.cat([ahead[1], values], dim=2)

    def _extended(self, mask: Tensor | None) -> Tensor | None:
        """A mask [..., T] with p more places ahead."""
        if mask is None:
            return None
        value: float = not self.masked
        if mask.is_floating_point():
            value = torch.finfo(mask.dtype).min if self.masked else 0.0
        return F.pad(mask, (len(self.keys), 0), value=value)


@alteration
def add_prefix(model: nn.Module, path: str, size: int) -> None:
    """Put a `Prefix` of this many vectors into the self-attention at `path`, `attention.self` of a layer.

    It becomes the child `prefix` there. Attention weights have `size` more columns, the first ones. Heads are
    removed before, not after.
    """
    attention = module_with(model, path, "query", "key", "value")
    weight: Tensor = attention.key.weight
    prefix = Prefix(size, len(weight))
    attach(attention, "prefix", prefix, like=weight)
    if isinstance(attention, SelfAttention):
        prefix.handles = (
            attention.register_forward_pre_hook(prefix.before_attention, with_kwargs=True),
            attention.key.register_forward_hook(prefix.after_key),
            attention.value.register_forward_hook(prefix.after_value),
        )
    else:
        hook = attention.register_forward_pre_hook(prefix.before_their_attention, with_kwargs=True)
        prefix.handles = (hook,)


class Prompt(Attached):
    """Vectors [p, D] that are read ahead of the word vectors of every text (Lester et al., 2021).

    The text begins at position p then, [CLS] too. What comes out of the encoder is cut to the text again, so
    that the pooler and all heads find every token where it was.
    """

    def __init__(self, vectors: Tensor):
        super().__init__()
        self.vectors = nn.Parameter(vectors.detach().clone())

    def before_model(self, model: Any, inputs: Any, named: Any) -> Any:
        """In place of ids or word vectors, the model gets p more vectors, all to be looked at, of type 0."""
        named = dict(zip(POSITIONAL, inputs, strict=False)) | named
        ids, mask, types, positions, words = (named.get(name) for name in POSITIONAL)
        if isinstance(model.config, BertConfig) and not torch.compiler.is_compiling():
            validate_inputs(model.config, ids, mask, types, words)
        if words is None:
            words = model.embeddings.word_embeddings(ids)  # [B, T, D]
        size = len(self.vectors)
        _validate_ahead(size, words, mask, positions, model.config.max_position_embeddings)
        words = torch.cat([self.vectors.to(words).expand(len(words), -1, -1), words], dim=1)
        return (), named | {
            "input_ids": None,
            "inputs_embeds": words,  # [B, p + T, D]
            "attention_mask": None if mask is None else F.pad(mask, (size, 0), value=1),
            "token_type_ids": None if types is None else F.pad(types, (size, 0)),
        }

    def after_encoder(self, _encoder: nn.Module, _inputs: Any, output: Any) -> Any:
        """[B, p + T, D] to [B, T, D]; `transformers` has already kept its inner hidden states."""
        size = len(self.vectors)
        if isinstance(output, tuple):
            return tuple(states[:, size:] for states in output)
        output.last_hidden_state = output.last_hidden_state[:, size:]
        return output


@alteration
def add_prompt(model: nn.Module, path: str, size: int) -> None:
    """Put a `Prompt` of this many vectors ahead of the words of the `BertModel` at `path`, "bert" or "".

    They start as the vectors of words drawn at random, which learn better than numbers drawn at random
    (Lester et al., 2021, section 3.2). It becomes the child `prompt` there. Attention weights have `size`
    more rows and columns, the first ones.
    """
    bert = module_with(model, path, "embeddings", "encoder")
    if size < 0:
        raise ValueError(f"A prompt of {size} vectors: give 0 or more.")
    words: Tensor = bert.embeddings.word_embeddings.weight  # [V, D]
    prompt = Prompt(words[torch.randint(len(words), (size,), device=words.device)])
    attach(bert, "prompt", prompt, like=words)
    prompt.handles = (
        bert.register_forward_pre_hook(prompt.before_model, with_kwargs=True),
        bert.encoder.register_forward_hook(prompt.after_encoder),
    )


def _validate_ahead(size: int, words: Tensor, mask: Any, positions: Any, most: int) -> None:
    if mask is not None and mask.dim() != 2:
        raise ValueError(
            "A mask of four dimensions does not say who may look at a prompt: give one of [B, T]."
        )
    if positions is not None:
        raise ValueError("A prompt has the first positions: give no position_ids.")
    if size + words.size(1) > most:
        raise ValueError(
            f"The prompt has {size} vectors, the text {words.size(1)} tokens, this model {most} positions "
            f"for both: cut the text to {most - size} tokens."
        )
