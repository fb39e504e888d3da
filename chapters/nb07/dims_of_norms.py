"""Over which dimensions three norms average."""

from collections.abc import Mapping
from typing import Any

from lib.exercises.spec import Exercise, Mistake

NORMS = {"batch": (0, 1), "layer": (2,), "instance": (1,)}


def dims(value: Any) -> set[int]:
    """Dimensions as a set counted from 0: an int will do for one, -1 for the last. None of other things."""
    listed = [value] if isinstance(value, int) else value
    if not isinstance(listed, (list, tuple, set)) or not all(type(dim) is int for dim in listed):
        return set()
    return {dim + 3 if dim < 0 else dim for dim in listed}


def same(answer: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Equal as sets."""
    return answer.keys() == expected.keys() and all(
        dims(answer[key]) == dims(expected[key]) for key in expected
    )


# fmt: off
EXERCISE = Exercise(
    name="dims_of_norms", kind="predict", minutes=4, difficulty=2, reference=NORMS,
    form='An answer is a dict of three tuples of dimensions, such as {"batch": (2,), ...}.',
    same=same,
    mistakes=[
        Mistake("other_keys", 'Give one entry for each of "batch", "layer" and "instance".',
            lambda answer: answer.keys() != NORMS.keys(), example={"batch": (2,)}),
        Mistake("no_dimensions", "Each norm has a tuple of one or more dimensions: 0 is the sentence, 1 the"
            " token, 2 the feature.",
            lambda answer: not all(dims(value) and dims(value) <= {0, 1, 2} for value in answer.values()),
            example={"batch": (1, 2), "layer": (3,), "instance": (2,)}),
        Mistake("kept_for_averaged", "You name the dimensions that are kept. mean(dims) wants those that"
            " vanish.", {"batch": (2,), "layer": (0, 1), "instance": (0, 2)}),
        Mistake("layer_and_instance_swapped", "Layer and instance have changed places: layer norm runs along"
            " a token's row.",
            lambda answer: (dims(answer["layer"]), dims(answer["instance"])) == ({1}, {2}),
            example={"batch": (0, 1), "layer": (1,), "instance": (2,)}),
        Mistake("as_for_images", "In BERT each token has a mean of its own, not each sentence: in the second"
            " panel a single row is dark.",
            lambda answer: bool(dims(answer["layer"]) & {0, 1}),
            example={"batch": (0, 1), "layer": (1, 2), "instance": (1,)}),
        Mistake("batch", "In the first panel a single column is dark, in every sentence, from top to bottom:"
            " batch norm keeps the features apart, and nothing else.",
            lambda answer: dims(answer["batch"]) != {0, 1},
            example={"batch": (0, 1, 2), "layer": (2,), "instance": (1,)}),
        Mistake("instance", "In the third panel a single column of one sentence is dark: features and"
            " sentences stay apart.",
            lambda answer: dims(answer["instance"]) != {1},
            example={"batch": (0, 1), "layer": (2,), "instance": (1, 2)}),
    ],
    hints=("A dimension along which the dark cells run is one that the mean averages over.",
           "[sentence, token, feature] are the dimensions 0, 1 and 2. Rows of the picture are tokens, columns"
           " features, blocks sentences.",
           "Layer norm's dark cells are one row, so only the feature varies: (2,). Now the other two."),
    why="One line of code, hidden.mean(dims, keepdim=True), is three of the four norms.",
)
# fmt: on
