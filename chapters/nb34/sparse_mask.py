"""A window around each token, and tokens that are open to all."""

from collections.abc import Iterator

import torch

from chapters.nb34 import masks
from lib.exercises.spec import Exercise, Mistake, edit

NEAR = "mask = distances <= window"
ROWS = "mask[everyone, :] = True  # an open token looks at all"
COLUMNS = "mask[:, everyone] = True  # and all look at it"
IS_OPEN = "is_open = torch.isin(places, torch.tensor(everyone, dtype=torch.long))"


def cases(seed: int) -> Iterator[tuple[int, int, list[int]]]:
    """The one of the text; no window, no open place, a window over all; places in any order, twice, last."""
    yield 6, 1, [0]
    yield 5, 0, []
    yield 5, 1, []
    yield 7, 2, [3]
    yield 4, 3, []
    yield 4, 9, [1]
    yield 1, 0, []
    yield 9, 0, [8, 2]
    generator = torch.Generator().manual_seed(seed)
    for length, window in ((12, 1), (15, 3), (10, 2)):
        everyone = torch.randint(length, (3,), generator=generator).tolist()
        yield length, window, [*everyone, everyone[0]]


# fmt: off
EXERCISE = Exercise(
    name="sparse_mask", minutes=5, difficulty=2, reference=masks.sparse_mask, cases=cases, gradients=False,
    alike=[edit(ROWS, IS_OPEN).then(COLUMNS, "mask = mask | is_open[:, None] | is_open")],
    mistakes=[
        Mistake("strict", "A token that is exactly `window` places away belongs to the window: compare with"
            " <=.", edit(NEAR, "mask = distances < window")),
        Mistake("half_a_window", "The window is counted to each side: `window` places to the left and as many"
            " to the right.", edit(NEAR, "mask = distances <= window // 2")),
        Mistake("one_sided", "Your window has one side only. BERT reads both ways: take the absolute value of"
            " i - j.", (edit(NEAR, f"{NEAR}\n    mask = mask.tril()"),
                edit(NEAR, f"{NEAR}\n    mask = mask.triu()"))),
        Mistake("they_alone_look", "Open tokens look at all tokens, but the others don't look at them. Their"
            " columns are True, too.", edit(COLUMNS, "")),
        Mistake("they_dont_look", "All tokens look at the open ones, but those don't look at all. Their rows"
            " are True, too.", edit(ROWS, "")),
        Mistake("among_themselves", "You open only the pairs of two open tokens. One of the two is enough:"
            " a whole row and a whole column become True.",
            edit(ROWS, IS_OPEN).then(COLUMNS, "mask = mask | (is_open[:, None] & is_open)")),
        Mistake("nobody_open", "The window is right, but the places of `everyone` are not open yet: set their"
            " rows and columns to True.", edit(ROWS, "").then(COLUMNS, "")),
        Mistake("no_window", "The open tokens are right, but `window` changes nothing. Where |i - j| is at"
            " most `window`, the mask is True.", edit(NEAR, "mask = distances <= 0")),
        Mistake("not_itself", "A token sees itself, too: its distance of 0 is within every window.",
            edit(NEAR, "mask = (distances <= window) & (distances > 0)")),
        Mistake("hidden", "It is the wrong way round: True is where a token may look.",
            edit("return mask", "return ~mask")),
        Mistake("numbers", "The right places, but these are numbers. The mask is to be boolean:"
            " dtype=torch.bool.",
            (edit("return mask", "return mask.float()"), edit("return mask", "return mask.long()"),
             edit("return mask", "return torch.zeros(length, length).masked_fill(~mask, -torch.inf)"))),
        Mistake("always_cls", "Place 0 is open although the list doesn't name it. Open the places of"
            " `everyone`, and no other.", edit(ROWS, "everyone = [0, *everyone]; mask[everyone, :] = True")),
    ],
    hints=("Begin with a table of distances: entry (i, j) is |i - j|. Which entries are within the window?",
           "places[:, None] - places gives [length, length]. A row is the token that looks, a column one that"
           " is looked at.",
           "mask = (places[:, None] - places).abs() <= window; then mask[everyone] = True and"
           " mask[:, everyone] = True"),
    why="An open token has a whole row and a whole column.",
)
# fmt: on
