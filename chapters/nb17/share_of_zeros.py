"""How much attention eight vectors of zeros take."""

import math
from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

PREFIX = 8
OF_THE_TEXT = 2 * math.exp(2) + 2  # the exponentials of the scores 2, 0, 0, 2
close = partial(near, within=0.006)


# fmt: off
EXERCISE = Exercise(
    name="share_of_zeros", kind="predict", minutes=4, difficulty=2,
    reference=lambda: PREFIX / (OF_THE_TEXT + PREFIX), tolerance=0.004,
    answer="8 / (2 * 2.718281828**2 + 2 + 8)",
    form="An answer is a number between 0 and 1, such as 0.25.",
    mistakes=[
        Mistake("no_share", "It is a share of one whole, so it lies between 0 and 1: softmax never gives a"
            " whole 0 or 1.", lambda answer: answer < 0 or answer >= 1, example=8.0),
        Mistake("zero_takes_nothing", "A score of 0 is not a weight of 0: softmax takes the exponential, and"
            " e to the 0 is 1.", lambda answer: abs(answer) <= 0.001, example=0.0),
        Mistake("counted", "You counted places, 8 of 12. But the places of the text have exponentials of"
            " 7.39, 1, 1 and 7.39.", PREFIX / (PREFIX + 4)),
        Mistake("one_vector", "That is what a single vector of zeros takes. There are eight of them, each"
            " with e to the 0.", close(1 / (OF_THE_TEXT + 1), 1 / (OF_THE_TEXT + PREFIX)), example=0.056),
        Mistake("not_in_the_sum", "You divide by the old sum, 16.78. The eight new exponentials stand in the"
            " sum as well, so that all shares together are 1.", PREFIX / OF_THE_TEXT),
        Mistake("what_is_left", "That is what is left for the text. The zeros take the rest.",
            OF_THE_TEXT / (OF_THE_TEXT + PREFIX)),
        Mistake("one_decimal", "Right as far as it goes: give one decimal more.",
            lambda answer: abs(answer - 0.3) < 1e-6, example=0.3),
    ],
    hints=("Write down the exponential of each of the twelve scores: four of the text, eight of the prefix.",
           "The text has 7.39 + 1 + 1 + 7.39 = 16.78. A key of zeros has the score 0 with every query.",
           "8 / (16.78 + 8)"),
    why="Their values are 0, so the new vector of love shrinks to about two thirds of its length.",
)
# fmt: on
