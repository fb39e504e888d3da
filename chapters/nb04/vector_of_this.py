"""The input vector of a token of the second text, added by hand."""

from lib.exercises.spec import Exercise, Mistake, near

WORD, POSITION, TYPE = 30, 2, 0.7

# fmt: off
EXERCISE = Exercise(
    name="vector_of_this", kind="predict", minutes=3, difficulty=1, reference=[30.0, 2.0, 0.7],
    answer="[30, 2, 0.7]",
    form="An answer is a list of three numbers, such as [40, 3, 0.5].",
    mistakes=[
        Mistake("not_three", "The sum of three rows is as long as one row: three numbers.",
            lambda answer: len(answer) != 3, example=[30, 2]),
        Mistake("another_word", "Column 0 comes from the word: look this up in the word table.",
            lambda answer: answer[0] != WORD, example=[40, 3, 0.7]),
        Mistake("counted_anew", "The second text doesn't start again at 0: positions count through all"
            " tokens that BERT reads together. How many tokens stand before this?",
            lambda answer: answer[1] == 0, example=[30, 0, 0.7]),
        Mistake("counted_from_1", "Positions count from 0, so i stands at 0 and love at 1.",
            lambda answer: answer[1] == 3, example=[30, 3, 0.7]),
        Mistake("the_other_type", "The word and the position are right. 0.5 is the row of token type 0, the"
            " first text. In which text is this?",
            lambda answer: is_sum(answer[:2]) and near(0.5, within=1e-5)(answer[2]), example=[30, 2, 0.5]),
        Mistake("the_number_of_the_type", "The word and the position are right. The token type is 1, but what"
            " is added is row 1 of the type table.",
            lambda answer: is_sum(answer[:2]) and answer[2] in (1, 0), example=[30, 2, 1]),
        Mistake("another_position", "Column 1 comes from the position: count the tokens before this.",
            lambda answer: answer[1] != POSITION, example=[30, 1, 0.7]),
        Mistake("another_type", "The word and the position are right. Column 2 holds 0.5 for token type 0 and"
            " 0.7 for token type 1, and nothing else is added there.",
            lambda answer: True, example=[30, 2, 1.2]),
    ],
    hints=("Three questions, three rows: which word is it, at which place, in which text?",
           "Each row has three numbers, and so has their sum. This is the third token, of the second text.",
           "The rows are [30, 0, 0], [0, 2, 0] and [0, 0, 0.7]."),
    why="The position counts through both texts, and the token type says which text it is.",
)
# fmt: on


def is_sum(answer: list[float]) -> bool:
    """Whether word and position are right."""
    return answer[0] == WORD and answer[1] == POSITION
