"""GELU, of any shape."""

import torch
import torch.nn.functional as F

from lib.bert import encoder
from lib.exercises.inside import computed_instead
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

INSIDE = "x / math.sqrt(2)"
SHARE = f"0.5 * (1 + torch.erf({INSIDE}))"


# fmt: off
EXERCISE = Exercise(
    name="gelu", minutes=5, difficulty=1, reference=encoder.gelu,
    cases=lambda seed: [(torch.linspace(-3, 3, 7),), (torch.tensor([[-50.0, -8.0, 0.0, 8.0, 50.0]]),),
        (torch.linspace(-2, 4, 24, dtype=torch.float64).reshape(2, 3, 4),)],
    invariants=[
        Invariant("far_out", "Look far out: a large x has all of the bell curve below it and passes"
            " unchanged, a very negative one has none and becomes 0. Yours does not.",
            lambda candidate, arguments, result: torch.allclose(result[arguments[0].abs() > 6],
                arguments[0][arguments[0].abs() > 6].relu(), atol=1e-4)),
        Invariant("not_the_bell", "Right far out, but in between the share is not that of the normal curve"
            " with a spread of 1.",
            lambda candidate, arguments, result: torch.allclose(result, F.gelu(arguments[0]), atol=1e-5)),
    ],
    mistakes=[
        Mistake("tanh", "Right to the third digit: an approximation, with tanh or a sigmoid, from when erf"
            " was slow. In BERT's configuration `gelu` means the exact one, x/2 times (1 + erf(x / √2)).",
            (edit(SHARE, "torch.sigmoid(1.702 * x)"), lambda x: F.gelu(x, approximate="tanh"))),
        Mistake("relu", "This is ReLU, which closes at 0 with a kink. GELU lets a little through there, -0.16"
            " at -1.", edit(SHARE, "(x > 0)")),
        Mistake("root_misplaced", "erf counts in units of √2 standard deviations: erf(x / √2), divided, once,"
            " by the root.", (edit(INSIDE, "x"), edit("x / math", "x * math"), edit("math.sqrt(2)", "2"))),
        Mistake("not_the_share", "erf runs from -1 to 1, and a probability from 0 to 1: first add 1, then"
            " halve the sum.", (edit("1 + ", ""), edit("1 + ", "").then("0.5 * ", ""), edit("0.5 * ", ""))),
        Mistake("numbers_for_tensors", "math.erf takes one number and torch.sqrt a tensor. It is torch.erf of"
            " x / math.sqrt(2).", (edit("torch.erf", "math.erf"), edit("math.sqrt", "torch.sqrt"))),
    ],
    hints=("Draw a number from the bell curve. How likely does the draw lie below x? So much of x is let"
           " through.",
           "Every number by itself, any shape: what comes out has the shape of x. torch.erf does the same.",
           "The probability is 0.5 * (1 + torch.erf(x / math.sqrt(2))), and GELU is x times that."),
    why="Smooth, with a dip to -0.17 near -0.75, where ReLU is flat.", box="feed_forward",
    use=lambda candidate, model: computed_instead(model, encoder.Intermediate,
        lambda half, hidden: candidate(half.dense(hidden))),
)
# fmt: on
