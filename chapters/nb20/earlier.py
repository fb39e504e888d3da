"""What earlier notebooks wrote and this one uses again: a test (14), a clock (19)."""

import time
from collections.abc import Callable, Iterator, Sequence

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


def labels_of(examples: Sequence[TextExample]) -> Tensor:
    """The right categories, in the order of `answers` (14)."""
    return torch.cat([labels for _, labels in batches_of(examples, 40)])


def share_equal(one: Tensor, other: Tensor) -> float:
    """The share of places at which two tensors agree: an accuracy (14), or an agreement (19)."""
    return (one == other).double().mean().item()


def accuracy(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> float:
    """The share of headlines that the model answers right (14)."""
    return share_equal(answers(model, examples), labels_of(examples))


def timed_answers(
    model: BertForSequenceClassification, examples: Sequence[TextExample]
) -> tuple[Tensor, float]:
    """The answers, and the processor's seconds that they took, which other programs hardly lengthen (19)."""
    start = time.thread_time()
    found = answers(model, examples)
    return found, time.thread_time() - start


def share_outside(
    model: BertForSequenceClassification, kind: type[nn.Module], examples: Sequence[TextExample]
) -> float:
    """The share of a model's time that its parts of one kind don't take, by hooks around them (19)."""
    starts, ends = [], []
    hooks = []
    for part in model.modules():
        if isinstance(part, kind):
            hooks.append(part.register_forward_pre_hook(lambda *_: starts.append(time.thread_time())))
            hooks.append(part.register_forward_hook(lambda *_: ends.append(time.thread_time())))
    _, seconds = timed_answers(model, examples)
    for hook in hooks:
        hook.remove()
    return 1 - (sum(ends) - sum(starts)) / seconds


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
