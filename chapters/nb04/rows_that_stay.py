"""Which rows of BERT's input stay when a sentence is turned around."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="rows_that_stay", kind="choose", minutes=3, difficulty=2, reference={0, 3, 6},
    answer="[0, 3, 6]",
    form="An answer is a list of places from 0 to 6, such as [1, 2].",
    mistakes=[
        Mistake("no_such_place", "The seven tokens stand at places 0 to 6.",
            lambda places: not set(places) <= set(range(7)), example=[3, 7]),
        Mistake("without_special_tokens", "The word in the middle stays, indeed. But BERT also reads [CLS]"
            " and [SEP]: where do they stand in both orders?", {3}),
        Mistake("only_special_tokens", "[CLS] and [SEP] stay, indeed. Write both orders one under the other:"
            " one of the words stands at the same place in both.", {0, 6}),
        Mistake("one_end_left_out", "[CLS] stands first and [SEP] last in both orders: row 0 and row 6 both"
            " stay.", lambda places: set(places) in ({0, 3}, {3, 6}), example=[0, 3]),
        Mistake("counted_without_cls", "You count the words alone. Row 0 belongs to [CLS], so she is row 1.",
            {2}),
        Mistake("everything_stays", "That holds for the erased model, where the word alone decides. Here a"
            " row stays only if the same word stands at the same place.", set(range(7))),
        Mistake("nothing_stays", "A row is the same if word, place and token type are the same. Write both"
            " orders one under the other: at which places stands the same token?", set()),
        Mistake("another_word_there", "At one of your places another word stands in the second order, so its"
            " row of the word table is another one.",
            lambda places: bool(set(places) & {1, 2, 4, 5}), example=[0, 2, 3, 6]),
        Mistake("one_is_missing", "These stay, but they are not all.", lambda places: True, example=[0]),
    ],
    hints=("A row is a sum of three: the same word, the same place and the same type give the same row.",
           "Write [CLS] she opened a bank account [SEP], and under it [CLS] account bank a opened she [SEP].",
           "Five words turned around: the one in the middle stays where it is. So do [CLS] and [SEP]."),
    why="The same token at the same place. All other places hold another word.",
)
# fmt: on
