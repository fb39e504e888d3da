"""GPTQ's loop over the columns, with what happens to one of them left out."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import gptq
from lib.exercises.spec import Exercise, Mistake, edit

LOST, SHARES = "(old - new)", "shares[column, rest]"
CHANGE = f"{LOST} * {SHARES}"
NEW = "(old / scale).round().clamp(-most, most) * scale"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, int]]:
    """The three weights of the text; two rows with two bits; then random ones."""
    products = torch.tensor([[3.0, 1, 0], [1, 2, 1], [0, 1, 1]])
    yield torch.tensor([[0.14, 0.23, 0.28]]), gptq.all_shares(products), torch.tensor([[0.1]]), 3
    yield (torch.tensor([[0.3, -0.6], [2.2, 1.4]]), torch.tensor([[0.0, 0.5], [0.0, 0.0]]),
        torch.tensor([[0.5], [1.0]]), 1)  # fmt: skip
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, most in [(4, 6, 3), (3, 8, 1), (5, 4, 7)]:
        inputs = torch.randn(4 * columns, columns, generator=generator)
        inputs += inputs[:, :1]  # they go together
        weight = torch.randn(rows, columns, generator=generator)
        scale = weight.abs().amax(dim=1, keepdim=True) / most
        yield weight, gptq.all_shares(inputs.T @ inputs), 0.8 * scale, most


# fmt: off
EXERCISE = Exercise(
    name="gptq", kind="gap", minutes=5, difficulty=2, reference=gptq.gptq, cases=cases, gradients=False,
    mistakes=[
        Mistake("wrong_sign", "A sign is wrong. A column loses what it was less what it has become, old -"
            " new, and the rest makes up for that: by hand, 0.04 was added to 0.23.",
            (edit(LOST, "(new - old)"), edit(CHANGE, f"-{CHANGE}"))),
        Mistake("nearest", "That is rounding to the nearest: nothing reaches the columns after the one that"
            " is rounded. Row c of the shares is `shares[column]`, and the columns after it are `rest`.",
            (edit(SHARES, "shares[rest, column]"), edit(CHANGE, f"0 * {CHANGE}"))),
        Mistake("all_of_it", "Each of the later columns gets the whole loss. Each gets its own share of it.",
            edit(CHANGE, LOST)),
        Mistake("not_the_loss", "The shares are of what the column loses, old - new, not of what it was or"
            " has become.", (edit(LOST, "new"), edit(LOST, "old"))),
        Mistake("no_limit", "Some of your columns have values beyond the last one. Codes go from -most to"
            " most: `in_steps` cuts them off.", edit(".clamp(-most, most)", "")),
        Mistake("rounded_down", "Your columns are rounded down. Round to the nearest, as `in_steps` does.",
            edit(".round()", ".floor()")),
        Mistake("not_rounded", "Your columns aren't rounded: the new column has values that are whole numbers"
            " of steps of `scale`.", edit(NEW, "old")),
        Mistake("codes_for_values", "Your columns hold codes, such as 1. The new column holds values, such as"
            " 0.1: the code times the scale.", edit(NEW, "(old / scale).round().clamp(-most, most)")),
    ],
    hints=("The new column is rounded to the nearest. What does each row lose by that, and which share of it"
           " do the others take over?",
           "old and new are [rows, 1], shares[column, rest] is [columns that are left]. Their product is"
           " [rows, columns that are left].",
           "new = in_steps(old, scale, most); change = (old - new) * shares[column, rest]"),
    why="Whatever a column loses, the columns after it make up for as well as they can.",
)
# fmt: on
