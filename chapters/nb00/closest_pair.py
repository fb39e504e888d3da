"""Which two of three sentences the model finds most alike."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="closest_pair", kind="predict", minutes=2, difficulty=1, reference={"a", "b"}, answer='["a", "b"]',
    form='An answer is two letters, such as ["b", "c"].',
    mistakes=[
        Mistake("shared_words", "They share five words, so a search for words would agree with you. BERT does"
            " not count shared words: this flat is a shape, the other one has lost its air. Guess again.",
            {"a", "c"}),
        Mistake("nothing_in_common", "These two share neither a word nor a subject. Guess again.",
            {"b", "c"}),
        Mistake("not_two", 'A pair is two different letters of a, b and c, such as ["b", "c"].',
            lambda letters: len({letter.strip().lower() for letter in letters} & {"a", "b", "c"}) != 2,
            example=["a", "b", "c"]),
    ],
    hints=("Say each of the three in other words.",
           "Two letters of three: there are only three pairs.",
           "Which two would you expect on the same page of a cycling magazine?"),
    why="Open the next output to see by how much.",
)
# fmt: on
