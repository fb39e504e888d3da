"""What limits a product of matrices: its multiplications, or the bytes that have to come from memory.

After the roofline model (Williams et al., 2009): a processor does so many operations a second and so many
bytes a second reach it, so an operation takes at least as long as the slower of the two.
"""

from __future__ import annotations

from typing import NamedTuple

NUMBER = 4  # bytes of a float32


class Work(NamedTuple):
    """What an operation asks for: floating-point operations, and bytes between memory and processor."""

    flops: int
    moved: int

    @property
    def intensity(self) -> float:
        """Floating-point operations for each byte."""
        return self.flops / self.moved


class Roofline(NamedTuple):
    """What a machine reaches at most: operations a second, and bytes a second from and to memory."""

    flops: float
    bandwidth: float

    @property
    def ridge(self) -> float:
        """The operations for each byte from which on the multiplications are what takes the time."""
        return self.flops / self.bandwidth

    def seconds(self, work: Work) -> float:
        """How long an operation takes at least."""
        return max(work.flops / self.flops, work.moved / self.bandwidth)

    def rate(self, intensity: float) -> float:
        """The operations a second that can be reached at so many operations for each byte."""
        return min(self.flops, intensity * self.bandwidth)


def linear_work(rows: int, inputs: int, outputs: int, bits: int = 32) -> Work:
    """What a dense layer asks for that takes `rows` vectors of `inputs` numbers to as many of `outputs`.

    Weights and biases have so many bits each and are read once; vectors are float32, read and written once.
    """
    if min(rows, inputs, outputs, bits) < 1:
        raise ValueError(
            f"{rows} rows of {inputs} to {outputs} numbers, {bits} bits: give whole numbers of 1 or more."
        )
    weights = (inputs * outputs + outputs) * bits // 8
    return Work(2 * rows * inputs * outputs, weights + NUMBER * rows * (inputs + outputs))
