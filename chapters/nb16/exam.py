"""For an exam: the bytes that a training step holds when a part is frozen."""

from random import Random

from lib.by_hand import ByHand, Slip, tex


def draw(random: Random) -> ByHand:
    weights = random.choice([20, 40, 60, 80, 100, 120])  # in millions
    learning = weights // random.choice([2, 4, 5, 10])
    activations = random.choice([30, 50, 70, 90, 110, 150])
    answer = 4 * weights + 12 * learning + activations
    return ByHand(
        title="The bytes of a step",
        text=f"""A model has {weights} million weights in float32. All but {learning} million of them are
frozen. AdamW trains the others, also in float32, and the activations of a step take {activations} MB.

**How many MB does a training step hold?** (1 MB is a million bytes.)""",
        answer=answer,
        solution=rf"""Every weight takes 4 bytes, {4 * weights} MB in all. A weight that learns also
needs its gradient, 4 bytes, and AdamW's two averages, 8 bytes: $12 \cdot {learning} = {tex(12 * learning)}$
MB. With the activations this is ${tex(4 * weights)} + {tex(12 * learning)} + {activations} = {tex(answer)}$
MB.""",
        slips=(
            Slip(
                16 * weights + activations,
                "Gradients and averages were counted for frozen weights, too. Only those that learn have"
                " any.",
            ),
            Slip(
                4 * weights + 4 * learning + activations,
                "AdamW's two averages were left out, 8 bytes for every weight that learns.",
            ),
            Slip(
                16 * learning + activations,
                "The frozen weights were left out. They don't learn, but the forward pass needs them.",
            ),
        ),
        points=4,
        unit="MB",
    )
