"""Which layers of a network run at a depth."""

import math
from collections.abc import Iterator
from typing import Any

from lib.compression.elastic import depth as elastic_depth
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

LAYER, COUNTED = "place * num_layers // count", "range(count)"


def cases(seed: int) -> Iterator[tuple[int, float]]:
    """The notebook's six layers first, then the paper's twelve; always a whole number of layers."""
    yield from ((6, 0.5), (6, 2 / 3), (12, 0.75), (6, 1.0), (12, 0.5), (6, 1 / 3), (8, 0.75), (4, 0.25))


def whole_numbers(_candidate: object, _arguments: tuple[int, float], result: Any) -> bool:
    return all(type(layer) is int for layer in result)


def dropped(num_layers: int, depth: float) -> list[int]:
    kept = elastic_depth.layers_kept(num_layers, depth)
    return [layer for layer in range(num_layers) if layer not in kept]


def rounded(num_layers: int, depth: float) -> list[int]:
    return [round(place / depth) for place in range(round(depth * num_layers))]


def rounded_up(num_layers: int, depth: float) -> list[int]:
    return [math.ceil(place / depth - 1e-9) for place in range(round(depth * num_layers))]


def all_places(num_layers: int, depth: float) -> list[int]:
    return [math.floor(place / depth + 1e-9) for place in range(num_layers)]


def multiplied(num_layers: int, depth: float) -> list[int]:
    return [math.floor(place * depth) for place in range(round(depth * num_layers))]


EXERCISE = Exercise(
    name="layers_kept",
    minutes=5,
    difficulty=1,
    reference=elastic_depth.layers_kept,
    cases=cases,
    invariants=[
        Invariant("whole_numbers", "Layers have whole numbers: 2, not 2.0.", whole_numbers),
    ],
    mistakes=[
        Mistake(
            "with_the_last",
            "These are the last layers of each group, i / depth - 1 for i from 1. DynaBERT's code counts i"
            " from 0, so that layer 0 always runs.",
            elastic_depth.layers_kept_with_last,
        ),
        Mistake(
            "first_ones",
            "These are the first layers, one after the other. The layers that run are spread over the whole"
            " network: the whole part of i / depth.",
            edit(LAYER, "place"),
        ),
        Mistake(
            "top_ones",
            "These are the topmost layers. The layers that run are spread over the whole network: the whole"
            " part of i / depth.",
            edit(LAYER, "num_layers - count + place"),
        ),
        Mistake(
            "counted_from_1",
            "You count layers from 1. Here the first layer is layer 0, as in encoder.layer.0.",
            edit(LAYER, f"{LAYER} + 1"),
        ),
        Mistake(
            "dropped",
            "These are the layers that are left out. Asked is which ones run.",
            dropped,
        ),
        Mistake(
            "rounded",
            "You round to the nearest whole number. Take the whole part of i / depth, which never rounds up.",
            (rounded, rounded_up),
        ),
        Mistake(
            "too_many",
            "You count i up to the number of layers, so most numbers are beyond the last layer. i stays below"
            " depth · num_layers: as many layers run.",
            all_places,
        ),
        Mistake(
            "one_missing",
            "The last layer of your list is missing. i goes over all whole numbers from 0 below"
            " depth · num_layers.",
            edit(COUNTED, "range(count - 1)"),
        ),
        Mistake(
            "multiplied",
            "You multiply i by the depth. A depth of 0.5 runs every second layer, so that i has to be divided"
            " by it.",
            multiplied,
        ),
    ],
    hints=(
        "How many layers run? Then go through i = 0, 1, 2, ... as often, and ask which layer each i stands"
        " for.",
        "depth · num_layers is a whole number, but a float: round it before you give it to range.",
        "[int(i / depth) for i in range(round(depth * num_layers))]",
    ),
    why="At half the depth every second layer runs, and the first always does.",
)
