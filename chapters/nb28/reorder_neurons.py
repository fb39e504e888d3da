"""A feed-forward network with its neurons sorted, in a draft that leaves one tensor behind."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.elastic import width
from lib.exercises.spec import Exercise, Mistake, edit

ORDER = "importance.argsort(descending=True, stable=True)"
ROWS, BIAS, COLUMNS = "wide_weight[order]", "wide_bias[order]", "narrow_weight[:, order]"


def cases(seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Three neurons of two features, as in the notebook; then others, with no two of equal importance."""
    yield (
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        torch.tensor([0.5, -1.0, 0.0]),
        torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        torch.tensor([0.1, 0.2]),
        torch.tensor([0.2, 0.9, 0.5]),
    )
    generator = torch.Generator().manual_seed(seed)
    for neurons, features in ((8, 3), (5, 2), (12, 4)):
        yield (
            torch.randn(neurons, features, generator=generator),
            torch.randn(neurons, generator=generator),
            torch.randn(features, neurons, generator=generator),
            torch.randn(features, generator=generator),
            torch.randperm(neurons, generator=generator) / neurons,
        )


# fmt: off
EXERCISE = Exercise(
    name="reorder_neurons", kind="bug", minutes=5, difficulty=1, reference=width.reorder_neurons, cases=cases,
    returns=("wide_weight", "wide_bias", "narrow_weight", "narrow_bias"),
    mistakes=[
        Mistake("bias_left_behind", "That is still the draft. A neuron has a row, a number and a column: one"
            " of the three stayed behind, so a neuron now works with what belongs to another.",
            edit(BIAS, "wide_bias")),
        Mistake("columns_left_behind", "The neurons moved, and the second matrix still reads them in the old"
            " order: its columns have to move with them.",
            (edit(COLUMNS, "narrow_weight"), edit(COLUMNS, "narrow_weight").then(BIAS, "wide_bias"))),
        Mistake("rows_left_behind", "The rows of the first matrix make the neurons. They have to move with"
            " their biases and columns.", edit(ROWS, "wide_weight")),
        Mistake("least_important_first", "Your order begins with the least important neuron, which is the one"
            " that every size would keep.",
            (edit("descending=True", "descending=False"),
             edit("descending=True", "descending=False").then(BIAS, "wide_bias"))),
        Mistake("places_not_neurons", "You index by the place that each neuron goes to. Indexing wants the"
            " neuron that comes to each place: argsort once, not twice.", edit(ORDER, f"{ORDER}.argsort()")),
    ],
    hints=("A neuron is a row of the first matrix, a number in its bias, and a column of the second matrix.",
           "[F, D], [F] and [D, F] have one dimension of length F each, and all three are indexed by the"
           " order there. What has length D belongs to features.",
           "return wide_weight[order], wide_bias[order], narrow_weight[:, order], narrow_bias"),
    why="What moves together computes the same, so the network can be sorted at no cost.",
)
# fmt: on
