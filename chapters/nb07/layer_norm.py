"""Layer norm in three lines."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import encoder
from lib.exercises.inside import computed_instead
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

ROOT = "torch.sqrt(variance + eps)"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Blocks off center; a token of equal features, all 2 so that no mean is rounded; a tiny variance."""
    torch.manual_seed(seed)
    wide, equal, tiny = 2 + 3 * torch.randn(2, 3, 6), torch.randn(2, 3, 8), 0.002 * torch.randn(3, 4, 3, 5)
    equal[1, 0] = 2.0
    for hidden, *eps in ((torch.randn(2, 4),), (wide,), (equal, 0.1), (equal,), (tiny,)):
        yield hidden, *torch.randn(2, hidden.size(-1)), *eps


def plain(candidate: Any, arguments: tuple[Any, ...]) -> Tensor:
    """What comes out with a weight of 1 and a bias of 0."""
    hidden, weight, bias, *eps = arguments
    return candidate(hidden.clone(), torch.ones_like(weight), torch.zeros_like(bias), *eps)


# fmt: off
EXERCISE = Exercise(
    name="layer_norm", minutes=6, difficulty=2, reference=encoder.layer_norm, cases=cases,
    invariants=[
        Invariant("not_normalized", "With a weight of 1 and a bias of 0 each token's features average 0 with"
            " a variance of 1. Not yours.",
            lambda candidate, arguments, result: torch.allclose(plain(candidate, arguments),
                plain(encoder.layer_norm, arguments), atol=1e-3)),
        Invariant("scales_then_shifts", "Each feature is multiplied by its own weight, and then its own bias"
            " is added: yours are not.",
            lambda candidate, arguments, result: torch.allclose(result,
                arguments[1] * plain(candidate, arguments) + arguments[2], atol=1e-4)),
    ],
    mistakes=[
        Mistake("over_other_dimensions", "Layer norm looks at one token at a time: mean and variance run over"
            " its own features, dim=-1.",
            tuple(edit("mean(dim=-1", f"mean(dim={dims}").then("var(dim=-1", f"var(dim={dims}")
                for dims in ("-2", "1", "0", "2", "(0, 1)", "(-2, -1)", "tuple(range(hidden.dim()))"))),
        Mistake("without_keepdim", "Your mean or variance has lost the last dimension: of hidden [B, T, D] it"
            " is [B, T], which does not line up with the features. keepdim=True leaves [B, T, 1].",
            (edit("mean(dim=-1, keepdim=True)", "mean(dim=-1)"),
             edit("var(dim=-1, keepdim=True,", "var(dim=-1,"),
             edit("mean(dim=-1, keepdim=True)", "mean(dim=-1)")
                 .then("var(dim=-1, keepdim=True,", "var(dim=-1,"))),
        Mistake("rms", "This is RMS norm, which leaves the mean in. BERT's layer norm subtracts the mean"
            " first.", edit("(hidden - mean)", "hidden").then("variance +", "(hidden**2).mean(-1, True) +")),
        Mistake("wrong_eps", "eps, as it is given, belongs under the root, beside the variance:"
            " torch.sqrt(variance + eps).",
            (edit(ROOT, "(variance.sqrt() + eps)"),
             edit(", unbiased=False", "").then(ROOT, "(variance.sqrt() + eps)"),
             *(edit(" + eps", other) for other in ("", " + 1e-12", " + 1e-5")), edit("= 1e-12", "= 1e-5"))),
    ],
    hints=("Take each token by itself: subtract the mean of its features, divide by their standard"
           " deviation.",
           "mean and variance over the last dimension, with keepdim=True, are [..., 1] and broadcast.",
           "mean = hidden.mean(-1, keepdim=True); variance = hidden.var(-1, keepdim=True, unbiased=False);"
           " then weight * (hidden - mean) / torch.sqrt(variance + eps) + bias."),
    why="Every token by itself: neither its neighbors nor the rest of the batch can change it.",
    box="layer_norm",
    use=lambda candidate, model: computed_instead(model, nn.LayerNorm,
        lambda norm, hidden: candidate(hidden, norm.weight, norm.bias, norm.eps)),
)
# fmt: on
