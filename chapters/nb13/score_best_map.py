"""The best of many maps, scored on new sentences; the draft scores it on those that chose it."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb13 import probes
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

CHOICE, SCORE = "int(choosing.float()", "float(scoring[:, best]"
BOTH = "torch.cat([choosing, scoring])"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Hits whose best map differs from half to half, so that it matters which half chooses."""
    generator = torch.Generator().manual_seed(seed)
    yield (
        torch.tensor([[1, 0, 1], [1, 0, 0], [1, 1, 0]]) > 0,
        torch.tensor([[0, 1, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1]]) > 0,
    )
    for first, second, maps in [(5, 7, 3), (9, 4, 12), (20, 30, 8), (40, 25, 144), (6, 6, 2)]:
        chance = torch.rand(maps, generator=generator)
        choosing = torch.rand(first, maps, generator=generator) < chance
        scoring = torch.rand(second, maps, generator=generator) < chance.flip(0)
        yield choosing, scoring


def on(choice: str, score: str) -> Edit:
    """Chosen on one thing, scored on another."""
    return edit(CHOICE, f"int({choice}.float()").then(SCORE, f"float({score}[:, best]")


# fmt: off
EXERCISE = Exercise(
    name="score_best_map", kind="bug", minutes=4, difficulty=1, reference=probes.score_best_map, cases=cases,
    returns=("map", "share"),
    mistakes=[
        Mistake("chosen_where_scored", "As in the draft. Of 144 maps, some are lucky on any sentences. Follow"
            " `choosing` and `scoring` through the two lines.", on("scoring", "scoring")),
        Mistake("chosen_on_both", "The half that scores still has a say in the choice: you choose on all"
            " sentences. Choose on `choosing` alone.",
            (on(BOTH, "scoring"), on(BOTH, BOTH), on(BOTH, "choosing"))),
        Mistake("scored_on_the_choosing_half", "You choose on `choosing` and score on it again: luck and all."
            " The share is that of `scoring`.", on("choosing", "choosing")),
        Mistake("scored_on_both", "The map is chosen rightly, and then the sentences that chose it count in"
            " its score. Score on `scoring` alone.", on("choosing", BOTH)),
        Mistake("halves_swapped", "You exchanged the halves: choose on `choosing`, score on `scoring`.",
            on("scoring", "choosing")),
        Mistake("share_of_other_maps", "The map is right, but the share is not its own: it is that of the map"
            " that happens to be best on `scoring`, or of all maps together. Score the one that was chosen.",
            (edit("scoring[:, best].float().mean()", "scoring.float().mean(dim=0).max()"),
             edit("scoring[:, best].float().mean()", "scoring.float().mean()"))),
    ],
    hints=("What is chosen on some sentences looks better on them than it is. The sentences that judge must"
           " be new.",
           "choosing.float().mean(dim=0) is [M], a share for each map; so is that of scoring. Which of the"
           " two do you need for which step?",
           "best = int(choosing.float().mean(dim=0).argmax()), and the share is that of column best of"
           " scoring."),
    why="One word is all there is between the two, and the wrong one flatters every head.",
)
# fmt: on
