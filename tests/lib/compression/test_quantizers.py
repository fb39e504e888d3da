"""Numbers in a few bits: codes and scales, packing, gradients through the rounding, activations' ranges."""

import copy
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from lib.compression.quantizers.activations import DynamicRange, MovingRange, quantize_activations
from lib.compression.quantizers.codebooks import equal_population_centroids
from lib.compression.quantizers.fake import LinearQuantization, fake_quantize, straight_through
from lib.compression.quantizers.linear import (
    dequantize,
    in_groups,
    quantize_asymmetric,
    quantize_symmetric,
)
from lib.compression.quantizers.packing import pack_bits, unpack_bits


def seeded(seed: int = 0) -> torch.Generator:
    """A generator for one test alone: what it draws depends on no other test."""
    return torch.Generator().manual_seed(seed)


WEIGHT = torch.randn(12, 40, generator=seeded()) * torch.logspace(-2, 1, 12)[:, None]  # rows of unlike size
ONE_SIDED = torch.rand(12, 40, generator=seeded(1)) - 0.1

PER: tuple[Literal["token", "tensor"], ...] = ("token", "tensor")

Restore = Callable[[Tensor, int], tuple[Tensor, Tensor]]


def symmetric(x: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """What comes back, and the scale."""
    codes, scale = quantize_symmetric(x, bits)
    return dequantize(codes, scale), scale


def asymmetric(x: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    codes, scale, zero_point = quantize_asymmetric(x, bits)
    return dequantize(codes, scale, zero_point), scale


RESTORE: list[Restore] = [symmetric, asymmetric]


# --- codes and scales -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [quantize_symmetric, fake_quantize, pack_bits, unpack_bits, equal_population_centroids],
    ids=lambda f: f.__name__,
)
def test_what_learners_see_as_a_solution_has_ten_lines_or_fewer(function: Callable[..., Any]) -> None:
    assert len(inspect.getsource(function).splitlines()) <= 10


@pytest.mark.parametrize("restore", RESTORE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("constant", [0.0, 3.0, -3.0])
def test_a_constant_row_comes_back(restore: Restore, constant: float) -> None:
    restored, scale = restore(torch.full((2, 5), constant), 4)
    assert scale.isfinite().all() and (scale >= 0).all()
    torch.testing.assert_close(restored, torch.full((2, 5), constant))


def test_a_row_too_small_for_a_scale_of_its_own_does_not_overflow() -> None:
    for size in (1e-38, 1e-42, 3e-43, 1e-45):
        weight = size * torch.tensor([[1.0, -1.0, 0.5]])
        for restore in RESTORE:
            assert (restore(weight, 8)[0] - weight).abs().max() <= 1e-40 + 0.01 * size


@pytest.mark.parametrize("bits", range(1, 9))
def test_an_integer_zero_point_keeps_zero_exactly(bits: int) -> None:
    x = torch.cat([ONE_SIDED, torch.zeros(12, 3)], dim=1)
    codes, scale, zero_point = quantize_asymmetric(x, bits)
    assert codes.dtype == torch.uint8 and codes.max() <= 2**bits - 1
    assert isinstance(zero_point, Tensor) and zero_point.dtype == torch.uint8
    assert (dequantize(codes, scale, zero_point)[:, -3:] == 0).all()
    assert (codes[:, -3:] == zero_point).all()


# --- groups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_inv_one_group_is_per_tensor_and_as_many_as_outputs_is_per_row(scheme: str) -> None:
    restore = symmetric if scheme == "symmetric" else asymmetric
    whole = LinearQuantization(WEIGHT, 4, 1, scheme)(WEIGHT)
    assert torch.equal(whole, restore(WEIGHT.reshape(1, -1), 4)[0].view_as(WEIGHT))
    rows = [LinearQuantization(WEIGHT, 4, groups, scheme)(WEIGHT) for groups in (12, None)]
    assert torch.equal(rows[0], rows[1]) and torch.equal(rows[0], restore(WEIGHT, 4)[0])


# --- packing --------------------------------------------------------------------------------------


@given(st.integers(1, 8).flatmap(lambda b: st.tuples(st.just(b), st.lists(st.integers(0, 2**b - 1)))))
def test_what_is_packed_comes_back(drawn: tuple[int, list[int]]) -> None:
    bits, codes = drawn
    tensor = torch.tensor(codes, dtype=torch.uint8)
    assert torch.equal(unpack_bits(pack_bits(tensor, bits), bits, len(codes)), tensor)


# --- through the rounding -------------------------------------------------------------------------


def test_a_row_of_zeros_stays_zero_whatever_its_scale() -> None:
    x = torch.zeros(2, 3, requires_grad=True)
    rounded = fake_quantize(x, torch.tensor([[0.0], [1.0]]), 8)
    rounded.sum().backward()
    assert (rounded == 0).all() and x.grad is not None and x.grad.isfinite().all()


def test_a_number_that_is_none_is_not_hidden() -> None:
    assert fake_quantize(torch.tensor([1.0, torch.nan]), 0.1, 8).isnan().tolist() == [False, True]


def test_straight_through_keeps_the_value_to_the_bit() -> None:
    generator = seeded()
    value, like = torch.randn(1000, generator=generator), 1e4 * torch.randn(1000, generator=generator)
    assert torch.equal(straight_through(value, like), value)


# --- activations ----------------------------------------------------------------------------------


def test_a_dynamic_range_is_that_of_this_call_and_passes_the_gradient() -> None:
    x = torch.randn(3, 16, generator=seeded()).requires_grad_()
    for per in PER:
        rounded = DynamicRange(4, per)(x)
        rows = x.detach() if per == "token" else in_groups(x.detach(), 1)
        assert torch.equal(rounded, symmetric(rows, 4)[0].view_as(x))
    rounded.sum().backward()
    assert x.grad is not None and (x.grad == 1).all()
    assert torch.equal(DynamicRange(4, "token", "asymmetric")(x), asymmetric(x.detach(), 4)[0])


def test_inv_a_moving_range_starts_at_the_first_batch_moves_in_train_and_rests_in_eval() -> None:
    generator = seeded()
    moving, expected = MovingRange(8, decay=0.9), 0.0
    for number in range(5):
        x = torch.randn(4, 8, generator=generator)
        largest = x.abs().max().item()
        expected = largest if number == 0 else expected - 0.1 * (expected - largest)
        moving(x)
        assert moving.threshold.item() == pytest.approx(expected)
    moving.eval()
    x = 100 * torch.randn(4, 8, generator=generator)
    before, scale = moving.threshold.clone(), moving.threshold / 127
    rounded = moving(x)
    assert torch.equal(moving.threshold, before)
    torch.testing.assert_close(rounded, scale * torch.round(x / scale).clamp(-127, 127))


def test_what_a_moving_range_clips_still_has_a_gradient() -> None:
    moving = MovingRange(8)
    moving(torch.ones(2))
    x = torch.tensor([0.5, 7.0], requires_grad=True)
    moving.eval()(x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1.0, 1.0]


def test_a_copy_has_ranges_of_its_own() -> None:
    model = nn.Sequential(nn.Linear(4, 4)).train()
    quantize_activations(model, "0", "input", "MovingRange")
    quantize_activations(model, "0", "output", "MovingRange")
    model(torch.ones(1, 4))
    other: Any = copy.deepcopy(model)
    other(torch.full((1, 4), 9.0))
    here: Any = model
    assert here[0].input_quantizer.range.threshold == 1 < other[0].input_quantizer.range.threshold


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    *[
        (partial(call, bits), "from 2 to 8")
        for bits in (1, 9, 0, -3)
        for call in (
            lambda bits: quantize_symmetric(WEIGHT, bits),
            lambda bits: fake_quantize(WEIGHT, 0.1, bits),
            lambda bits: LinearQuantization(WEIGHT, bits),
            DynamicRange,
        )
    ],
    *[(partial(quantize_asymmetric, WEIGHT, bits), "from 1 to 8") for bits in (9, 0, -3)],
    *[(partial(LinearQuantization, WEIGHT, 4, groups), "12 rows cannot be cut") for groups in (0, -1, 5, 24)],
    (lambda: LinearQuantization(torch.zeros(4), 4), "name a matrix"),
    (lambda: LinearQuantization(WEIGHT, 4, scheme="log"), "use symmetric, asymmetric"),
    (lambda: pack_bits(torch.tensor([8], dtype=torch.uint8), 3), "does not fit into 3 bits: 7"),
    (lambda: pack_bits(torch.tensor([1]), 3), "give uint8"),
    (lambda: pack_bits(torch.tensor([[1]], dtype=torch.uint8), 3), "give uint8"),
    (lambda: pack_bits(torch.tensor([1], dtype=torch.uint8), 9), "from 1 to 8"),
    (lambda: pack_bits(torch.tensor([1], dtype=torch.uint8), 0), "from 1 to 8"),
    *[
        (partial(unpack_bits, torch.arange(3, dtype=torch.uint8), 3, count), "belong together")
        for count in (-1, 0, 5, 9)
    ],
    (lambda: MovingRange().eval()(torch.ones(2)), "has seen no batch"),
    (lambda: MovingRange(decay=1.0), "decay"),
    (lambda: DynamicRange(8, "row"), "'token' or 'tensor'"),  # type: ignore[arg-type]
    (lambda: quantize_activations(nn.Linear(2, 2), "", "middle", "MovingRange"), "give 'input' or 'output'"),  # type: ignore[arg-type]
    (lambda: quantize_activations(nn.Linear(2, 2), "", "input", "Fixed"), "give 'input' or 'output'"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_has_no_codes_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
