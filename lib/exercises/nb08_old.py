"""The exercises of notebook 08, the feed-forward network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig, BertModel, encoder
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import load_weights

NOTEBOOK = "08_feed_forward"

ROOT_2 = math.sqrt(2)


# --- gelu -----------------------------------------------------------------------------------------


def _cases(seed: int) -> Iterator[tuple[Tensor]]:
    """A ruler, random batches, numbers far out, double precision."""
    generator = torch.Generator().manual_seed(seed)
    yield (torch.linspace(-3, 3, 7),)
    yield (2 * torch.randn(3, 4, generator=generator),)
    yield (torch.randn(2, 3, 8, generator=generator),)
    yield (torch.tensor([[-50.0, -8.0, 0.0, 8.0, 50.0]]),)
    yield (torch.randn(2, 5, generator=generator, dtype=torch.float64),)


def _far_out(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    x = arguments[0]
    return torch.allclose(result[x.abs() > 6], F.relu(x)[x.abs() > 6], atol=1e-4)


def _both_sides(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    return torch.allclose(candidate(arguments[0]) - candidate(-arguments[0]), arguments[0], atol=1e-4)


@contextmanager
def _in_every_layer(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with the candidate's result in the place of what each wide half gives."""

    def instead(intermediate: Any, given: tuple[Tensor], result: Tensor) -> Tensor:
        return candidate(intermediate.dense(given[0]))

    with ExitStack() as stack:
        for module in model.modules():
            if isinstance(module, encoder.Intermediate):
                stack.enter_context(module.register_forward_hook(instead))
        yield


def _use(candidate: Any, model: BertModel) -> AbstractContextManager[None]:
    return _in_every_layer(candidate, model)


GELU = Exercise(
    name="gelu",
    notebook=NOTEBOOK,
    reference=encoder.gelu,
    cases=_cases,
    invariants=[
        Invariant(
            "far_out",
            "Look far out: a large x has all of the bell curve below it and passes unchanged, a very negative"
            " one has none and becomes 0. Yours does not.",
            _far_out,
        ),
        Invariant(
            "both_sides",
            "The shares below x and below -x sum to 1, so gelu(x) - gelu(-x) has to be x. Yours is not.",
            _both_sides,
        ),
    ],
    mistakes=[
        Mistake(
            "tanh",
            "Right to the third digit: this is the approximation with tanh, from when erf was slow. In BERT's"
            " configuration `gelu` means the exact one, x/2 times (1 + erf(x / √2)).",
            lambda x: F.gelu(x, approximate="tanh"),
        ),
        Mistake(
            "sigmoid",
            "This is the approximation with a sigmoid, x · σ(1.702 x), off by up to 0.02. The exact one uses"
            " erf.",
            lambda x: x * torch.sigmoid(1.702 * x),
        ),
        Mistake(
            "silu",
            "This is SiLU, x · σ(x): a cousin, with the logistic curve where GELU has the normal one.",
            F.silu,
        ),
        Mistake(
            "relu",
            "This is ReLU, which closes at 0 with a kink. GELU lets a little through there, -0.16 at -1: x"
            " times the probability that a normal draw lies below x.",
            F.relu,
        ),
        Mistake(
            "without_x",
            "That is the probability alone, which runs from 0 to 1. GELU is x times it.",
            lambda x: 0.5 * (1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "density",
            "You multiply by the height of the bell curve at x. What is meant is the share of it that lies"
            " below x, which erf gives.",
            lambda x: x * torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi),
        ),
        Mistake(
            "without_root",
            "erf counts in units of √2 standard deviations, so for a standard normal it has to be"
            " erf(x / √2).",
            lambda x: x * 0.5 * (1 + torch.erf(x)),
        ),
        Mistake(
            "times_root",
            "You multiply by √2 inside erf. Divide: erf(x / √2).",
            lambda x: x * 0.5 * (1 + torch.erf(x * ROOT_2)),
        ),
        Mistake(
            "halved_inside",
            "Inside erf you divide by 2; it has to be the root of 2.",
            lambda x: x * 0.5 * (1 + torch.erf(x / 2)),
        ),
        Mistake(
            "without_one",
            "erf runs from -1 to 1, and a probability from 0 to 1: add 1, then halve. Without it, -3 comes"
            " out as positive as 3.",
            lambda x: x * 0.5 * torch.erf(x / ROOT_2),
        ),
        Mistake(
            "without_half",
            "Twice too much: 1 + erf runs from 0 to 2. Halve it, and it is a probability.",
            lambda x: x * (1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "without_parentheses",
            "Parentheses are missing: x/2 multiplies 1 + erf(...) as a whole, and yours multiplies only the"
            " 1.",
            lambda x: x * 0.5 * 1 + torch.erf(x / ROOT_2),
        ),
        Mistake(
            "without_parentheses",
            "Parentheses are missing: x/2 multiplies 1 + erf(...) as a whole, and yours multiplies only the"
            " 1.",
            lambda x: x * (0.5 * 1 + torch.erf(x / ROOT_2)),
        ),
        Mistake(
            "tanh_for_erf",
            "You put tanh where erf stands. They look alike, but only erf belongs to the bell curve.",
            lambda x: x * 0.5 * (1 + torch.tanh(x / ROOT_2)),
        ),
        Mistake(
            "math_of_a_tensor",
            "math.erf takes one number. For a tensor use torch.erf, which also lets the gradient through.",
            lambda x: x * 0.5 * (1 + math.erf(x / ROOT_2)),
        ),
        Mistake(
            "upside_down",
            "You multiply by the share above x, so large numbers are closed off and negative ones pass. It"
            " is 1 + erf, not 1 - erf.",
            lambda x: x * 0.5 * torch.erfc(x / ROOT_2),
        ),
    ],
    hints=(
        "Draw a number from the bell curve. GELU lets x through in proportion to how likely the draw lies"
        " below it: all of a large x, half of 0, next to nothing of a very negative one.",
        "Every number by itself, any shape: what comes out has the shape of x. torch.erf does the same.",
        "The probability is 0.5 * (1 + torch.erf(x / math.sqrt(2))), and GELU is x times that.",
    ),
    why="Smooth, with a dip to -0.17 near -0.75, where ReLU is flat.",
    box="feed_forward",
    use=_use,
)


# --- PreLNLayer -----------------------------------------------------------------------------------

Half = Callable[
    [Any, Callable[[Tensor], Tensor], Tensor], Tensor
]  # its parts, what it computes, what comes in


def _layer(first: Half, second: Half | None = None) -> type[nn.Module]:
    """A layer whose halves do what a mistake makes them do."""

    class PreLNLayer(encoder.EncoderLayer):
        def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
            hidden = first(self.attention.output, lambda x: self.attention.self(x, mask), hidden)
            return (second or first)(self.output, self.intermediate, hidden)

    return PreLNLayer


def _right(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return hidden + half.dropout(half.dense(compute(half.LayerNorm(hidden))))


def _norm_on_the_path(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    hidden = half.LayerNorm(hidden)
    return hidden + half.dropout(half.dense(compute(hidden)))


def _post_ln(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return half.LayerNorm(hidden + half.dropout(half.dense(compute(hidden))))


def _norm_of_the_update(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return hidden + half.LayerNorm(half.dropout(half.dense(compute(hidden))))


def _both(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return half.LayerNorm(_right(half, compute, hidden))


def _no_norm(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return hidden + half.dropout(half.dense(compute(hidden)))


def _no_sum(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return half.dropout(half.dense(compute(half.LayerNorm(hidden))))


def _no_dropout(half: Any, compute: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    return hidden + half.dense(compute(half.LayerNorm(hidden)))


class _NormsSwapped(encoder.EncoderLayer):
    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        first, second = self.attention.output, self.output
        update = first.dense(self.attention.self(second.LayerNorm(hidden), mask))
        hidden = hidden + first.dropout(update)
        return hidden + second.dropout(second.dense(self.intermediate(first.LayerNorm(hidden))))


class _NoMask(encoder.EncoderLayer):
    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = _right(self.attention.output, self.attention.self, hidden)
        return _right(self.output, self.intermediate, hidden)


def _layer_cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval() with and without a mask, then in train() with a dropout of 1, where every update vanishes."""
    for length, masked, training in [(3, False, False), (5, True, False), (4, False, True)]:
        torch.manual_seed(seed)
        config = BertConfig(
            hidden_size=8,
            num_attention_heads=2,
            intermediate_size=12,
            hidden_dropout_prob=1.0,
            attention_probs_dropout_prob=0.0,
        )
        state = encoder.PreLNLayer(config).state_dict()
        state = {name: tensor + 0.3 * torch.randn_like(tensor) for name, tensor in state.items()}
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        yield config, state, torch.randn(2, length, 8), mask[:, None, None, :] if masked else None, training


def _run_layer(
    candidate: Any,
    config: BertConfig,
    state: dict[str, Tensor],
    hidden: Tensor,
    mask: Tensor | None,
    training: bool,
) -> Tensor:
    """Build the layer, give it the reference's weights, call it in train() or eval()."""
    layer = candidate(config)
    load_weights(layer, state)
    layer.train(training)
    return layer(hidden, mask)


_HALF = (
    "One half is mended. In the other, the norm still stands on the residual path: hidden itself has to reach"
    " the sum as it came in."
)

PRE_LN = Exercise(
    name="PreLNLayer",
    notebook=NOTEBOOK,
    kind="bug",
    reference=encoder.PreLNLayer,
    cases=_layer_cases,
    run=_run_layer,
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Follow hidden from the top down: is what reaches each plus sign"
            " still what came in?",
            _layer(_norm_on_the_path),
        ),
        Mistake("one_half", _HALF, _layer(_right, _norm_on_the_path)),
        Mistake("one_half", _HALF, _layer(_norm_on_the_path, _right)),
        Mistake(
            "post_ln",
            "This is post-LN, BERT's own order: it adds, then normalizes the sum. Here only what goes into"
            " the update is normalized.",
            _layer(_post_ln),
        ),
        Mistake(
            "norm_of_the_update",
            "You normalize what comes out of the update. Normalize what goes into it, and add what comes out"
            " as it is.",
            _layer(_norm_of_the_update),
        ),
        Mistake(
            "norm_twice",
            "The residual path is whole up to the sum, and then you normalize that too. The sum goes on as it"
            " is.",
            _layer(_both),
        ),
        Mistake(
            "no_norm",
            "Now nothing is normalized. The update begins with the norm: half.LayerNorm(hidden) goes in.",
            _layer(_no_norm),
        ),
        Mistake(
            "no_sum",
            "The norm is in its place, but nothing is added: each half returns hidden plus its update.",
            _layer(_no_sum),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(). In train() the update goes through half.dropout before it is added; yours does"
            " not.",
            _layer(_no_dropout),
        ),
        Mistake(
            "norms_swapped",
            "The two norms have changed places: self.attention.output.LayerNorm belongs to the attention"
            " half, self.output.LayerNorm to the feed-forward half.",
            _NormsSwapped,
        ),
        Mistake(
            "mask_ignored",
            "Right without padding. The mask has to reach the attention: self.attention.self(..., mask).",
            _NoMask,
        ),
    ],
    hints=(
        "Follow what came in with a finger. In pre-LN it runs from the bottom to the top and meets nothing"
        " but plus signs; is that so in the draft?",
        "Everything is [B, T, D]. The norm's result needs no name of its own, and hidden must not be"
        " overwritten by it.",
        "hidden = hidden + half.dropout(half.dense(self.attention.self(half.LayerNorm(hidden), mask))), and"
        " the same in the other half.",
    ),
    why="Only the update is normalized; what came in meets nothing but sums.",
)


# --- share_left -----------------------------------------------------------------------------------

UPDATES, LOUD = 24, 0.5  # of 12 layers; how long each update is beside what it is added to

LEFT = Exercise(
    name="share_left",
    notebook=NOTEBOOK,
    kind="predict",
    reference=lambda: (1 + LOUD**2) ** (-UPDATES / 2),
    tolerance=0.004,
    answer="(1 + 0.5**2) ** (-24 / 2)",
    form="An answer is a number between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake(
            "pre_ln",
            "That is pre-LN, which divides once, at the end. Post-LN divides by √1.25 after every update, so"
            " the divisions multiply.",
            lambda answer: abs(answer - (1 + UPDATES * LOUD**2) ** -0.5) < 0.01,
            example=0.378,
        ),
        Mistake(
            "one_update_a_layer",
            "You counted 12 updates. Each layer has two: attention's and that of the feed-forward network.",
            lambda answer: abs(answer - (1 + LOUD**2) ** (-UPDATES / 4)) < 0.01,
            example=0.262,
        ),
        Mistake(
            "no_root",
            "You divide by 1.25 each time. That is the square of the sum's length; a norm divides by the"
            " length, √1.25.",
            lambda answer: abs(answer - (1 + LOUD**2) ** -UPDATES) < 0.002,
            example=0.0047,
        ),
        Mistake(
            "lengths_added",
            "You divide by 1.5 each time, as if both pointed the same way. At a right angle the lengths 1 and"
            " 0.5 make √1.25.",
            lambda answer: 0 <= answer < 0.001 or abs(answer - (1 + LOUD) ** (-UPDATES / 2)) < 0.001,
            example=1.5**-24,
        ),
        Mistake(
            "one_division",
            "That is what a single norm leaves. There are 24 of them, one after the other.",
            lambda answer: abs(answer - (1 + LOUD**2) ** -0.5) < 0.01,
            example=0.894,
        ),
    ],
    hints=(
        "After one update the sum is √(1 + 0.5²) long, and the norm divides by that. Then comes the next.",
        "12 layers have 24 updates.",
        "1 / √1.25, 24 times over: 1.25 to the power of -12.",
    ),
    why="In pre-LN updates keep their length while the path grows: it divides once, by √7, and keeps 0.38.",
)

EXERCISES = [GELU, PRE_LN, LEFT]
