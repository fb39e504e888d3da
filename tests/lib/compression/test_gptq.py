"""GPTQ: shares from one factor, and outputs that stay closer than by rounding to the nearest."""

import torch
from tiny_berts import drawn

from lib.compression.quantizers.gptq import all_shares, gptq


def test_the_factor_holds_what_each_inversion_gives() -> None:
    inputs = drawn(40, 6, seed=1)
    products = inputs.T @ inputs / 40
    shares = all_shares(products)
    for column in range(5):
        rest = slice(column + 1, None)
        expected = torch.linalg.inv(products[rest, rest]) @ products[rest, column]
        torch.testing.assert_close(shares[column, rest], expected, rtol=1e-4, atol=1e-5)
    assert not shares.tril().any()


def test_the_outputs_stay_closer_than_by_the_nearest_values() -> None:
    inputs, weight = drawn(200, 12, seed=2), drawn(8, 12, seed=3)
    inputs = inputs + 2 * inputs[:, :1]  # they go together
    scale = weight.abs().amax(dim=1, keepdim=True) / 3
    nearest = (weight / scale).round().clamp(-3, 3) * scale
    rounded = gptq(weight, all_shares(inputs.T @ inputs), scale)
    codes = rounded / scale
    torch.testing.assert_close(codes, codes.round(), rtol=0, atol=1e-4)
    lost, lost_by_nearest = ((inputs @ (weight - one).T).square().mean() for one in (rounded, nearest))
    assert lost < 0.7 * lost_by_nearest
