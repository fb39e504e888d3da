"""The arithmetic intensity of a dense layer."""

from collections.abc import Iterator

from chapters.nb19 import intensity
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[int, int, int]]:
    """The layer of the text; one sentence, one token; then other layers."""
    yield from ((1024, 384, 1536), (9, 384, 1536), (1, 384, 1536))
    yield from ((32, 1536, 384), (128 + seed % 7, 768, 3072), (5, 10, 20))


# fmt: off
EXERCISE = Exercise(
    name="flops_per_byte", minutes=4, difficulty=2, reference=intensity.flops_per_byte, cases=cases,
    mistakes=[
        Mistake("upside_down", "Those are bytes for each operation. Turn the fraction around.",
            edit("flops / moved", "moved / flops")),
        Mistake("multiply_adds", "You counted multiply-adds. Each of them is two floating-point operations.",
            edit("2 * rows * inputs * outputs", "rows * inputs * outputs")),
        Mistake("numbers_for_bytes", "You divided by how many numbers are moved. Each of them has four"
            " bytes.", edit("4 * (weights + vectors)", "weights + vectors")),
        Mistake("without_weights", "You left out the weights, inputs times outputs of them, read once. With"
            " few rows they are nearly all that is moved.", edit("4 * (weights + vectors)", "4 * vectors")),
        Mistake("weights_every_row", "The weights are read once for all rows, not once for each row.",
            edit("weights = inputs * outputs", "weights = rows * inputs * outputs")),
        Mistake("weights_alone", "The vectors that come in and those that go out are moved as well.",
            edit("4 * (weights + vectors)", "4 * weights")),
        Mistake("one_way", "Each row is moved twice: `inputs` numbers come in, and `outputs` numbers go"
            " out.", (edit("rows * inputs + rows * outputs", "rows * inputs"),
                      edit("rows * inputs + rows * outputs", "rows * outputs"))),
        Mistake("one_vector", "Each of the rows has a vector of its own, coming in and going out.",
            edit("rows * inputs + rows * outputs", "inputs + outputs")),
    ],
    hints=("Divide two numbers: the floating-point operations, and the bytes of everything that is read or"
           " written.",
           "There are inputs * outputs weights, and rows * (inputs + outputs) numbers in the vectors.",
           "2 * rows * inputs * outputs / (4 * (inputs * outputs + rows * inputs + rows * outputs))"),
    why="With few rows it is a little below 2 * rows / 4: each weight is used once for each row.",
)
# fmt: on
