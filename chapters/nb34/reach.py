"""What each place can have heard of after some layers."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb34 import masks
from lib.exercises.spec import Exercise, Mistake, edit

STEP = "passed_on = mask.float() @ heard.float() > 0  # from those that it looks at"
KEEP = "heard = heard | passed_on"
LAYERS = "range(layers)"
OWN = "mask | torch.eye(len(mask), dtype=torch.bool)"
START = "heard = torch.eye(len(mask), dtype=torch.bool)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The chain of the text, no layer, distances that double; masks that are not symmetric, 200 layers."""
    chain = torch.eye(5, dtype=torch.bool) | torch.ones(4, dtype=torch.bool).diag(-1)
    for layers in (2, 0, 1, 3):
        yield chain, layers
    yield masks.sparse_mask(9, 1, []), 3
    yield masks.log_sparse_mask(12), 2
    ring = torch.eye(6, dtype=torch.bool).roll(1, 1)  # each looks at the next, and not at itself
    yield ring, 2
    yield ring, 5
    yield masks.sparse_mask(7, 2, [3]), 200
    yield masks.sparse_mask(8, 1, [2, 5]), 2
    generator = torch.Generator().manual_seed(seed)
    for places, layers in ((7, 2), (10, 3), (12, 2), (9, 1)):
        yield torch.rand(places, places, generator=generator) < 1.3 / places, layers


# fmt: off
EXERCISE = Exercise(
    name="reach", minutes=7, difficulty=2, reference=masks.reach, cases=cases, gradients=False,
    alike=[edit(STEP, "passed_on = (mask[:, :, None] & heard[None]).any(dim=1)")],
    mistakes=[
        Mistake("one_layer", "You stop after one layer. Each further layer lets a place hear what those that"
            " it looks at have heard: repeat it `layers` times.", edit(LAYERS, "range(1)")),
        Mistake("one_too_many", "That is one layer too many. With 0 layers each place knows itself alone.",
            edit(LAYERS, "range(layers + 1)")),
        Mistake("one_too_few", "That is one layer too few. The first layer already passes something on.",
            edit(LAYERS, "range(layers - 1)")),
        Mistake("turned_round", "Rows and columns are exchanged. Place i hears from the places j where"
            " mask[i, j] is True.", (edit("mask.float() @", "mask.T.float() @"),
                edit("return heard", "return heard.T"))),
        Mistake("exactly", "You count chains of exactly `layers` looks. A place keeps what it has, on the"
            " residual path, so shorter chains count, too.", edit(KEEP, "heard = passed_on")),
        Mistake("overflow", "The number of paths outgrows the number type after many layers, and what comes"
            " out is wrong. After each layer make truth values again: > 0.",
            (edit(START, "heard = torch.eye(len(mask), dtype=torch.long)")
                .then(STEP, "passed_on = mask.long() @ heard").then(KEEP, "heard = heard + passed_on")
                .then("return heard", "return heard > 0"),
             edit(START, "heard = torch.eye(len(mask), dtype=torch.long)")
                .then(STEP, f"passed_on = ({OWN}).long() @ heard").then(KEEP, "heard = passed_on")
                .then("return heard", "return heard > 0"))),
        Mistake("counts", "You return numbers of paths, or 0.0 and 1.0. Asked for are truth values: compare"
            " with > 0.", (edit("return heard", "return heard.float()"),
                edit("return heard", f"return torch.linalg.matrix_power(({OWN}).double(), layers)"))),
        Mistake("squared", "You multiply what is heard by itself, so that a chain doubles with each layer. In"
            " a layer a place looks one step: multiply by the mask.",
            edit(STEP, "passed_on = heard.float() @ heard.float() > 0 if _ else mask")),
        Mistake("everything", "You go on until nothing new is heard. Stop after `layers` layers.",
            edit(LAYERS, "range(len(mask))")),
        Mistake("symmetric", "You let places answer: where i looks at j, j doesn't hear of i unless it looks,"
            " too.", edit(STEP, "passed_on = (mask | mask.T).float() @ heard.float() > 0")),
        Mistake("not_itself", "Each place knows itself from the beginning, so the diagonal is True, whatever"
            " the mask says.", edit("return heard",
                "return heard & ~torch.eye(len(mask), dtype=torch.bool)")),
        Mistake("entry_by_entry", "The power or product is taken entry by entry. Use the product of matrices,"
            " @: it follows looks from place to place.",
            (edit(KEEP, "heard = heard | mask"),
             edit("return heard", f"return ({OWN}).float() ** layers > 0"))),
        Mistake("zero_layers", "With 0 layers nobody has looked yet, so each place knows itself alone.",
            edit("return heard", "return heard if layers else heard | mask")),
    ],
    hints=("Before the first layer a place has heard of itself alone. In each layer it also gets all that the"
           " places it looks at have heard so far.",
           "heard is [T, T], as the mask. (mask.float() @ heard.float())[i, j] counts the places that i looks"
           " at and that have heard of j.",
           "start with the identity; `layers` times: heard = heard | (mask.float() @ heard.float() > 0)"),
    why="Each layer adds one look, and what a place has heard it keeps.",
)
# fmt: on
