"""The order in which a text passes the stations of the map."""

from lib.exercises.spec import Exercise, Mistake


def before(first: str, second: str, letters: list[str]) -> bool:
    """Whether an answer has all five letters, and `first` before `second`."""
    order = [letter.strip().lower() for letter in letters]
    return sorted(order) == list("abcde") and order.index(first) < order.index(second)


# fmt: off
EXERCISE = Exercise(
    name="order_of_stations", kind="order", minutes=2, difficulty=1, reference=["d", "b", "e", "a", "c"],
    answer='["d", "b", "e", "a", "c"]',
    form='An answer is a list of the five letters, first station first, such as ["a", "b", "c", "d", "e"].',
    mistakes=[
        Mistake("upside_down", "The other way around: the map is read from the bottom, where the text comes"
            " in.", ["c", "a", "e", "b", "d"]),
        Mistake("numbers_before_pieces", "A number belongs to a token: the text has to be cut into tokens"
            " first.", lambda letters: before("b", "d", letters), example=["b", "d", "e", "a", "c"]),
        Mistake("vectors_before_numbers", "A vector is looked up by a number, so the numbers have to be there"
            " first.", lambda letters: before("e", "b", letters), example=["d", "e", "b", "a", "c"]),
        Mistake("layers_before_vectors", "Layers work on vectors, so these have to be looked up first.",
            lambda letters: before("a", "e", letters), example=["d", "b", "a", "e", "c"]),
        Mistake("head_before_layers", "An output head reads what the layers have made of the vectors: it"
            " comes last.", lambda letters: before("c", "a", letters), example=["d", "b", "e", "c", "a"]),
    ],
    hints=("The map at the top is read from the bottom up.",
           "Text, tokens, numbers, vectors, vectors that know their sentence, an answer.",
           "It begins with d and ends with c."),
)
# fmt: on
