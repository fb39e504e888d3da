"""The exercises of notebook 12, pretraining."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.experiments import pretraining_choices, records, small_bert
from lib.stats import difference
from lib.training import schedules

NOTEBOOK = "12_pretraining"


# --- learning_rate --------------------------------------------------------------------------------


def _cases_of_rates(seed: int) -> Iterator[tuple[int, int, int, float]]:
    """The ends of a short run and a place on its way up, then places in longer ones."""
    for step in (0, 1, 3, 4, 9):
        yield step, 10, 4, 1.0
    for step in (0, 99, 100, 101, 550, 999):
        yield step, 1000, 100, 3e-3
    yield 5, 20, 1, 0.5


def _peak_is_reached(candidate: Any, arguments: tuple[int, int, int, float], result: float) -> bool:
    _, steps, warm, peak = arguments
    return abs(candidate(warm - 1, steps, warm, peak) - peak) < 1e-9 * peak


RATE = Exercise(
    name="learning_rate",
    notebook=NOTEBOOK,
    reference=schedules.learning_rate,
    cases=_cases_of_rates,
    tolerance=1e-7,
    invariants=[
        Invariant(
            "never_at_the_peak",
            "The last step of the warm-up, number warm - 1, should have the whole of `peak`. Yours has not.",
            _peak_is_reached,
        ),
    ],
    mistakes=[
        Mistake(
            "begins_at_zero",
            "Step 0 gets a rate of 0, so it changes nothing. Steps are counted from 0: the first of the"
            " `warm` strides is made at once, (step + 1) / warm.",
            lambda step, steps, warm, peak: peak * min(step / warm, (steps - step) / max(1, steps - warm)),
        ),
        Mistake(
            "no_decay",
            "The rate rises and stays up. After the warm-up it falls down a line, and would be 0 at step"
            " number `steps`.",
            lambda step, steps, warm, peak: peak * min(1, (step + 1) / warm),
        ),
        Mistake(
            "no_warm_up",
            "The rate falls from the start. For the first `warm` steps it rises; the smaller of the two lines"
            " counts.",
            lambda step, steps, warm, peak: peak * min(1, (steps - step) / max(1, steps - warm)),
        ),
        Mistake(
            "falls_from_step_0",
            "Your line down starts at step 0, so the peak is never reached. It starts where the warm-up ends"
            " and has steps - warm steps to get to 0.",
            lambda step, steps, warm, peak: peak * min((step + 1) / warm, (steps - step) / steps),
        ),
        Mistake(
            "falls_a_step_early",
            "Your line down begins at step warm - 1. Step `warm` still has the whole peak, and steps - warm"
            " steps are left to get to 0.",
            lambda step, steps, warm, peak: (
                peak * min((step + 1) / warm, (steps - step) / (steps - warm + 1))
            ),
        ),
        Mistake(
            "multiplied",
            "You multiply the two lines. Each holds in its own part of the run: take the smaller one.",
            lambda step, steps, warm, peak: peak * min(1, (step + 1) / warm) * min(1, (steps - step) / steps),
        ),
        Mistake(
            "not_scaled",
            "That is the share of the peak, from 0 to 1. Multiply it by `peak`.",
            lambda step, steps, warm, peak: min((step + 1) / warm, (steps - step) / max(1, steps - warm)),
        ),
    ],
    hints=(
        "Two lines: one goes up from the start, one comes down to the end. At each step the lower counts.",
        "Up: 1/warm, 2/warm, ... 1 at step warm - 1. Down: steps - step of the steps - warm that remain.",
        "return peak * min((step + 1) / warm, (steps - step) / max(1, steps - warm))",
    ),
    why="Small steps while Adam knows little about the gradients, small ones again to settle.",
    box="mlm_head",
)


# --- beside_and_apart -----------------------------------------------------------------------------


APART = Exercise(
    name="trigram_apart",
    notebook=NOTEBOOK,
    kind="choose",
    reference="half",
    form='An answer is one of "most", "half", "hardly any".',
    mistakes=[
        Mistake(
            "as_if_it_saw_the_subject",
            'A trigram sees two pieces before the blank: in "the keys to the cabinet [MASK]" that is "the'
            ' cabinet". What could it know of the keys?',
            "most",
        ),
        Mistake(
            "as_if_always_drawn",
            "It would get hardly any right if the noun beside the blank always had the other number. In this"
            " text it does in half of the sentences.",
            "hardly any",
        ),
    ],
    hints=(
        "Write down what stands within two pieces of the blank.",
        "In half of the sentences the noun there has the subject's number, in half the other one.",
        "Whatever it says there is a coin toss.",
    ),
    why="Where the subject is out of reach, counting tosses a coin.",
)


# --- noisy_arms -----------------------------------------------------------------------------------

READ = ("left side", "1 layer", "4 layers", "1 head", "8 heads")


def _noisy_arms() -> int:
    losses = pretraining_choices.losses_of(records.load("ablations"))
    return sum(not difference(losses["base"], losses[name]).is_resolved for name in READ)


NOISE = Exercise(
    name="noisy_arms",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_noisy_arms,
    form="An answer is a whole number from 0 to 5.",
    mistakes=[
        Mistake(
            "more_than_there_are",
            "There are five arms to look at.",
            lambda number: number > len(READ),
            example=6,
        ),
        Mistake(
            "the_others",
            "You counted those that differ by more than the spread. How many are left?",
            lambda number: number == len(READ) - _noisy_arms(),
            example=len(READ) - _noisy_arms(),
        ),
    ],
    hints=(
        "Compare two lengths: from point to point, and from the lowest to the highest seed.",
        "For each arm take the longer of two lines, its own and the base's: is the base's point nearer?",
        "sum(not stats.difference(losses['base'], losses[name]).is_resolved for name in the five names)",
    ),
    why="Three seeds are few: with more of them, a small difference may yet turn out to be one.",
)


# --- global_mean ----------------------------------------------------------------------------------


def _cases_of_ranks(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    yield torch.tensor([6.0, 2.0]), torch.tensor([3.0, 1.0])
    yield torch.tensor([8.0, 3.0]), torch.tensor([2.0, 3.0])
    for ranks in (1, 2, 4, 8):
        counts = torch.randint(1, 40, (ranks,), generator=generator).float()
        yield counts * (1 + torch.rand(ranks, generator=generator)), counts


MEAN = Exercise(
    name="global_mean",
    notebook=NOTEBOOK,
    kind="bug",
    reference=small_bert.global_mean,
    cases=_cases_of_ranks,
    mistakes=[
        Mistake(
            "mean_of_means",
            "That is the draft: the mean of the processes' means. A process with few chosen places counts as"
            " much as one with many. Divide once, at the end: all losses by all places.",
            lambda sums, counts: (sums / counts).mean(),
        ),
        Mistake(
            "over_processes",
            "You divide by the number of processes; what was asked for is the mean over places.",
            lambda sums, counts: sums.sum() / len(sums),
        ),
        Mistake(
            "sum_of_means",
            "You add up the means. With two processes the loss, and each gradient, would be about twice what"
            " it is with one.",
            lambda sums, counts: (sums / counts).sum(),
        ),
        Mistake(
            "one_each",
            "You give each process its own mean back. What they share is one number.",
            lambda sums, counts: sums / counts,
        ),
    ],
    hints=(
        "What would one process compute that had the whole batch?",
        "[R] sums and [R] counts; one process would have the sum of either.",
        "return sums.sum() / counts.sum()",
    ),
    why="However the batch is shared out, the loss is the same.",
)

EXERCISES = [RATE, APART, NOISE, MEAN]
