"""The rate of a step: up, then down a line."""

from collections.abc import Iterator
from typing import Any

from lib.exercises.spec import Exercise, Invariant, Mistake, edit
from lib.training import schedules

RISE, FALL = "(step + 1) / warm", "(steps - step) / max(1, steps - warm)"
BOTH = f"min({RISE}, {FALL})"


def cases(seed: int) -> Iterator[tuple[int, int, int, float]]:
    """The ends of a short run and a place on its way up, then places in longer ones."""
    for step in (0, 1, 3, 4, 9):
        yield step, 10, 4, 1.0
    for step in (0, 99, 100, 101, 550, 999):
        yield step, 1000, 100, 3e-3
    yield 5, 20, 1, 0.5


def peak_is_reached(candidate: Any, arguments: tuple[int, int, int, float], result: float) -> bool:
    _, steps, warm, peak = arguments
    return abs(candidate(warm - 1, steps, warm, peak) - peak) < 1e-9 * peak


# fmt: off
EXERCISE = Exercise(
    name="learning_rate", minutes=5, difficulty=1, reference=schedules.learning_rate, cases=cases,
    tolerance=1e-7,
    invariants=[
        Invariant("never_at_the_peak", "The last step of the warm-up, number warm - 1, should have the whole"
            " of `peak`. Yours has not.", peak_is_reached),
    ],
    alike=[edit(BOTH, f"({RISE} if step < warm else {FALL})")],
    mistakes=[
        Mistake("begins_at_zero", "Step 0 gets a rate of 0, so it changes nothing. Steps are counted from 0:"
            " (step + 1) / warm.", edit("(step + 1)", "step")),
        Mistake("stays_up", "The rate rises and does not come down. After the warm-up it falls along a line,"
            " and would be 0 at step number `steps`.", (edit(BOTH, f"min(1, {RISE})"), edit(BOTH, RISE))),
        Mistake("no_warm_up", "The rate falls from the start. For the first `warm` steps it rises: the"
            " smaller line counts.", (edit(BOTH, f"min(1, {FALL})"), edit(BOTH, FALL))),
        Mistake("falls_from_step_0", "Your line down starts at step 0, so the peak is never reached. It"
            " starts where the warm-up ends and has steps - warm steps to get to 0.",
            edit("max(1, steps - warm)", "steps")),
        Mistake("falls_a_step_early", "Your line down begins a step too early. Step `warm` still has the"
            " whole peak, and steps - warm steps are left to get to 0.",
            (edit("max(1, steps - warm)", "(steps - warm + 1)"), edit("(steps - step)", "(steps - step - 1)"),
             edit(FALL, "(steps - step - 1) / max(1, steps - warm - 1)"))),
        Mistake("multiplied", "You multiply the two lines. Each holds in its own part of the run: take the"
            " smaller one.",
            (edit(BOTH, f"min(1, {RISE}) * min(1, (steps - step) / steps)"), edit(BOTH, f"{RISE} * {FALL}"))),
    ],
    hints=("Two lines: one goes up from the start, one comes down to the end. At each step the lower counts.",
           "Up: 1/warm, 2/warm, ... 1 at step warm - 1. Down: steps - step of the steps - warm that remain.",
           "return peak * min((step + 1) / warm, (steps - step) / max(1, steps - warm))"),
    why="Small steps while Adam knows little about the gradients, small ones again to settle.",
    box="mlm_head",
)
# fmt: on
