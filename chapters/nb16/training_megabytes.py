"""What a step holds beside the weights, where two layers of six learn."""

from lib.exercises.spec import Exercise, Mistake

LAYER, POOLER, HEAD = 1_774_464, 147_840, 3_465  # MiniLM's weights, and those of a head with nine classes
WHOLE = 22_716_681
LEARN = 2 * LAYER + POOLER + HEAD


def is_near(answer: float, megabytes: float) -> bool:
    """Whether an answer is that one, rounded or not."""
    return abs(answer - megabytes) <= 0.6


# fmt: off
EXERCISE = Exercise(
    name="training_megabytes", kind="predict", minutes=4, difficulty=1, reference=12 * LEARN / 1e6,
    answer="44.4",
    form="An answer is a number of megabytes, such as 12.5.",
    same=is_near,
    mistakes=[
        Mistake("numbers_not_bytes", "That is how many millions of numbers learn, or are held. Each number is"
            " a float32, which takes four bytes.",
            lambda number: is_near(number, LEARN / 1e6) or is_near(number, 3 * LEARN / 1e6),
            example=LEARN / 1e6),
        Mistake("one_of_three", "That is one number for each weight that learns. There are three: its"
            " gradient, and the two that AdamW remembers.", 4 * LEARN / 1e6),
        Mistake("two_of_three", "That is two numbers for each weight that learns. There are three: its"
            " gradient, and the two that AdamW remembers.", 8 * LEARN / 1e6),
        Mistake("weights_counted_too", "You count the weights themselves as well. They are there with or"
            " without training; asked is what comes on top: three numbers for each weight that learns.",
            16 * LEARN / 1e6),
        Mistake("whole_model", "That is what it takes where all of the model learns. A frozen weight has no"
            " gradient, and AdamW remembers nothing of it.", 12 * WHOLE / 1e6),
        Mistake("one_layer", "You count one layer. The top two learn, and with them the pooler and the head.",
            12 * (LAYER + POOLER + HEAD) / 1e6),
        Mistake("layers_alone", "The two layers are right; the pooler and the head learn too, and they are"
            " 151,305 more weights.", 12 * 2 * LAYER / 1e6),
    ],
    hints=("First count the weights that learn. Then ask how many numbers a training step keeps for each.",
           "Twice 1,774,464, and 147,840, and 3,465: about 3.7 million. For each a gradient and two of"
           " AdamW's.",
           "3,700,233 weights × 3 numbers × 4 bytes = 44.4 million bytes."),
    why="A frozen weight costs its own four bytes; one that learns costs sixteen.", box="task_head",
)
# fmt: on
