"""What view alone puts into a head."""

from lib.exercises.spec import Exercise, Mistake


def second_row_of_head_0() -> list[int]:
    """Row 1 of head 0 of the numbers 11 to 44, four a token, viewed as [1, 2, 4, 2]."""
    import torch

    hidden = torch.tensor([[10 * token + feature for feature in range(1, 5)] for token in range(1, 5)])
    row: list[int] = hidden.view(1, 2, 4, 2)[0, 0, 1].tolist()
    return row


# fmt: off
EXERCISE = Exercise(
    name="second_row_of_head_0", kind="predict", minutes=3, difficulty=1, reference=second_row_of_head_0,
    answer="[13, 14]",
    form="An answer is a list of two numbers, such as [41, 44].",
    mistakes=[
        Mistake("not_two", "A row of a head holds two numbers here: the last dimension is 2.",
            lambda answer: len(answer) != 2, example=[13]),
        Mistake("what_was_wanted", "That is what the row should hold. But view moves nothing: it deals out"
            " the sixteen numbers in the order in which they lie in memory, 11, 12, 13, ... Row 0 takes the"
            " first two.", [21, 22]),
        Mistake("row_of_head_1", "That belongs to head 1. Head 0 takes the first eight of the sixteen"
            " numbers; which two make its second row?", lambda answer: min(answer) > 30, example=[31, 32]),
        Mistake("first_row", "That is the first row, number 0. Which two numbers come next?", [11, 12]),
        Mistake("two_tokens", "Those are features of two tokens. Numbers of one row lie side by side in"
            " memory, so here they come from the same token.",
            lambda answer: answer[0] // 10 != answer[1] // 10, example=[12, 22]),
        Mistake("not_side_by_side", "One token, but these two are no row: memory holds 11, 12, 13, 14, 21,"
            " ..., and a row takes the next two, in that order.", lambda answer: True, example=[12, 13]),
    ],
    hints=("view computes nothing and moves nothing. It reads the same sixteen numbers with other"
           " dimensions.",
           "[1, 2, 4, 2]: one text, two heads, four rows each, two numbers a row; filled row after row.",
           "In memory lie 11, 12, 13, 14, 21, ...; row 0 of head 0 takes two of them, and row 1 the next"
           " two."),
    why="Row 1 is the place of love, but these two numbers are the second half of i.",
)
# fmt: on
