"""For an exam: the rank up to which two thin matrices save something."""

from random import Random

from lib.by_hand import ByHand, Slip, tex

SIDES = (12, 15, 20, 24, 30, 36, 40, 45, 60, 72, 80, 90, 120)


def draw(random: Random) -> ByHand:
    rows, columns = random.sample(SIDES, 2)
    product, both, shorter = rows * columns, rows + columns, min(rows, columns)
    answer = (product - 1) // both
    return ByHand(
        title="A break-even rank",
        text=f"""Two factors of rank $r$ replace a matrix with {rows} rows and {columns} columns by their
product.

**What is the largest rank at which the two factors hold fewer numbers than the matrix?**""",
        answer=answer,
        solution=rf"""The matrix holds ${rows} \cdot {columns} = {tex(product)}$ numbers, and the factors
hold $r \cdot ({rows} + {columns}) = {both}\,r$. Rank {answer} takes ${tex(answer * both)}$, which is fewer,
and rank {answer + 1} takes ${tex((answer + 1) * both)}$, which is not.""",
        slips=(
            Slip(
                answer + 1,
                "At this rank the factors hold as many numbers as the matrix, or more. Fewer is asked for.",
            ),
            Slip(
                shorter // 2,
                "Half of the shorter side is right for square matrices only. Count the numbers of both"
                " factors.",
            ),
            Slip(shorter - 1, "Only one of the two factors was counted."),
        ),
        points=3,
    )
