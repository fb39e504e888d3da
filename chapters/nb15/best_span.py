"""The span that scores most, whose draft takes start and end apart from each other."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.analysis.prediction import spans
from lib.exercises.spec import Exercise, Invariant, Mistake, Unfit, edit

BEST = "scores.masked_fill(~is_span, -torch.inf).argmax()"
VALID = "scores.masked_fill(~is_span, -torch.inf)"
APART = edit(BEST, "start_logits.argmax() * len(scores) + end_logits.argmax()")
RETURN = "return start, end"
SUM = "start_logits[:, None] + end_logits"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """Ends before starts, spans too long, negative scores, one piece; no two spans of a case are equal."""
    generator = torch.Generator().manual_seed(seed)
    yield torch.tensor([1.0, 4.0, 0.0, 2.5]), torch.tensor([5.0, 0.5, 3.5, 1.0]), 4  # not the notebook's
    yield torch.tensor([4.0, 0.0, 5.0, 1.0]), torch.tensor([0.0, 6.0, 1.0, 2.5]), 4
    yield torch.tensor([5.0, 1.0, 4.0, 0.5]), torch.tensor([1.0, 0.5, 2.5, 6.0]), 2
    yield torch.tensor([-3.0, -1.0, -2.5]), torch.tensor([-1.5, -4.0, -2.0]), 2
    yield torch.tensor([0.0, 4.0, 1.0]), torch.tensor([0.5, 5.0, 1.0]), 3
    yield torch.tensor([0.5]), torch.tensor([-2.0]), 3
    for length, longest in ((6, 1), (12, 3), (12, 12), (30, 5), (20, 40)):
        start, end = torch.randn(2, length, generator=generator).unbind()
        yield start, end, longest
        yield start - 4, end - 4, longest


def places(candidate: Any, start_logits: Tensor, end_logits: Tensor, max_length: int) -> list[int]:
    """The span that is returned, as two whole numbers."""
    span = candidate(start_logits, end_logits, max_length)
    if not isinstance(span, tuple | list) or len(span) != 2:
        raise Unfit("It should return two whole numbers: the places of the first and of the last piece.")
    try:
        found = [int(place) for place in span]
    except (TypeError, ValueError):
        raise Unfit("The two places should be whole numbers, such as int(tensor.argmax()).") from None
    if any(float(place) != whole for place, whole in zip(span, found, strict=True)):
        raise Unfit("The two places should be whole numbers: you return scores, or fractions.")
    return found


def is_in_order(candidate: Any, arguments: tuple[Tensor, Tensor, int], span: list[int]) -> bool:
    return 0 <= span[0] < len(arguments[0]) and span[1] >= span[0]


EXERCISE = Exercise(
    name="best_span",
    kind="bug",
    minutes=5,
    difficulty=2,
    reference=spans.best_span,
    cases=cases,
    run=places,
    gradients=False,
    invariants=[
        Invariant(
            "in_order",
            "One of your spans ends before it begins, or lies outside of the text. The draft does that too:"
            " it takes the best start and the best end without asking whether they belong together.",
            is_in_order,
        )
    ],
    mistakes=[
        Mistake(
            "the_draft",
            "Start and end are still chosen apart from each other, so a span may end before it begins, or be"
            " longer than max_length. Score pairs, and keep only the pairs that are spans.",
            APART,
        ),
        Mistake(
            "turned_around",
            "Where the end comes before the start you turn the two around. But the model never scored that"
            " span: it said that the words *begin* at the place that you now take for the end.",
            APART.then(RETURN, "return min(start, end), max(start, end)"),
        ),
        Mistake(
            "cut_to_fit",
            "You keep the best start and push its end to where it is allowed. Another start with a good end"
            " of its own may score more: compare all pairs.",
            (
                APART.then(RETURN, "return start, max(start, min(end, start + max_length - 1))"),
                APART.then(RETURN, "return start, (end if start <= end < start + max_length else start)"),
            ),
        ),
        Mistake(
            "gives_up",
            "Where the best start and the best end make no span, you answer with a fixed place. The second"
            " best pair may be a good answer: compare all pairs.",
            APART.then(RETURN, "return (start, end) if start <= end < start + max_length else (0, 0)"),
        ),
        Mistake(
            "start_first",
            "You fix the best start and look for an end behind it. A start that is slightly worse may have a"
            " much better end: compare all pairs.",
            edit(BEST, f"start_logits.argmax() * len(scores) + {VALID}[start_logits.argmax()].argmax()"),
        ),
        Mistake(
            "end_first",
            "You fix the best end and look for a start before it. An end that is slightly worse may have a"
            " much better start: compare all pairs.",
            edit(BEST, f"{VALID}[:, end_logits.argmax()].argmax() * len(scores) + end_logits.argmax()"),
        ),
        Mistake(
            "any_length",
            "Your spans are in order, but some are longer than max_length pieces.",
            edit(".tril(max_length - 1)", ""),
        ),
        Mistake(
            "one_too_long",
            "Your longest span has max_length + 1 pieces. First and last both count: from 3 to 5 are three.",
            edit("max_length - 1", "max_length"),
        ),
        Mistake(
            "one_too_short",
            "Your longest span has max_length - 1 pieces. First and last both count: from 3 to 5 are three.",
            edit("max_length - 1", "max_length - 2").then("if max_length < 1", "if max_length < 0"),
        ),
        Mistake(
            "never_one_piece",
            "A span may begin and end at the same piece: many answers are one word.",
            edit("triu()", "triu(1)"),
        ),
        Mistake(
            "multiplied",
            "You multiply the two scores. Logits are added: their sum belongs to the product of the two"
            " probabilities.",
            edit(SUM, "start_logits[:, None] * end_logits"),
        ),
        Mistake(
            "roles_swapped",
            "You read the scores for the end as those for the start, and the other way round.",
            edit(SUM, "end_logits[:, None] + start_logits"),
        ),
        Mistake(
            "zero_for_never",
            "You give pairs that are no spans a score of 0. Where all scores are negative, 0 is the best of"
            " all: use -torch.inf, or start from it.",
            edit("-torch.inf", "0.0"),
        ),
        Mistake(
            "end_outside",
            "Your second number is the place behind the span. It should be the span's last piece.",
            edit(RETURN, "return start, end + 1"),
        ),
    ],
    hints=(
        "Score every pair of a start and an end, and compare only the pairs that are spans.",
        "With T pieces there are T · T pairs; start ≤ end < start + max_length says which of them are spans.",
        "for start in range(T): for end in range(start, min(start + max_length, T)): keep the pair with the"
        " greatest start_logits[start] + end_logits[end].",
    ),
    why="A start and an end are an answer only together: the best pair need not hold the best of either.",
    box="task_head",
)
