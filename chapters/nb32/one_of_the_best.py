"""How likely a search at random meets one of the best three designs."""

from lib.exercises.spec import Exercise, Mistake, near

DESIGNS, TRIES, BEST = 100, 30, 3


def missed_all() -> float:
    """The chance that none of the best is among the tries, which are all different."""
    chance = 1.0
    for number in range(BEST):
        chance *= (DESIGNS - TRIES - number) / (DESIGNS - number)
    return chance


# fmt: off
EXERCISE = Exercise(
    name="one_of_the_best", kind="predict", minutes=3, difficulty=1,
    reference=lambda: 1 - missed_all(), tolerance=0.006, answer="1 - 70 / 100 * 69 / 99 * 68 / 98",
    form="An answer is a number between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake("no_chance", "A chance lies between 0 and 1.",
            lambda answer: answer <= 0 or answer >= 1, example=2.0),
        Mistake("the_best_alone", "That is the chance of meeting the best one. Any of the best three is"
            " asked for.", near(0.3, within=0.005), example=0.3),
        Mistake("added_up", "You added the three chances. A search can meet two of the three at once, and"
            " adding counts it twice.", near(0.9, within=0.005), example=0.9),
        Mistake("missed", "That is the chance of missing all three. Take it from 1.",
            near(0.3385, 0.343, within=0.005), example=0.343),
        Mistake("all_three", "That is the chance of meeting all three. One of them is enough.",
            near(0.0251, 0.027, within=0.002), example=0.027),
        Mistake("best_two", "That is one of the best two. Three are asked for.",
            near(0.512, within=0.005), example=0.51),
    ],
    hints=("First ask how likely the search misses all three.",
           "It misses the best with a chance of 70 in 100, then the second with 69 in 99.",
           "1 - 70 / 100 * 69 / 99 * 68 / 98"),
    why="Chance alone finds one of the three best in two of three searches, so little is left for a clever"
        " one.",
)
# fmt: on
