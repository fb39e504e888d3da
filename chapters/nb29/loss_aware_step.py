"""One round of loss-aware ternarization: codes for a scale, then the best scale for these codes."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import ternary
from lib.exercises.scaled_codes import codes_and_scale
from lib.exercises.spec import Exercise, Mistake, edit

KEPT, BEST = "weight.abs() > scale / 2", "(weighs * weight.abs()).sum() / total.where(total > 0, 1)"
Case = tuple[Tensor, Tensor, float | Tensor]


def cases(seed: int) -> Iterator[Case]:
    """The weights of the text; one on the edge; importances like Adam's; none that is left; random ones."""
    weight = torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]])
    yield weight, torch.tensor([[1.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0]]), 0.5
    yield torch.tensor([[1.0, -2.0, 3.0, -1.5]]), torch.tensor([[5.0, 2.0, 0.5, 1.0]]), 2.0
    yield weight, torch.full_like(weight, 1e-12), 0.3
    yield weight, torch.ones_like(weight), 10.0  # none is left
    yield weight, torch.zeros_like(weight), 0.5
    torch.manual_seed(seed)
    yield torch.randn(3, 7), torch.rand(3, 7), torch.tensor(1.1)
    yield torch.randn(4, 4, dtype=torch.float64), torch.rand(4, 4, dtype=torch.float64) ** 4, 0.8
    yield -torch.rand(5, 6), 10 * torch.rand(5, 6), 0.2


def run(candidate: Any, weight: Tensor, importance: Tensor, scale: float | Tensor) -> tuple[Tensor, Tensor]:
    """Codes and scale; the scale may be a number."""
    return codes_and_scale(candidate(weight, importance, scale))


# fmt: off
EXERCISE = Exercise(
    name="loss_aware_step", minutes=7, difficulty=2, reference=ternary.loss_aware_step, cases=cases, run=run,
    returns=("codes", "scale"), gradients=False,
    mistakes=[
        Mistake("beyond_the_scale", "You keep what is larger than the scale. The nearest of -scale, 0 and"
            " scale changes halfway between them, at scale / 2.", edit(KEPT, "weight.abs() > scale")),
        Mistake("edge_kept", "A weight of exactly scale / 2 becomes 0: compare with >, not with >=.",
            edit(KEPT, "weight.abs() >= scale / 2")),
        Mistake("importance_in_the_codes", "You let the importance choose the codes. For one weight alone the"
            " nearest code is best however much its error weighs: importance enters the scale only, where"
            " errors are summed.", edit(KEPT, "importance * weight.abs() > scale / 2")),
        Mistake("threshold_of_twn", "You take TWN's threshold, 0.7 times the mean. Here the scale that is"
            " given decides.", edit(KEPT, "weight.abs() > 0.7 * weight.abs().mean()")),
        Mistake("importance_forgotten", "Your scale is the plain mean of what is left. Weigh each |w| by its"
            " importance, twice.", edit("importance * is_kept", "1.0 * is_kept")),
        Mistake("importance_squared", "Importance stands in your sums more than once. Each |w| counts by its"
            " importance itself.", edit("importance * is_kept", "importance.square() * is_kept")),
        Mistake("importance_above_alone", "Importance stands in your upper sum and not in the lower one: a"
            " weighted mean divides by the sum of the weights.",
            edit("total = weighs.sum()", "total = is_kept.sum().to(weight.dtype)")),
        Mistake("importance_of_all", "Below you sum the importance of all weights. Only those whose code is"
            " not 0 count.", edit("total = weighs.sum()", "total = importance.sum()")),
        Mistake("signs_cancel", "Your upper sum has the weights with their signs, so that they cancel. Take"
            " |w|.", edit("weighs * weight.abs()", "weighs * weight")),
        Mistake("something_added_below", "You add a small number below, or clamp the sum. Importances of"
            " 1e-12 are real ones, and beside them what you add is huge: ask whether the sum is 0 instead.",
            (edit("total.where(total > 0, 1)", "(total + 1e-8)"),
             edit("total.where(total > 0, 1)", "(total + 1e-12)"),
             edit("total.where(total > 0, 1)", "total.clamp(min=1e-8)"),
             edit("total.where(total > 0, 1)", "total.clamp(min=1e-6)"),
             edit("total.where(total > 0, 1)", "total.clamp(min=1)"))),
        Mistake("nothing_left", "Where no weight is left, or none matters, the sum below is 0 and you return"
            " NaN. The scale is 0 there.", edit("total.where(total > 0, 1)", "total")),
    ],
    hints=("For the codes ask of each weight which of -scale, 0 and scale is nearest. For the scale ask which"
           " number comes nearest to all |w| that are left, each counting by its importance.",
           "is_kept = weight.abs() > scale / 2 is boolean, and importance * is_kept are the weights of a"
           " weighted mean.",
           "total = (importance * is_kept).sum(); new = (importance * is_kept * weight.abs()).sum() / total"
           " if total > 0 else 0.0"),
    why="Neither step can make the weighted error larger, so repeating them comes to rest.",
)
# fmt: on
