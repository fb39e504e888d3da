"""More bits for the layers where the loss bends most (Q-BERT; Shen et al., 2020).

    eigenvalues = layer_eigenvalues(model, subsets)  # [layers, subsets]
    bits_of = bits_by_rank(layer_sensitivity(eigenvalues), [4, 4, 4, 2, 2, 2])
    quantize_layers(model, bits_of, groups=12)

A layer is one of the encoder's, numbered from 0. Q-BERT also cuts every matrix into groups of consecutive
outputs with a range for each, which is what groups=... does in `lib.compression.quantizers.fake`: 12 is a
group for each of twelve heads, a multiple of it buckets within the heads, None each output alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from lib.analysis.landscape.curvature import Hessian, top_eigenvalue
from lib.analysis.landscape.losses import Batch
from lib.compression.parts import by_layer
from lib.compression.quantizers.model import quantize_weights


def layer_eigenvalues(
    model: nn.Module, subsets: Sequence[Batch], tolerance: float = 0.01, most_iterations: int = 20
) -> Tensor:
    """The largest curvature [layers, subsets] of the loss on each batch, along each layer's matrices.

    It is the eigenvalue of largest magnitude, which is negative where the model has not converged. The model
    is in eval(), and nothing is quantized.
    """
    parameters = dict(model.named_parameters())
    rows = []
    for paths in by_layer(model).values():
        matrices = {f"{path}.weight": parameters[f"{path}.weight"] for path in paths}
        hessians = [Hessian(model, [subset], matrices) for subset in subsets]
        rows.append([top_eigenvalue(hessian, tolerance, most_iterations).value for hessian in hessians])
    return torch.tensor(rows)


def layer_sensitivity(eigenvalues: Tensor) -> Tensor:
    """|mean| + standard deviation over the subsets, [layers] from [layers, subsets] (equation 2).

    The deviation is that of the numbers themselves (over N). The paper does not say which.
    """
    return eigenvalues.mean(dim=1).abs() + eigenvalues.std(dim=1, correction=0)


def bits_by_rank(sensitivity: Tensor, bits: Sequence[int]) -> list[int]:
    """These numbers of bits dealt out to the layers [L], the most to the most sensitive.

    Of equally sensitive layers, the lower one comes first. ValueError where there is not one for each layer.
    """
    if len(bits) != len(sensitivity):
        raise ValueError(f"{len(bits)} numbers of bits for {len(sensitivity)} layers: give one for each.")
    order = sensitivity.argsort(descending=True, stable=True).tolist()
    dealt = dict(zip(order, sorted(bits, reverse=True), strict=True))
    return [dealt[layer] for layer in range(len(order))]


def quantize_layers(model: nn.Module, bits_of: Sequence[int], groups: int | None = None) -> None:
    """Let each layer's matrices be computed in its number of bits; tables and heads stay as they are.

    groups: as in `quantize_weights`. Q-BERT's scheme is asymmetric, as here; its tables have 8 bits.
    """
    layers = by_layer(model)
    if len(bits_of) != len(layers):
        raise ValueError(f"{len(bits_of)} numbers of bits for {len(layers)} layers: give one for each.")
    for bits, paths in zip(bits_of, layers.values(), strict=True):
        quantize_weights(model, bits, paths, groups, scheme="asymmetric")
