"""Up to which rank two factors hold fewer numbers than the matrix."""

from collections.abc import Iterator

from lib.bert import factors
from lib.exercises.spec import Exercise, Mistake, edit

RANK = "(rows * columns - 1) // (rows + columns)"


def cases(seed: int) -> Iterator[tuple[int, int]]:
    """A small matrix, MiniLM's and ALBERT's, then those where the counts come out equal, or none is left."""
    yield from ((6, 4), (384, 384), (1536, 384), (30_000, 1024))
    yield from ((4, 4), (6, 3), (12, 4))  # rank 2 of 4 x 4 holds 16, as many as the matrix
    yield from ((1, 1), (1, 9), (2, 2), (7, 1), (2, 3), (5 + seed % 90, 41))


# fmt: off
EXERCISE = Exercise(
    name="break_even_rank", minutes=3, difficulty=1, reference=factors.break_even_rank, cases=cases,
    tolerance=0, gradients=False,
    mistakes=[
        Mistake("equal_is_no_less", "Where both hold equally many numbers nothing is saved: of a 4 by 4"
            " matrix two factors of rank 2 take 2 · 8 = 16 numbers, as before. Fewer is asked for.",
            edit(RANK, "(rows * columns) // (rows + columns)")),
        Mistake("not_whole", "A rank is a whole number: take the largest one below your number.",
            edit(RANK, "rows * columns / (rows + columns)")),
        Mistake("rounded_up", "You round up, and the factors of that rank hold as many numbers as the matrix"
            " or more.",
            (edit(RANK, "-(-rows * columns // (rows + columns))"),
             edit(RANK, "round(rows * columns / (rows + columns))"))),
        Mistake("half_of_a_side", "Half of the shorter side is right for square matrices only. Count: two"
            " factors hold rank * rows + rank * columns numbers.",
            (edit(RANK, "min(rows, columns) // 2"), edit(RANK, "(min(rows, columns) - 1) // 2"))),
        Mistake("full_rank", "The shorter side is the largest rank that a matrix can have, not one that"
            " saves: two factors hold rank * (rows + columns) numbers.",
            (edit(RANK, "min(rows, columns)"), edit(RANK, "min(rows, columns) - 1"))),
        Mistake("one_at_least", "Where no rank saves anything the answer is 0: of a 2 by 2 matrix even rank 1"
            " takes 4 numbers.", edit(RANK, f"max(1, {RANK})")),
        Mistake("one_factor", "You count one factor. There are two, of rank * rows and of rank * columns"
            " numbers.",
            (edit(RANK, "(rows * columns - 1) // rows"), edit(RANK, "(rows * columns - 1) // columns"))),
        Mistake("one_too_low", "Yours is one too low where the division does not come out even: the largest"
            " whole rank below rows * columns / (rows + columns) is asked for.",
            edit(RANK, "rows * columns // (rows + columns) - 1")),
    ],
    hints=("How many numbers do the two factors hold, and how many the matrix?",
           "rank * (rows + columns) has to be less than rows * columns, not equal to it, and both are whole.",
           "return (rows * columns - 1) // (rows + columns)"),
    why="Below this rank two thin matrices are smaller than one.",
)
# fmt: on
