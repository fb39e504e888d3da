"""What of a model is taught: its answers, hidden states, attention scores, relations between values.

`observe` runs a model once and keeps what was asked for; a `Knowledge` reads a tensor, of the student as
of the teacher. Models are ours and those of `transformers`; where answers alone are asked for, anything that
returns `logits`. Attention scores are computed anew from queries and keys: attention itself may run in its
fused kernel, and no dropout touches them.

Layers are counted from 1, and 0 are the embeddings (`lib.compression.distillation.layer_maps`).
Sizes in the comments: B texts, T tokens, D hidden size, H heads, K head size, C classes, V pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.attention import split_heads
from lib.bert.hooks import capture
from lib.compression.distillation.layer_maps import Read
from lib.training.features import encoder_of
from lib.training.loop import Batch

#: what of a batch is a model's input
INPUTS = ("input_ids", "attention_mask", "token_type_ids", "inputs_embeds")
#: what BERT's own code adds to the score of a key that is padding
PADDING_SCORE = -10_000.0

HIDDEN = "hidden_states"
QUERY, KEY, VALUE = "query", "key", "value"


@dataclass
class Observation:
    """What a model said in one run, and what was seen inside."""

    real: Tensor  # boolean [B, T], false on padding
    output: Any = None
    hidden_states: Sequence[Tensor] = ()  # L + 1 times [B, T, D]
    #: "query", "key", "value": L times [B, T, H * K]
    projected: dict[str, Sequence[Tensor]] = field(default_factory=dict)
    num_heads: Sequence[int] = ()  # of each layer


def observe(model: nn.Module, batch: Batch, parts: Collection[str] = ()) -> Observation:
    """Run the model on a batch and keep these parts of what happens: `HIDDEN`, `QUERY`, `KEY`, `VALUE`."""
    inputs: dict[str, Any] = {name: batch[name] for name in INPUTS if name in batch}
    seen = Observation(real_tokens(batch))
    names = [name for name in (QUERY, KEY, VALUE) if name in parts]
    with ExitStack() as stack:
        if names:
            attention = [layer.attention.self for layer in encoder_of(model).encoder.layer]
            seen.num_heads = [heads_of(module) for module in attention]
            for name in names:  # a layer that runs twice is listed twice, and has to be hooked once
                modules = dict.fromkeys(getattr(module, name) for module in attention)
                seen.projected[name] = stack.enter_context(capture(modules))
        if HIDDEN in parts:
            seen.output = model(**inputs, output_hidden_states=True)
            seen.hidden_states = seen.output.hidden_states
        else:
            seen.output = model(**inputs)
    return seen


def heads_of(attention: Any) -> int:
    """How many heads: ours say it, and those of `transformers` under another name."""
    heads: int = getattr(attention, "num_heads", 0) or attention.num_attention_heads
    return heads


def real_tokens(batch: Batch) -> Tensor:
    """Boolean [B, T], or [B * C, T] of rows with C choices: false on padding.

    ValueError if the mask has another shape than the pieces.
    """
    words = batch["input_ids"] if "input_ids" in batch else batch["inputs_embeds"][..., 0]
    mask = batch.get("attention_mask", torch.ones_like(words))
    if mask.shape != words.shape:
        raise ValueError(
            f"The attention mask is {list(mask.shape)}: give one that tells padding from tokens, "
            f"{list(words.shape)}."
        )
    return mask.flatten(0, -2).bool()


@dataclass(frozen=True)
class Knowledge:
    """A tensor that is read of a model's run, [B, ..., X] or [B, T, ..., X], X being what is compared.

    unit: what one comparison is of, and what their sum is divided by; one of `matches.UNITS`.
    parts: what `observe` has to keep for it.
    gold: the name in a batch of the right answers, for what is learned from them and from no teacher.
    layered: whether there is one for each layer.
    """

    name: str
    read: Callable[[Observation, int], Tensor]
    unit: str
    parts: tuple[str, ...] = ()
    gold: str = ""
    layered: bool = False

    @property
    def given(self) -> str:
        """The name under which a batch may bring the teacher's side, so that no teacher has to run."""
        return self.gold or f"teacher_{self.name}"

    def of_run(self, seen: Observation) -> Read:
        """Of what was observed: a layer's tensor, as the class has it."""
        return partial(self.read, seen)

    def of_batch(self, tensor: Tensor) -> Read:
        """Of what a batch brought: [B, ...], or with all layers [B, L + 1, ...]."""
        return lambda layer: tensor[:, layer] if self.layered else tensor


# --- reading --------------------------------------------------------------------------------------


def attention_scores(query: Tensor, key: Tensor, num_heads: int, real: Tensor) -> Tensor:
    """Scaled products before the softmax, as BERT's code has them: -10,000 is added where the key is padding.

    query and key [B, T, H * K], real boolean [B, T]. Returns [B, T, H, T]: the place of the query, the head,
    and the place of the key.
    """
    scores = split_heads(query, num_heads) @ split_heads(key, num_heads).transpose(-2, -1)  # [B, H, T, T]
    scores = scores / (query.size(-1) // num_heads) ** 0.5
    return (scores + PADDING_SCORE * ~real[:, None, None, :]).transpose(1, 2)


def _state(seen: Observation, layer: int) -> Tensor:
    return _at(seen.hidden_states, layer, 0)  # [B, T, D]


def _cls_state(seen: Observation, layer: int) -> Tensor:
    return _state(seen, layer)[:, 0]  # [B, D]


def _products(first: str, second: str, num_heads: int | None, seen: Observation, layer: int) -> Tensor:
    heads = _at(seen.num_heads, layer, 1) if num_heads is None else num_heads
    query, key = (_at(seen.projected[part], layer, 1) for part in (first, second))
    return attention_scores(query, key, heads, seen.real)


def _probs(seen: Observation, layer: int) -> Tensor:
    return _products(QUERY, KEY, None, seen, layer).softmax(dim=-1)


def _at(layers: Sequence[Any], layer: int, first: int) -> Any:
    if not first <= layer < first + len(layers):
        raise ValueError(
            f"There is no layer {layer}: this knowledge has the layers {first} to {first + len(layers) - 1}."
        )
    return layers[layer - first]


def _logits(seen: Observation, layer: int) -> Tensor:
    logits: Tensor = seen.output.logits if hasattr(seen.output, "logits") else seen.output.prediction_logits
    return logits


def _places(name: str, seen: Observation, layer: int) -> Tensor:
    """Scores of the tokens [B, T], where an answer cannot be padding."""
    scores: Tensor = getattr(seen.output, name)
    return scores + PADDING_SCORE * ~seen.real


def relations(part: str, num_heads: int | None = None) -> Knowledge:
    """How queries, keys or values of a layer are related to each other, [B, T, H, T] before the softmax.

    `part` is "query", "key" or "value". In MiniLM (Wang et al., 2020) values are cut into the model's own
    heads; in its second version (Wang et al., 2021) all three are, into any `num_heads`, on both sides alike.
    """
    return Knowledge(f"{part}_relations", partial(_products, part, part, num_heads), "tokens", (part,))


# --- the kinds of knowledge -----------------------------------------------------------------------

#: [B, C], of a text; one number where it is a grade
LOGITS = Knowledge("logits", _logits, "rows")
#: [B, T, C], of each token: tags, or with C = V the pieces of a masked-LM head
TOKEN_LOGITS = Knowledge("token_logits", _logits, "tokens")
#: [B, T] each: where the answer to a question begins and ends
START_LOGITS = Knowledge("start_logits", partial(_places, "start_logits"), "rows")
END_LOGITS = Knowledge("end_logits", partial(_places, "end_logits"), "rows")

#: [B, T, D] after each layer
HIDDEN_STATES = Knowledge("hidden_states", _state, "tokens", (HIDDEN,), layered=True)
#: [B, D] of the first token after each layer
CLS_STATES = Knowledge("cls_states", _cls_state, "rows", (HIDDEN,), layered=True)
#: [B, T, H, T] of each layer, before the softmax; any distance between distributions makes it itself
ATTENTION_SCORES = Knowledge("attention_scores", partial(_products, QUERY, KEY, None), "tokens", (QUERY, KEY))
#: [B, T, H, T] of each layer, after it: for distances between vectors
ATTENTION_PROBS = Knowledge("attention_probs", _probs, "tokens", (QUERY, KEY))
#: [B, T, H, T] of each layer: values times values, before the softmax
VALUE_RELATIONS = relations(VALUE)

#: right answers: class numbers of texts, tokens or masked pieces, or grades, -100 where there is none
LABELS = Knowledge("label_loss", _logits, "labels", gold="labels")
#: right answers to questions
STARTS = Knowledge("start_loss", partial(_places, "start_logits"), "rows", gold="start_positions")
ENDS = Knowledge("end_loss", partial(_places, "end_logits"), "rows", gold="end_positions")
