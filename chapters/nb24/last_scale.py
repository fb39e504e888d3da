"""How far a scale goes whose counter is not held at the end of its ramp."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

close = partial(near, within=0.004)

EXERCISE = Exercise(
    name="last_scale",
    kind="predict",
    minutes=4,
    difficulty=2,
    reference=1.5,
    tolerance=0.004,
    form="An answer is a number from 0, such as 0.7.",
    mistakes=[
        Mistake(
            "held",
            "1 is where the ramp should end. Count on: the counter rises in every epoch, and nothing stops it"
            " at 10.",
            1.0,
        ),
        Mistake(
            "rounded_up",
            "int(15 / 10) is 1: int cuts off what stands behind the point. So the counter rises in every"
            " epoch and not in every second one.",
            close(0.8, 0.7, 0.75),
            example=0.8,
        ),
        Mistake(
            "one_epoch_short",
            "Fourteen epochs. The counter starts at 1 in the first of them, so in the fifteenth it is 15.",
            1.4,
        ),
        Mistake(
            "one_epoch_more",
            "Sixteen epochs. The counter is 1 already while the first of them runs.",
            1.6,
        ),
        Mistake(
            "the_counter",
            "That is the counter. The scale is the counter divided by tau_max.",
            15.0,
        ),
        Mistake(
            "upside_down",
            "That is tau_max divided by the counter. The target is multiplied by the counter over tau_max.",
            10 / 15,
        ),
    ],
    hints=(
        "How many epochs does each value of the counter last? And which value has it in the last epoch?",
        "int(15 / 10) = 1 epoch for each value. So in epoch e, from 1, the counter is e.",
        "15 / 10.",
    ),
    why="Five of fifteen epochs teach logits that are larger than the teacher's own.",
)
