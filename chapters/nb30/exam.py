"""For an exam: the share by which a ternary network's weights are split."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex, tex_row

EACH = 3  # large weights, and small ones


def draw(random: Random) -> ByHand:
    # in tenths; 0.7 times the mean size always lies between the small ones and the large ones
    large = [random.choice([-1, 1]) * size for size in random.sample(range(5, 10), EACH)]
    small = [random.choice([-1, 1]) * random.choice([1, 2]) for _ in range(EACH)]
    weights = random.sample([*large, *small], 2 * EACH)
    codes = [0 if one in small else one // abs(one) for one in weights]
    first = Fraction(sum(map(abs, large)), 10)
    positive = Fraction(sum(one for one in small if one > 0), 10)
    others = Fraction(-sum(one for one in small if one < 0), 10)
    answer = (first + others - positive) / (2 * first)
    return ByHand(
        title="A split in two",
        text=rf"""BinaryBERT splits each latent weight $w$ of a ternary network into two, $w_1 + w_2 = w$.
Where the code is not 0, $w_1 = a\,w$. Where it is 0, $w_1 = w + b$ for a positive weight and $w_1 = b$ for
any other. The matrix is

$$w = {tex_row(Fraction(one, 10) for one in weights)} \qquad \text{{codes}} = {tex_row(codes)}$$

Both halves have to have the same mean size. **What is $a$?**""",
        answer=answer,
        solution=rf"""The sizes of the weights with a code that is not 0 sum to $S_I = {tex(first)}$, those
of the small positive ones to $S_J = {tex(positive)}$, those of the other small ones to
$S_K = {tex(others)}$. The sizes of $w_1$ sum to $a S_I + S_J + {EACH} b$, those of $w_2$ to
$(1 - a) S_I + S_K + {EACH} b$. Equal sums give

$$a = \frac{{S_I + S_K - S_J}}{{2 S_I}} = {tex(answer)}$$""",
        slips=(
            Slip(
                (first + positive - others) / (2 * first),
                "The two small sums were exchanged. Then the halves differ in their mean size.",
            ),
            Slip(
                Fraction(1, 2),
                "Halving ignores the small weights. Each goes to one side only, and a has to make up for it.",
            ),
            Slip(
                2 * answer, "The 2 in the denominator was lost. Both halves get a share of the large weights."
            ),
        ),
        points=6,
        decimals=3,
    )
