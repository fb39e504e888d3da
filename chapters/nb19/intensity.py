"""How much a dense layer computes for each byte that it moves."""


def flops_per_byte(rows: int, inputs: int, outputs: int) -> float:
    """The floating-point operations of a dense layer for each byte that it moves, biases left out."""
    flops = 2 * rows * inputs * outputs  # each row meets each weight: a multiplication and an addition
    weights = inputs * outputs  # read once
    vectors = rows * inputs + rows * outputs  # read, and written
    moved = 4 * (weights + vectors)  # a float32 has four bytes
    return flops / moved
