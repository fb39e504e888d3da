"""How sure a classifier is of a text for which no class has much to say."""

import math

from lib.exercises.spec import Exercise, Mistake, near

LOGITS = (2.0, 0.0, 0.0)


# fmt: off
EXERCISE = Exercise(
    name="sure_of_nothing", kind="predict", minutes=4, difficulty=1,
    reference=lambda: math.exp(LOGITS[0]) / sum(math.exp(logit) for logit in LOGITS), tolerance=0.004,
    answer="7.39 / (7.39 + 1 + 1)",
    form="An answer is a number between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake("no_share", "It is a probability, so it lies between 0 and 1.",
            lambda answer: answer <= 0 or answer >= 1, example=2.0),
        Mistake("no_exponentials", "You shared the logits out as they are. Softmax takes the exponential of"
            " each first, and the exponential of 0 is not 0.", near(2 / 3, within=0.0045), example=2 / 3),
        Mistake("one_rival", "That is a classifier of two classes. Both others have the exponential 1, so add"
            " 1 twice.", near(0.881, within=0.0045), example=0.881),
        Mistake("zeros_are_nothing", "A logit of 0 is no probability of 0: its exponential is 1.",
            lambda answer: 0.98 < answer < 1, example=0.99),
        Mistake("another_class", "That is one of the two others. The first guess is the class with the logit"
            " 2.", near(0.1065, within=0.0045), example=0.107),
        Mistake("uniform", "A third each would need three equal logits. The first is larger by 2.",
            near(1 / 3, within=0.0045), example=0.333),
    ],
    hints=("Softmax: the exponential of each logit, divided by the sum of all three.",
           "e to the power 2 is 7.39, and e to the power 0 is 1.",
           "7.39 / (7.39 + 1 + 1)"),
    why="A lead of 2 in one logit is enough for 79%, whatever the text is.",
)
# fmt: on
