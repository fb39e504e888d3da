"""A change in points, and in percent of what was there before."""

from collections.abc import Iterator

import torch

from chapters.nb40.sums import points_and_percent
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[float, float]]:
    """A rise, a fall, nothing, small and large numbers, whole ones, and drawn ones."""
    yield 40.0, 44.0
    yield 80.0, 60.0
    yield 79.5, 77.0
    yield 50.0, 50.0
    yield 668, 410
    yield 0.4, 1.0
    yield 20.0, 0.0
    drawn = torch.rand(6, generator=torch.Generator().manual_seed(seed)).mul(60).add(30).tolist()
    yield from zip(drawn[::2], drawn[1::2], strict=True)


PERCENT = "100 * points / old"

# fmt: off
EXERCISE = Exercise(
    name="points_and_percent", minutes=4, difficulty=1, reference=points_and_percent, cases=cases,
    gradients=False, tolerance=1e-6, returns=("points", "percent"),
    alike=[edit(PERCENT, "100 * (new / old - 1)")],
    mistakes=[
        Mistake("of_the_new", "You divide by the new number. Percent are of what was there before.",
            edit("return points, 100 * points / old", "return points, 100 * points / new")),
        Mistake("sign_turned", "Your signs are turned: new minus old is negative where the number fell.",
            edit("new - old", "old - new")),
        Mistake("no_sign", "You drop the sign. Both are negative where the number fell.",
            edit("points = new - old", "points = abs(new - old)")),
        Mistake("fraction", "Your second number is a fraction. Asked are percent: times 100.",
            edit(PERCENT, "points / old")),
        Mistake("kept", "Your second number is how much is left, in percent of old. Asked is how much it"
            " changed.", edit(PERCENT, "100 * new / old")),
        Mistake("points_twice", "You give the points twice. Percent are a share of old.",
            edit(PERCENT, "points")),
        Mistake("of_the_mean", "You divide by the mean of the two. Percent are of what was there before.",
            edit(PERCENT, "100 * points / ((old + new) / 2)")),
        Mistake("rounded", "You round. Give the numbers as they are.",
            tuple(edit("return points, 100 * points / old",
                f"return round(points, {digits}), round(100 * points / old, {digits})")
                for digits in (0, 1, 2))),
    ],
    hints=("The points are a difference. The percent are the same difference, seen from old.",
           "From 40 to 44: 4 points. And 4 of 40 are 10 percent.",
           "return points, 100 * points / old"),
    why="One change, two numbers: say which one you print.",
)
# fmt: on
