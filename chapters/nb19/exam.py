"""For an exam: the least time of a dense layer by the roofline model."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, plain, tex

SIZES = ((200, 800), (100, 400), (400, 1000), (500, 500), (300, 600))


def draw(random: Random) -> ByHand:
    inputs, outputs = random.choice(SIZES)
    tokens = random.choice([2, 4, 5, 10, 20, 40])
    bandwidth, rate = random.choice([10, 20, 40]), random.choice([40, 80, 160, 400])  # in 1e9 a second
    product, vectors = inputs * outputs, inputs + outputs
    moved, done = 4 * (product + tokens * vectors), 2 * tokens * product

    def microseconds(count: int, billions: int) -> Fraction:
        return Fraction(count, 1000 * billions)

    fetching, multiplying = microseconds(moved, bandwidth), microseconds(done, rate)
    answer = max(fetching, multiplying)
    bound = "memory" if fetching > multiplying else "compute"
    return ByHand(
        title="A roofline",
        text=f"""A dense layer from {inputs} to {outputs:,} features, in float32 and without a bias, is
computed for {tokens} tokens at once. The weights and each token's two vectors move once. The machine moves
{bandwidth} GB and does {rate} billion operations a second; a multiply-add is two operations.

**How many microseconds does the layer take at least, by the roofline model?**""",
        answer=answer,
        solution=rf"""The bytes are
$4 \cdot ({tex(product)} + {tokens} \cdot {tex(vectors)}) = {tex(moved)}$, which take {plain(fetching)} µs.
The operations are $2 \cdot {tokens} \cdot {tex(product)} = {tex(done)}$, which take {plain(multiplying)}
µs. Neither can be skipped, so the larger is the least time: {plain(answer)} µs. So the layer is
{bound}-bound.""",
        slips=(
            Slip(
                fetching + multiplying,
                "Both times were added. Fetching and multiplying can go on at once, so the larger counts.",
            ),
            Slip(
                min(fetching, multiplying),
                "The smaller time was taken. No computation ends before both its bytes and its operations.",
            ),
            Slip(
                max(microseconds(4 * tokens * (product + vectors), bandwidth), multiplying),
                "The weights were fetched anew for each token. They come once for all.",
            ),
        ),
        points=5,
        decimals=2,
        unit="µs",
    )
