"""How many of twenty worlds must go up, for their lead over the others to be resolved."""

from lib.exercises.spec import Exercise, Mistake

WORLDS = 20


def fewest() -> int:
    """The smallest number of worlds whose lead over all others is larger than luck."""
    up = 0
    while up - (WORLDS - up) <= 2 * WORLDS**0.5:
        up += 1
    return up


# fmt: off
EXERCISE = Exercise(
    name="fewest_up", kind="predict", minutes=3, difficulty=1, reference=fewest,
    form="An answer is a whole number from 0 to 20.",
    mistakes=[
        Mistake("the_lead", "That is how large the lead has to be. How many worlds give this lead, if all the"
            " others go down?", lambda number: number in (9, 10), example=9),
        Mistake("too_few", "Then the others are many, too: subtract them. The lead that is left is smaller"
            " than 8.9.", lambda number: number in (0, 11, 12, 13, 14), example=14),
        Mistake("more_than_needed", "So many are enough, but fewer would do as well.",
            lambda number: 15 < number <= 20, example=16),
    ],
    hints=("If 12 worlds go up, 8 go down, and the lead is 4.",
           "Each world that goes up and not down makes the lead larger by 2.",
           "The smallest number with up - (20 - up) > 8.9"),
    why="Luck allows a fair coin to fall 14 to 6, but rarely 15 to 5.",
)
# fmt: on
