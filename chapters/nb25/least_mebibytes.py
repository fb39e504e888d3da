"""How small BERT-base can be with tables of 8 bits and matrices of 2."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

MIB = 2**20
WORDS, TABLES = 30_522 * 768, (30_522 + 512 + 2) * 768
ATTENTION, FEED_FORWARD = 12 * 4 * 768**2, 12 * 2 * 768 * 3072
MATRICES = ATTENTION + FEED_FORWARD
close = partial(near, within=0.15)


# fmt: off
EXERCISE = Exercise(
    name="least_mebibytes", kind="predict", minutes=4, difficulty=2,
    reference=(TABLES + MATRICES * 2 / 8) / MIB, tolerance=0.002,
    answer="(23_835_648 + 84_934_656 * 2 / 8) / 2**20",
    form="An answer is a number of MiB, such as 12.5.",
    mistakes=[
        Mistake("in_megabytes", "That is in MB of a million bytes. A MiB has 2^20 = 1,048,576.",
            (TABLES + MATRICES / 4) / 1e6),
        Mistake("tables_in_two_bits", "You gave the tables 2 bits as well. In 8 bits, each of their numbers"
            " takes a byte.", (TABLES + MATRICES) / 4 / MIB),
        Mistake("printed", "28 MB is what some lectures print. Count it: the tables alone, at a byte a"
            " number, are most of that.", near(28.0, within=0.5), example=28.0),
        Mistake("tables_alone", "Those are the tables. The matrices of the twelve layers come on top, four of"
            " their numbers to a byte.", close(TABLES / MIB, WORDS / MIB), example=22.7),
        Mistake("matrices_alone", "Those are the matrices of the layers. The tables come on top, a byte for"
            " each number.", MATRICES / 4 / MIB),
        Mistake("one_layer", "There are twelve layers, and you counted the matrices of one.",
            (TABLES + MATRICES / 48) / MIB),
        Mistake("bits_for_bytes", "You forgot that eight bits make a byte.",
            close((8 * TABLES + 2 * MATRICES) / MIB, (TABLES + 2 * MATRICES) / MIB), example=343.9),
        Mistake("everything_in_eight", "You gave the matrices 8 bits as well. In 2 bits, four of their"
            " numbers share a byte.", (TABLES + MATRICES) / MIB),
        Mistake("halved", "You put two numbers into a byte. Of 2 bits each, four fit.",
            (TABLES + MATRICES / 2) / MIB),
        Mistake("a_part_of_the_layers", "You left out a part of the layers: a layer has four matrices of"
            " attention and two of the feed-forward network.",
            close((TABLES + ATTENTION / 4) / MIB, (TABLES + FEED_FORWARD / 4) / MIB), example=29.5),
    ],
    hints=("Two sums: the numbers in the tables, a byte each, and the numbers in the matrices, four to a"
           " byte.",
           "The tables hold 23,835,648 numbers and the matrices 84,934,656. Divide bytes by 2^20.",
           "(23_835_648 + 84_934_656 * 2 / 8) / 2**20"),
    why="And not one scale, norm or bias is in it yet.",
)
# fmt: on
