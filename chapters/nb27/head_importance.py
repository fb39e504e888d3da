"""What each head of a layer is worth, from its context and the gradient of the loss by it."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.pruning import importance
from lib.exercises.spec import Exercise, Mistake, edit

PRODUCT = "(context * gradient)"
WORTH = "(context * gradient).sum(dim=-1).abs().mean(dim=(0, 2))"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The two heads of the text at two tokens; then other sizes, one text, one token, one feature."""
    yield (
        torch.tensor([[[[2.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, -1.0]]]]),
        torch.tensor([[[[0.5, -0.2], [0.3, -0.4]], [[0.1, 0.2], [0.2, 0.5]]]]),
    )
    generator = torch.Generator().manual_seed(seed)
    for shape in [(2, 3, 4, 5), (3, 2, 5, 4), (1, 4, 3, 2), (4, 2, 1, 3), (2, 5, 3, 1)]:
        yield torch.randn(shape, generator=generator), torch.randn(shape, generator=generator)


EXERCISE = Exercise(
    name="head_importance",
    minutes=5,
    difficulty=2,
    reference=importance.head_importance,
    cases=cases,
    gradients=False,
    mistakes=[
        Mistake(
            "absolute_too_early",
            "You take the absolute value of each product of two features. A head moves as a whole, so its"
            " products at a token are added up first, and some of them cancel.",
            (
                edit(WORTH, "(context * gradient).abs().sum(dim=-1).mean(dim=(0, 2))"),
                edit(WORTH, "(context.abs() * gradient.abs()).sum(dim=-1).mean(dim=(0, 2))"),
            ),
        ),
        Mistake(
            "absolute_at_the_end",
            "You take the absolute value last, so tokens cancel each other: a head that helps at one token"
            " and harms at the next looks like one that does nothing. Take it for each token.",
            (
                edit(WORTH, "(context * gradient).sum(dim=-1).mean(dim=(0, 2)).abs()"),
                edit(WORTH, "(context * gradient).sum(dim=(0, 2, 3)).abs()"),
            ),
        ),
        Mistake(
            "absolute_per_text",
            "You add up a text's tokens before you take the absolute value. Papers differ here, and this"
            " exercise asks for one absolute value a token.",
            (
                edit(WORTH, "(context * gradient).sum(dim=(2, 3)).abs().mean(dim=0)"),
                edit(WORTH, "(context * gradient).sum(dim=-1).mean(dim=2).abs().mean(dim=0)"),
            ),
        ),
        Mistake(
            "signed",
            "The absolute value is missing. A head whose removal would lower the loss matters as well.",
            edit(WORTH, "(context * gradient).sum(dim=-1).mean(dim=(0, 2))"),
        ),
        Mistake(
            "mean_over_features",
            "You take the mean over the K features. A gate multiplies all of them at once, so their products"
            " are added up.",
            edit(WORTH, "(context * gradient).mean(dim=-1).abs().mean(dim=(0, 2))"),
        ),
        Mistake(
            "squared",
            "You take squares where absolute values are asked for.",
            (
                edit(WORTH, "(context * gradient).sum(dim=-1).square().mean(dim=(0, 2))"),
                edit(WORTH, "(context * gradient).sum(dim=-1).square().mean(dim=(0, 2)).sqrt()"),
            ),
        ),
        Mistake(
            "gradient_alone",
            "The context is missing. A head that gives nothing loses nothing, however steep the loss is.",
            (
                edit(PRODUCT, "gradient"),
                edit(WORTH, "gradient.norm(dim=-1).mean(dim=(0, 2))"),
                edit(WORTH, "gradient.abs().sum(dim=-1).mean(dim=(0, 2))"),
            ),
        ),
        Mistake(
            "context_alone",
            "The gradient is missing: how large a head's output is says nothing about what the loss makes"
            " of it.",
            (
                edit(PRODUCT, "context"),
                edit(WORTH, "context.norm(dim=-1).mean(dim=(0, 2))"),
                edit(WORTH, "context.abs().sum(dim=-1).mean(dim=(0, 2))"),
            ),
        ),
        Mistake(
            "sum_over_tokens",
            "You add up the tokens. The mean is asked for, over all B · T of them.",
            (
                edit("mean(dim=(0, 2))", "sum(dim=(0, 2))"),
                edit("mean(dim=(0, 2))", "sum(dim=2).mean(dim=0)"),
                edit("mean(dim=(0, 2))", "sum(dim=0).mean(dim=-1)"),
            ),
        ),
        Mistake(
            "tokens_kept",
            "You return a number for each token. Take the mean over texts and tokens, so that [H] is left.",
            (
                edit(".mean(dim=(0, 2))", ""),
                edit("mean(dim=(0, 2))", "mean(dim=0)"),
            ),
        ),
        Mistake(
            "averaged_over_heads",
            "You average over the heads. They are what is compared, so [H] is left.",
            (
                edit("mean(dim=(0, 2))", "mean(dim=(0, 1))"),
                edit("mean(dim=(0, 2))", "mean(dim=(1, 2))"),
                edit("mean(dim=(0, 2))", "mean()"),
            ),
        ),
    ],
    hints=(
        "Multiply context and gradient feature by feature. For one head at one token, what does closing its"
        " gate change in all? Only then comes the absolute value, and the mean last.",
        "The product is [B, H, T, K]; the sum over K is [B, H, T]; the mean over texts and tokens is [H].",
        "(context * gradient).sum(-1).abs().mean((0, 2))",
    ),
    why="One backward pass, and every head of the model has its price.",
)
