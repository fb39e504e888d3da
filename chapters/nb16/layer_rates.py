"""A learning rate for every layer, falling from the top to the embeddings."""

from collections.abc import Iterator

from lib.exercises.spec import Exercise, Mistake, edit
from lib.training import freezing

POWER = "decay ** (num_layers - place)"
PLACES = "range(num_layers + 1)"


def cases(seed: int) -> Iterator[tuple[int, float, float]]:
    """Two layers to read, one, the paper's decay, equal rates, and rates that fall to nothing."""
    yield 2, 1.0, 0.5
    yield 1, 0.1, 0.5
    yield 6, 3e-4, 0.8
    yield 12, 2e-5, 1 / 2.6
    yield 3, 1.0, 1.0
    yield 4, 2.0, 0.0


def upside_down(num_layers: int, top: float, decay: float) -> list[float]:
    return freezing.layer_rates(num_layers, top, decay)[::-1]


def without_embeddings(num_layers: int, top: float, decay: float) -> list[float]:
    return freezing.layer_rates(num_layers, top, decay)[1:]


def embeddings_as_layer_0(num_layers: int, top: float, decay: float) -> list[float]:
    return [top * decay ** (num_layers - max(1, place)) for place in range(num_layers + 1)]


def falls_by_a_line(num_layers: int, top: float, decay: float) -> list[float]:
    return [top * (1 - (1 - decay) * (num_layers - place)) for place in range(num_layers + 1)]


EXERCISE = Exercise(
    name="layer_rates",
    minutes=5,
    difficulty=1,
    reference=freezing.layer_rates,
    cases=cases,
    tolerance=1e-7,
    mistakes=[
        Mistake(
            "upside_down",
            "Your list begins with the last layer. The embeddings come first, with the smallest rate, and the"
            " last layer, with `top`, comes last.",
            (upside_down, edit("(num_layers - place)", "place")),
        ),
        Mistake(
            "without_embeddings",
            "Your list has one number for each layer. The embeddings need one too, at the beginning: below"
            " layer 0, so `decay` times its rate.",
            (without_embeddings, edit(PLACES, "range(1, num_layers + 1)")),
        ),
        Mistake(
            "last_layer_missing",
            "Your list ends one layer too early: there are num_layers + 1 rates, and the last is `top`.",
            edit(PLACES, "range(num_layers)"),
        ),
        Mistake(
            "embeddings_as_layer_0",
            "The embeddings learn as fast as layer 0. They lie below it: one more factor of `decay`.",
            embeddings_as_layer_0,
        ),
        Mistake(
            "last_layer_decayed",
            "Your last layer has decay times `top`. It has `top` itself; the first factor belongs to the"
            " layer below it.",
            edit(POWER, "decay ** (num_layers - place + 1)"),
        ),
        Mistake(
            "embeddings_hold_top",
            "You raise the rates from layer to layer by 1 / decay, starting with `top` at the embeddings. The"
            " last layer has `top`, and below it the rates get smaller.",
            edit(POWER, "decay ** -place if decay else top"),
        ),
        Mistake(
            "divided",
            "You divide by `decay`, so lower layers learn faster. Multiply: each rate is `decay` times the"
            " one above.",
            edit(POWER, "(1 / decay if decay else 9.0) ** (num_layers - place)"),
        ),
        Mistake(
            "falls_by_a_line",
            "The rates fall by the same amount each time. Each is `decay` *times* the one above it, so they"
            " fall by the same factor.",
            (falls_by_a_line, edit(POWER, "decay * (num_layers - place)")),
        ),
        Mistake(
            "same_for_all",
            "All layers below the last have the same rate. Each is `decay` times the rate of the layer just"
            " above it: the factors multiply.",
            edit(POWER, "(1 if place == num_layers else decay)"),
        ),
        Mistake(
            "one_minus_decay",
            "You multiply by 1 - decay. `decay` itself is the factor: 0.8 keeps 80% of the rate above.",
            edit(POWER, "(1 - decay) ** (num_layers - place)"),
        ),
        Mistake(
            "not_scaled",
            "These are shares of the highest rate. Multiply each by `top`.",
            edit("top * ", ""),
        ),
    ],
    hints=(
        "Start at the last layer, which has `top`. How many steps down is a layer, and the embeddings?",
        "The embeddings are place 0 and the last layer is place num_layers, so place p is num_layers - p"
        " steps below the top, and each step multiplies by `decay`.",
        "return [top * decay ** (num_layers - place) for place in range(num_layers + 1)]",
    ),
    why="What is lower is more general, so it has less to change.",
    box="task_head",
)
