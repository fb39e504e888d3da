"""For an exam: the parameters of an encoder, from its config."""

from random import Random

from lib.by_hand import ByHand, Slip, tex

HEADS = 2


def draw(random: Random) -> ByHand:
    size = random.choice([4, 6, 8, 10, 20])
    wide = size * random.choice([2, 4])
    layers = random.choice([2, 3, 4, 5])
    dense, norm = size**2 + size, 2 * size
    forward = size * wide + wide + wide * size + size
    answer = layers * (4 * dense + forward + 2 * norm)
    return ByHand(
        title="The parameters of a config",
        text=f"""A small BERT has the config

| hidden size | layers | heads | width of the feed-forward network |
|---:|---:|---:|---:|
| {size} | {layers} | {HEADS} | {wide} |

**How many parameters do its {layers} layers have?** Count weights, biases and norms, and leave out the
embeddings and the pooler.""",
        answer=answer,
        solution=rf"""Attention has four dense layers from {size} to {size} features: query, key, value and
output, with $4 \cdot ({size} \cdot {size} + {size}) = {tex(4 * dense)}$ parameters. The feed-forward
network has $({size} \cdot {wide} + {wide}) + ({wide} \cdot {size} + {size}) = {tex(forward)}$. Each of the
two norms has a weight and a bias per feature, together $2 \cdot {norm} = {tex(2 * norm)}$. One layer has
${tex(4 * dense)} + {tex(forward)} + {tex(2 * norm)} = {tex(answer // layers)}$, and all have
${layers} \cdot {tex(answer // layers)} = {tex(answer)}$.""",
        slips=(
            Slip(
                layers * (4 * size**2 + 2 * size * wide + 2 * norm),
                "The biases of the dense layers were left out: each has one for every output.",
            ),
            Slip(
                layers * (3 * dense + forward + 2 * norm),
                "Attention's fourth matrix was left out, the output projection behind the heads.",
            ),
            Slip(
                layers * ((3 * HEADS + 1) * dense + forward + 2 * norm),
                "Query, key and value were counted in full for each head. The heads share out the same rows.",
            ),
        ),
        points=5,
        unit="parameters",
    )
