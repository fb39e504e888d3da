"""Layer norm in three lines."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import encoder
from lib.bert.hooks import hooked
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

ROOT = "torch.sqrt(variance + eps)"
SAMPLE = edit(", unbiased=False", "")


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Matrices and blocks off center, a token of equal features, and an eps that can be felt.

    Equal features are all 2, and eight of them, so that their mean is exactly 2 however it is
    computed; any rounding there would be divided by the root of eps.
    """
    generator = torch.Generator().manual_seed(seed)

    def case(
        *shape: int, scale: float = 1.0, center: float = 0.0, dtype: torch.dtype = torch.float32
    ) -> tuple[Tensor, Tensor, Tensor]:
        hidden = center + scale * torch.randn(shape, generator=generator, dtype=dtype)
        weight = 0.5 + torch.rand(shape[-1], generator=generator, dtype=dtype)
        return hidden, weight, torch.randn(shape[-1], generator=generator, dtype=dtype)

    yield case(2, 4)
    yield case(2, 3, 6, scale=3, center=2)
    hidden, weight, bias = case(2, 3, 8)
    hidden[1, 0] = 2.0
    yield hidden, weight, bias, 0.1
    yield hidden, weight, bias
    yield case(3, 5, scale=0.002)  # a variance that an eps of 1e-5 would swallow
    yield case(2, 3, 4, 5, dtype=torch.float64)


def plain(candidate: Any, arguments: tuple[Any, ...]) -> Tensor:
    """What comes out with a weight of 1 and a bias of 0."""
    hidden, weight, bias, *eps = arguments
    return candidate(hidden.clone(), torch.ones_like(weight), torch.zeros_like(bias), *eps)


def averages_zero(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
    return float(plain(candidate, arguments).mean(-1).abs().max()) < 1e-3


def varies_by_one(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
    before = arguments[0].var(-1, correction=0)
    eps = arguments[3] if len(arguments) == 4 else 1e-12
    after = plain(candidate, arguments).var(-1, correction=0)
    return torch.allclose(after, before / (before + eps), atol=1e-3)


def scales_then_shifts(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
    _, weight, bias, *_ = arguments
    return torch.allclose(result, weight * plain(candidate, arguments) + bias, atol=1e-4)


def use(candidate: Any, model: nn.Module) -> AbstractContextManager[None]:
    """The candidate's result in the place of that of each norm."""

    def instead(norm: Any, given: tuple[Tensor], result: Tensor) -> Tensor:
        return candidate(given[0], norm.weight, norm.bias, norm.eps)

    return hooked([part for part in model.modules() if isinstance(part, nn.LayerNorm)], after=instead)


def over(dims: str) -> Any:
    """Mean and variance over other dimensions."""
    return edit("mean(dim=-1", f"mean(dim={dims}").then("var(dim=-1", f"var(dim={dims}")


EXERCISE = Exercise(
    name="layer_norm",
    minutes=8,
    difficulty=2,
    reference=encoder.layer_norm,
    cases=cases,
    invariants=[
        Invariant(
            "averages_zero",
            "With a weight of 1 and a bias of 0 the features of each token have to average 0. In yours they"
            " do not: over which dimension is your mean, and is it subtracted from all?",
            averages_zero,
        ),
        Invariant(
            "varies_by_one",
            "With a weight of 1 and a bias of 0 each token averages 0, as it should, but its features do not"
            " have the variance 1, which dividing by the root of their variance plus eps would give.",
            varies_by_one,
        ),
        Invariant(
            "scales_then_shifts",
            "With a weight of 1 and a bias of 0 all is well. What you do with others is not: each feature"
            " times its own weight, and then its own bias is added.",
            scales_then_shifts,
        ),
    ],
    mistakes=[
        Mistake(
            "unbiased",
            "Your variance divides by D - 1, as PyTorch's var and std do unless told otherwise. That is for"
            " guessing at numbers not seen; here all D features are there: unbiased=False.",
            SAMPLE,
        ),
        Mistake(
            "unbiased_without_eps",
            "Two things at once: var() and std() divide by D - 1 unless told otherwise, and eps belongs under"
            " the root, beside the variance.",
            (SAMPLE.then(ROOT, "(variance.sqrt() + eps)"), SAMPLE.then(ROOT, "variance.sqrt()")),
        ),
        Mistake(
            "eps_outside_the_root",
            "You add eps to the root; it belongs under it, beside the variance. There 1e-12 keeps what you"
            " divide by above a millionth; outside, only above 1e-12.",
            edit(ROOT, "(variance.sqrt() + eps)"),
        ),
        Mistake(
            "no_eps",
            "There is no eps in your division. A token whose features are all equal has variance 0, and 0/0"
            " is NaN: add eps to the variance.",
            edit(" + eps", ""),
        ),
        Mistake(
            "eps_fixed",
            "Your eps is always 1e-12. That is BERT's, but who calls you may ask for another: use the"
            " argument.",
            edit("+ eps", "+ 1e-12"),
        ),
        Mistake(
            "eps_of_torch",
            "Your eps is 1e-5, PyTorch's default, where none is given or whatever is given. BERT's default is"
            " 1e-12, and who asks for another should get it.",
            (edit("= 1e-12", "= 1e-5"), edit("+ eps", "+ 1e-5")),
        ),
        Mistake(
            "divided_by_variance",
            "You divide by the variance. It is in squared units; its root, the standard deviation, has the"
            " features' own.",
            edit(ROOT, "(variance + eps)"),
        ),
        Mistake(
            "over_tokens",
            "Your mean runs over the tokens, so each feature is normalized across the text. Layer norm looks"
            " at one token at a time: its own features, the last dimension.",
            (over("-2"), over("1")),
        ),
        Mistake(
            "dimension_2",
            "dim=2 is the last dimension of a batch, but a single text has no dimension 2. -1 is the last of"
            " any tensor.",
            over("2"),
        ),
        Mistake(
            "over_other_texts",
            "Your mean runs over the texts of the batch (batch norm takes in their tokens too): a text would"
            " change with its neighbors. Layer norm looks at one token at a time: the last dimension.",
            (over("0"), over("tuple(range(hidden.dim() - 1))")),
        ),
        Mistake(
            "over_several_tokens",
            "You take one mean and one variance of many tokens. Each token has its own: mean(dim=-1), and the"
            " same for the variance.",
            (over("(-2, -1)"), over("tuple(range(hidden.dim()))")),
        ),
        Mistake(
            "no_keepdim",
            "Without keepdim=True the mean (or the variance) has one dimension less and lines up with the"
            " wrong one. keepdim=True leaves a 1 there: [..., 1].",
            (
                edit("=-1, keepdim=True)", "=-1)").then("keepdim=True, ", ""),
                edit("=-1, keepdim=True)", "=-1)"),
                edit("keepdim=True, ", ""),
            ),
        ),
        Mistake(
            "rms",
            "This is RMS norm, which later models use: it divides by the root of the mean square and leaves"
            " the mean in. BERT's layer norm subtracts the mean first.",
            edit("(hidden - mean)", "hidden").then("variance +", "(hidden**2).mean(-1, True) +"),
        ),
        Mistake(
            "unit_length",
            "You divide by the length of the vector, so its squares sum to 1. They are to average 1: divide"
            " by the root of the mean of the squares, not of their sum.",
            edit("variance + eps", "variance * hidden.size(-1) + eps"),
        ),
        Mistake(
            "unused",
            "Normalized, but weight and bias are not both used: multiply by the one, then add the other, so"
            " that each feature has a scale and a center of its own.",
            (edit("weight * ", "").then(" + bias", ""), edit("weight * ", ""), edit(" + bias", "")),
        ),
        Mistake(
            "weight_and_bias_swapped",
            "weight and bias have changed places: multiply by the weight, add the bias.",
            edit("weight * ", "bias * ").then(" + bias", " + weight"),
        ),
    ],
    hints=(
        "Take each token by itself: subtract the mean of its features, divide by their standard deviation,"
        " then let weight and bias give every feature its own scale and center.",
        "The mean and the variance over the last dimension, with keepdim=True, are [..., 1] and broadcast"
        " against hidden [..., D]; weight and bias [D] broadcast too.",
        "mean = hidden.mean(-1, keepdim=True); variance = hidden.var(-1, keepdim=True, unbiased=False);"
        " then weight * (hidden - mean) / torch.sqrt(variance + eps) + bias.",
    ),
    why="Every token by itself: neither its neighbors nor the rest of the batch can change it.",
    box="layer_norm",
    use=use,
)
