"""What a trigram gets right where the subject stands out of its reach."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="trigram_apart", kind="choose", minutes=2, difficulty=1, reference="half",
    form='An answer is one of "most", "half", "hardly any".',
    mistakes=[
        Mistake("as_if_it_saw_the_subject", 'A trigram sees two tokens before the blank: in "the keys to the'
            ' cabinet [MASK]" that is "the cabinet". What could it know of the keys?', "most"),
        Mistake("as_if_always_drawn", "It would get hardly any right if the noun beside the blank always had"
            " the other number. In this text it does in half of the sentences.", "hardly any"),
        Mistake("none_of_the_three", 'Choose one of the three: "most", "half", "hardly any".',
            lambda text: text.strip().casefold() not in ("most", "half", "hardly any"), example="a few"),
    ],
    hints=("Write down what stands within two tokens of the blank.",
           "In half of the sentences the noun there has the subject's number, in half the other one.",
           "Whatever it says there is a coin toss."),
    why="Where the subject is out of reach, counting tosses a coin.",
)
# fmt: on
