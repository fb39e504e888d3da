"""The places of the sentences that are nearest to all others."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb39 import answers
from lib.exercises.spec import Exercise, Mistake, edit

UNITS = "vectors / vectors.norm(dim=1, keepdim=True)  # [N, D]"
SUMS = "(units @ units.T).sum(dim=1)"
COUNT = "min(k, len(vectors))"
SORTED = "sorted(best.tolist())"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The text's three vectors; a long one aside; all, none, one; opposite ones; others, drawn."""
    three = torch.tensor([[1.0, 0.0], [0.8, 0.6], [0.0, 2.0]])
    yield three, 1
    yield three, 2
    yield torch.tensor([[9.0, -9.0], [1.0, 2.0], [1.0, 1.0], [2.0, 3.0]]), 2
    yield three, 5
    yield three, 0
    yield torch.tensor([[0.5, -2.0]]), 1
    yield torch.tensor([[-1.0, 0.1], [1.0, 0.0], [2.0, 0.5], [1.0, -0.2]]), 2
    generator = torch.Generator().manual_seed(seed)
    for sentences, size, k in ((6, 4, 2), (8, 3, 3), (5, 6, 1), (7, 5, 4), (9, 3, 2)):
        drawn = torch.randn(sentences, size, generator=generator)
        yield drawn * (0.2 + 4 * torch.rand(sentences, 1, generator=generator)), k


# fmt: off
EXERCISE = Exercise(
    name="central_sentences", minutes=7, difficulty=2, reference=answers.central_sentences, cases=cases,
    gradients=False,
    alike=[edit(SUMS, "(units @ units.T).sum(dim=0)")],
    mistakes=[
        Mistake("products", "You add up products, so a long vector is central wherever it points. A sum of"
            " cosines doesn't change with the length: divide each vector by its own first.",
            edit(UNITS, "vectors")),
        Mistake("near_the_mean", "You compare with the mean of the vectors as they are, and a long vector"
            " pulls that mean to its side. Add up the cosines with all vectors.",
            edit(SUMS, "units @ vectors.mean(dim=0)")),
        Mistake("by_distance", "You take the smallest distances. Distances change with the lengths of the"
            " vectors, cosines don't.", edit(SUMS, "-torch.cdist(vectors, vectors).sum(dim=1)")),
        Mistake("order_of_centrality", "The right places, the most central first. A summary keeps the order"
            " of the text: give them ascending.", edit(SORTED, "best.tolist()")),
        Mistake("more_than_there_are", "k may be larger than the number of sentences: then give all places.",
            edit(COUNT, "k")),
        Mistake("the_first", "You give the first k places. Asked for are the most central sentences, wherever"
            " they stand.", lambda vectors, k: list(range(min(k, len(vectors))))),
        Mistake("least_central", "You take the k smallest sums. A central sentence has the greatest sum.",
            edit("topk(sums,", "topk(-sums,")),
        Mistake("the_longest", "You take the longest vectors. Length says nothing of the direction.",
            edit(SUMS, "vectors.norm(dim=1)")),
        Mistake("columns_normalized", "You divide each *column* by its length, over all sentences. The length"
            " of a sentence's vector runs along its row: dim=1.",
            edit("norm(dim=1, keepdim=True)", "norm(dim=0, keepdim=True)")),
        Mistake("nearest_neighbor", "You take the largest cosine with one other sentence. Two that say the"
            " same are near each other and may be far from the rest: add up all cosines.",
            edit(SUMS, "(units @ units.T - 3 * torch.eye(len(units))).amax(dim=1)")),
        Mistake("with_the_first", "You compare with the first sentence alone. Add up the cosines with all.",
            edit(SUMS, "units @ units[0]")),
        Mistake("without_sign", "You drop the signs. A cosine below 0 takes away from the sum.",
            edit(SUMS, "(units @ units.T).abs().sum(dim=1)")),
        Mistake("counted_from_1", "You count the places from 1. They count from 0.",
            edit(SORTED, "[place + 1 for place in sorted(best.tolist())]")),
        Mistake("the_sums", "You give the sums. Asked for are the places.",
            edit(".indices", ".values")),
        Mistake("a_tensor", "The places are right, in a tensor. Give a list of ints.",
            edit(SORTED, "best.sort().values")),
    ],
    hints=("Make all vectors equally long first. Then a product of two is their cosine.",
           "With unit vectors [N, D], units @ units.T is [N, N]. The sum of row i is how central sentence i"
           " is.",
           "torch.topk(sums, min(k, len(vectors))).indices, then sorted(...)."),
    why="Lengths don't count, and the sentences stay in the order of the text.",
)
# fmt: on
