"""For an exam: one feature of a token after layer norm."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

from lib.by_hand import ByHand, Slip, plain, tex, tex_row, tex_term


def deviation_of(numbers: tuple[int, ...]) -> float:
    """The standard deviation of numbers whose mean is 0."""
    return math.sqrt(sum(number**2 for number in numbers) / len(numbers))


#: four deviations from a mean, of more than one size, whose standard deviation is a whole number from 2 on
PATTERNS = [
    numbers
    for numbers in combinations_with_replacement(range(-9, 10), 4)
    if sum(numbers) == 0 and len({*map(abs, numbers)}) > 1 and deviation_of(numbers) in range(2, 10)
]


def draw(random: Random) -> ByHand:
    deviations = random.sample(pattern := random.choice(PATTERNS), 4)
    spread = round(deviation_of(pattern))
    mean = random.randrange(1, 13)
    token = [mean + one for one in deviations]
    place = random.choice([place for place, one in enumerate(deviations) if one])
    weight, bias = random.choice([2, 3, 4, 5]), random.choice([-3, -2, -1, 1, 2, 3])
    one = deviations[place]
    unbiased = Fraction(math.sqrt(Fraction(4 * spread**2, 3)))
    answer = weight * Fraction(one, spread) + bias
    squares = " + ".join(str(one**2) for one in deviations)
    return ByHand(
        title="Layer norm by hand",
        text=rf"""A token has the four features

$$x = {tex_row(token)}$$

For its feature number {place + 1} layer norm has learned the weight {weight} and the bias
{plain(bias)}; ε is too small to matter. **What is feature number {place + 1} after the layer norm?**""",
        answer=answer,
        solution=rf"""The mean is {mean}, so the deviations are ${tex_row(deviations)}$. The variance is
$({squares}) / 4 = {spread**2}$, and the standard deviation {spread}. The feature is standardized, then
multiplied by its weight, then shifted by its bias:

$${weight} \cdot {tex_term(Fraction(one, spread))} + {tex_term(bias)} = {tex(answer)}$$""",
        slips=(
            Slip(
                weight * Fraction(one, spread**2) + bias,
                "The deviation was divided by the variance. Divide by its root, the standard deviation.",
            ),
            Slip(
                weight * one / unbiased + bias,
                "The variance was divided by D − 1, as PyTorch's var does. Layer norm divides by D.",
            ),
            Slip(
                weight * (Fraction(one, spread) + bias),
                "The bias was added before the weight was multiplied. First the weight, then the bias.",
            ),
        ),
        points=4,
        decimals=2,
    )
