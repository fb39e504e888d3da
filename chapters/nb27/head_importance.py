"""What each head of a layer is worth, from its context and the gradient of the loss by it."""

from collections.abc import Iterator
from itertools import product

import torch
from torch import Tensor

from lib.compression.pruning import importance
from lib.exercises.spec import Exercise, Mistake, edit

PRODUCT, MEAN = "(context * gradient)", ".mean(dim=(0, 2))"
SUM = f"{PRODUCT}.sum(dim=-1)"
SUMS = list(product(("sum", "mean"), repeat=3))  # over features, tokens and texts
WORTH = f"{SUM}.abs(){MEAN}"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The two heads of the text at two tokens; then other sizes, one text, one token, one feature."""
    yield (
        torch.tensor([[[[2.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, -1.0]]]]),
        torch.tensor([[[[0.5, -0.2], [0.3, -0.4]], [[0.1, 0.2], [0.2, 0.5]]]]),
    )
    generator = torch.Generator().manual_seed(seed)
    for shape in [(2, 3, 4, 5), (3, 2, 5, 4), (1, 4, 3, 2), (4, 2, 1, 3), (2, 5, 3, 1)]:
        yield torch.randn(shape, generator=generator), torch.randn(shape, generator=generator)


# fmt: off
EXERCISE = Exercise(
    name="head_importance", minutes=5, difficulty=2, reference=importance.head_importance, cases=cases,
    gradients=False,
    mistakes=[
        Mistake("absolute_too_early", "You take the absolute value of each product of two features. A head"
            " moves as a whole, so its products at a token are added up first, and some of them cancel.",
            tuple(edit(WORTH, f"{PRODUCT}.abs().{k}(dim=-1).{t}(dim=2).{b}(dim=0)") for k, t, b in SUMS)),
        Mistake("absolute_too_late", "You take the absolute value when tokens are added up, so they cancel"
            " each other: a head that helps at one token and harms at the next looks like one that does"
            " nothing. Take it per token.",
            tuple(edit(WORTH, f"{PRODUCT}.{k}(dim=-1).{late}") for k, t, b in SUMS
                for late in (f"{t}(dim=2).{b}(dim=0).abs()", f"{t}(dim=2).abs().{b}(dim=0)",
                    f"{b}(dim=0).abs().{t}(dim=-1)"))),
        Mistake("squared", "You take squares where absolute values are asked for.",
            (edit(".abs()", ".square()"), edit(WORTH, f"{SUM}.square().mean(dim=(0, 2)).sqrt()"))),
        Mistake("one_alone", "You need context and gradient: a head that gives nothing loses nothing, however"
            " steep the loss is, and a large output may not matter to it.",
            tuple(edit(f"{SUM}.abs()", alone) for one in ("gradient", "context")
                for alone in (f"{one}.norm(dim=-1)", f"{one}.abs().sum(dim=-1)"))),
        Mistake("heads_compared", "Heads are what is compared: take the mean over texts and tokens, so that"
            " [H] is left.",
            (edit(MEAN, ""), *(edit(MEAN, f".mean(dim={dim})") for dim in (0, 1, 2, (0, 1), (1, 2))),
             edit(MEAN, ".mean()"))),
        Mistake("tokens_added_up", "You add up where a mean is asked for: a text of more tokens would make"
            " its heads worth more. Divide by the number of texts and of tokens, by both.",
            (edit(MEAN, ".sum(dim=2).mean(dim=0)"), edit(MEAN, ".mean(dim=2).sum(dim=0)"),
             edit(MEAN, ".sum(dim=(0, 2))"))),
        Mistake("added_for_multiplied", "You combine context and gradient otherwise than by their product,"
            " feature by feature: that is what the chain rule gives for a gate.",
            tuple(edit("context * gradient", other)
                for other in ("context + gradient", "context - gradient", "context / gradient"))),
        Mistake("largest_token", "You take the token where a head matters most. Asked is the mean over all"
            " tokens.", tuple(edit(MEAN, f".{of}(dim=(0, 2))") for of in ("amax", "amin"))),
        Mistake("one_direction", "You count tokens alone at which a head raises the loss, or lowers it. It"
            " counts either way: the absolute value, not relu.",
            (edit(".abs()", ".relu()"), edit(f"{SUM}.abs()", f"(-{SUM}).relu()"))),
        Mistake("root_of_squares", "You take a norm of the products of features. They are added up, signs and"
            " all: .sum(dim=-1).",
            (edit(f"{SUM}.abs()", "(context * gradient).norm(dim=-1)"),
             edit(f"{SUM}.abs()", "(context * gradient).square().sum(dim=-1)"),
             edit(f"{SUM}.abs()", "(context * gradient).amax(dim=-1).abs()"))),
        Mistake("normalized", "You divide by lengths. How long context and gradient are counts: a head that"
            " gives much changes much.",
            (edit(f"{SUM}.abs()", "torch.cosine_similarity(context, gradient, dim=-1).abs()"),
             edit(f"return {WORTH}", f"worth = {WORTH}\n    return worth / worth.sum()"),
             edit(f"return {WORTH}", f"worth = {WORTH}\n    return worth / worth.norm()"),
             edit(f"return {WORTH}", f"worth = {WORTH}\n    return worth / worth.max()"),
             edit(f"return {WORTH}", f"return {WORTH}.softmax(dim=0)"))),
    ],
    hints=("Multiply context and gradient feature by feature. For one head at one token, what does closing"
           " its gate change in all? Only then comes the absolute value, and the mean last.",
           "The product is [B, H, T, K]; the sum over K is [B, H, T]; the mean over texts and tokens is [H].",
           "(context * gradient).sum(-1).abs().mean((0, 2))"),
    why="One backward pass, and every head of the model has its price.",
)
# fmt: on
