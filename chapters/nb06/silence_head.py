"""Taking out what one head found."""

import torch

from chapters.nb06.silencing import silence_head
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

PART = "silenced[..., head * size : (head + 1) * size] = 0"
SIZE = "merged.size(-1) // num_heads"
# batch, length, hidden size, heads, and the one to silence; a head is never as wide as there are heads
CASES = ((1, 2, 6, 3, 1), (2, 3, 8, 2, 0), (1, 2, 12, 3, 2), (2, 2, 10, 5, 3))


# fmt: off
EXERCISE = Exercise(
    name="silence_head", minutes=4, difficulty=2, reference=silence_head,
    cases=lambda seed: [(torch.randn(b, t, d), head, heads) for b, t, d, heads, head in CASES],
    invariants=[
        Invariant("others_changed", "A feature of yours has a new value that isn't 0. What the other heads"
            " found should stay as it is.",
            lambda candidate, arguments, result: bool(((result == arguments[0]) | (result == 0)).all())),
    ],
    mistakes=[
        Mistake("cut_out", "You cut the features out, so the vectors are shorter than before. W_O needs all"
            " D features: set those of the head to 0.",
            edit("return silenced",
                "return torch.cat([merged[..., : head * size], merged[..., (head + 1) * size :]], dim=-1)")),
        Mistake("one_feature", "You silence a single feature. A head has D / num_heads features, side by"
            " side.", edit(PART, "silenced[..., head] = 0")),
        Mistake("another_head", "Heads are counted from 0: head 0 has the first D / num_heads features. Yours"
            " silences another head.",
            (edit(PART, "silenced[..., (head - 1) * size : head * size] = 0"),
             edit(PART, "silenced[..., (head + 1) * size : (head + 2) * size] = 0"))),
        Mistake("number_for_width", "You took num_heads for the width of a head. A head has D / num_heads"
            " features.", edit(SIZE, "num_heads")),
        Mistake("from_there_on", "You silence that head and others with it. Its features end at"
            " (head + 1) * size.",
            (edit(PART, "silenced[..., head * size :] = 0"),
             edit(PART, "silenced[..., : (head + 1) * size] = 0"))),
        Mistake("every_nth", "The features of a head lie side by side. You took features at regular"
            " distances, which belong to different heads.",
            (edit(PART, "silenced[..., head::num_heads] = 0"), edit(PART, "silenced[..., head::size] = 0"))),
        Mistake("the_rest", "You keep this head and silence all the others. It should be the other way"
            " round.",
            edit("merged.clone()", "torch.zeros_like(merged)").then(" = 0",
                " = merged[..., head * size : (head + 1) * size]")),
        Mistake("tokens", "You silence tokens. A head has features of every token, and these are the last"
            " dimension.", edit("silenced[..., ", "silenced[:, ")),
    ],
    hints=("Merged, the heads lie side by side: first all features of head 0, then all of head 1.",
           "A head has size = D // num_heads features; head h has those from h * size to (h + 1) * size.",
           "silenced = merged.clone(), then silenced[..., head * size : (head + 1) * size] = 0"),
    why="Of 12 heads in 384 features, head 2 has features 64 to 95.", box="multi_head",
)
# fmt: on
