"""Whose token each place has seen after some layers."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb10 import answers
from lib.exercises.spec import Exercise, Mistake, edit

STEP = "known | (mask.float() @ known.float() > 0)"
RETURN = "return known"
ITSELF = "torch.eye(len(masks[0]), dtype=torch.bool)"


def cases(seed: int) -> Iterator[tuple[list[Tensor]]]:
    """Four places: both sides, left then right, neighbors; then random masks."""
    both = ~torch.eye(4, dtype=torch.bool)
    left = torch.ones(4, 4, dtype=torch.bool).tril(-1)
    near = both.tril(1) & both.triu(-1)
    for masks in ([both], [both, both], [left, left.T], [near, near, near], [left] * 3):
        yield ([mask.clone() for mask in masks],)
    generator = torch.Generator().manual_seed(seed)
    yield ([torch.rand(6, 6, generator=generator) < 0.25 for _ in range(3)],)
    yield ([torch.rand(5, 5, generator=generator) < 0.5 for _ in range(4)],)


# fmt: off
EXERCISE = Exercise(
    name="seen", minutes=6, difficulty=2, reference=answers.seen, cases=cases,
    mistakes=[
        Mistake("forgets", "Your places forget: after a layer they know only what this layer showed them."
            " What was known before stays known: known | ...", edit("known | ", "")),
        Mistake("turned_over", "The product is the wrong way around. Row i of the layer's mask says at whom i"
            " looks; what these know stands in the rows of `known`: mask @ known.",
            edit("mask.float() @ known.float()", "known.float() @ mask.float()")),
        Mistake("only_direct", "You join the masks: who looked at whom. But a look shows all that the other"
            " has seen so far, not its own token alone.", edit(STEP, "known | mask")),
        Mistake("only_direct_and_new", "You join in the last layer's own look as if it showed a place's own"
            " token. After the first layer a place shows only what it has heard.",
            edit("known | ", "known | mask | ")),
        Mistake("one_mask_alone", "That is the mask of one layer. What did those that are looked at know by"
            " then?", (edit(RETURN, "return masks[-1]"), edit(RETURN, "return masks[0]"))),
        Mistake("knows_itself", "You let every place know its own token from the start. That is what the"
            " puzzle forbids: a place begins with its position alone.",
            (edit(RETURN, f"return known | {ITSELF}"),
             edit("known = masks[0]", f"known = masks[0] | {ITSELF}"),
             edit("known = masks[0]", f"known = {ITSELF}").then("masks[1:]", "masks"))),
        Mistake("looks_at_no_mask", "You go on with the first layer's looks in every layer. Each layer has a"
            " mask of its own.",
            (edit("mask.float()", "known.float()"), edit("mask.float()", "masks[0].float()"))),
    ],
    hints=("Go layer by layer. Whom i has seen: what it knew before, and all that those know at whom it"
           " looks.",
           "[T, T] @ [T, T]: row i of the mask picks rows of `known`; above 0 means that somebody knew.",
           "known = known | (mask.float() @ known.float() > 0)"),
    why="On the diagonal stand those who see themselves.", box="mlm_head",
)
# fmt: on
