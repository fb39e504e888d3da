"""Milliseconds of a model by every route that runs it, at 32 texts of 32 pieces and at one of nine.

    routes = {**torch_routes(model), **onnx_routes(model, folder)}
    milliseconds(routes, model.config.vocab_size)["onnxruntime int8"]["1 x 9"]

All routes take turns within one process, since a laptop is not equally fast from one minute to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial

import torch
from torch import Tensor, nn

from lib.analysis.cost.timing import seconds_of, spread
from lib.bert.validation import validate_eval
from lib.compression.ledger.rows import SHAPES

#: what runs a model: called as `route(input_ids=..., attention_mask=..., token_type_ids=...)`
Route = Callable[..., object]


def example_batch(vocab_size: int, shape: tuple[int, int]) -> dict[str, Tensor]:
    """Texts [texts, pieces] of random pieces without padding: what is in them changes no time."""
    ids = torch.randint(5, vocab_size, shape, generator=torch.Generator().manual_seed(0))
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "token_type_ids": torch.zeros_like(ids),
    }


def torch_routes(model: nn.Module) -> dict[str, Route]:
    """The model as it is, and a copy of it in bfloat16, both without gradients."""
    validate_eval(model)
    return {
        "float32": partial(_answer, model),
        "bfloat16": partial(_answer, deepcopy(model).to(torch.bfloat16)),
    }


@torch.inference_mode()
def _answer(model: nn.Module, **batch: Tensor) -> object:
    return model(**batch)


def in_turns(
    calls: Mapping[str, Callable[[], object]], rounds: int = 15, warm_up: int = 2
) -> dict[str, list[float]]:
    """The wall-clock seconds of each call in each round; another one begins every round.

    Entries of one round were measured one right after the other, so ratios are taken of these.
    """
    for call in [*calls.values()] * warm_up:
        call()
    names, seconds = list(calls), {name: list[float]() for name in calls}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            seconds[name].append(seconds_of(calls[name]))
    return seconds


def speed(seconds: float, of: float) -> str:
    """How fast a call of so many seconds is beside one of `of`: "2.7 times as fast", or "28 times slower"."""
    factor = of / seconds
    times, verdict = (factor, "as fast") if round(factor, 1) >= 1 else (1 / factor, "slower")
    return f"{times:.{1 if times < 10 else 0}f} times {verdict}"


def milliseconds(
    routes: Mapping[str, Route], vocab_size: int, rounds: int = 15
) -> dict[str, dict[str, float]]:
    """The median milliseconds of one call of each route at each of SHAPES, as a `LedgerRow` has them."""
    medians: dict[str, dict[str, float]] = {route: {} for route in routes}
    for name, shape in SHAPES.items():
        batch = example_batch(vocab_size, shape)
        calls = {route: partial(call, **batch) for route, call in routes.items()}
        for route, seconds in in_turns(calls, rounds).items():
            medians[route][name] = 1e3 * spread(seconds).median
    return medians
