"""The arithmetic intensity of a dense layer that reads nine vectors."""

from functools import partial

from chapters.nb19.roofline import linear_work
from lib.exercises.spec import Exercise, Mistake, near

ROWS, INPUTS, OUTPUTS = 9, 384, 1536
FLOPS = 2 * ROWS * INPUTS * OUTPUTS
WEIGHTS, VECTORS = 4 * INPUTS * OUTPUTS, 4 * ROWS * (INPUTS + OUTPUTS)
close = partial(near, share=0.01)


# fmt: off
EXERCISE = Exercise(
    name="flops_per_byte", kind="predict", minutes=3, difficulty=2,
    reference=lambda: linear_work(ROWS, INPUTS, OUTPUTS).intensity, tolerance=0.02,
    answer="2 * 9 * 384 * 1536 / (4 * (384 * 1536 + 9 * 384 + 9 * 1536))",
    form="An answer is a number such as 118.4.",
    mistakes=[
        Mistake("upside_down", "Those are bytes for each FLOP. Turn the fraction around.",
            close((WEIGHTS + VECTORS) / FLOPS), example=round((WEIGHTS + VECTORS) / FLOPS, 3)),
        Mistake("multiply_adds", "You counted multiply-adds. Each of them is two FLOPs.",
            close(FLOPS / 2 / (WEIGHTS + VECTORS)), example=2.18),
        Mistake("numbers_for_bytes", "You divided by how many numbers are moved. Each of them has four"
            " bytes.", close(4 * FLOPS / (WEIGHTS + VECTORS), 4 * FLOPS / WEIGHTS), example=17.5),
        Mistake("without_weights", "You left out the weights. They are nearly all that is moved: 384 times"
            " 1,536 numbers, read once.", close(FLOPS / VECTORS), example=153.6),
        Mistake("weights_every_row", "The weights are read once for all nine rows, not once for each row.",
            close(FLOPS / (ROWS * WEIGHTS + VECTORS)), example=0.5),
        Mistake("uses_of_a_weight", "That is how often each weight is used once it has been fetched. Each use"
            " is two FLOPs, and each weight has four bytes.", close(ROWS), example=9.0),
        Mistake("weights_alone", "Nearly: the nine vectors that come in and the nine that go out are moved as"
            " well.", close(FLOPS / WEIGHTS), example=4.5),
        Mistake("other_rows", "That is the layer with 1,024 rows, as in the text. Here are nine.",
            close(linear_work(1024, INPUTS, OUTPUTS).intensity), example=118.4),
    ],
    hints=("Divide two numbers: the floating-point operations, and the bytes of everything that is read or"
           " written.",
           "2 · 9 · 384 · 1,536 operations. Weights: 384 · 1,536 numbers. Vectors: 9 · 384 in, 9 · 1,536"
           " out.",
           "10.6 million FLOPs / (4 * (589,824 + 3,456 + 13,824)) bytes"),
    why="Nine rows use each weight nine times, so the intensity is a little below 2 · 9 / 4.",
)
# fmt: on
