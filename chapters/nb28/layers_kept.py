"""Which layers of a network run at a depth."""

from collections.abc import Iterator

from chapters.nb28 import layers
from lib.compression.elastic import depth as elastic_depth
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

LAYER = "place * num_layers // count"


def cases(seed: int) -> Iterator[tuple[int, float]]:
    """The notebook's six layers first, then the paper's twelve; always a whole number of layers."""
    yield from ((6, 0.5), (6, 2 / 3), (12, 0.75), (6, 1.0), (12, 0.5), (6, 1 / 3), (8, 0.75), (4, 0.25))


# fmt: off
EXERCISE = Exercise(
    name="layers_kept", minutes=5, difficulty=1, reference=layers.layers_kept, cases=cases,
    invariants=[
        Invariant("whole_numbers", "Layers have whole numbers: 2, not 2.0.",
            lambda _, arguments, result: all(type(layer) is int for layer in result)),
    ],
    mistakes=[
        Mistake("with_the_last", "These are the last layers of each group, i / depth - 1 for i from 1."
            " DynaBERT's code counts i from 0, so that layer 0 always runs.",
            elastic_depth.layers_kept_with_last),
        Mistake("side_by_side", "These are the first layers, or the topmost. The layers that run are spread"
            " over the whole network: the whole part of i / depth.",
            (edit(LAYER, "place"), edit(LAYER, "num_layers - count + place"))),
        Mistake("dropped", "These are the layers that are left out. Asked is which ones run.",
            edit("return ", "return sorted({*range(num_layers)} - {*").then("(count)]", "(count)]})")),
        Mistake("rounded", "You round to the nearest whole number. Take the whole part of i / depth, which"
            " never rounds up.",
            (edit(LAYER, "round(place * num_layers / count)"),
             edit(LAYER, "-(-place * num_layers // count)"))),
        Mistake("too_many", "You count i up to the number of layers, so most numbers are beyond the last"
            " layer. i stays below depth · num_layers: as many layers run.",
            edit("range(count)", "range(num_layers)")),
        Mistake("multiplied", "You multiply i by the depth. A depth of 0.5 runs every second layer, so that i"
            " has to be divided by it.", edit(LAYER, "place * count // num_layers")),
    ],
    hints=("How many layers run? Then go through i = 0, 1, 2, ... as often, and ask which layer each i stands"
           " for.",
           "depth · num_layers is a whole number, but a float: round it before you give it to range.",
           "[int(i / depth) for i in range(round(depth * num_layers))]"),
    why="At half the depth every second layer runs, and the first always does.",
)
# fmt: on
