"""For an exam: a threshold and a scale for three values."""

from fractions import Fraction
from random import Random
from statistics import mean

from lib.by_hand import ByHand, Slip, plain, tex, tex_row

COUNT = 6


def draw(random: Random) -> ByHand:
    tenths = sorted(random.sample(range(1, 15), COUNT))
    if sum(tenths) % 60 == 0:  # only then could a size lie exactly on the threshold, 7/60 of this sum
        tenths[-1] += 1
    sizes = [Fraction(size, 10) for size in random.sample(tenths, COUNT)]
    weights = [random.choice([-1, 1]) * size for size in sizes]
    threshold = Fraction(7, 10) * mean(sizes)
    kept = [size for size in sizes if size > threshold]
    answer = mean(kept)
    return ByHand(
        title="A threshold and a scale",
        text=rf"""A matrix has these weights:

$$w = {tex_row(weights)}$$

A ternary weight network (TWN) replaces them by $-\alpha$, 0 and $\alpha$, with one scale for the matrix.

**What is α?**""",
        answer=answer,
        solution=rf"""The mean size is ${tex(sum(sizes, Fraction(0)))} / {COUNT} = {tex(mean(sizes))}$, and
the threshold is 0.7 times that, ${tex(threshold)}$. Beyond it lie the sizes {", ".join(map(plain, kept))}.
Their mean is $\alpha = {tex(answer)}$.""",
        slips=(
            Slip(
                max(sizes),
                "The largest size was taken as the scale. Here the scale is the mean of the sizes that"
                " are left.",
            ),
            Slip(
                sum(kept, Fraction(0)) / COUNT,
                "The sum was divided by the number of all weights. α is the mean of those that are left.",
            ),
            Slip(
                mean(size for size in sizes if size > mean(sizes)),
                "The threshold was the mean size. It is 0.7 times the mean size, so more weights are left.",
            ),
        ),
        points=4,
        decimals=2,
    )
