"""Who may look where when a text is read in an order of its own: XLNet's two masks."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb37 import two_streams
from lib.exercises.spec import Exercise, Mistake, edit

RANK = "    rank = torch.empty_like(order)\n    rank[order] = torch.arange(len(order))"
QUERY = "query = rank[None, :] < rank[:, None]"
CONTENT = "content = rank[None, :] <= rank[:, None]"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The order of the text; orders that are not their own inverse; the identity, its reverse; one place."""
    yield (torch.tensor([2, 0, 1]),)
    yield (torch.tensor([1, 2, 3, 0]),)
    yield (torch.arange(4),)
    yield (torch.tensor([3, 2, 1, 0]),)
    yield (torch.tensor([0]),)
    generator = torch.Generator().manual_seed(seed)
    for length in (5, 7, 9):
        yield (torch.randperm(length, generator=generator),)


# fmt: off
EXERCISE = Exercise(
    name="permutation_masks", minutes=7, difficulty=2, reference=two_streams.permutation_masks, cases=cases,
    gradients=False, returns=("content", "query"),
    alike=[edit(RANK, "    rank = order.argsort()")],
    mistakes=[
        Mistake("order_for_rank", "You compare `order` itself. order[k] is the place that is read k-th; you"
            " need when each place is read, the inverse: rank[order[k]] = k.", edit(RANK, "    rank ="
            " order")),
        Mistake("swapped", "You give the query stream's mask first. The content stream's comes first: it"
            " sees its own place, too.", edit("return content, query", "return query, content")),
        Mistake("query_sees_itself", "Your query stream sees its own place, and so the token that it has to"
            " guess. There, only what is read *before* i may be seen.",
            (edit(QUERY, "query = rank[None, :] <= rank[:, None]"),
             edit(QUERY, QUERY + " + 1"))),
        Mistake("content_misses_itself", "Your content stream doesn't see its own place. It carries that"
            " token on, so content[i, i] is True.", edit(CONTENT, "content = rank[None, :] < rank[:, None]")),
        Mistake("transposed", "Rows and columns are swapped. Row i says where place i looks.",
            edit(QUERY, "query = rank[:, None] < rank[None, :]")
                .then(CONTENT, "content = rank[:, None] <= rank[None, :]")),
        Mistake("what_is_hidden", "Your masks are True where a place may *not* look. True means that it may.",
            edit(QUERY, "query = rank[None, :] >= rank[:, None]")
                .then(CONTENT, "content = rank[None, :] > rank[:, None]")),
        Mistake("left_to_right", "Your masks are the same for every order: each place sees what stands left"
            " of it. Row i is place i of the text, and it sees what is *read* before it.", edit(RANK, "   "
            " rank = torch.arange(len(order))")),
        Mistake("text_permuted", "Your rows and columns stand in the order of reading. They should stand in"
            " the order of the text: row i is place i.",
            (edit("return content, query", "return content[order], query[order]"),
             edit("return content, query", "return content[:, order], query[:, order]"))),
        Mistake("all_but_itself", "Your query stream sees every other place. It may see only those that are"
            " read before it.", edit(QUERY, "query = rank[None, :] != rank[:, None]")),
        Mistake("only_the_last", "Your query stream sees one place, the one read just before. It may see all"
            " that were read before.", edit(QUERY, "query = rank[None, :] + 1 == rank[:, None]")),
    ],
    hints=("Find out for each place when it is read. Then j may be seen from i if it is read earlier.",
           "rank is the inverse of order, int64 [n]: rank[order[k]] = k. rank[:, None] is a column,"
           " rank[None, :] a row, and comparing the two gives [n, n].",
           "rank = order.argsort(); query = rank[None, :] < rank[:, None]; the content stream has <= there."),
    why="One mask sees the token of its own place, the other has to guess it.",
)
# fmt: on
