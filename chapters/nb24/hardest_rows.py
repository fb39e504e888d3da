"""The neighbors on which a student errs most, whose draft takes them from another text."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.distillation import neighbors
from lib.exercises.spec import Exercise, Mistake, edit

APART = "(taught.exp() * (taught - own)).sum(dim=-1)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int, float]]:
    """Two texts with three neighbors each, to be read; then more, by lot."""
    teacher = torch.tensor([[[2.0, 0.0], [2.0, 0.0], [2.0, 0.0]], [[0.0, 2.0], [0.0, 2.0], [0.0, 2.0]]])
    student = torch.tensor([[[2.0, 0.0], [0.0, 2.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 2.0], [3.0, 0.0]]])
    yield student, teacher, 1, 1.0
    torch.manual_seed(seed)
    for texts, count, classes, *chosen in ((3, 4, 2, 2, 1.0), (2, 8, 9, 3, 5.0), (4, 3, 3, 3, 2.0)):
        yield *(3 * torch.randn(2, texts, count, classes)), *chosen


# fmt: off
EXERCISE = Exercise(
    name="hardest_rows", kind="bug", minutes=6, difficulty=2, reference=neighbors.hardest_rows, cases=cases,
    gradients=False,
    mistakes=[
        Mistake("of_the_first_text", "As in the draft, these are places among a text's own neighbors, 0 to k"
            " - 1, so all texts get the neighbors of the first. Count the rows that come before a text's own"
            " neighbors.", edit("(first + places)", "places")),
        Mistake("begins_by_count", "You move on by as many rows as are chosen. The rows are all B * k"
            " neighbors, so those of text b begin at b * k.", edit("apart.size(1)", "count")),
        Mistake("easiest", "These are the neighbors on which the student agrees with its teacher most. They"
            " teach it least.", edit("topk(count, dim=1)", "topk(count, dim=1, largest=False)")),
        Mistake("over_all_texts", "You took the largest divergences of the whole batch, so some texts get"
            " none of their neighbors. Choose in each text: dim=1.",
            edit("(first + places).flatten()", "apart.flatten().topk(count * len(apart)).indices")),
        Mistake("wrong_way_round", "That is KL(student || teacher). The teacher's probabilities weigh the"
            " sum.", edit(APART, "(own.exp() * (own - taught)).sum(dim=-1)")),
        Mistake("first_ones", "These are the first neighbors of every text, the nearest, whatever the student"
            " says of them.",
            edit("apart.topk(count, dim=1).indices", "torch.arange(count).expand(len(apart), -1)")),
        Mistake("squares_of_logits", "You compare logits by their squares, where adding a number to all of"
            " them counts. Softened answers are compared, by KL.",
            edit(APART, "(student_logits - teacher_logits).square().sum(dim=-1)")),
        Mistake("one_each", "Each text gives `count` neighbors.",
            edit("topk(count, dim=1)", "topk(1, dim=1)")),
        Mistake("not_softened", "The temperature is missing: divide both logits by it before the softmax.",
            edit("    own =", "    temperature = 1\n    own =")),
    ],
    hints=("Take the two texts of the first case. Which neighbor of the second text should be chosen, and"
           " which row of all six neighbors is it?",
           "places is [B, count], numbers from 0 to k - 1. Rows run from 0 to B * k - 1: text b has the rows"
           " b * k to b * k + k - 1.",
           "first = torch.arange(len(places))[:, None] * apart.size(1), and then (first + places).flatten()"),
    why="The draft would have run without an error, and taught every text with the neighbors of one.",
)
# fmt: on
