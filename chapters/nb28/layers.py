"""Which layers of a network run at a depth, by DynaBERT's code: what an exercise of notebook 28 asks for."""


def layers_kept(num_layers: int, depth: float) -> list[int]:
    """The layers that run at a depth: the whole part of i / depth, for i = 0, 1, and so on."""
    count = round(depth * num_layers)
    return [place * num_layers // count for place in range(count)]
