"""By how many bytes a BERT of 3 bits a weight is too large for a floppy disk."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

WEIGHTS, FLOPPY = 3 * 442_368 + 147_456 + 2_483_328 + 12_288, 1_474_560
close = partial(near, within=2)

# fmt: off
EXERCISE = Exercise(
    name="bytes_over", kind="predict", minutes=4, difficulty=1, reference=WEIGHTS * 3 / 8 - FLOPPY,
    tolerance=1e-4, answer="(3 * 442_368 + 147_456 + 2_483_328 + 12_288) * 3 / 8 - 1_474_560",
    form="An answer is a number of bytes, such as 120000; below 0 where there is room left.",
    mistakes=[
        Mistake("one_layer", "You counted one layer. There are three of them.",
            close((WEIGHTS - 2 * 442_368) * 3 / 8 - FLOPPY),
            example=(WEIGHTS - 2 * 442_368) * 3 / 8 - FLOPPY),
        Mistake("bits", "These are bits, or bytes less bits. A byte has eight bits: divide the bits of all"
            " weights by 8.",
            close(WEIGHTS * 3 - FLOPPY, WEIGHTS * 3 - 8 * FLOPPY), example=WEIGHTS * 3 - FLOPPY),
        Mistake("megabytes_of_millions", "You took 1.44 million bytes for the disk. It holds 1,440 times"
            " 1,024 bytes, that is 1,474,560.",
            close(WEIGHTS * 3 / 8 - 1_440_000), example=WEIGHTS * 3 / 8 - 1_440_000),
        Mistake("other_way_round", "You took the file from the disk. Asked for is what the file has too many,"
            " above 0 if it has.", close(FLOPPY - WEIGHTS * 3 / 8), example=FLOPPY - WEIGHTS * 3 / 8),
        Mistake("without_the_pooler", "One of the four parts is missing. Add up the layers, the pooler, the"
            " words and the positions.",
            close(*((WEIGHTS - part) * 3 / 8 - FLOPPY for part in (147_456, 2_483_328, 12_288, 3 * 442_368))),
            example=(WEIGHTS - 147_456) * 3 / 8 - FLOPPY),
        Mistake("the_file", "That is what the weights take. By how much is it more than the disk?",
            close(WEIGHTS * 3 / 8), example=WEIGHTS * 3 / 8),
    ],
    hints=("Add up the weights, multiply by the bits of one, divide by the bits of a byte.",
           "There are 3,970,176 weights.",
           "3,970,176 · 3 / 8 - 1,474,560"),
    why="It is over by one part in a hundred, and no scale, bias or piece is counted yet.",
)
# fmt: on
