"""The loss at the chosen places, whose draft averages over all."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb10 import answers
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows with different numbers of labels, piece 0 among them; then a place so sure that its loss is 0."""
    torch.manual_seed(seed)
    yield 2 * torch.randn(1, 4, 7), torch.tensor([[-100, 3, -100, -100]])
    rows = torch.tensor([[-100, 0, 2, 5, -100], [1, -100, -100, -100, -100]])
    yield 2 * torch.randn(2, 5, 7), rows
    yield torch.randn(2, 5, 7) + 60 * torch.nn.functional.one_hot(rows.clamp(min=1), 7), rows


def over(count: str) -> Edit:
    """The sum of the losses, divided by something else."""
    return edit("(labels != -100).sum()", count)


def mean_of_rows(logits: Tensor, labels: Tensor) -> Tensor:
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")  # [B, T]
    return (each.sum(1) / (labels != -100).sum(1)).mean()


# fmt: off
EXERCISE = Exercise(
    name="masked_lm_loss", kind="bug", minutes=5, difficulty=1, reference=answers.masked_lm_loss, cases=cases,
    mistakes=[
        Mistake("over_all_places", "Your loss is too small, as in the draft. In the first case one token of"
            " four is asked for, and your loss is a quarter of what it should be: what does your mean divide"
            " by?", over("labels.numel()")),
        Mistake("another_count", "Divide the sum by the number of chosen places in this batch: the labels"
            " that are not -100, whatever their losses. Not by a size, a rate, the other places, or nothing.",
            tuple(over(count)
                for count in (*("1", "len(labels)", "labels.size(1)", "(0.15 * labels.numel())"),
                    *("(labels == -100).sum()", "(losses != 0).sum()")))),
        Mistake("mean_of_rows", "You take the mean in each text, then the mean of these. A place in a text"
            " with few chosen then counts more than others; every chosen place is to count the same.",
            mean_of_rows),
        Mistake("without_piece_0", "Token 0 is a label like any other; what was not chosen has -100: compare"
            " with that.",
            (edit("losses.sum() / (labels != -100).sum()", "losses[labels.flatten() > 0].mean()"),
             edit("labels.flatten(),", "labels.flatten(), ignore_index=0,").then("-100", "0"),
             *(over(count) for count in ("(labels > 0).sum()", "labels.count_nonzero()")))),
        Mistake("one_for_each_place", "That is one loss for each place. The step needs one number.",
            edit("losses.sum() / (labels != -100).sum()", "losses")),
    ],
    hints=("A place that was not chosen adds 0 to the sum. Should it be counted when you divide?",
           "The losses are [B * T]; as many of them count as labels are not -100.",
           'return losses.sum() / (labels != -100).sum(), or leave out reduction="none": -100 is left out'
           " then."),
    why="The mean over what was asked; how many other places there are no longer matters.", box="mlm_head",
)
# fmt: on
