"""A pre-LN layer, whose draft has the norms on the residual path."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from chapters.nb08.residual import pre_ln_layer
from lib.exercises.spec import Exercise, Mistake, edit

FIRST, SECOND = "x = x + attention(norm_1(x))", "return x + feed_forward(norm_2(x))"
PATH = (
    (FIRST, "x = norm_1(x)\n    x = x + attention(x)"),
    (SECOND, "x = norm_2(x)\n    return x + feed_forward(x)"),
)


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Some tokens, and parts with random weights: a dense layer stands for each of the two updates."""
    for length, size in ((2, 4), (3, 5)):
        torch.manual_seed(seed)
        parts = [nn.Linear(size, size), nn.Linear(size, size), nn.LayerNorm(size), nn.LayerNorm(size)]
        for part in parts:
            for weight in part.parameters():
                nn.init.normal_(weight)
                weight.requires_grad_(False)
        yield 2 * torch.randn(length, size) + 1, *parts


# fmt: off
EXERCISE = Exercise(
    name="pre_ln_layer", kind="bug", minutes=5, difficulty=2, reference=pre_ln_layer, cases=cases,
    mistakes=[
        Mistake("on_the_path", "As in the draft. Ask at each line which x it means: is it what the picture of"
            " pre-LN has at this place?", edit(*PATH[0]).then(*PATH[1])),
        Mistake("one_half", "One half is fixed. In the other, x itself has to reach the sum as it came in.",
            (edit(*PATH[0]), edit(*PATH[1]))),
        Mistake("post_ln", "A sum is normalized, as in post-LN. In pre-LN the sums go on as they are.",
            (edit(FIRST, "x = norm_1(x + attention(x))").then(SECOND, "return norm_2(x + feed_forward(x))"),
             edit(SECOND, "return norm_2(x + feed_forward(x))"),
             edit(FIRST, "x = norm_1(x + attention(x))"))),
        Mistake("norm_of_the_update", "The norm stands where the update begins, not where it ends:"
            " attention(norm_1(x)).",
            edit(FIRST, "x = x + norm_1(attention(x))").then(SECOND, "return x + norm_2(feed_forward(x))")),
        Mistake("no_norm", "A norm is missing: each update starts from a normalized copy of x.",
            (edit(FIRST, "x = x + attention(x)").then(SECOND, "return x + feed_forward(x)"),
             edit(FIRST, "x = x + attention(x)"), edit(SECOND, "return x + feed_forward(x)"))),
        Mistake("no_sum", "A sum is missing: each half adds its update to what came in.",
            (edit(FIRST, "x = attention(norm_1(x))"), edit(SECOND, "return feed_forward(norm_2(x))"),
             edit(FIRST, "x = attention(norm_1(x))").then(SECOND, "return feed_forward(norm_2(x))"))),
        Mistake("norms_swapped", "Each half has a norm of its own: norm_1 for attention, norm_2 for the"
            " feed-forward network.",
            edit("norm_1(x)", "norm_2(x)").then(SECOND, SECOND.replace("_2", "_1"))),
        Mistake("from_the_start", "The second half has to start from the sum of the first half, not from what"
            " came into the layer.",
            edit(FIRST, "first = x + attention(norm_1(x))").then("return x", "return first")),
    ],
    hints=("Follow what came in. In pre-LN it meets nothing but plus signs on its way. Is that so in the"
           " draft?",
           "x must not be overwritten by its norm. The norm's result needs no name of its own.",
           "x = x + attention(norm_1(x)), and the same in the other half."),
    why="Only the update is normalized. What came in meets nothing but sums.",
)
# fmt: on
