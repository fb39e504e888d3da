"""For an exam: the zeros of a ticket that is pruned in rounds."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex

PRUNED = ((10, 2), (20, 2), (30, 2), (40, 2), (50, 2), (10, 3), (20, 3), (30, 3))  # percent, rounds


def draw(random: Random) -> ByHand:
    percent, rounds = random.choice(PRUNED)
    matrices = random.choice([50, 60, 70, 80, 90])  # percent of the model
    kept = Fraction(100 - percent, 100) ** rounds
    answer = matrices * (1 - kept)
    return ByHand(
        title="The share of a ticket",
        text=f"""The matrices of a model hold {matrices}% of its weights. To find a lottery ticket, {rounds}
rounds each prune {percent}% of what is left in the matrices. Nothing else is pruned.

**What share of all weights of the model are zeros in the end, in percent?**""",
        answer=answer,
        solution=rf"""Each round leaves {100 - percent}% of the matrices, so in the end
${tex(Fraction(100 - percent, 100))}^{rounds} = {tex(kept)}$ of them is left, and ${tex(1 - kept)}$ are
zeros. Of the whole model this is ${matrices} \cdot {tex(1 - kept)} = {tex(answer)}$ percent.""",
        slips=(
            Slip(
                100 * (1 - kept),
                "That is the share in the matrices. The model has other weights, which no round prunes.",
            ),
            Slip(
                Fraction(matrices * percent * rounds, 100),
                "The rounds were added up. Each round prunes a share of what the one before has left.",
            ),
            Slip(100 - answer, "That is the share that is left. Asked is which share became zero."),
        ),
        points=4,
        decimals=2,
        unit="%",
    )
