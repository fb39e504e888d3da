"""For an exam: a centroid of equally filled bins."""

from fractions import Fraction
from random import Random
from statistics import mean

from lib.by_hand import ByHand, Slip, plain, tex, tex_row, tex_term

BITS, EACH = 2, 2  # weights in a bin
BINS = 2**BITS
NAMES = ("lowest", "second lowest", "second highest", "highest")


def draw(random: Random) -> ByHand:
    weights = [Fraction(one, 100) for one in random.sample(range(-50, 71), BINS * EACH)]
    ordered = sorted(weights)
    place = random.choice([1, 2])
    chosen = slice(EACH * place, EACH * place + EACH)
    width = (ordered[-1] - ordered[0]) / BINS
    answer = mean(ordered[chosen])
    summed = " + ".join(map(tex_term, ordered[chosen]))
    return ByHand(
        title="A book of values",
        text=f"""A row of weights gets a codebook of {BITS} bits:

$$w = {tex_row(weights)}$$

**What is the {NAMES[place]} of the centroids, the means of bins that hold equally many weights?**""",
        answer=answer,
        solution=f"""{BITS} bits make {BINS} bins, so each holds {EACH} weights. Sorted, the weights are
{", ".join(map(plain, ordered))}. The mean of the {NAMES[place]} bin is
$({summed}) / {EACH} = {tex(answer)}$.""",
        slips=(
            Slip(
                mean(weights[chosen]),
                "The weights were cut as they stand. A bin holds neighbors: sort first.",
            ),
            Slip(
                ordered[0] + (place + Fraction(1, 2)) * width,
                "The range was cut into equally wide bins. Each bin gets equally many weights instead.",
            ),
            Slip(
                mean(sorted(weights, key=abs)[chosen]),
                "The weights were sorted by size without the sign. Sort them as they are.",
            ),
        ),
        points=3,
        decimals=3,
    )
