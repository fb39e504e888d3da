"""What earlier notebooks wrote and this one uses again: a test (14), a clock (19)."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import TextExample
from lib.training.labeled_texts import batches_of


@torch.no_grad()
def answers(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> Tensor:
    """The category that the model answers to each headline, those of like length first (14)."""
    model.eval()
    found = [model(**inputs).logits.argmax(dim=-1) for inputs, _ in batches_of(examples, 40)]
    return torch.cat(found)


def share_equal(one: Tensor, other: Tensor) -> float:
    """The share of places at which two tensors agree (19)."""
    return (one == other).double().mean().item()


def timed_answers(
    model: BertForSequenceClassification, examples: Sequence[TextExample]
) -> tuple[Tensor, float]:
    """The answers, and the processor's seconds that they took, which other programs hardly lengthen (19)."""
    start = time.thread_time()
    found = answers(model, examples)
    return found, time.thread_time() - start


def seconds_of_steps(
    dense: nn.Linear, yours: nn.Module, fast: nn.Module, codes_of_input: Callable[[Tensor], Any]
) -> dict[str, float]:
    """The seconds of a dense layer on 1,024 tokens, by three ways and by steps, in turns (19).

    yours and fast: the layer in whole numbers; both have its codes, [out, in], in eight bits.
    """
    x = torch.randn(1024, dense.in_features)
    codes, _, _ = codes_of_input(x)
    weight_codes: Any = fast.codes
    wide, wide_weight = codes.to(torch.int32), weight_codes.to(torch.int32)
    with torch.no_grad():
        return in_turns({
            "float32": lambda: dense(x),
            "yours": lambda: yours(x),
            "fast": lambda: fast(x),
            "round": lambda: codes_of_input(x),
            "int32": lambda: torch.matmul(wide, wide_weight.T),
            "int8": lambda: torch._int_mm(codes, weight_codes.T),
        })  # fmt: skip


def in_turns(calls: dict[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """The least processor seconds of each call, all timed in turns, as notebook 19 does it."""
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, seconds in _one_round(calls):
            least[name] = min(least[name], seconds)
    return least


def _one_round(calls: dict[str, Callable[[], object]]) -> Iterator[tuple[str, float]]:
    for name, call in calls.items():
        repeats = 0
        start = time.thread_time()
        while time.thread_time() - start < 0.03:  # some systems count in steps of 16 ms
            call()
            repeats += 1
        yield name, (time.thread_time() - start) / repeats
