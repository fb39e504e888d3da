"""For an exam: the layers that run at a depth."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex

SIZES = ((6, "2/3"), (12, "2/3"), (9, "2/3"), (8, "3/4"), (12, "3/4"), (6, "1/3"), (9, "1/3"), (12, "1/3"))


def draw(random: Random) -> ByHand:
    layers, share = random.choice(SIZES)
    depth = Fraction(share)
    count = int(depth * layers)
    exact = [place / depth for place in range(count)]
    kept = [int(place) for place in exact]  # the whole part

    def written(numbers: list[int]) -> str:
        return ", ".join(map(str, numbers))

    return ByHand(
        title="Layers at a depth",
        text=rf"""A network of $N = {layers}$ layers, counted from 0, runs at the depth $m_d = {share}$.
DynaBERT's code then runs the layers $\lfloor i / m_d \rfloor$, for $i = 0, 1, \dots$ below $m_d N$.

**Which layers run?** Write it as “0, 2, 4”.""",
        answer=written(kept),
        solution=rf"""$m_d N = {count}$ layers run. The numbers $i / m_d$ are
{", ".join(f"${tex(place)}$" for place in exact)}, and their whole parts are {written(kept)}.""",
        slips=(
            Slip(
                written([int((place + 1) / depth) - 1 for place in range(count)]),
                "These are the last layers of each group. This rule takes the first, so layer 0 always runs.",
            ),
            Slip(
                written(list(range(count))),
                "These are the first layers, side by side. Those that run are spread over the whole network.",
            ),
            Slip(
                written([layer for layer in range(layers) if layer not in kept]),
                "These are the layers that are left out. Asked is which ones run.",
            ),
        ),
        points=3,
    )
