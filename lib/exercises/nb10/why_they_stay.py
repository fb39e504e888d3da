"""Why one chosen piece in ten stays as it is."""

from lib.exercises.spec import Exercise, Mistake

EXERCISE = Exercise(
    name="why_they_stay",
    kind="choose",
    minutes=2,
    difficulty=1,
    reference={"b"},
    answer='["b"]',
    form='An answer is a list of one letter, such as ["a"].',
    mistakes=[
        Mistake(
            "saves_time",
            "The loss is computed at these places as at the others: nothing is saved.",
            lambda letters: "a" in letters,
            example=["a"],
        ),
        Mistake(
            "closes_the_cheat",
            "[MASK] closes it. A piece that stays is, on the contrary, in plain sight.",
            lambda letters: "c" in letters,
            example=["c"],
        ),
        Mistake(
            "makes_it_easier",
            "One place in ten gets easier, but that is not what it is for: the aim is what the model does"
            " with words that it can see.",
            lambda letters: "d" in letters,
            example=["d"],
        ),
    ],
    hints=(
        "Think of the model after pretraining, when it reads your sentence. How many [MASK]s are in it?",
        "Were every chosen place a [MASK], the model would be asked for nothing at a word that it can see.",
        "It is asked at words in plain sight as well, most of them true, some of them swapped.",
    ),
    why="Any word may be asked for, and may be wrong, so the model has to weigh each against its neighbors.",
    box="mlm_head",
)
