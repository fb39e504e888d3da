"""A model that decides how often its one layer runs: adaptive computation time.

Graves (2016) for recurrent networks, and for each token of a Transformer whose layers share their weights the
Universal Transformer (Dehghani et al., 2019). Before each step a token says with which probability it halts.
Its answer is the mean of the states after all its steps, by these weights; and it pays for its steps.

tensor2tensor leaves a token that is still running at the last step without the rest of its weight, so that
its weights sum to less than 1. Here every token halts at the last step.
"""

from __future__ import annotations

import torch
from torch import Tensor


def halting_weights(probabilities: Tensor, epsilon: float) -> Tensor:
    """How much the state after each step counts in a token's answer; both [steps, tokens], or [steps, B, T].

    probabilities: in (0, 1), of halting at each step. A token gets them until their sum would exceed
    1 - epsilon. There, and at the last step at the latest, it gets what is missing to 1, and nothing
    afterwards. The gradient passes into all that it was computed of.
    """
    weights, given = [], torch.zeros_like(probabilities[0])
    running = torch.ones_like(given, dtype=torch.bool)
    for step, probability in enumerate(probabilities):
        last = step == len(probabilities) - 1
        halts = running & ((given + probability > 1 - epsilon) | last)
        weight = torch.where(halts, 1 - given, torch.where(running, probability, 0))
        weights.append(weight)
        given, running = given + weight, running & ~halts
    return torch.stack(weights)


def ponder_cost(weights: Tensor) -> Tensor:
    """Of each token the number of its steps plus its remainder, what it got at the last of them: [tokens].

    weights [steps, tokens]: of `halting_weights`. The number of steps has no gradient, the remainder has: a
    larger probability at an earlier step makes it smaller.
    """
    steps = (weights > 0).sum(dim=0)  # [tokens]
    remainder = weights.gather(0, (steps - 1)[None])[0]
    return steps + remainder
