"""What a decoder reads and what it is to write, whose draft asks for what it reads."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb36 import answers
from lib.exercises.spec import Exercise, Mistake, edit

CAT = "torch.cat([first, ids[:, :-1]], dim=1)"
LABELS = "ids.masked_fill(ids == 0, -100)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The readable one; several rows with padding; one token; [PAD] inside; [PAD] as `begin`; no padding."""
    yield torch.tensor([[5, 6, 7, 0]]), 2
    yield torch.tensor([[5, 6, 7, 3, 0, 0], [8, 9, 3, 0, 0, 0], [4, 5, 6, 7, 8, 3]]), 2
    yield torch.tensor([[7]]), 2
    yield torch.tensor([[2, 0, 5, 0, 6]]), 2
    yield torch.tensor([[5, 6, 3, 0]]), 0
    generator = torch.Generator().manual_seed(seed)
    yield torch.randint(1, 9, (3, 7), generator=generator), 1


# fmt: off
EXERCISE = Exercise(
    name="shifted", kind="bug", minutes=5, difficulty=1, reference=answers.shifted, cases=cases,
    returns=("inputs", "labels"), gradients=False,
    alike=[edit(LABELS, "torch.where(ids == 0, -100, ids)")],
    mistakes=[
        Mistake("labels_are_inputs", "That is still the draft's answer. Write its two rows one above the"
            " other and read them column by column: is that a question a writer has to answer?",
            (edit(LABELS, "inputs"), edit(LABELS, "inputs.masked_fill(inputs == 0, -100)"),
             edit(LABELS, "inputs.masked_fill(ids == 0, -100)"))),
        Mistake("inputs_unshifted", "Your inputs aren't moved: the model reads at place t the very token that"
            " it is to name there. Put `begin` in front and leave out the last token.",
            edit(CAT, "ids")),
        Mistake("pad_asked", "The shift is right, but [PAD] is asked for, so the model would learn to write"
            " padding. The loss leaves a label out where it is -100.", edit(LABELS, "ids")),
        Mistake("shifted_twice", "You move the labels too, so the model is to name the token after the next"
            " one. Move one of the two: the inputs.",
            edit(LABELS, "torch.cat([ids[:, 1:].masked_fill(ids[:, 1:] == 0, -100), torch.full_like("
                "ids[:, :1], -100)], dim=1)")),
        Mistake("the_wrong_way", "You move the wrong way round: the model reads the text, and is to name the"
            " token *before*. Swap the two.",
            (edit(CAT, "ids").then(LABELS, "torch.cat([first, ids[:, :-1]], dim=1)"),
             edit("return inputs, labels", "return labels, inputs"))),
        Mistake("one_shorter", "Yours has one place less. The first token is asked for as well, and to name"
            " it the model reads `begin`.",
            edit(CAT, "ids[:, :-1]").then("labels = ids.masked", "labels = ids[:, 1:].masked")
                .then("(ids == 0", "(ids[:, 1:] == 0")),
        Mistake("one_longer", "Yours has one place more. The last token is asked for and never read: leave it"
            " out of the inputs.", edit(CAT, "torch.cat([first, ids], dim=1)")),
        Mistake("inputs_marked", "-100 is for labels alone. In the inputs [PAD] stays as it is, because the"
            " model looks every id up in its table.",
            edit(CAT, f"{CAT}.masked_fill({CAT} == 0, -100)")),
        Mistake("begin_is_0", "The inputs begin with another id than `begin`.",
            (edit("full_like(ids[:, :1], begin)", "zeros_like(ids[:, :1])"), edit("begin)", "1)"))),
        Mistake("last_in_front", "Your inputs begin with the row's last token: `roll` turns it round to the"
            " front. Put `begin` there.", edit(CAT, "ids.roll(1, dims=1)")),
        Mistake("begin_unasked", "Mark [PAD] alone with -100. The id of `begin` may stand in the text, too,"
            " and is then a label like others.", edit("ids == 0", "(ids == 0) | (ids == begin)")),
    ],
    hints=("Write the two rows one above the other for [5, 6, 7, 0]. Under each token that is read should"
           " stand the one that comes next in the text.",
           "Both are [B, T], and only one of the two begins with `begin`. Which tokens are to be named, and"
           " in which order do they stand in `ids`?",
           "masked_fill gives a copy with another number wherever a condition holds."),
    why="At each place the model is asked for the token that it hasn't read yet.",
)
# fmt: on
