"""Quant-Noise: some weights rounded in training, all in eval, and the stored weight as it was."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours
from torch import Tensor

from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.model import compute_weights, quantize_weights
from lib.compression.quantizers.quant_noise import QuantNoise

WEIGHT = torch.randn(40, 64, generator=torch.Generator().manual_seed(0))
FOUR: dict[str, Any] = {"of": "LinearQuantization", "bits": 4}
ROUNDED = LinearQuantization(WEIGHT, 4)(WEIGHT)


def noisy(rate: float, seed: int = 0) -> Tensor:
    torch.manual_seed(seed)
    made: Tensor = QuantNoise(WEIGHT, rate, **FOUR)(WEIGHT)
    return made


def test_inv_a_rate_of_0_is_no_rounding_and_of_1_is_quantization_aware_training() -> None:
    assert torch.equal(noisy(0.0), WEIGHT) and torch.equal(noisy(1.0), ROUNDED)


def test_the_weight_is_that_of_the_formula_and_its_gradient_is_1() -> None:
    """W + sg(m * (Q(W) - W)), m drawn as the library draws it."""
    torch.manual_seed(3)
    mask = (torch.rand(40, 64) < 0.5).float()
    leaf = WEIGHT.clone().requires_grad_()
    made_by_formula = leaf + (mask * (ROUNDED - leaf)).detach()
    torch.manual_seed(3)
    made = QuantNoise(WEIGHT, 0.5, **FOUR)(leaf)
    torch.testing.assert_close(made, made_by_formula, rtol=0, atol=1e-6)
    grown = torch.randn(40, 64, generator=torch.Generator().manual_seed(1))
    (made * grown).sum().backward()
    assert leaf.grad is not None and torch.equal(leaf.grad, grown)


def test_inv_in_eval_everything_is_rounded_and_nothing_is_drawn() -> None:
    noise = QuantNoise(WEIGHT, 0.3, **FOUR).eval()
    before = torch.get_rng_state()
    assert torch.equal(noise(WEIGHT), ROUNDED)
    assert torch.equal(torch.get_rng_state(), before)


def test_books_make_a_noise_too() -> None:
    noise = QuantNoise(WEIGHT, 0.5, "CodebookQuantization", bits=2, outliers="none").eval()
    assert len(noise(WEIGHT).unique()) == 4


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rate": 1.5, **FOUR}, "from 0 to 1"),
        ({"rate": 0.5, "of": "Gauss"}, "use LinearQuantization"),
        ({"rate": 0.5, "of": "LinearQuantization", "bits": 1}, "from 2 to 8"),
    ],
)
def test_what_makes_no_noise_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        QuantNoise(WEIGHT, **options)


# --- whole models ---------------------------------------------------------------------------------


def test_inv_a_model_in_training_is_noisy_in_eval_it_is_rounded_and_keeps_its_weights() -> None:
    model, quantized = ours(), ours()
    compute_weights(model, "QuantNoise", rate=0.5, **FOUR)
    quantize_weights(quantized, 4)
    batch = batch_of(4)
    answer = quantized(**batch).logits
    assert torch.equal(model(**batch).logits, answer)
    model.train()
    torch.manual_seed(0)
    first = model(**batch).logits
    assert not torch.equal(first, answer) and not torch.equal(first, model(**batch).logits)
    model.eval()
    assert torch.equal(model(**batch).logits, answer)
