"""How much each step of a token counts, and where it stops."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression import halting
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

HALTS = "running & ((given + probability > 1 - epsilon) | last)"
WEIGHT = "torch.where(halts, 1 - given, torch.where(running, probability, 0))"
NEXT = "given, running = given + weight, running & ~halts"


def cases(seed: int) -> Iterator[tuple[Tensor, float]]:
    """The tokens of the text; a sum of just 1 - epsilon; one step alone; then random ones."""
    yield torch.tensor([[0.73, 0.3], [0.73, 0.3], [0.73, 0.3], [0.73, 0.3]]), 0.01
    yield torch.tensor([[0.5, 0.999, 0.001], [0.25, 0.5, 0.001], [0.125, 0.5, 0.001], [0.5, 0.5, 0.9]]), 0.25
    yield torch.tensor([[0.3, 0.9, 0.999]]), 0.05
    torch.manual_seed(seed)
    for steps, tokens, epsilon, most in (
        (6, 8, 0.01, 0.9),
        (5, 3, 0.4, 0.6),
        (3, 4, 0.1, 0.1),
        (4, 4, 0.9, 0.5),
    ):
        yield (0.02 + 0.98 * most * torch.rand(steps, tokens)).clamp(max=0.98), epsilon


def without_rest(probabilities: Tensor, epsilon: float) -> Tensor:
    """The last step of a token counts what it said, and not the rest."""
    return torch.where(halting.halting_weights(probabilities, epsilon) > 0, probabilities, 0)


def normalized(probabilities: Tensor, epsilon: float) -> Tensor:
    """The same, brought to a sum of 1."""
    weights = without_rest(probabilities, epsilon)
    return weights / weights.sum(0)


def chances(probabilities: Tensor, epsilon: float) -> Tensor:
    """The chance of halting at a step if it was not halted before."""
    left = torch.cat([torch.ones_like(probabilities[:1]), (1 - probabilities).cumprod(0)[:-1]])
    weights = probabilities * left
    return torch.cat([weights[:-1], left[-1:]])


# fmt: off
EXERCISE = Exercise(
    name="halting_weights", minutes=7, difficulty=3, reference=halting.halting_weights, cases=cases,
    gradients=False,
    invariants=[
        Invariant("sum", "The weights of every token have to sum to 1: where a token halts it gets what is"
            " missing to 1, and one that is still running at the last step halts there.",
            lambda _, _arguments, result: torch.allclose(result.sum(0), torch.ones_like(result[0]),
                atol=1e-5)),
    ],
    mistakes=[
        Mistake("probabilities", "You return the probabilities as they came. Where a token halts it gets"
            " what is missing to 1, and afterwards nothing.",
            edit("return torch.stack(weights)", "return probabilities")),
        Mistake("never_forced", "A token that has not halted before the last step keeps a sum below 1. It has"
            " to halt there, and gets what is missing.",
            edit(HALTS, "running & (given + probability > 1 - epsilon)")),
        Mistake("after_the_halt", "A token that has halted gets weight again. Remember who is still running,"
            " and give others 0.",
            (edit(HALTS, "(given + probability > 1 - epsilon) | last")
             .then("given + weight", "given + probability"),
             edit(WEIGHT, "torch.where(halts, 1 - given, probability)"))),
        Mistake("no_rest", "Where a token halts it gets what is missing to 1, and not its probability there.",
            (edit(WEIGHT, "torch.where(running, probability, 0)"), without_rest)),
        Mistake("one_step_late", "A token halts one step too late: ask whether its sum *would* exceed 1 -"
            " epsilon with this step's probability, not whether it already has.",
            edit("given + probability >", "given >")),
        Mistake("equal_halts", "A sum of just 1 - epsilon does not exceed it, so such a token goes on.",
            edit("probability > 1", "probability >= 1")),
        Mistake("divided", "You bring the sum to 1 by dividing. A token's probabilities stay as they are, and"
            " its last step gets what is missing.",
            (normalized, lambda probabilities, epsilon: probabilities / probabilities.sum(0))),
        Mistake("chances", "You multiply by what is left over, as if a token threw a coin at each step. Here"
            " its probabilities are added up as they are.", chances),
        Mistake("epsilon_for_the_limit", "You compare with epsilon. The limit is 1 - epsilon.",
            edit("1 - epsilon", "epsilon")),
        Mistake("no_epsilon", "You compare with 1. With probabilities below 1 no token could halt at its"
            " first step, so the limit is 1 - epsilon.", edit("1 - epsilon", "1")),
        Mistake("axes", "You go along the tokens. A column is a token, and its steps are the rows.",
            lambda probabilities, epsilon: halting.halting_weights(probabilities.T, epsilon).T),
    ],
    hints=("Go through the steps, and keep for each token what it has got so far, and whether it is still"
           " running.",
           "given and running are [tokens]. At a step, halts = running & (given + probability > 1 - epsilon);"
           " at the last step all that run halt.",
           "weight = torch.where(halts, 1 - given, torch.where(running, probability, 0)); then given +="
           " weight, running &= ~halts"),
    why="Every token's weights sum to 1, whenever it halts.",
)
# fmt: on
