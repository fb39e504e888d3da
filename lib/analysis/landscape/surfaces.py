"""The loss over planes through the space of all weights (Li et al., 2018; Hao et al., 2019).

Nothing is trained: the weights are moved, the loss is read, and at the end they are what they were, to the
bit. A plane is two directions out of millions: what looks flat in it may be steep in another.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from tqdm import tqdm

from lib.analysis.landscape.directions import Weights, cosine, length, weights_of
from lib.analysis.landscape.losses import Batch, BatchLoss, mean_loss, own_loss
from lib.bert.validation import validate_eval

Numbers = Sequence[float] | Tensor


class Surface(NamedTuple):
    """The loss over a plane: losses[i, j] is that at center + first[i] * one + second[j] * other direction.

    `lengths` are those of the two directions, so of one unit of `first` and of `second`, and `cosine` is that
    of the angle between them: where it is not 0, a picture with a right angle is a sheared one.
    """

    first: Tensor  # [A]
    second: Tensor  # [B]
    losses: Tensor  # [A, B]
    lengths: tuple[float, float]
    cosine: float


def plane(
    model: nn.Module,
    batches: Sequence[Batch],
    one: Weights,
    other: Weights,
    first: Numbers,
    second: Numbers,
    loss: BatchLoss = own_loss,
) -> Surface:
    """The loss at center + a * one + b * other, for every a of `first` and every b of `second`.

    The center is where the model stands, in eval(). `loss` says what the mean loss of one batch is; without
    it the model does. Each point costs one forward pass of all batches and one pass over the weights: for 21
    times 21 points of MiniLM and batches of 32 rows of 16 pieces, 71 s of one core.
    """
    validate_eval(model)
    start = weights_of(model)
    for direction in (one, other):
        _validate_names(direction, start)
    losses = []
    points = len(first) * len(second)
    with restored(model), torch.no_grad(), tqdm(total=points, unit="point") as bar:
        for a in _numbers(first).tolist():
            row = dict(start)  # a row of the plane begins at center + a * one, computed once
            row.update((name, torch.add(start[name], step, alpha=a)) for name, step in one.items())
            losses.append(_losses_along(model, batches, loss, row, other, second, bar.update))
    lengths = length(one), length(other)
    return Surface(_numbers(first), _numbers(second), _numbers(losses), lengths, cosine(one, other))


@contextmanager
def restored(model: nn.Module) -> Iterator[None]:
    """Whatever happens inside this context, the parameters are at its end what they were, to the bit.

    So they are after an error, and where the reader interrupts (KeyboardInterrupt).
    """
    copies = [(parameter, parameter.detach().clone()) for parameter in model.parameters()]
    try:
        yield
    finally:
        with torch.no_grad():
            for parameter, values in copies:
                parameter.copy_(values)


def _losses_along(
    model: nn.Module,
    batches: Sequence[Batch],
    loss: BatchLoss,
    start: Weights,
    direction: Weights,
    at: Numbers,
    done: Callable[[], object],
) -> list[float]:
    """The loss at start + t * direction for every t; the model stands anywhere, and is left at the last."""
    _put(model, start)
    parameters = dict(model.named_parameters())
    moving = [(parameters[name], start[name], step) for name, step in direction.items()]
    losses = []
    for t in _numbers(at).tolist():
        for parameter, begin, step in moving:
            # one pass over the weights, and none of them is allocated anew
            torch.add(begin, step, alpha=t, out=parameter)
        losses.append(mean_loss(model, batches, loss))
        done()
    return losses


def _numbers(values: Any) -> Tensor:
    return torch.as_tensor(values, dtype=torch.float64)


def _put(model: nn.Module, weights: Weights) -> None:
    for name, parameter in model.named_parameters():
        if name in weights:
            parameter.copy_(weights[name])


def _validate_names(weights: Weights, known: Weights) -> None:
    """ValueError unless every floating-point tensor belongs to a parameter of the same shape."""
    for name, tensor in weights.items():
        if name not in known or tensor.shape != known[name].shape:
            raise ValueError(
                f"The model has no parameter {name} of the shape {list(tensor.shape)}: make weights and "
                "directions of this very model, by weights_of(model)."
            )
