"""The nearest rows by their cosines, whose draft goes by the dot product."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.exercises.spec import Exercise, Mistake, edit
from lib.text.vectors import nearest_rows

ROWS, VECTOR = "F.normalize(vectors, dim=1)", "F.normalize(vector, dim=0)"
COSINES, TOP = f"{ROWS} @ {VECTOR}", "cosines.topk(count)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """A readable table with one long row, then random ones with rows of different lengths."""
    table = torch.tensor([[1.0, 0.0], [0.9, 0.1], [3.0, 4.0], [0.0, 1.0], [-1.0, 0.2]])
    yield table, torch.tensor([1.0, 0.1]), 2
    generator = torch.Generator().manual_seed(seed)
    for words, size in ((12, 3), (40, 8)):
        lengths = torch.rand(words, 1, generator=generator) * 5 + 0.2
        table = lengths * torch.randn(words, size, generator=generator)
        yield table, 2 * torch.randn(size, generator=generator), 4


# fmt: off
EXERCISE = Exercise(
    name="nearest_rows", kind="bug", minutes=4, difficulty=1, reference=nearest_rows,
    returns=("cosines", "rows"), cases=cases, gradients=False,
    mistakes=[
        Mistake("the_draft", "It goes by the dot product, as in the draft. Give it a table with one very long"
            " row: does that row come out on top whatever you ask for?", edit(COSINES, "vectors @ vector")),
        Mistake("only_the_rows", "The order is right now. To make the numbers cosines, divide by the length"
            " of `vector` too.", edit(VECTOR, "vector")),
        Mistake("other_lengths", "Divide each row by its own length, and by nothing else:"
            " F.normalize(vectors, dim=1), or norm(dim=1, keepdim=True), which has the shape [V, 1].",
            (edit("dim=1", "dim=0"), edit(ROWS, "(vectors / vectors.norm(dim=1))"),
             edit(ROWS, "(vectors / vectors.norm())"),
             edit(COSINES, "vectors @ vector / (vectors.square().sum(1) * vector.square().sum())"))),
        Mistake("not_the_largest", "Take the `count` largest cosines, with the signs that they have:"
            " cosines.topk(count).",
            tuple(edit(TOP, f"cosines.{other}")
                for other in ("topk(count, largest=False)", "abs().topk(count)", "sort(descending=True)"))),
        Mistake("distance", "You order by distance, which again depends on length. What is wanted is the"
            " cosine.",
            edit(COSINES, "(vectors - vector).norm(dim=1)").then(TOP, "cosines.topk(count, largest=False)")),
        Mistake("other_numbers", "The right rows in the right order, but the numbers beside them are not"
            " their cosines.",
            when=lambda arguments, answer, expected: torch.equal(answer[1], expected[1]),
            example=edit("values, rows = cosines.topk(count)",
                "rows = cosines.topk(count)[1]; values = vectors[rows, 0]")),
    ],
    hints=("A dot product grows with the angle's cosine, and with the lengths of both vectors.",
           "Make every row of vectors [V, D] one unit long, and vector [D] too, before you multiply.",
           "cosines = F.normalize(vectors, dim=1) @ F.normalize(vector, dim=0)"),
    why="Divided by its length, no row has a head start; what is left to compare is the direction.",
)
# fmt: on
