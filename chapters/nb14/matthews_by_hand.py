"""Matthews' correlation of four counts."""

from lib.exercises.spec import Exercise, Mistake

COUNTS = 60, 10, 20, 10  # right yes, wrong yes, right no, wrong no


def by_hand(tp: int, fp: int, tn: int, fn: int) -> float:
    """Matthews' correlation (1975)."""
    over: float = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    return (tp * tn - fp * fn) / over


# fmt: off
EXERCISE = Exercise(
    name="matthews_by_hand", kind="predict", minutes=4, difficulty=2,
    reference=lambda: round(by_hand(*COUNTS), 2), tolerance=0.01,
    form="An answer is a number from -1 to 1.",
    mistakes=[
        Mistake("accuracy", "0.8 is the accuracy: 80 of 100 are right. Put the four counts into the formula.",
            lambda number: abs(number - 0.8) < 0.001, example=0.8),
        Mistake("no_root", "You forgot the square root in the denominator.",
            lambda number: 0 < abs(number) < 0.01, example=1100 / (70 * 70 * 30 * 30)),
        Mistake("one_product", "The numerator is a difference: right yes times right no, less wrong yes times"
            " wrong no.", lambda number: abs(number - 1200 / 2100) < 0.005, example=1200 / 2100),
    ],
    hints=("Four counts go in. Multiply the two right ones, subtract the product of the two wrong ones.",
           "The sums under the root are 70, 70, 30 and 30.",
           "(60 * 20 - 10 * 10) / (70 * 70 * 30 * 30) ** 0.5"),
    why="Accuracy looks better because most answers are yes anyway.",
)
# fmt: on
