"""Why one chosen piece in ten stays as it is."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="why_they_stay", kind="choose", minutes=3, difficulty=2, reference={"d"}, answer='["d"]',
    form='An answer is a list of one letter, such as ["a"].',
    mistakes=[
        Mistake("saves_time", "The loss is computed at these places as at the others: nothing is saved.",
            lambda letters: "a" in letters, example=["a"]),
        Mistake("reason_of_the_whole", "That is what the paper says of the three fates together, and it is"
            " mostly the random tokens that bring it about. The tokens that stay have a reason of their own:"
            " in the picture of the mixes, compare 100/0/0 with 80/10/10 where the right token is in sight.",
            lambda letters: "b" in letters, example=["b"]),
        Mistake("closes_the_leak", "[MASK] closes it. A token that stays is, on the contrary, in plain"
            " sight.", lambda letters: "c" in letters, example=["c"]),
    ],
    hints=("Think of the model after pretraining, when it reads your sentence. How many [MASK]s are in it?",
           "In the picture of the mixes, look at the bars with the right token in sight. Which mix has no"
           " token that stays, and how does it do there?",
           "At a token that stays, the best answer is to repeat what is there. What does that do to the"
           " token's vector?"),
    why="Devlin and others (2019, A.1): these 10 % bias the vector toward the word that really stands there.",
    box="mlm_head",
)
# fmt: on
