"""A learning rate for every layer, falling from the top to the embeddings."""

from collections.abc import Iterator

from lib.exercises.spec import Exercise, Mistake, edit
from lib.training import freezing

POWER = "decay ** (num_layers - place)"


def cases(seed: int) -> Iterator[tuple[int, float, float]]:
    """Two layers to read, one, the paper's decay, equal rates, and rates that fall to nothing."""
    yield 2, 1.0, 0.5
    yield 1, 0.1, 0.5
    yield 6, 3e-4, 0.8
    yield 12, 2e-5, 1 / 2.6
    yield 3, 1.0, 1.0
    yield 4, 2.0, 0.0


# fmt: off
EXERCISE = Exercise(
    name="layer_rates", minutes=3, difficulty=1, reference=freezing.layer_rates, cases=cases, tolerance=1e-7,
    mistakes=[
        Mistake("upside_down", "Your list begins with the last layer. The embeddings come first, with the"
            " smallest rate, and the last layer, with `top`, comes last.",
            edit("(num_layers - place)", "place")),
        Mistake("without_embeddings", "Your list has one number for each layer. The embeddings need one too,"
            " at the beginning: below layer 0, so `decay` times its rate.",
            edit("range(num_layers + 1)", "range(1, num_layers + 1)")),
        Mistake("embeddings_as_layer_0", "The embeddings learn as fast as layer 0. They lie below it: one"
            " more factor of `decay`.", edit("- place", "- max(1, place)")),
        Mistake("last_layer_decayed", "Your last layer has decay times `top`. It has `top` itself; the first"
            " factor belongs to the layer below it.", edit(POWER, "decay ** (num_layers - place + 1)")),
        Mistake("falls_by_a_line", "The rates fall by the same amount each time. Each is `decay` *times* the"
            " one above it, so they fall by the same factor.",
            (edit(POWER, "(1 - (1 - decay) * (num_layers - place))"), edit("decay **", "decay *"))),
        Mistake("same_for_all", "All layers below the last have the same rate. Each is `decay` times the rate"
            " of the layer just above it: the factors multiply.",
            edit(POWER, "(1 if place == num_layers else decay)")),
        Mistake("one_minus_decay", "You multiply by 1 - decay. `decay` itself is the factor: 0.8 keeps 80% of"
            " the rate above.", edit("decay **", "(1 - decay) **")),
    ],
    hints=("Start at the last layer, which has `top`. How many steps down is a layer, and the embeddings?",
           "The embeddings are place 0 and the last layer is place num_layers, so place p is num_layers - p"
           " steps below the top, and each step multiplies by `decay`.",
           "return [top * decay ** (num_layers - place) for place in range(num_layers + 1)]"),
    why="What is lower is more general, so it has less to change.", box="task_head",
)
# fmt: on
