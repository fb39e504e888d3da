"""One step of a network that learns at several sizes: gradients of all sizes, and one update."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb28 import elastic_step
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

EMPTY = "    optimizer.zero_grad()\n"
LOSS = 'F.kl_div(run(size).log_softmax(dim=-1), target, reduction="batchmean")'
BACKWARD = "        loss.backward()\n"
KEPT = "        losses.append(loss.item())\n"
STEP = "    optimizer.step()\n"
INSIDE = "        optimizer.step()\n"

Batch = tuple[Tensor, Tensor, list[float]]


class Nested(nn.Module):
    """A feed-forward network of which the first neurons run."""

    def __init__(self, features: int, neurons: int, classes: int) -> None:
        super().__init__()
        self.wide, self.narrow = nn.Linear(features, neurons), nn.Linear(neurons, classes)

    def forward(self, x: Tensor, width: float) -> Tensor:
        count = round(width * len(self.wide.weight))
        inside = F.gelu(F.linear(x, self.wide.weight[:count], self.wide.bias[:count]))
        return F.linear(inside, self.narrow.weight[:, :count], self.narrow.bias)


def cases(seed: int) -> Iterator[tuple[Nested, list[Batch]]]:
    """One step at two sizes, then three steps at three, of which the third is drawn anew."""
    torch.manual_seed(seed)
    for features, neurons, classes, drawn in ((2, 4, 2, []), (3, 8, 4, [0.5, 0.75, 0.25])):
        batches = []
        for more in [[one] for one in drawn] or [[]]:
            target = (2 * torch.randn(3, classes)).softmax(dim=-1)
            batches.append((torch.randn(3, features), target, [1.0, 0.25, *more]))
        yield Nested(features, neurons, classes), batches


def run(candidate: Any, student: nn.Module, batches: Sequence[Batch]) -> tuple[Tensor, Tensor, Tensor]:
    """The losses of all sizes and steps, how far each step moved the weights, and the weights afterwards.

    By plain gradient descent: Adam would hide by how much a gradient is too long.
    """
    optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
    losses: list[float] = []
    weights = [nn.utils.parameters_to_vector(student.parameters()).detach()]
    for x, target, chosen in batches:
        returned = candidate(optimizer, partial(student, x), target.clone(), list(chosen))
        if returned is None:
            raise Unfit("Your step returns nothing. Its last line gives back the list of losses.")
        if not isinstance(returned, list | tuple) or len(returned) != len(chosen):
            raise Unfit("Return a list with one loss for each size, in the order of `chosen`.")
        losses += [torch.as_tensor(loss).item() for loss in returned]
        weights.append(nn.utils.parameters_to_vector(student.parameters()).detach())
    return torch.tensor(losses), torch.stack(weights).diff(dim=0).norm(dim=1), weights[-1]


# fmt: off
EXERCISE = Exercise(
    name="step_at_sizes", minutes=7, difficulty=2, reference=elastic_step.step_at_sizes, cases=cases, run=run,
    returns=("the losses", "how far each step moves the weights", "the weights at the end"), gradients=False,
    tolerance=1e-4,
    mistakes=[
        Mistake("an_update_for_each_size", "You update inside the loop, so the second size already reads"
            " weights that the first has moved, and the first one's gradient is used again. Update once,"
            " behind the loop.", edit(STEP, "").then(BACKWARD, BACKWARD + INSIDE)),
        Mistake("emptied_for_each_size", "Only the gradients of the last size are left when the weights move:"
            " you empty them in the loop, or call .backward() behind it. Empty them once, before the loop,"
            " and call .backward() in it.",
            (edit(EMPTY, "").then(BACKWARD, "        optimizer.zero_grad()\n" + BACKWARD),
             edit("        loss = ", "        optimizer.zero_grad()\n        loss = "),
             edit(BACKWARD, "").then(STEP, "    loss.backward()\n" + STEP))),
        Mistake("two_steps_in_one", "You empty the gradients and update for each size. These are several"
            " steps, one after the other, and not one step for all sizes.",
            edit(EMPTY, "").then(STEP, "")
                .then(BACKWARD, "        optimizer.zero_grad()\n" + BACKWARD + INSIDE)),
        Mistake("gradients_pile_up", "Your first step is right, the second is not: the gradients of the first"
            " are still there, and .backward() adds to them. Empty them with optimizer.zero_grad() at the"
            " beginning.", edit(EMPTY, "")),
        Mistake("nothing_moves", "Your losses of the first step are right, but no weight moves. Each loss"
            " needs its .backward(), optimizer.zero_grad() comes before them, and optimizer.step() behind all"
            " of them.", (edit(BACKWARD, ""), edit(STEP, ""), edit(STEP, EMPTY + STEP))),
        Mistake("averaged", "Your step is too short: you take the mean over the sizes. Here their gradients"
            " are added up.", edit("loss.backward()", "(loss / len(chosen)).backward()")),
        Mistake("another_mean", "Your loss is not the mean over the texts. F.kl_div takes it with"
            ' reduction="batchmean"; by itself it divides by the number of classes, too.',
            (edit('reduction="batchmean"', 'reduction="mean"'),
             edit('reduction="batchmean"', 'reduction="sum"'))),
        Mistake("not_the_logarithm", "F.kl_div wants the student's log-probabilities first, so take"
            " log_softmax of the logits.",
            (edit("log_softmax", "softmax"), edit(".log_softmax(dim=-1)", ""))),
        Mistake("cross_entropy", "Your gradients are right and your losses too large: cross-entropy is KL"
            " plus the teacher's own entropy. Give back KL, which is 0 where student and teacher agree.",
            edit(LOSS, "F.cross_entropy(run(size), target)")),
        Mistake("other_way_round", "You have exchanged teacher and student: the sum is weighted with the"
            " teacher's probabilities.",
            edit(LOSS, 'F.kl_div(target.log(), run(size).softmax(dim=-1), reduction="batchmean")')),
        Mistake("uphill", "Your step goes up: the losses grow. Call .backward() on the loss itself, without a"
            " minus.", edit("loss.backward()", "(-loss).backward()")),
    ],
    hints=("Empty the gradients once. For each size: logits, loss, backward. Which line comes behind the"
           " loop?",
           'run(size) is [B, C]; F.kl_div takes its log_softmax, then target, with reduction="batchmean".'
           " What .backward() finds is added to what is there.",
           "optimizer.zero_grad(), then in the loop loss = F.kl_div(run(size).log_softmax(-1), target,"
           ' reduction="batchmean"); loss.backward(); losses.append(loss.item()), and behind it'
           " optimizer.step()."),
    why="Every size has its say, and the weights that all of them use move once.",
)
# fmt: on
