"""Which of eight printed claims hold, judged by what comes out when each is computed."""

from collections.abc import Callable
from typing import Any

from chapters.nb40.claims import CLAIMS
from lib.exercises.spec import Exercise, Mistake

RIGHT = [claim.holds for claim in CLAIMS.values()]


def says(letter: str, verdict: bool) -> Callable[[Any], bool]:
    """A rule: whether an answer of eight gives this verdict on a claim."""
    place = list(CLAIMS).index(letter)
    return lambda answer: len(answer) == len(RIGHT) and answer[place] == verdict


def but(letter: str) -> list[bool]:
    """The right verdicts with one turned."""
    return [right != (name == letter) for name, right in zip(CLAIMS, RIGHT, strict=True)]


# fmt: off
EXERCISE = Exercise(
    name="verdicts", kind="choose", minutes=4, difficulty=1, reference=RIGHT,
    same=lambda answer, expected: list(answer) == expected,  # 1 and 0 will do
    form="An answer is a list of eight, True or False, for the claims A to H in this order.",
    mistakes=[
        Mistake("all_alike", "You give all eight the same verdict. Some hold, and some don't: read what was"
            " computed for each.", lambda answer: len(answer) == len(RIGHT) and len({*answer}) == 1,
            example=[True] * 8),
        Mistake("all_turned", "Every verdict is turned round. True is for a claim that holds.",
            [not right for right in RIGHT]),
        Mistake("believed_a", "Look at A again: what became 20 times smaller, and is that the model?",
            says("A", True), example=but("A")),
        Mistake("doubted_b", "Look at B again. That the larger network is worse is a surprise, which is no"
            " sum: compare the printed means with those that came out.", says("B", False),
            example=but("B")),
        Mistake("believed_c", "Look at C again: what is 86.7 less the score that it was compared with?",
            says("C", True), example=but("C")),
        Mistake("doubted_d", "Look at D again: twelve layers that are one layer are stored once. What do all"
            " parts come to, rounded as it is printed?", says("D", False), example=but("D")),
        Mistake("doubted_e", "Look at E again: is each mean of the same tasks, and what is the one in percent"
            " of the other?", says("E", False), example=but("E")),
        Mistake("believed_f", "Look at F again: by the printed figures large needs 15.1 times the work of"
            " base. What came out?", says("F", True), example=but("F")),
        Mistake("doubted_g", "Look at G again: “about” allows 3% of the printed number. What"
            " are the two shares?",
            says("G", False), example=but("G")),
        Mistake("believed_h", "Look at H again: how many tasks has GLUE?", says("H", True), example=but("H")),
    ],
    hints=("A claim holds if what came out, rounded as it is printed, is the printed number; “about” allows"
           " 3% of it.",
           "Where a figure comes out, ask whether it was counted of the same thing as the claim says.",
           "Four of the eight hold."),
    why="Four hold and four don't: whoever doubts everything is right as seldom as whoever believes all.",
)
# fmt: on
