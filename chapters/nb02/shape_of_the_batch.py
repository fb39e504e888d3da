"""The shape of a batch of two pairs."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="shape_of_the_batch", kind="predict", minutes=3, difficulty=1, reference=[2, 17],
    form="An answer is two numbers, rows and columns, such as [3, 20].",
    mistakes=[
        Mistake("not_two_dimensions", "input_ids is a table: two numbers, how many rows and how many"
            " columns.", lambda shape: len(shape) != 2, example=[2, 17, 1]),
        Mistake("columns_first", "Rows come first: [B, T], B texts (here pairs) of T tokens.",
            lambda shape: shape[1] == 2, example=[17, 2]),
        Mistake("a_row_for_each_text", "Two texts of a pair share one row: [CLS] first [SEP] second [SEP]. So"
            " there are fewer rows.", lambda shape: shape[0] == 4, example=[4, 10]),
        Mistake("one_long_row", "You put all in one row. Each pair has a row of its own.",
            lambda shape: shape[0] == 1, example=[1, 29]),
        Mistake("wrong_rows", "There is a row for each pair: how many pairs are there?",
            lambda shape: shape[0] != 2, example=[3, 17]),
        Mistake("nothing_added", "You counted the tokens of the longer pair. To those come [CLS] before,"
            " [SEP] between and [SEP] behind.", [2, 14]),
        Mistake("one_or_two_added", "A text takes two places more than it has tokens, a pair three: there is"
            " a [SEP] after each of the two, and a [CLS] before both.",
            lambda shape: shape[1] in (15, 16), example=[2, 16]),
        Mistake("plus_four", "You give each text of the pair a [CLS] and a [SEP]. The pair has one [CLS], at"
            " its beginning.", [2, 18]),
        Mistake("shorter_pair", "That is what the shorter pair takes, or less. A batch is as wide as its"
            " longest row; the others are filled up.", lambda shape: shape[1] <= 12, example=[2, 12]),
        Mistake("too_wide", "No row is that long. Count the words of the longer pair alone, and three special"
            " tokens.", lambda shape: shape[1] > 18, example=[2, 29]),
    ],
    hints=("One row for each pair. Which one needs more places?",
           "Count the words of the longer pair. What is added to it, and how often?",
           "6 + 8 tokens, one [CLS] and two [SEP]."),
    why="6 + 8 tokens, and 3 for a pair. The shorter pair, 4 + 5 + 3, is filled up.",
)
# fmt: on
