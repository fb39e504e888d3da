"""How sharply the loss bends: the Hessian's products with vectors, and its top eigenvalue.

The Hessian of a model with ten million weights has a hundred trillion numbers and is never formed. What it
does to one vector costs about as much as two more backward passes (Pearlmutter, 1994).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from lib.analysis.landscape.directions import Direction, Weights, inner, length, random_direction
from lib.analysis.landscape.losses import Batch, BatchLoss, own_loss, shares
from lib.bert.validation import validate_eval

#: the parts of an encoder, for `select`
ENCODER_PARTS = {
    "query and key": r"attention\.self\.(query|key)\.",
    "value": r"attention\.self\.value\.",
    "attention output": r"attention\.output\.dense\.",
    "feed-forward": r"layer\.\d+\.(intermediate|output)\.dense\.",
}


class Hessian:
    """The second derivatives of the loss with respect to some parameters: `hessian @ vector` is a direction.

    The loss is the mean over batches, each counting by its rows, of a model in eval(). parameters: by name,
    such as `select(dict(model.named_parameters()), ENCODER_PARTS["value"])`; all of the model's without it.
    The graphs of all batches are held as long as this object is, and the weights must not change meanwhile.
    """

    def __init__(
        self,
        model: nn.Module,
        batches: Sequence[Batch],
        parameters: Mapping[str, Tensor] | None = None,
        loss: BatchLoss = own_loss,
    ) -> None:
        validate_eval(model)
        self.parameters = dict(model.named_parameters() if parameters is None else parameters)
        for name, parameter in self.parameters.items():
            if not parameter.requires_grad:
                raise ValueError(
                    f"{name} has no gradient: give parameters of the model itself, not copies, and thaw what "
                    "is frozen with requires_grad_(True)."
                )
        self._gradients: list[tuple[Tensor, ...]] = []  # for each batch: one for each parameter
        # the fused kernels of attention can be differentiated once only
        with sdpa_kernel(SDPBackend.MATH), torch.enable_grad():
            for share, batch in zip(shares(batches), batches, strict=True):
                self._gradients.append(
                    torch.autograd.grad(
                        share * loss(model, batch),
                        list(self.parameters.values()),
                        create_graph=True,
                        materialize_grads=True,
                    )
                )

    def __matmul__(self, vector: Weights) -> Direction:
        """The gradient of (gradient of the loss) · vector: how the slope changes along the vector."""
        product = {name: torch.zeros_like(parameter) for name, parameter in self.parameters.items()}
        for gradients in self._gradients:
            pairs = [
                (gradient, vector[name])
                for name, gradient in zip(self.parameters, gradients, strict=True)
                if gradient.requires_grad  # else it is the same everywhere, and bends nothing
            ]
            if not pairs:
                continue
            outputs, factors = zip(*pairs, strict=True)
            parts = torch.autograd.grad(
                outputs, list(self.parameters.values()), factors, retain_graph=True, materialize_grads=True
            )
            for total, part in zip(product.values(), parts, strict=True):
                total += part
        return product


class Eigenvalue(NamedTuple):
    """An eigenvalue of largest magnitude, and its vector of length 1."""

    value: float
    vector: Direction


def top_eigenvalue(
    hessian: Hessian, tolerance: float = 1e-3, most_iterations: int = 100, seed: int = 0
) -> Eigenvalue:
    """The Hessian's eigenvalue of largest magnitude, by power iteration; it may be negative.

    Ends when the value changes by less than `tolerance` times itself, or after `most_iterations`. Where two
    eigenvalues are nearly as large, the value settles long before the vector does.
    """
    if most_iterations < 1:
        raise ValueError(f"{most_iterations} iterations find nothing: give one or more.")
    vector = _scaled(random_direction(hessian.parameters, seed))
    before = 0.0
    for iteration in range(1, most_iterations + 1):
        image = hessian @ vector
        value, size = inner(vector, image), length(image)
        converged = iteration > 1 and abs(value - before) <= tolerance * abs(value)
        if converged or not size or iteration == most_iterations:
            break
        vector, before = _scaled(image), value
    return Eigenvalue(value, vector)


def _scaled(vector: Weights) -> Direction:
    """The same direction with the length 1."""
    size = length(vector)
    return {name: tensor / size for name, tensor in vector.items()}
