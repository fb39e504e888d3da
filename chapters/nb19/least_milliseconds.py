"""What the roof of a machine allows a layer that reads nine rows, and one that reads 1,024."""

from collections.abc import Callable
from typing import Any

from lib.exercises.spec import Exercise, Mistake

BANDWIDTH, RATE = 20e9, 80e9  # bytes and operations a second
INPUTS, OUTPUTS = 384, 1536


def fetching(rows: int) -> float:
    """The milliseconds in which weights and vectors move."""
    return 1000 * 4 * (INPUTS * OUTPUTS + rows * (INPUTS + OUTPUTS)) / BANDWIDTH


def multiplying(rows: int) -> float:
    """The milliseconds of the operations, two for each multiply-add."""
    return 1000 * 2 * rows * INPUTS * OUTPUTS / RATE


FETCHING = [fetching(9), fetching(1024)]
MULTIPLYING = [multiplying(9), multiplying(1024)]
EXACT = [max(pair) for pair in zip(FETCHING, MULTIPLYING, strict=True)]


def are_close(answer: Any, expected: Any) -> bool:
    """Whether two numbers are equal to within three percent each."""
    if not isinstance(answer, (list, tuple)) or len(answer) != 2:
        return False
    pairs = zip(answer, expected, strict=True)
    return all(abs(float(given) - right) <= 0.03 * abs(right) for given, right in pairs)


def is_close_to(*expected: list[float]) -> Callable[[Any], bool]:
    """A test for the numbers that a mistake gives."""

    def is_one(answer: Any) -> bool:
        return any(are_close(answer, numbers) for numbers in expected)

    return is_one


SUMS = [one + other for one, other in zip(FETCHING, MULTIPLYING, strict=True)]
HALF_OF_THE_WORK = [max(FETCHING[0], MULTIPLYING[0] / 2), MULTIPLYING[1] / 2]
WEIGHTS_EACH_TIME = [9 * fetching(1), 1024 * fetching(1)]

# fmt: off
EXERCISE = Exercise(
    name="least_milliseconds", kind="predict", minutes=3, difficulty=2, reference=EXACT, same=are_close,
    answer="[2 * 9 * 384 * 1536 / 80e6, 2 * 1024 * 384 * 1536 / 80e6]",
    form="An answer is a list of two numbers, such as [0.5, 2.0].",
    mistakes=[
        Mistake("fetched_alone", "Those are the times in which the bytes come. The operations have to be done"
            " as well: take the longer of the two times, for nine rows and for 1,024.",
            is_close_to(FETCHING), example=[0.1214, 0.5112]),
        Mistake("nine_memory_bound", "1,024 rows are right. For nine you took the bytes, 0.121 ms. Look at"
            " their operations: nine times those of one row.",
            is_close_to([FETCHING[0], MULTIPLYING[1]], [fetching(1), MULTIPLYING[1]]), example=[0.121, 15.1]),
        Mistake("added", "You added the two times. The roof lets both go on at once, so the longer counts.",
            is_close_to(SUMS), example=[0.254, 15.6]),
        Mistake("multiply_adds", "You counted multiply-adds. Each of them is two operations.",
            is_close_to(HALF_OF_THE_WORK, [one / 2 for one in MULTIPLYING]), example=[0.121, 7.55]),
        Mistake("weights_every_row", "You multiplied the time of one row, but the weights come once for all"
            " rows.",
            is_close_to(WEIGHTS_EACH_TIME), example=[1.065, 121.2]),
        Mistake("swapped", "Nine rows come first in the list, then 1,024.",
            is_close_to(EXACT[::-1]), example=[15.1, 0.133]),
        Mistake("one_row", "1,024 rows are right. The first number is to be that of nine rows, not of one.",
            is_close_to([multiplying(1), EXACT[1]]), example=[0.0147, 15.1]),
        Mistake("seconds", "Those are seconds. A millisecond is a thousandth of one.",
            is_close_to([one / 1000 for one in EXACT]), example=[0.000133, 0.0151]),
    ],
    hints=("Compute two times for nine rows, that of the bytes and that of the operations. Take the longer."
           " Then the same for 1,024.",
           "The operations of one row take 0.0147 ms, those of nine rows nine times as long.",
           "The operations take longer both times: 9 and 1,024 times 2 * 384 * 1536 / 80e6 ms."),
    why="For both, multiplying takes longer than fetching, so the second is 1024 / 9 times the first.",
)
# fmt: on
