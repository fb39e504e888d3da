"""Which claims of a small model follow from what was measured."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="supported_claims", kind="choose", minutes=4, difficulty=2, reference={"d", "f"},
    answer='["d", "f"]',
    form='An answer is a list of letters, such as ["a", "e"].',
    mistakes=[
        Mistake("layers_alone", "In a only the layers have 4 bits. MiniLM's tables stay 47.7 MB, so the file"
            " is 47.7 + 43.2 / 8 MB, not an eighth of 90.9.",
            lambda letters: "a" in letters, example=["a", "d", "f"]),
        Mistake("no_baseline", "In b nobody knows what the small model reaches without the teacher: the same"
            " student, trained on the labels alone, is missing.",
            lambda letters: "b" in letters, example=["b", "d", "f"]),
        Mistake("zeros_multiplied", "In c the multiply-adds were counted as if zeros were skipped. Remember"
            " section 1: the product multiplies them all, unless the format of the weights skips them."
            " Nobody looked at a clock.", lambda letters: "c" in letters, example=["c", "d", "f"]),
        Mistake("best_of_seeds", "In e the best of five seeds is compared with a mean of five. The best of"
            " five equal runs also lies above their mean.",
            lambda letters: "e" in letters, example=["d", "e", "f"]),
        Mistake("missed_the_clock", "d is limited to what was measured: one sentence, this machine, both in"
            " turns, and middle halves that stay apart. What speaks against it?", {"f"}),
        Mistake("missed_the_rows", "f compares row by row on the same 400 texts: two rows changed with the"
            " bits, 28 with that seed.", {"d"}),
    ],
    hints=("Ask of each: which of the four costs was counted, for all parts? And beside what does the score"
           " stand?",
           "Look for what is missing: a clock, the tables, the same student without a teacher, the other"
           " seeds.",
           "Two of them are supported. Both say no more than what was measured in pairs."),
    why="Both claim exactly what was measured in pairs, and no more.",
)
# fmt: on
