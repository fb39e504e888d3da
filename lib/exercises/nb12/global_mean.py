"""The mean loss of a batch that several processes share, whose draft averages means."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.exercises.spec import Exercise, Mistake, edit
from lib.experiments import small_bert

RETURN = "return sums.sum() / counts.sum()"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Two processes, more, and one; never two that have the same count."""
    generator = torch.Generator().manual_seed(seed)
    yield torch.tensor([6.0, 2.0]), torch.tensor([3.0, 1.0])
    yield torch.tensor([8.0, 3.0]), torch.tensor([2.0, 3.0])
    for ranks in (1, 2, 4, 8):
        counts = torch.randperm(40, generator=generator)[:ranks] + 1.0
        yield counts * (1 + torch.rand(ranks, generator=generator)), counts


EXERCISE = Exercise(
    name="global_mean",
    kind="bug",
    minutes=4,
    difficulty=1,
    reference=small_bert.global_mean,
    cases=cases,
    mistakes=[
        Mistake(
            "mean_of_means",
            "That is the mean of the processes' means, as in the draft. A process with few chosen places"
            " counts as much as one with many. Divide once, at the end: all losses by all places.",
            edit(RETURN, "return (sums / counts).mean()"),
        ),
        Mistake(
            "over_processes",
            "You divide by the number of processes; what was asked for is the mean over places.",
            edit("counts.sum()", "len(sums)"),
        ),
        Mistake(
            "sum_of_means",
            "You add up the means. With two processes the loss, and each gradient, would be about twice what"
            " it is with one.",
            edit(RETURN, "return (sums / counts).sum()"),
        ),
        Mistake(
            "one_each",
            "You give each process a number of its own. What they share is one: add up the losses and the"
            " counts before you divide.",
            (
                edit(RETURN, "return sums / counts"),
                edit("counts.sum()", "counts"),
                edit("sums.sum() / ", "sums / "),
            ),
        ),
        Mistake(
            "multiplied_again",
            "`sums` are sums already: you multiply each by its count once more.",
            edit("sums.sum()", "(sums * counts).sum()"),
        ),
        Mistake(
            "one_process_alone",
            "That is one process's own mean: the others do not count.",
            (edit(RETURN, "return sums[0] / counts[0]"), edit(RETURN, "return (sums / counts).median()")),
        ),
    ],
    hints=(
        "What would one process compute that had the whole batch?",
        "[R] sums and [R] counts; one process would have the sum of either.",
        "return sums.sum() / counts.sum()",
    ),
    why="However the batch is shared out, the loss is the same.",
)
