"""Which tokens layer norm cannot tell from the first."""

from collections.abc import Callable, Iterable

from lib.exercises.spec import Exercise, Mistake


def has(letter: str) -> Callable[[Iterable[str]], bool]:
    """A predicate: this letter is among those given, large or small."""
    return lambda letters: letter in [one.strip().casefold() for one in letters]


def lacks(letter: str) -> Callable[[Iterable[str]], bool]:
    """A predicate: it is not."""
    return lambda letters: not has(letter)(letters)


# fmt: off
EXERCISE = Exercise(
    name="tokens_that_come_out_equal", kind="predict", minutes=3, difficulty=1, reference={"b", "c", "f"},
    answer='["b", "c", "f"]',
    form='An answer is a list of letters out of "b" to "f", such as ["b", "e"].',
    mistakes=[
        Mistake("sign", "Not d: its features stand on the other side of their mean, so they come out with the"
            " other sign. Dividing by a standard deviation never turns a sign around.",
            has("d"), example=["b", "c", "d", "f"]),
        Mistake("order", "Not e: it has the same mean and spread as a, but other features are high. Layer"
            " norm moves and scales a token; it sorts nothing.", has("e"), example=["b", "c", "e", "f"]),
        Mistake("itself", "a is what the others are compared with: give letters out of b to f.",
            has("a"), example=["a", "b", "c", "f"]),
        Mistake("none", "There are some. Take what is easiest first: what does a become, and what does ten"
            " times a?", []),
        Mistake("small_spread", "One is missing whose features hardly differ. Their spread is small, but they"
            " are divided by that same small spread.", {"b", "c"}),
        Mistake("shift_counts", "What if 100 is added to all features of a? The mean grows by 100 too, and is"
            " subtracted.", lacks("c"), example=["b"]),
        Mistake("scale_counts", "What if all features are ten times as large as those of a? Their spread, by"
            " which they are divided, is ten times as large too.", lacks("b"), example=["c"]),
    ],
    hints=("For each token: subtract its mean, divide by its spread. Two of them you can do in your head.",
           "Each token has four features, two low and two high. Which are high, and by how many spreads?",
           "a becomes -1 -1 1 1. So does every token that is low, low, high, high, by however little."),
    why="Layer norm removes a token's level, its mean, and its size, its spread: the pattern is left.",
)
# fmt: on
