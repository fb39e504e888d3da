"""Which layers go: the five rules of Sajjad et al. (2020), and what the fifth one measures.

A rule takes the number of layers and how many of them go, and gives the numbers of those that stay, from 0,
as `lib.compression.distillation.students.cut_student` takes them. The paper counts from 1, its code from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, get_args

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.validation import validate_eval
from lib.training.features import encoder_of
from lib.training.loop import Batch

Rule = Callable[[int, int], list[int]]
Tokens = Literal["[CLS]", "every token"]


def drop_top(num_layers: int, dropped: int) -> list[int]:
    """Without the last layers."""
    return _all_but(num_layers, dropped, range(num_layers - dropped, num_layers))


def drop_bottom(num_layers: int, dropped: int) -> list[int]:
    """Without the first layers."""
    return _all_but(num_layers, dropped, range(dropped))


def drop_even(num_layers: int, dropped: int) -> list[int]:
    """Without every second layer from the top, the last among them: alternate dropping.

    With an even number of layers these have even numbers, counted from 1. At most half of the layers can go.
    """
    return _alternate(num_layers, dropped, num_layers - 1)


def drop_odd(num_layers: int, dropped: int) -> list[int]:
    """Without every second layer from the last but one on; the last stays."""
    return _alternate(num_layers, dropped, num_layers - 2)


def drop_middle(num_layers: int, dropped: int) -> list[int]:
    """Symmetric: as many of the first stay as of the last, one more where the number is odd."""
    first = -(-(num_layers - dropped) // 2)
    return _all_but(num_layers, dropped, range(first, first + dropped))


def drop_alike(cosines: Sequence[float], num_layers: int, dropped: int) -> list[int]:
    """By contribution: without the layers whose output is most like their input.

    With the [CLS] of `layer_cosines` this is the paper's measure; which tokens are measured can change the
    choice. The number is given, so that all rules drop equally many; the paper has a threshold.
    """
    if len(cosines) != num_layers:
        raise ValueError(f"{len(cosines)} cosines for {num_layers} layers: give one for each.")
    ranked = sorted(range(num_layers), key=lambda layer: -cosines[layer])
    return _all_but(num_layers, dropped, ranked[:dropped])


def rules(cosines: Sequence[float]) -> dict[str, Rule]:
    """All rules by name, the fifth with its measurement; of alternate dropping there are two."""
    return {
        "top": drop_top,
        "bottom": drop_bottom,
        "even": drop_even,
        "odd": drop_odd,
        "middle": drop_middle,
        "alike": partial(drop_alike, cosines),
    }


@torch.inference_mode()
def layer_cosines(model: nn.Module, batches: Iterable[Batch], measured: Tokens = "[CLS]") -> list[float]:
    """For each layer the mean cosine between what a token is before it and behind it.

    measured: the first token of each text, as in the paper, or every token but padding. Near 1, the layer
    changes little. ValueError for a model in training mode.
    """
    validate_eval(model)
    if measured not in get_args(Tokens):
        raise ValueError(f"measured={measured!r}: give one of {', '.join(get_args(Tokens))}.")
    total, tokens = torch.zeros(len(encoder_of(model).encoder.layer), dtype=torch.double), 0
    for batch in batches:
        inputs = {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
        states: tuple[Tensor, ...] = encoder_of(model)(**inputs, output_hidden_states=True).hidden_states
        real = batch["attention_mask"].bool()  # [B, T]
        if measured == "[CLS]":
            real = real & (torch.arange(real.shape[1], device=real.device) == 0)
        for number, (before, after) in enumerate(pairwise(states)):
            total[number] += F.cosine_similarity(before[real], after[real], dim=-1).double().sum()
        tokens += int(real.sum())
    if not tokens:
        raise ValueError("There are no batches to measure: give one at least.")
    return [float(part) / tokens for part in total]


def _alternate(num_layers: int, dropped: int, highest: int) -> list[int]:
    gone = range(highest, -1, -2)[:dropped]
    if len(gone) < dropped:
        raise ValueError(f"Every second of {num_layers} layers are {len(gone)}: drop no more than that.")
    return _all_but(num_layers, dropped, gone)


def _all_but(num_layers: int, dropped: int, gone: Iterable[int]) -> list[int]:
    if not 0 <= dropped < num_layers:
        raise ValueError(f"{dropped} of {num_layers} layers cannot go: give 0 to {num_layers - 1}.")
    without = set(gone)
    return [layer for layer in range(num_layers) if layer not in without]
