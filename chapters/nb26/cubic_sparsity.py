"""How much is pruned after each step."""

from collections.abc import Iterator
from typing import Any

from lib.compression.pruning import schedule
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

CURVE = "(1 - (1 - step / steps) ** 3)"


def cases(seed: int) -> Iterator[tuple[int, int, float]]:
    """Both ends and the middle of ten steps, then longer runs."""
    for step in (0, 5, 10, 1):
        yield step, 10, 0.8
    for step in (0, 1, 250, 777, 1000):
        yield step, 1000, 0.95
    yield 3, 4, 1.0
    yield 1, 1, 0.5


def ends_at_final(candidate: Any, arguments: tuple[int, int, float], result: float) -> bool:
    _, steps, final = arguments
    return abs(candidate(steps, steps, final) - final) < 1e-9


# fmt: off
EXERCISE = Exercise(
    name="cubic_sparsity", minutes=3, difficulty=1, reference=schedule.cubic_sparsity, cases=cases,
    tolerance=1e-7,
    invariants=[
        Invariant("final", "After the last step the sparsity has to be `final`, and yours is not.",
            ends_at_final),
    ],
    alike=[edit(f"final * {CURVE}", "final - final * (1 - step / steps) ** 3")],
    mistakes=[
        Mistake("slow_start", "Your curve is slow at the beginning and steep at the end. It should prune much"
            " while much is superfluous: what is *left to prune* falls with the cube, (1 - step / steps)³.",
            edit(CURVE, "(step / steps) ** 3")),
        Mistake("line", "You go up along a line. The cube of 1 - step / steps makes the steps at the end"
            " small.", edit(CURVE, "(step / steps)")),
        Mistake("falling", "Your sparsity falls from `final` to 0: that is what is left to prune. Subtract it"
            " from `final`.", edit(CURVE, "((1 - step / steps) ** 3)")),
        Mistake("square", "You take a square. The schedule takes the third power.", edit("** 3", "** 2")),
        Mistake("share_kept", "That is the share of weights that is kept. Sparsity is the share that is 0.",
            edit(f"final * {CURVE}", f"1 - final * {CURVE}")),
        Mistake("final_in_the_cube", "`final` stands inside of the cube. It multiplies the whole curve, which"
            " goes from 0 to 1.",
            (edit(f"final * {CURVE}", "1 - (1 - final * step / steps) ** 3"),
             edit(f"final * {CURVE}", "(1 - (final - final * step / steps) ** 3)"))),
    ],
    hints=("What is left to prune is 1 at the beginning and 0 at the end, and falls with a cube.",
           "All are numbers: step / steps goes from 0 to 1, and so does the curve; `final` scales it.",
           "final * (1 - (1 - step / steps) ** 3)"),
    why="Halfway, seven eighths of the way up are done.",
)
# fmt: on
