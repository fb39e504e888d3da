"""The share of questions whose right text is among the k best."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb39 import answers
from lib.exercises.spec import Exercise, Mistake, edit

GATHER = "scores.gather(1, right[:, None])"
COUNT = "(scores >= of_right).sum(dim=1)"
AMONG = "as_good <= k"
MEAN = "(as_good <= k).float().mean().item()"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The text's three questions with k = 1 and 2; equal scores; k above N; one question; others drawn."""
    scores = torch.tensor([[0.9, 0.2, 0.1, 0.4], [0.5, 0.3, 0.6, 0.1], [0.2, 0.7, 0.7, 0.3]])
    right = torch.tensor([0, 1, 2])
    for k in (1, 2, 3):
        yield scores, right, k
    yield torch.tensor([[0.4, 0.4, 0.4], [0.1, 0.4, 0.2]]), torch.tensor([1, 1]), 2
    yield torch.tensor([[-0.2, 0.1], [0.3, -0.4]]), torch.tensor([0, 1]), 5
    yield torch.tensor([[0.3, 0.2, 0.1]]), torch.tensor([1]), 2
    yield torch.tensor([[0.0, 0.0]]), torch.tensor([0]), 1
    generator = torch.Generator().manual_seed(seed)
    for questions, texts, k in ((7, 5, 1), (9, 6, 2), (8, 12, 3)):
        drawn = torch.rand(questions, texts, generator=generator)
        yield drawn, torch.randint(texts, (questions,), generator=generator), k


def by_topk(scores: Tensor, right: Tensor, k: int) -> float:
    best = scores.topk(min(k, scores.size(1)), dim=1).indices
    return (best == right[:, None]).any(dim=1).float().mean().item()


def by_topk_unbounded(scores: Tensor, right: Tensor, k: int) -> float:
    best = scores.topk(k, dim=1).indices
    return (best == right[:, None]).any(dim=1).float().mean().item()


# fmt: off
EXERCISE = Exercise(
    name="recall_at", minutes=6, difficulty=2, reference=answers.recall_at, cases=cases, gradients=False,
    alike=[edit("scores >= of_right", "of_right <= scores")],
    mistakes=[
        Mistake("ties_count_for_it", "Where other texts score exactly as much, yours still counts the right"
            " one as found. Equal scores count against it, or a search that gives every text the same score"
            " would be perfect.",
            (edit(COUNT, "1 + (scores > of_right).sum(dim=1)"), by_topk)),
        Mistake("more_than_there_are", "k may be larger than the number of texts: then every right text is"
            " among the k best. Count how many texts score as much, instead of taking the k best.",
            by_topk_unbounded),
        Mistake("the_first_alone", "You look at the best text only. With k = 2 the right one may come"
            " second.",
            (edit(AMONG, "as_good <= 1"), lambda s, r, k: (s.argmax(dim=1) == r).float().mean().item())),
        Mistake("one_too_few", "You ask for one place less than k. Does your count hold the right text"
            " itself? It always scores as much as itself.", edit(AMONG, "as_good < k")),
        Mistake("one_too_many", "You allow k other texts to be as good. Among the k best it is only if fewer"
            " than k others are.", edit(AMONG, "as_good <= k + 1")),
        Mistake("exactly_k", "You count questions whose right text is exactly in place k. The places before"
            " it count, too.", edit(AMONG, "as_good == k")),
        Mistake("a_number_of_questions", "You give the number of questions. A share is divided by how many"
            " questions there are.", edit(MEAN, "(as_good <= k).float().sum().item()")),
        Mistake("percent", "The share is right, times 100. Asked for is a number from 0 to 1.",
            edit(MEAN, "100 * (as_good <= k).float().mean().item()")),
        Mistake("the_lowest", "You take the k *lowest* scores. A high score stands for a good text.",
            edit("scores >= of_right", "scores <= of_right")),
        Mistake("shared_among_k", "You divide by k. Each question has one right text, which is found or not.",
            edit(MEAN, "(as_good <= k).float().mean().item() / k")),
        Mistake("reciprocal_rank", "You take the mean of 1 / place. That is another measure, the reciprocal"
            " rank; recall at k only asks whether the place is at most k.",
            edit(MEAN, "(1 / as_good).mean().item()")),
        Mistake("the_diagonal", "You take row i's text i for the right one. The columns are in `right`.",
            edit(GATHER, "scores.gather(1, torch.arange(len(right))[:, None] % scores.size(1))")),
        Mistake("each_question", "You give a value for each question. Take the mean over the questions.",
            edit(MEAN, "as_good <= k")),
    ],
    hints=("For one question: how many *other* texts score as much as the right one, or more? It is found if"
           " these are fewer than k.",
           "scores.gather(1, right[:, None]) is [Q, 1], the score of each question's right text. Comparing"
           " scores [Q, N] with it gives truth values [Q, N].",
           "(scores >= of_right).sum(dim=1) counts the right text, too. So it is to be at most k."),
    why="A text that ties isn't found for sure, so equal scores count against it.",
)
# fmt: on
