"""The span that scores most, whose draft takes start and end apart from each other."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.analysis.prediction import spans
from lib.exercises import compare
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

VALID = "scores.masked_fill(~is_span, -torch.inf)"
BEST = f"{VALID}.argmax()"
START, END = "start_logits.argmax()", "end_logits.argmax()"
APART = edit(BEST, f"{START} * len(scores) + {END}")
RETURN = "return start, end"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """Ends before starts, spans too long, negative scores, one piece; no two spans of a case are equal."""
    generator = torch.Generator().manual_seed(seed)
    yield torch.tensor([1.0, 4.0, 0.0, 2.5]), torch.tensor([5.0, 0.5, 3.5, 1.0]), 4  # not the notebook's
    yield torch.tensor([5.0, 1.0, 4.0, 0.5]), torch.tensor([1.0, 0.5, 2.5, 6.0]), 2
    yield torch.tensor([0.5]), torch.tensor([-2.0]), 3
    for length, longest, low in ((6, 1, 0), (4, 2, 4), (12, 3, 4), (12, 12, 4), (30, 5, 4), (20, 40, 0)):
        yield *(torch.randn(2, length, generator=generator) - low), longest


def places(candidate: Any, start_logits: Tensor, end_logits: Tensor, max_length: int) -> list[int]:
    """The span that is returned, as two whole numbers."""
    span = candidate(start_logits, end_logits, max_length)
    two = isinstance(span, tuple | list) and len(span) == 2 and all(map(compare.is_number, span))
    if not two or not all(float(place).is_integer() for place in span):
        raise Unfit("It should return two whole numbers: the places of the first and of the last piece.")
    return [int(place) for place in span]


# fmt: off
EXERCISE = Exercise(
    name="best_span", kind="bug", minutes=5, difficulty=2, reference=spans.best_span, cases=cases, run=places,
    gradients=False,
    mistakes=[
        Mistake("the_draft", "Start and end are still chosen apart from each other, so a span may end before"
            " it begins, or be longer than max_length. Score pairs, and keep only the pairs that are spans.",
            APART),
        Mistake("turned_around", "You turn start and end around. The model never scored that span: compare"
            " all pairs.", APART.then(RETURN, "return min(start, end), max(start, end)")),
        Mistake("one_end_first", "You fix one end first. One slightly worse may have a far better partner:"
            " compare all pairs.",
            (APART.then(RETURN, "return start, max(start, min(end, start + max_length - 1))"),
             edit(BEST, f"{START} * len(scores) + {VALID}[{START}].argmax()"),
             edit(BEST, f"{VALID}[:, {END}].argmax() * len(scores) + {END}"))),
        Mistake("wrong_length", "The longest of your spans has not max_length pieces. From 3 to 5 are three:"
            " both count.", (edit(".tril(max_length - 1)", ""), edit("max_length - 1", "max_length"))),
        Mistake("multiplied", "Logits are added, not multiplied: their sum belongs to the product of two"
            " probabilities.", edit("[:, None] + end", "[:, None] * end")),
    ],
    hints=("Score every pair of a start and an end, and compare only the pairs that are spans.",
           "With T pieces there are T · T pairs; start ≤ end < start + max_length says which of them are"
           " spans.",
           "for start in range(T): for end in range(start, min(start + max_length, T)): keep the pair with"
           " the greatest start_logits[start] + end_logits[end]."),
    why="A start and an end are an answer only together: the best pair need not hold the best of either.",
    box="task_head",
)
# fmt: on
