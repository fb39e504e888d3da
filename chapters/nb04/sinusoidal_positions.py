"""The positions of the first Transformer: a clock of many hands."""

import torch
from torch import Tensor

from lib.bert import embeddings
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

EXPONENT = "(even_column / hidden_size)"
COS, RETURN = "angle[:, : hidden_size // 2].cos()", "return table"


def ever_faster(arguments: tuple[int, int], answer: Tensor, expected: Tensor) -> bool:
    """Whether row 1, where large angles have not lost their digits yet, is that of growing angles."""
    angle = 10_000 ** (torch.arange(0, arguments[1], 2) / arguments[1])
    return torch.allclose(answer[1, 0::2], angle.sin(), atol=0.05)


# fmt: off
EXERCISE = Exercise(
    name="sinusoidal_positions", minutes=8, difficulty=2, reference=embeddings.sinusoidal_positions,
    cases=lambda seed: [(3, 4), (5, 8), (6, 6), (1, 16), (48, 32)], gradients=False,
    tolerance=1e-4,  # an angle of 47 in single precision is off by some millionths, and so is its sine
    invariants=[
        Invariant("starts_as_it_should", "Look at position 0: all its angles are 0, so its row has to read 0,"
            " 1, 0, 1, ...",
            lambda candidate, arguments, result: torch.allclose(result[0],
                torch.tensor([0.0, 1.0]).repeat(arguments[1] // 2), atol=1e-4)),
        Invariant("goes_round", "Columns 2i and 2i + 1 are the sine and the cosine of one angle: their"
            " squares sum to 1. Not so in yours.",
            lambda candidate, arguments, result: bool(
                ((result[:, 0::2] ** 2 + result[:, 1::2] ** 2 - 1).abs() < 1e-3).all())),
    ],
    mistakes=[
        Mistake("wrong_columns", "The sines and cosines are right, but not their places: sines go in columns"
            " 0, 2, 4, ..., cosines in 1, 3, 5, ... of each row.",
            (edit(RETURN, "return torch.cat([angle.sin(), angle.cos()], dim=1)"),
             edit(RETURN, "return torch.stack([angle.sin(), angle.cos()]).reshape(length, hidden_size)"),
             edit("0::2]", "1::2]").then("1::2] = angle[", "0::2] = angle["))),
        Mistake("wrong_speeds", "The clock's hands have other speeds: the exponent of 10,000 is 2i /"
            " hidden_size, from 0 to just under 1, 2i being the even column itself.",
            (edit("10_000", "1_000"), edit(f"10_000 ** {EXPONENT}", "10_000.0 ** even_column"),
             *(edit(EXPONENT, f"(even_column {other} hidden_size)") for other in ("//", "/ 2 /", "* 2 /")))),
        Mistake("multiplied", "Your angles grow from column to column: divide by the power of 10,000; with"
            " exp, its exponent needs a minus.",
            when=ever_faster, example=edit("= position /", "= position *")),
        Mistake("degrees", "You take the angles for degrees. They are radians: position 1 begins with sin(1)"
            " = 0.84.", edit("angle = position", "angle = torch.pi / 180 * position")),
    ],
    hints=("A clock with hidden_size / 2 hands, each slower than the one before: two numbers for each, the"
           " sine and the cosine of its angle.",
           "position [length, 1] divided by the powers [hidden_size / 2] gives the angles; columns 0::2 of"
           " the table take their sines, 1::2 their cosines.",
           "angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, hidden_size, 2) /"
           " hidden_size); then table[:, 0::2] = angle.sin(), and the cosine likewise."),
    why="BERT learns its positions instead; these need no training and never run out.",
)
# fmt: on
