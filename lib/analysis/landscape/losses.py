"""The loss of a model on batches that never change: what a landscape is the height of."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

Batch = Mapping[str, Tensor]

#: the mean loss of a model on one batch, a tensor [] with its gradient
BatchLoss = Callable[[nn.Module, Batch], Tensor]


def own_loss(model: nn.Module, batch: Batch) -> Tensor:
    """The loss that a model with a head answers itself when its batch has labels."""
    loss = getattr(model(**batch), "loss", None)
    if loss is None:
        raise ValueError(
            f"{type(model).__name__} answered no loss: give batches with labels to a model with a head, or "
            "say what the loss is, loss=..."
        )
    assert isinstance(loss, Tensor)
    return loss


def shares(batches: Sequence[Batch]) -> list[float]:
    """The share of each batch in the mean over all of them: that of its rows."""
    if not batches or isinstance(batches, Mapping):
        raise ValueError("The loss needs a list of at least one batch: write [batch] for a single one.")
    rows = [len(next(iter(batch.values()))) for batch in batches]
    return [count / sum(rows) for count in rows]


@torch.inference_mode()
def mean_loss(model: nn.Module, batches: Sequence[Batch], loss: BatchLoss = own_loss) -> float:
    """The loss over all batches, each counting by its rows, without gradients."""
    parts = zip(shares(batches), batches, strict=True)
    return sum(share * float(loss(model, batch)) for share, batch in parts)
