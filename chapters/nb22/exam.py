"""For an exam: what a narrow student can't reach through a regressor."""

import math
from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex, tex_row, tex_term

MAPS = ((1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2), (1, 1))


def draw(random: Random) -> ByHand:
    first, second = random.choice(MAPS)
    best = random.choice([1, 2, 3, 4])
    off = random.choice([-2, -1, 1, 2])
    state = (best * first - off * second, best * second + off * first)  # off the line at a right angle
    squares = off**2 * (first**2 + second**2)
    answer = Fraction(squares, 2)
    down = f"{first} \\cdot {tex_term(state[0])} + {second} \\cdot {tex_term(state[1])}"
    meets_second = (first * Fraction(state[1], second) - state[0]) ** 2 / 2
    return ByHand(
        title="A regressor's line",
        text=rf"""For one token a student has a state of one number $s$, and the teacher a state of two,
${tex_row(state)}$. A regressor with the fixed matrix $W = ({first} \;\; {second})$ stands between them, and
the loss is the squared error, as a mean of both features.

**How small can the loss of this token get?**""",
        answer=answer,
        solution=rf"""The regressor makes $({first} \cdot s,\; {second} \cdot s)$ of the number $s$, a point
on one line. The sum
$({first} \cdot s - {tex_term(state[0])})^2 + ({second} \cdot s - {tex_term(state[1])})^2$ has the
derivative 0 at $s = ({down}) / {first**2 + second**2} = {best}$. There the regressor says
${tex_row((best * first, best * second))}$, and the loss is
$({(off * second) ** 2} + {(off * first) ** 2}) / 2 = {tex(answer)}$.""",
        slips=(
            Slip(Fraction(squares), "Both squares were added. The loss is their mean."),
            Slip(Fraction(math.sqrt(answer)), "That is a distance. The loss has no root."),
            Slip(
                meets_second,
                "The second feature was met exactly, and the first pays for it. Another s has a smaller sum.",
            ),
        ),
        points=4,
        decimals=2,
    )
