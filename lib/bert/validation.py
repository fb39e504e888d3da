"""Wrong input, said in one sentence each: what `BertModel` and its heads look at before they compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.config import BertConfig

#: a label that is left out of the loss, as everywhere in PyTorch
IGNORED = -100


def validate_inputs(
    config: BertConfig,
    input_ids: Any,
    attention_mask: Any = None,
    token_type_ids: Any = None,
    inputs_embeds: Any = None,
) -> None:
    """Raise a ValueError that says what is wrong with a batch for a model of this config.

    The arguments are those of `BertModel.forward`, which asks this itself, save where it is traced
    (torch.compile, torch.export). Numbers on another device than the CPU are not read, which would wait for
    it: `validate_values` reads them.
    """
    validate_shapes(config, input_ids, attention_mask, token_type_ids, inputs_embeds)
    inputs: Tensor = input_ids if inputs_embeds is None else inputs_embeds
    if inputs.device.type == "cpu":
        validate_values(config, input_ids, attention_mask, token_type_ids)


def validate_shapes(
    config: BertConfig,
    input_ids: Any,
    attention_mask: Any = None,
    token_type_ids: Any = None,
    inputs_embeds: Any = None,
) -> None:
    """The first half of `validate_inputs`: what can be told without reading the numbers."""
    if (input_ids is None) == (inputs_embeds is None):
        raise ValueError(
            "Give a model input_ids, which model(**tokenizer(text)) does, or inputs_embeds in their place, "
            f"and not {'neither' if input_ids is None else 'both'}."
        )
    if inputs_embeds is None:
        validate_tensor("input_ids", input_ids)
        if input_ids.dim() != 2 or input_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError(
                f"input_ids is a {input_ids.dtype} tensor of shape {list(input_ids.shape)}: "
                "give whole numbers (int64) of shape [sentences, tokens] (one sentence: add [None])."
            )
        name, inputs = "input_ids", input_ids
    else:
        validate_tensor("inputs_embeds", inputs_embeds)
        size = config.hidden_size
        if inputs_embeds.dim() != 3 or inputs_embeds.size(2) != size or not inputs_embeds.is_floating_point():
            raise ValueError(
                f"inputs_embeds is a {inputs_embeds.dtype} tensor of shape {list(inputs_embeds.shape)}: "
                f"give vectors (float32) of shape [sentences, tokens, {size}]."
            )
        name, inputs = "inputs_embeds", inputs_embeds
    if inputs.numel() == 0:
        raise ValueError(f"{name} is empty: give at least one sentence of at least one token.")
    rows, length = inputs.shape[:2]
    if length > config.max_position_embeddings:
        raise ValueError(
            f"The text has {length} tokens and this model {config.max_position_embeddings} positions: "
            f"cut it (tokenizer(..., max_length={config.max_position_embeddings}) does)."
        )
    if attention_mask is not None:
        validate_tensor("attention_mask", attention_mask)
        _validate_mask_shape(name, attention_mask, rows, length)
    if token_type_ids is not None:
        validate_tensor("token_type_ids", token_type_ids)
        _validate_same_shape("token_type_ids", token_type_ids, name, (rows, length))
        if token_type_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError(
                f"token_type_ids is a {token_type_ids.dtype} tensor: give whole numbers (int64), 0 for the "
                "first text and 1 for the second."
            )


def validate_values(
    config: BertConfig, input_ids: Tensor | None, attention_mask: Tensor | None, token_type_ids: Tensor | None
) -> None:
    """The second half of `validate_inputs`: the numbers themselves, for tensors that passed the first."""
    if input_ids is not None:
        advice = "does the tokenizer belong to this model?"
        _validate_range("input_ids", input_ids, config.vocab_size, advice)
    if attention_mask is not None:
        if attention_mask.dtype != torch.bool and not ((attention_mask == 0) | (attention_mask == 1)).all():
            raise ValueError("attention_mask holds other numbers than 1 (a real token) and 0 (padding).")
        if not attention_mask.any(dim=-1).all():
            raise ValueError(
                "A row of attention_mask is all zeros: every sentence needs one real token, and every token "
                "one to look at."
            )
    if token_type_ids is not None:
        advice = "use 0 and 1." if config.type_vocab_size > 1 else "give it single texts."
        _validate_range("token_type_ids", token_type_ids, config.type_vocab_size, advice)


def validate_labels(name: str, labels: Any, shape: Sequence[int], classes: int) -> None:
    """Raise a ValueError if `labels` are not class numbers 0 to `classes - 1`, or -100, of this shape.

    Numbers on another device than the CPU are not read, which would wait for it.
    """
    _validate_whole_numbers(name, labels, shape)
    if labels.device.type == "cpu":
        wrong = labels[(labels >= classes) | ((labels < 0) & (labels != IGNORED))]
        if wrong.numel():
            raise ValueError(
                f"{name} holds {int(wrong[0])}, but there are {classes} classes here: give 0 to "
                f"{classes - 1}, or {IGNORED} for what is left out."
            )


def validate_positions(name: str, positions: Any, rows: int) -> None:
    """Raise a ValueError if `positions` are not token numbers from 0, one for each of the rows."""
    _validate_whole_numbers(name, positions, (rows,))
    if positions.device.type == "cpu" and (positions < 0).any():
        raise ValueError(f"{name} holds {int(positions.min())}: tokens are counted from 0, which is [CLS].")


def validate_grades(labels: Any, rows: int) -> None:
    """Raise a ValueError if `labels` are not real numbers, one for each of the rows, [B] or [B, 1]."""
    validate_tensor("labels", labels)
    if labels.dtype == torch.bool or labels.is_complex() or tuple(labels.shape) not in ((rows,), (rows, 1)):
        raise ValueError(
            f"labels is a {labels.dtype} tensor of shape {list(labels.shape)}: a model with one label grades "
            f"texts, so give a number for each, [{rows}]."
        )


def validate_choices(inputs: Mapping[str, Any]) -> int:
    """How many choices a question has; ValueError if the inputs do not begin with [questions, choices]."""
    for name, tensor in inputs.items():
        validate_tensor(name, tensor)
        dimensions = 4 if name == "inputs_embeds" else 3
        if tensor.dim() != dimensions:
            rest = "tokens" if dimensions == 3 else "tokens, features"
            raise ValueError(f"{name} has shape {list(tensor.shape)}: give [questions, choices, {rest}].")
    shapes = {name: tuple(tensor.shape[:2]) for name, tensor in inputs.items()}
    if len(set(shapes.values())) != 1:
        raise ValueError(f"Questions and choices differ, {shapes}: give all inputs the same number of both.")
    return int(next(iter(shapes.values()))[1])


def validate_tensor(name: str, value: Any) -> None:
    """Raise a ValueError that says how to make a tensor of what is none."""
    if isinstance(value, Tensor):
        return
    advice = f"make it one, torch.tensor({name})"
    if isinstance(value, str):
        advice = "let the tokenizer make numbers of text, model(**tokenizer(text))"
    elif isinstance(value, Mapping):
        advice = "unpack a tokenizer's batch, model(**batch)"
    elif type(value).__module__ == "numpy":
        advice = f"make it one, torch.from_numpy({name})"
    elif value is None:
        advice = "give one"
    raise ValueError(f"{name} is of type {type(value).__name__}, not a tensor: {advice}.")


def validate_eval(model: nn.Module, tokenizer: object = None) -> None:
    """Raise a ValueError if a model is in training mode, where dropout changes all that one looks at.

    And if there is a tokenizer that is not ours, see `validate_tokenizer`.
    """
    if model.training:
        raise ValueError(
            "The model is in training mode, where dropout changes every result: call model.eval()."
        )
    validate_tokenizer(tokenizer)


def validate_tokenizer(tokenizer: object) -> None:
    """Raise a ValueError for a tokenizer of `transformers` or `tokenizers`, whose batches are lists."""
    validate_ours("tokenizer", tokenizer, "a WordPieceTokenizer")


def validate_ours(name: str, part: object, ours: str) -> None:
    """Raise a ValueError for what is of `transformers` or `tokenizers`; ours: what is needed in its place."""
    libraries = {kind.__module__.partition(".")[0] for kind in type(part).__mro__}
    if libraries & {"transformers", "tokenizers"}:
        raise ValueError(
            f"The {name} is a {type(part).__name__} of another library: save it to a folder, and load that "
            f"as {ours} of lib.bert, if it is a BERT's."
        )


def _validate_mask_shape(name: str, mask: Tensor, rows: int, length: int) -> None:
    if mask.dim() != 4:
        _validate_same_shape("attention_mask", mask, name, (rows, length))
    elif mask.dtype != torch.bool or any(
        size not in (1, full)
        for size, full in zip(mask.shape, (rows, mask.size(1), length, length), strict=True)
    ):
        raise ValueError(
            f"attention_mask is a {mask.dtype} tensor of shape {list(mask.shape)}: with four dimensions it "
            f"is boolean, [{rows}, 1, {length}, {length}], True where a token may look at another."
        )


def _validate_same_shape(name: str, tensor: Tensor, other: str, shape: tuple[int, int]) -> None:
    if tuple(tensor.shape) != shape:
        raise ValueError(
            f"{name} has shape {list(tensor.shape)} and {other} {list(shape)}: "
            "they go token by token, so give both the same shape."
        )


def _validate_range(name: str, ids: Tensor, size: int, advice: str) -> None:
    low, high = (int(bound) for bound in torch.aminmax(ids))
    if low < 0 or high >= size:
        wrong = low if low < 0 else high
        raise ValueError(f"{name} holds {wrong}, but this model knows 0 to {size - 1}: {advice}")


def _validate_whole_numbers(name: str, labels: Any, shape: Sequence[int]) -> None:
    validate_tensor(name, labels)
    if labels.dtype != torch.int64 or tuple(labels.shape) != tuple(shape):
        raise ValueError(
            f"{name} is a {labels.dtype} tensor of shape {list(labels.shape)}: give whole numbers (int64) of "
            f"shape {list(shape)} here."
        )
