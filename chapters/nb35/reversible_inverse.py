"""The inputs of a reversible layer from its outputs, whose draft begins with the wrong one."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb35 import reversible
from lib.exercises.spec import Exercise, Mistake, edit

X2, X1 = "y2 - g(y1)", "y1 - f(x2)"
LINES = "    x2 = y2 - g(y1)\n    x1 = y1 - f(x2)"


def double(x: Tensor) -> Tensor:
    """The f of the text."""
    return 2.0 * x


def squared(x: Tensor) -> Tensor:
    """The g of the text, which can't be undone."""
    return x * x


def turned(x: Tensor) -> Tensor:
    """The features of each token in the opposite order, and one more."""
    return x.flip(-1) + 1.0


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """The numbers of the text, then vectors and matrices, f and g of other kinds."""
    yield torch.tensor([7.0]), torch.tensor([52.0]), double, squared
    yield torch.tensor([1.0, -2.0]), torch.tensor([0.5, 3.0]), squared, double
    generator = torch.Generator().manual_seed(seed)
    for shape, f, g in [
        ((3,), torch.tanh, squared),
        ((2, 3), turned, torch.sin),
        ((2, 4, 3), torch.relu, turned),
        ((1, 2, 5), torch.zeros_like, torch.tanh),
    ]:
        y1, y2 = torch.randn(2, *shape, generator=generator)
        yield y1, y2, f, g


# fmt: off
EXERCISE = Exercise(
    name="reversible_inverse", kind="bug", minutes=5, difficulty=2, reference=reversible.reversible_inverse,
    cases=cases, gradients=False, returns=("x1", "x2"),
    mistakes=[
        Mistake("order", "That is still the draft: what it gives back is not what went in. In the example of"
            " the text, 1 and 3 went in.",
            edit(LINES, "    x1 = y1 - f(y2)\n    x2 = y2 - g(x1)")),
        Mistake("f_of_output", "x2 is right. f was applied to x2, and you give it another tensor.",
            (edit(X1, "y1 - f(y2)"), edit(X1, "y1 - f(y1)"))),
        Mistake("g_of_output", "g was applied to y1. You give it another tensor.",
            (edit(X2, "y2 - g(y2)"), edit(X2, "y2 - g(y1 - f(y2))"))),
        Mistake("swapped_functions", "You have swapped f and g: g made y2, and f made y1.",
            edit(X2, "y2 - f(y1)").then(X1, "y1 - g(x2)")),
        Mistake("added", "You add where you should subtract: the forward pass has added.",
            (edit(X2, "y2 + g(y1)").then(X1, "y1 + f(x2)"), edit(X2, "y2 + g(y1)"),
             edit(X1, "y1 + f(x2)"))),
        Mistake("other_order", "Both are right, in the other order: return x1, then x2.",
            edit("return x1, x2", "return x2, x1")),
        Mistake("negative", "You subtract the outputs from f and g: the sign is wrong.",
            (edit(X2, "g(y1) - y2").then(X1, "f(x2) - y1"), edit(X2, "g(y1) - y2"),
             edit(X1, "f(x2) - y1"))),
        Mistake("forward", "That is the layer's forward pass once more. Asked for is the way back.",
            edit(LINES, "    x1 = y1 + f(y2)\n    x2 = y2 + g(x1)")),
    ],
    hints=("You know y1 and y2. Which of f(x2) and g(y1) can you compute from them?",
           "All have one shape. g(y1) is at hand, so y2 = x2 + g(y1) gives x2. Then f(x2) is at hand, too.",
           "x2 = y2 - g(y1), then x1 = y1 - f(x2)"),
    why="Neither f nor g is ever undone: both are computed again, so they may be anything.",
)
# fmt: on
