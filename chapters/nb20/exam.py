"""For an exam: asymmetric codes and their zero point."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, plain, tex, tex_term


def draw(random: Random) -> ByHand:
    bits = random.choice([3, 4])
    largest = 2**bits - 1
    scale = Fraction(random.choice(["0.1", "0.2", "0.4", "0.5"]))
    zero = random.randrange(1, largest - 1)
    steps = random.sample(range(1 - zero, largest - zero), 3)  # codes before the zero point is added
    inputs = [scale * (step + random.choice([-2, -1, 1, 2]) * Fraction(1, 5)) for step in steps]
    low, high = -zero * scale, (largest - zero) * scale

    def both(point: int, codes: list[int]) -> str:
        return f"zero point {point}; codes {', '.join(map(plain, codes))}"

    symmetric = max(-low, high) / (2 ** (bits - 1) - 1)
    return ByHand(
        title="Codes and a zero point",
        text=f"""The activations of a layer reach from {plain(low)} to {plain(high)}. They are quantized
asymmetrically, in {bits} bits, with codes from 0 on.

**Which code is the zero point, and which codes do {plain(inputs[0])}, {plain(inputs[1])} and
{plain(inputs[2])} get?** Write it as “zero point 2; codes 5, 0, 7”.""",
        answer=both(zero, [zero + step for step in steps]),
        solution=rf"""In {bits} bits there are {largest} steps, so the scale is
$({tex(high)} - {tex_term(low)}) / {largest} = {tex(scale)}$, and the zero point is the rounded
${tex(-low)} / {tex(scale)} = {zero}$. Divided by the scale, the numbers are
{", ".join(plain(one / scale) for one in inputs)}, rounded {", ".join(map(plain, steps))}. The zero point is
added to each: {", ".join(str(zero + step) for step in steps)}.""",
        slips=(
            Slip(
                both(zero, steps),
                "The zero point was not added: code 0 then stands for 0.0, not for the low end.",
            ),
            Slip(
                both(0, [round(one / symmetric) for one in inputs]),
                "These are symmetric codes: the largest size sets the scale, and code 0 stands for 0.0.",
            ),
            Slip(
                both(zero, [int(one / scale) + zero for one in inputs]),
                "The decimals were cut off. A code is the nearest whole number.",
            ),
        ),
        points=5,
    )
