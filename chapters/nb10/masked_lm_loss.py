"""The loss at the chosen places, whose draft averages over all."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit
from lib.text import masking


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows with different numbers of labels, piece 0 among them; then places so sure that their loss is 0."""
    generator = torch.Generator().manual_seed(seed)
    for labels in ([[-100, 3, -100, -100]], [[-100, 0, 2, 5, -100], [1, -100, -100, -100, -100]]):
        rows = torch.tensor(labels)
        yield 2 * torch.randn(*rows.shape, 7, generator=generator), rows
    rows = torch.randint(7, (3, 6), generator=generator)
    yield torch.randn(3, 6, 7, generator=generator), rows.masked_fill(rows > 3, -100)
    sure = torch.randn(2, 3, 4, generator=generator)
    sure[0, 1, 2] = sure[1, 0, 1] = 60.0
    yield sure, torch.tensor([[0, 2, -100], [1, -100, 3]])


def over(count: str) -> Edit:
    """The sum of the losses, divided by something else."""
    return edit("ignore_index=IGNORED)", f'reduction="sum") / {count}')


def mean_of_rows(logits: Tensor, labels: Tensor) -> Tensor:
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")  # [B, T]
    return (each.sum(1) / (labels != masking.IGNORED).sum(1)).mean()


EACH = 'F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape)'

EXERCISE = Exercise(
    name="masked_lm_loss",
    kind="bug",
    minutes=5,
    difficulty=1,
    reference=masking.masked_lm_loss,
    cases=cases,
    mistakes=[
        Mistake(
            "over_all_places",
            "Your loss is too small, as in the draft. In the first case one token of four is asked for, and"
            " your loss is a quarter of what it should be: what does your mean divide by?",
            over("labels.numel()"),
        ),
        Mistake(
            "sum",
            "The sum is right, but a longer batch would have a larger loss. Divide by the number of chosen"
            " places.",
            over("1"),
        ),
        Mistake(
            "divided_by_a_size",
            "You divide by the number of texts, or by their length. It is the number of chosen places.",
            (over("len(labels)"), over("labels.size(1)")),
        ),
        Mistake(
            "mean_of_rows",
            "You take the mean in each text, then the mean of these. A place in a text with few chosen then"
            " counts more than others; every chosen place is to count the same.",
            mean_of_rows,
        ),
        Mistake(
            "counted_without_piece_0",
            "You divide by the number of labels that are above 0, or not 0. Piece 0 is a label like any"
            " other, and what was not chosen has -100: compare with that.",
            (over("(labels > 0).sum()"), over("labels.count_nonzero()")),
        ),
        Mistake(
            "without_piece_0",
            "You leave out token 0. It is a label like any other; only -100 is left out.",
            (
                edit("labels.flatten()", "labels.masked_fill(labels == 0, -100).flatten()"),
                edit("IGNORED", "0"),
            ),
        ),
        Mistake(
            "counted_losses_that_are_not_0",
            "You count the losses that are not 0. A place of which the model is sure has a loss of exactly 0,"
            " and was asked all the same: count the labels that are not -100.",
            over(f"({EACH} != 0).sum()"),
        ),
        Mistake(
            "counted_the_others",
            "You divide by the number of places that were not chosen. Count those where the label is not"
            " -100.",
            over("(labels == IGNORED).sum()"),
        ),
        Mistake(
            "times_the_rate",
            "0.15 is what the rate should be on average. Divide by the number of places that were chosen in"
            " this batch.",
            over("(0.15 * labels.numel())"),
        ),
        Mistake(
            "one_for_each_place",
            "That is one loss for each place. The step needs one number: their sum over the number of chosen"
            " places.",
            (
                edit("ignore_index=IGNORED", 'reduction="none"'),
                edit("ignore_index=IGNORED)", 'reduction="none").view(labels.shape)'),
            ),
        ),
    ],
    hints=(
        "A place that was not chosen adds 0 to the sum. Should it be counted when you divide?",
        "The losses are [B * T]; as many of them count as labels are not -100.",
        'return losses.sum() / (labels != -100).sum(), or leave out reduction="none": -100 is left out then.',
    ),
    why="The mean over what was asked; how many other places there are no longer matters.",
    box="mlm_head",
)
