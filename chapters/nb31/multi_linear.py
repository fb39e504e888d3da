"""Attention without a softmax: query, key and value in one tensor of three dimensions.

The Tensorized Transformer (Ma et al., 2019) averages several such tensors, each with a core g of its own,
over one set of queries, keys and values. Its released language model computes them without any mask.
"""

import torch
from torch import Tensor


def multi_linear_attention(
    query: Tensor, key: Tensor, value: Tensor, cores: Tensor, causal: bool = False
) -> Tensor:
    """T_ijk = mean over cores of sum_r g_r Q_ir K_jr V_kr, laid flat: [T, T * T] for a dense layer to read.

    query, key, value [T, R], cores [C, R]. causal: a place i sees no j or k after it.
    """
    tensor = torch.einsum("r,ir,jr,kr->ijk", cores.mean(0), query, key, value)  # [T, T, T]
    if causal:
        seen = torch.ones(len(query), len(query)).tril().bool()  # [T, T]
        tensor = tensor * (seen[:, :, None] & seen[:, None, :])
    return tensor.flatten(1)
