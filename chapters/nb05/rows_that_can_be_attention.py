"""Which rows can be attention weights."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="rows_that_can_be_attention", kind="choose", minutes=3, difficulty=1, reference={"c", "d"},
    answer='["c", "d"]',
    form='An answer is a list of letters, such as ["a", "e"].',
    mistakes=[
        Mistake("took_the_printed_rows", "Add up rows a and b: 1.11 and 2.08. A query has one whole attention"
            " to share out among the words, no more.",
            lambda letters: bool({"a", "b"} & set(letters)), example=["a", "c", "d"]),
        Mistake("took_a_negative_share", "Row e sums to 1, but one of its shares is negative. Softmax divides"
            " exponentials, and an exponential is never below 0.",
            lambda letters: "e" in letters, example=["c", "d", "e"]),
        Mistake("left_out_the_sure_one", "A weight of 0.00 is possible to rounding: one score far above the"
            " rest takes nearly everything. (A mask, in the next section, makes an exact 0.)", {"c"}),
        Mistake("left_out_the_even_one", "Equal shares are shares too: they come out when all scores are"
            " equal.", {"d"}),
    ],
    hints=("A query has one whole attention to share out among the words.",
           "Two things to test on each row: the sum, and every single number.",
           "Weights are at least 0 and sum to 1. Zeros are allowed."),
    why="Shares are at least 0 and sum to 1. Rows a and b, which a lecture prints as attention for this very"
        " sentence, sum to 1.11 and 2.08.",
)
# fmt: on
