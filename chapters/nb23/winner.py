"""What to report of a search: its winner by the mean of some seeds, and the lead under the others."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb23 import choices
from lib.exercises.spec import Exercise, Mistake, edit

MEANS, LEADS, LEAD = "scores[:, searched].mean(dim=1)", "scores[row] - scores[0]", "leads[others].mean()"


def cases(seed: int) -> Iterator[tuple[Tensor, list[int]]]:
    """The table of the text; one seed searched, and one left; the baseline wins; many maps and seeds."""
    text = torch.tensor([[60.0, 61, 59, 60], [66, 58, 61, 59], [62, 64, 60, 61]])
    yield text, [0, 1]
    yield text, [0]
    yield text, [3, 1, 0]
    yield torch.tensor([[70.0, 71, 64], [60, 73, 75], [69, 69, 69]]), [0, 1]
    generator = torch.Generator().manual_seed(seed)
    for maps, seeds, searched in ((6, 5, [1, 2]), (28, 6, [5, 0, 2]), (10, 4, [3, 1])):
        yield 60 + 3 * torch.randn(maps, seeds, generator=generator), searched


def run(candidate: Any, scores: Tensor, searched: list[int]) -> Any:
    """The row and the lead as plain numbers, also where they come as tensors of one number."""
    given = candidate(scores, searched)
    if isinstance(given, tuple) and len(given) == 2:
        return tuple(
            part.item() if isinstance(part, Tensor) and part.numel() == 1 else part for part in given
        )
    return given


# fmt: off
EXERCISE = Exercise(
    name="winner", minutes=6, difficulty=2, reference=choices.winner, cases=cases, run=run,
    returns=("the row", "the lead"), gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("judged_by_the_search", "The right row, but its lead is the one that the search saw, so the"
            " luck that made it win is in it. Take the mean over the seeds that are not in `searched`.",
            edit(LEAD, "leads[searched].mean()")),
        Mistake("best_single_run", "You chose the row with the best single run. One lucky run decides then:"
            " take the mean over the seeds of `searched` first.",
            (edit(MEANS, "scores[:, searched].amax(dim=1)"), edit(MEANS, "scores.amax(dim=1)"))),
        Mistake("chosen_by_all_seeds", "You chose by all seeds, so those that are to judge have helped to"
            " choose. Only the columns of `searched` may.", edit(MEANS, "scores.mean(dim=1)")),
        Mistake("the_wrong_way_round", "You chose by the seeds that are to judge. The columns of `searched`"
            " choose, all others judge.", edit(MEANS, "scores[:, others].mean(dim=1)")),
        Mistake("over_all_seeds", "The right row, but its lead is a mean over all seeds, those of the search"
            " among them.", edit(LEAD, "leads.mean()")),
        Mistake("no_lead", "That is the winner's score. A lead is its score less that of row 0, seed by"
            " seed.", edit(LEADS, "scores[row]")),
        Mistake("over_the_average", "You compared with the mean of all maps. The baseline is row 0, the map"
            " without a lesson.", edit(LEADS, "scores[row] - scores.mean(dim=0)")),
        Mistake("over_the_next", "You left the baseline out of the search. It may win, and then the lead is"
            " 0.", edit(f"int({MEANS}.argmax())", "1 + int(scores[1:, searched].mean(dim=1).argmax())")),
        Mistake("turned_around", "The sign is turned around: a lead is the winner less the baseline.",
            edit(LEADS, "scores[0] - scores[row]")),
        Mistake("best_of_the_judges", "You report the best of the seeds that judge. Report their mean.",
            edit(LEAD, "leads[others].max()")),
    ],
    hints=("Two steps that see different columns: one chooses a row, the other says how good it is.",
           "scores[:, searched] is [maps, searched seeds]; its mean over dim 1 is [maps]. The lead of a row"
           " is scores[row] - scores[0], [seeds].",
           "row = scores[:, searched].mean(dim=1).argmax(), then the mean of scores[row] - scores[0] over the"
           " other seeds"),
    why="The seeds that choose flatter the winner, and those that judge do not know who won.",
)
# fmt: on
