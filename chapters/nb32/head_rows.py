"""Which rows of a query matrix a design keeps that has all heads, but narrower ones."""

from collections.abc import Iterator

from lib.compression.designs import super_network
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

ROW = "head * head_size + row"
ORDER = "for head in range(num_heads) for row in range(kept)"


def cases(seed: int) -> Iterator[tuple[int, int, int]]:
    """The one of the text; one row of each, all of them, one head alone; MiniLM's."""
    yield from ((2, 4, 3), (3, 5, 1), (3, 2, 2), (1, 6, 4), (5, 1, 1), (12, 32, 20), (4, 7, 2))


# fmt: off
EXERCISE = Exercise(
    name="head_rows", minutes=4, difficulty=1, reference=super_network.head_rows, cases=cases,
    invariants=[
        Invariant("so_many", "Every head keeps `kept` rows, so there are num_heads · kept of them, each a"
            " whole number in one flat list.",
            lambda _, arguments, result: isinstance(result, list) and all(type(row) is int for row in result)
                and len(result) == arguments[0] * arguments[2]),
    ],
    mistakes=[
        Mistake("across_borders", "You take the first rows of the matrix, without regard to heads: the first"
            " heads stay whole and the last ones lose everything. Begin anew at each head, at row head ·"
            " head_size.",
            (edit(ROW, "head * kept + row"), edit("return [", "return list(range(num_heads * kept)) or ["))),
        Mistake("one_head", "These are the rows of one head. Do the same for all of them, each beginning at"
            " head · head_size.", edit(ORDER, "for head in range(1) for row in range(kept)")),
        Mistake("whole_heads", "You keep whole heads, the first ones, as AutoTinyBERT does where it learns"
            " masked words. Here every head stays and becomes narrower.",
            edit(ORDER, "for head in range(kept) for row in range(head_size)")),
        Mistake("last_rows", "You keep the last rows of each head. A design has the first ones, so that"
            " smaller designs lie inside larger ones.",
            edit("for row in range(kept)", "for row in range(head_size - kept, head_size)")),
        Mistake("rows_before_heads", "The rows are right, and their order isn't: row by row over all heads."
            " All rows of head 0 come first, since the code that cuts queries into heads takes `kept`"
            " neighbors at a time.", edit(ORDER, "for row in range(kept) for head in range(num_heads)")),
        Mistake("strided", "You count as if the heads lay interleaved. A head's rows are neighbors: head h"
            " has the rows from h · head_size on.", edit(ROW, "row * num_heads + head")),
        Mistake("left_out", "These are the rows that go. Asked are the ones that stay.",
            edit("for row in range(kept)", "for row in range(kept, head_size)")),
        Mistake("one_too_many", "You take one row too many of each head: rows 0 to kept - 1 are `kept` rows.",
            edit("for row in range(kept)", "for row in range(kept + 1)")),
        Mistake("from_one", "You count from 1. The first row of the first head is row 0.",
            (edit(ROW, "head * head_size + row + 1"), edit(ROW, "(head + 1) * head_size + row"))),
    ],
    hints=("The rows of head h begin at h · head_size. Take the first few from there, head after head.",
           "Two loops, heads outside, rows inside; or all numbers below num_heads · head_size whose remainder"
           " by head_size is below `kept`.",
           "[head * head_size + row for head in range(num_heads) for row in range(kept)]"),
    why="Every head stays, so each can still be compared with the same head of the teacher.",
)
# fmt: on
