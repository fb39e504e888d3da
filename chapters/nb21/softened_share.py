"""What a temperature of 2 makes of three probabilities."""

import math

from lib.exercises.spec import Exercise, Mistake, near

SHARES = (25 / 30, 4 / 30, 1 / 30)  # of the teacher, at temperature 1; their roots are as 5, 2 and 1


# fmt: off
EXERCISE = Exercise(
    name="softened_share", kind="predict", minutes=4, difficulty=1,
    reference=lambda: math.sqrt(SHARES[1]) / sum(math.sqrt(share) for share in SHARES), tolerance=0.003,
    answer="2 / (5 + 2 + 1)",
    form="An answer is a number between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake("no_share", "It is a probability, so it lies between 0 and 1.",
            lambda answer: answer <= 0 or answer >= 1, example=2.0),
        Mistake("halved", "You divided the probability by 2. The temperature divides the logits, before"
            " softmax: a probability is raised to the power 1/2, which is its root.", SHARES[1] / 2),
        Mistake("not_normalized", "That is the root of 4/30. The three roots add up to more than 1, so divide"
            " each by their sum.", math.sqrt(SHARES[1])),
        Mistake("sharpened", "You took squares instead of roots, which is a temperature of 1/2: it makes an"
            " answer harder.",
            near(SHARES[1] ** 2 / sum(share**2 for share in SHARES), SHARES[1] ** 2, within=0.0045),
            example=0.025),
        Mistake("unchanged", "That is the probability at temperature 1. A higher temperature brings the three"
            " nearer to each other.", near(SHARES[1], within=0.0045), example=0.133),
        Mistake("softmax_of_probabilities", "You put probabilities into softmax. What goes in are logits; the"
            " probabilities have been through it once.",
            lambda answer: 0.2535 < answer < 0.2565 or 0.292 < answer < 0.3012,  # of temperatures 1 and 2
            example=0.297),
        Mistake("first_class", "That is the first class, 5 of 8. The second is asked for.", 5 / 8),
        Mistake("third_class", "That is the third class, 1 of 8. The second is asked for.", 1 / 8),
        Mistake("uniform", "All three would be equal at an infinite temperature alone. At 2 the first is"
            " still ahead.", 1 / 3),
    ],
    hints=("e to the power z / 2 is the root of e to the power z. So take the root of each probability.",
           "The roots of 25, 4 and 1 are 5, 2 and 1; the common 30 cancels when you make the sum 1.",
           "2 / (5 + 2 + 1)"),
    why="The second class has nearly doubled its say, and the order has stayed as it was.",
)
# fmt: on
