"""How much of a token is left after twelve layers of post-LN."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

UPDATES, LOUD = 24, 0.5  # of 12 layers; how long each update is beside what it is added to
close = partial(near, share=0.03)


# fmt: off
EXERCISE = Exercise(
    name="share_left", kind="predict", minutes=4, difficulty=2,
    reference=lambda: (1 + LOUD**2) ** (-UPDATES / 2), tolerance=0.004, answer="(1 + 0.5**2) ** (-24 / 2)",
    form="An answer is a number between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake("no_share", "What is left is a share: more than 0, as no division leaves nothing, and less"
            " than 1. The power is negative.", lambda answer: answer <= 0 or answer >= 1, example=14.55),
        Mistake("pre_ln", "That is pre-LN, which divides once, at the end. Post-LN divides by √1.25 after"
            " every update, so the divisions multiply.",
            close((1 + UPDATES * LOUD**2) ** -0.5, (1 + UPDATES * LOUD) ** -0.5, 1 / (1 + UPDATES * LOUD**2)),
            example=0.378),
        Mistake("one_update_a_layer", "You counted 12 updates. Each layer has two: attention's and that of"
            " the feed-forward network.", close((1 + LOUD**2) ** (-UPDATES / 4)), example=0.262),
        Mistake("no_root", "You divide by 1.25 each time. That is the square of the sum's length; a norm"
            " divides by the length, √1.25.", close((1 + LOUD**2) ** -UPDATES), example=0.0047),
        Mistake("lengths_added", "You divide by 1.5 each time, as if both pointed the same way. At a right"
            " angle the lengths 1 and 0.5 make √1.25.",
            close((1 + LOUD) ** -UPDATES, (1 + LOUD) ** (-UPDATES / 2)), example=1.5**-24),
        Mistake("one_division", "That is what a single division leaves. There are 24 of them, one after the"
            " other.", close((1 + LOUD**2) ** -0.5, 1 / (1 + LOUD**2)), example=0.894),
        Mistake("halved", "r is how long an update is, not what it leaves: the formula has 1 + r² under the"
            " power.",
            lambda answer: any(close(base**-power)(answer) for base in (2, 4, 4 / 3) for power in (12, 24)),
            example=0.5**24),
        Mistake("one_decimal", "Right as far as it goes: give one decimal more.",
            lambda answer: abs(answer - 0.1) < 1e-6, example=0.1),
        Mistake("what_is_lost", "That is what is lost. Asked is the share that is left.",
            near(1 - (1 + LOUD**2) ** (-UPDATES / 2), within=0.006), example=0.93),
        Mistake("nearly", "Close. There are 24 divisions, each by √1.25; 23 or 25 of them, or numbers that"
            " are rounded on the way, come near. Raise the exact number to the power, and round last.",
            close(*((1 + LOUD**2) ** (-count / 2) for count in (23, 25)), 0.89**24, 0.9**24), example=0.08),
        Mistake("half", "About a half is how long one update is, and what pre-LN leaves of 12. In post-LN 24"
            " divisions by √1.25 multiply.", close(LOUD), example=0.5),
        Mistake("divisions_added", "You multiply by 24 where to raise to the power. Each division is of what"
            " the last one left, so that the shares multiply.",
            close(*(1 / (UPDATES * length) for length in ((1 + LOUD**2) ** 0.5, 1 + LOUD**2, 1 + LOUD))),
            example=0.033),
    ],
    hints=("After one update the sum is √(1 + 0.5²) long, and the norm divides by that. Then comes the next.",
           "12 layers have 24 updates.",
           "1 / √1.25, 24 times over: 1.25 to the power of -12."),
    why="In pre-LN updates keep their length while the path grows: it divides once, by √7, and keeps 0.38.",
)
# fmt: on
