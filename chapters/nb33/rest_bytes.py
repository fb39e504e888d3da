"""How many bytes of three layers are left out where only the codes of the weights are counted."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

LAYERS, ROWS, BIASES, NORMS = 3, 1440, 1440, 1536
REST = LAYERS * (ROWS + BIASES + NORMS) * 2
close = partial(near, within=2)

# fmt: off
EXERCISE = Exercise(
    name="rest_bytes", kind="predict", minutes=4, difficulty=2, reference=REST, tolerance=1e-4,
    answer="3 * (1440 + 1440 + 4 * 384) * 2",
    form="An answer is a number of bytes, such as 5000.",
    mistakes=[
        Mistake("scales_or_biases_forgotten", "The scales are missing, or the biases. Each row of a matrix"
            " has one of both: without its scale its codes mean nothing.",
            close(LAYERS * (BIASES + NORMS) * 2), example=LAYERS * (BIASES + NORMS) * 2),
        Mistake("norms_forgotten", "The layer norms are missing: two a layer, each with 384 weights and 384"
            " biases.", close(LAYERS * (ROWS + BIASES) * 2), example=LAYERS * (ROWS + BIASES) * 2),
        Mistake("half_a_norm", "A layer has two norms, and each has weights and biases: four times 384"
            " numbers.",
            close(LAYERS * (ROWS + BIASES + 768) * 2, LAYERS * (ROWS + BIASES + 384) * 2),
            example=LAYERS * (ROWS + BIASES + 768) * 2),
        Mistake("one_layer", "That is one layer. There are three.",
            close(REST / LAYERS), example=REST / LAYERS),
        Mistake("numbers", "You counted numbers. Each takes two bytes in half precision.",
            close(REST / 2), example=REST / 2),
        Mistake("whole_precision", "You gave each number four bytes. In half precision it takes two.",
            close(REST * 2), example=REST * 2),
        Mistake("bits", "These are bits. A byte has eight.", close(REST * 8), example=REST * 8),
        Mistake("three_bits", "Only the matrices have 3 bits a number. Scales, biases and norms have 16.",
            close(REST / 16 * 3), example=REST / 16 * 3),
    ],
    hints=("Three kinds of numbers in a layer are no weights of a matrix: which?",
           "A layer has 1,440 scales, 1,440 biases and 4 · 384 numbers in its two norms, two bytes each.",
           "3 · (1440 + 1440 + 1536) · 2"),
    why="That is nearly twice the 14,256 bytes that were too many before.",
)
# fmt: on
