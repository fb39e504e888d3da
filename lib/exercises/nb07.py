"""The exercises of notebook 07, layer norm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertModel, encoder
from lib.exercises.exercise import Exercise, Invariant, Mistake

NOTEBOOK = "07_layer_norm"

EPS = 1e-12


# --- layer_norm -----------------------------------------------------------------------------------


def _cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Matrices and batches off center, a token of equal features, and an eps that can be felt.

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
    yield case(3, 5, scale=0.002)  # a variance that an eps of 1e-5 would swallow
    yield case(2, 5, 12, dtype=torch.float64)


def _wrong(
    axes: Callable[[Tensor], tuple[int, ...]] = lambda hidden: (-1,),
    center: Callable[[Tensor, Tensor], Tensor] = lambda hidden, mean: hidden - mean,
    spread: Callable[[Tensor, float], Tensor] = lambda variance, eps: torch.sqrt(variance + eps),
    correction: int = 0,
    finish: Callable[..., Tensor] = lambda x, weight, bias: weight * x + bias,
) -> Callable[..., Tensor]:
    """Layer norm in five steps, one of which a mistake replaces."""

    def wrong(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
        dim = axes(hidden)
        mean = hidden.mean(dim, keepdim=True)
        variance = hidden.var(dim, correction=correction, keepdim=True)
        return finish(center(hidden, mean) / spread(variance, eps), weight, bias)

    return wrong


def _all_axes(hidden: Tensor) -> tuple[int, ...]:
    return tuple(range(hidden.dim()))


def _no_keepdim(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
    mean, variance = hidden.mean(-1), hidden.var(-1, correction=0)
    return weight * (hidden - mean) / torch.sqrt(variance + eps) + bias


def _rms(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
    return weight * hidden / torch.sqrt((hidden**2).mean(-1, keepdim=True) + eps) + bias


def _unit_length(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * centered / torch.sqrt((centered**2).sum(-1, keepdim=True) + eps) + bias


def _eps_fixed(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
    return F.layer_norm(hidden, hidden.shape[-1:], weight, bias, EPS)


def _eps_of_torch(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = EPS) -> Tensor:
    return F.layer_norm(hidden, hidden.shape[-1:], weight, bias)


def _eps_of_torch_by_default(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    return F.layer_norm(hidden, hidden.shape[-1:], weight, bias, eps)


def _undone(arguments: tuple[Any, ...], result: Tensor) -> Tensor:
    """The result before weight and bias."""
    _, weight, bias, *_ = arguments
    return (result - bias) / weight


def _averages_zero(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
    return float(_undone(arguments, result).mean(-1).abs().max()) < 1e-3


def _varies_by_one(candidate: Any, arguments: tuple[Any, ...], result: Tensor) -> bool:
    hidden, _, _, eps = arguments if len(arguments) == 4 else (*arguments, EPS)
    before = hidden.var(-1, correction=0)
    after = _undone(arguments, result).var(-1, correction=0)
    return torch.allclose(after, before / (before + eps), atol=1e-3)


@contextmanager
def _in_every_norm(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with the candidate's result in the place of that of each of its norms."""

    def instead(norm: Any, given: tuple[Tensor], result: Tensor) -> Tensor:
        return candidate(given[0], norm.weight, norm.bias, norm.eps)

    with ExitStack() as stack:
        for module in model.modules():
            if isinstance(module, nn.LayerNorm):
                stack.enter_context(module.register_forward_hook(instead))
        yield


def _use(candidate: Any, model: BertModel) -> AbstractContextManager[None]:
    return _in_every_norm(candidate, model)


NORM = Exercise(
    name="layer_norm",
    notebook=NOTEBOOK,
    reference=encoder.layer_norm,
    cases=_cases,
    invariants=[
        Invariant(
            "averages_zero",
            "Take bias and weight off again, and the features of each token have to average 0. In yours they"
            " do not: over which dimension is your mean, and is it subtracted?",
            _averages_zero,
        ),
        Invariant(
            "varies_by_one",
            "Each token averages 0, as it should, but its features do not have the variance 1 (before weight"
            " and bias). Divide by the root of their variance plus eps.",
            _varies_by_one,
        ),
    ],
    mistakes=[
        Mistake(
            "unbiased",
            "Your variance divides by D - 1, as PyTorch's var and std do unless told otherwise. That is for"
            " guessing at numbers not seen; here all D features are there: unbiased=False.",
            _wrong(correction=1),
        ),
        Mistake(
            "unbiased_and_eps_outside",
            "Two things at once: std() divides by D - 1 unless told otherwise, and eps belongs under the"
            " root, beside the variance, not beside the root.",
            _wrong(correction=1, spread=lambda variance, eps: variance.sqrt() + eps),
        ),
        Mistake(
            "eps_outside_the_root",
            "You add eps to the root; it belongs under it, beside the variance. There 1e-12 keeps what you"
            " divide by above a millionth; outside, only above 1e-12.",
            _wrong(spread=lambda variance, eps: variance.sqrt() + eps),
        ),
        Mistake(
            "no_eps",
            "There is no eps in your division. A token whose features are all equal has variance 0, and 0/0"
            " is NaN: add eps to the variance.",
            _wrong(spread=lambda variance, eps: variance.sqrt()),
        ),
        Mistake(
            "eps_fixed",
            "Your eps is always 1e-12. That is BERT's, but who calls you may ask for another: use the"
            " argument.",
            _eps_fixed,
        ),
        Mistake(
            "eps_of_torch",
            "Your eps is 1e-5, PyTorch's default, whatever is asked for. Pass `eps` on; BERT's is 1e-12.",
            _eps_of_torch,
        ),
        Mistake(
            "default_eps",
            "Your eps is 1e-5 where none is given. That is PyTorch's default; BERT's is 1e-12.",
            _eps_of_torch_by_default,
        ),
        Mistake(
            "divided_by_variance",
            "You divide by the variance. It is in squared units; its root, the standard deviation, has the"
            " features' own.",
            _wrong(spread=lambda variance, eps: variance + eps),
        ),
        Mistake(
            "rooted_twice",
            "You take the root of the standard deviation, which is a root already. Under the root belongs the"
            " variance.",
            _wrong(spread=lambda variance, eps: torch.sqrt(variance.sqrt() + eps)),
        ),
        Mistake(
            "over_tokens",
            "Your mean runs over the tokens, so each feature is normalized across the text. Layer norm looks"
            " at one token at a time: its own features, the last dimension.",
            _wrong(axes=lambda hidden: (-2,)),
        ),
        Mistake(
            "over_tokens",
            "Your mean runs over the tokens, so each feature is normalized across the text. Layer norm looks"
            " at one token at a time: its own features, the last dimension.",
            _wrong(axes=lambda hidden: (1,)),
        ),
        Mistake(
            "dimension_2",
            "dim=2 is the last dimension of a batch, but a single text has no dimension 2. -1 is the last of"
            " any tensor.",
            _wrong(axes=lambda hidden: (2,)),
        ),
        Mistake(
            "over_batch",
            "Your mean runs over dimension 0, the texts of the batch: a text would change with its neighbors."
            " Layer norm looks at one token at a time: the last dimension.",
            _wrong(axes=lambda hidden: (0,)),
        ),
        Mistake(
            "batch_norm",
            "This is batch norm: one mean for each feature, over all tokens of all texts. Layer norm takes"
            " one for each token, over its features: the last dimension.",
            _wrong(axes=lambda hidden: tuple(range(hidden.dim() - 1))),
        ),
        Mistake(
            "whole_text",
            "You take one mean and one variance for a whole text. Each token has its own: only the last"
            " dimension.",
            _wrong(axes=lambda hidden: (-2, -1)),
        ),
        Mistake(
            "whole_block",
            "You take one mean and one variance of everything. Each token has its own: mean(dim=-1), and the"
            " same for the variance.",
            _wrong(axes=_all_axes),
        ),
        Mistake(
            "no_keepdim",
            "The mean over the last dimension has one dimension less, so it lines up with the wrong one"
            " when you subtract it. keepdim=True leaves a 1 there: [..., 1].",
            _no_keepdim,
        ),
        Mistake(
            "not_centered",
            "You divide by the right number but never subtract the mean.",
            _wrong(center=lambda hidden, mean: hidden),
        ),
        Mistake(
            "rms",
            "This is RMS norm, which later models use: it divides by the root of the mean square and leaves"
            " the mean in. BERT's layer norm subtracts the mean first.",
            _rms,
        ),
        Mistake(
            "unit_length",
            "You divide by the length of the vector, so its squares sum to 1. They are to average 1: divide"
            " by the root of the mean of the squares, not of their sum.",
            _unit_length,
        ),
        Mistake(
            "only_centered",
            "You subtract the mean and stop there. Divide by the standard deviation as well.",
            _wrong(spread=lambda variance, eps: torch.ones_like(variance)),
        ),
        Mistake(
            "no_weight_and_bias",
            "Normalized, but weight and bias are not used. They let each feature choose its own scale and"
            " center again.",
            _wrong(finish=lambda x, weight, bias: x),
        ),
        Mistake(
            "no_weight",
            "The bias is added, but the weight is not used: multiply by it before.",
            _wrong(finish=lambda x, weight, bias: x + bias),
        ),
        Mistake(
            "no_bias",
            "The weight is there, the bias is not: add it at the end.",
            _wrong(finish=lambda x, weight, bias: weight * x),
        ),
        Mistake(
            "weight_and_bias_swapped",
            "weight and bias have changed places: multiply by the weight, add the bias.",
            _wrong(finish=lambda x, weight, bias: bias * x + weight),
        ),
        Mistake(
            "bias_before_weight",
            "You add the bias first, so the weight scales it too. Scale, then shift.",
            _wrong(finish=lambda x, weight, bias: weight * (x + bias)),
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
    use=_use,
)

# --- tokens_that_come_out_equal -------------------------------------------------------------------

TOKENS = {
    "a": [2.0, 2.0, 6.0, 6.0],
    "b": [20.0, 20.0, 60.0, 60.0],
    "c": [102.0, 102.0, 106.0, 106.0],
    "d": [-2.0, -2.0, -6.0, -6.0],
    "e": [2.0, 6.0, 2.0, 6.0],
    "f": [7.0, 7.0, 7.25, 7.25],
}


def _equal_to_a() -> set[str]:
    hidden = torch.tensor(list(TOKENS.values()))  # [6, 4]
    normalized = encoder.layer_norm(hidden, torch.ones(4), torch.zeros(4))
    same = (normalized - normalized[0]).abs().amax(dim=-1) < 1e-3
    return {letter for letter, equal in zip(TOKENS, same, strict=True) if equal and letter != "a"}


EQUAL = Exercise(
    name="tokens_that_come_out_equal",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_equal_to_a,
    answer='["b", "c", "f"]',
    form='An answer is a list of letters out of "b" to "f", such as ["b", "e"].',
    mistakes=[
        Mistake(
            "sign",
            "Not d: its features stand on the other side of their mean, so they come out with the other sign."
            " Dividing by a standard deviation never turns a sign around.",
            lambda answer: "d" in answer,
            ["b", "c", "d", "f"],
        ),
        Mistake(
            "order",
            "Not e: it has the same mean and spread as a, but other features are high. Layer norm moves and"
            " scales a token; it sorts nothing.",
            lambda answer: "e" in answer,
            ["b", "c", "e", "f"],
        ),
        Mistake(
            "small_spread",
            "One is missing whose features hardly differ. Its spread may be small; it is what it is divided"
            " by.",
            lambda answer: set(answer) == {"b", "c"},
            ["b", "c"],
        ),
        Mistake(
            "only_scaled",
            "Scaled is right. What if 100 is added to all features? The mean grows by 100 too, and is"
            " subtracted.",
            lambda answer: "b" in answer and "c" not in answer,
            ["b"],
        ),
        Mistake(
            "only_shifted",
            "Shifted is right. What if all features are ten times as large? So is their spread, by which they"
            " are divided.",
            lambda answer: "c" in answer and "b" not in answer,
            ["c"],
        ),
    ],
    hints=(
        "For each token: subtract its mean, divide by its spread. Two of them you can do in your head.",
        "Each token has four features, two low and two high. Which are high, and by how many spreads?",
        "a becomes -1 -1 1 1. So does every token that is low, low, high, high, by however little.",
    ),
    why="Layer norm forgets a token's size and its level; what is left is the pattern.",
)


# --- dims_of_norms --------------------------------------------------------------------------------


def _same_dims(answer: Any, expected: Any) -> bool:
    """Equal as sets: an int will do for one dimension, -1 for the last, lists for tuples."""

    def dims(value: Any) -> set[int]:
        return {dim % 3 for dim in ([value] if isinstance(value, int) else list(value))}

    try:
        return {name: dims(value) for name, value in answer.items()} == {
            name: dims(value) for name, value in expected.items()
        }
    except (TypeError, ValueError):
        return False


DIMS = Exercise(
    name="dims_of_norms",
    notebook=NOTEBOOK,
    kind="predict",
    reference={"batch": (0, 1), "layer": (2,), "instance": (1,)},
    form='An answer is a dict of three tuples of dimensions, such as {"batch": (2,), ...}.',
    same=_same_dims,
    mistakes=[
        Mistake(
            "as_for_images",
            "Yours for layer norm averages over all of a sentence, as the figure for images has it. In BERT"
            " each token has a mean of its own: look at the second panel.",
            {"batch": (0, 1), "layer": (1, 2), "instance": (1,)},
        ),
        Mistake(
            "kept_for_averaged",
            "You name the dimensions that are kept. mean(dims) wants those that vanish.",
            {"batch": (2,), "layer": (0, 1), "instance": (0, 2)},
        ),
        Mistake(
            "batch_without_tokens",
            "Batch norm as you have it takes a mean for each place in the sentence. The first panel is dark"
            " down the whole column, in every sentence.",
            {"batch": (0,), "layer": (2,), "instance": (1,)},
        ),
        Mistake(
            "layer_and_instance_swapped",
            "Layer and instance have changed places: layer norm runs along a token's row, instance norm down"
            " a sentence's column.",
            {"batch": (0, 1), "layer": (1,), "instance": (2,)},
        ),
        Mistake(
            "instance_as_batch",
            "Instance norm stays within one sentence: dimension 0 does not vanish.",
            {"batch": (0, 1), "layer": (2,), "instance": (0, 1)},
        ),
        Mistake(
            "instance_of_everything",
            "Instance norm as you have it takes one mean for a whole sentence. In the third panel a single"
            " column is dark: each feature keeps a mean of its own.",
            {"batch": (0, 1), "layer": (2,), "instance": (1, 2)},
        ),
    ],
    hints=(
        "A dimension along which the dark cells run is one that the mean averages over.",
        "[sentence, token, feature] are the dimensions 0, 1 and 2. Rows of the picture are tokens, columns"
        " features, blocks sentences.",
        "Layer norm's dark cells are one row, so only the feature varies: (2,). Now the other two.",
    ),
    why="One line of code, hidden.mean(dims, keepdim=True), is three of the four norms.",
)

EXERCISES = [NORM, EQUAL, DIMS]
