"""What a bag of words gets right of pairs shown in both orders."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="order_accuracy", kind="predict", minutes=4, difficulty=2, reference=0.5, tolerance=0.001,
    form="An answer is a share between 0 and 1, such as 0.8.",
    mistakes=[
        Mistake("no_share", "That is no share: a share lies between 0 and 1, such as 0.8 for 80 %.",
            lambda answer: not 0 <= answer <= 1, example=50),
        Mistake("as_good_as_the_first", "That would be about as good as on the first task. But both texts are"
            " of one document now, whichever comes first: what can the number still tell?",
            lambda answer: answer >= 0.75, example=0.9),
        Mistake("a_little", "You think that it learns a little. Take one pair and write down its number for"
            " AB, then for BA. What does the classifier say to each?",
            lambda answer: answer > 0.5, example=0.6),
        Mistake("worse_than_chance", "That is worse than a coin, and whoever is reliably wrong knows"
            " something. This classifier gives AB and BA the same label: how many of the two are right?",
            lambda answer: answer < 0.5, example=0.25),
    ],
    hints=("The number is the cosine of two bags. Swap the bags: does it change?",
           "AB and BA have the same number, so they get the same label. Their right labels are 0 and 1.",
           "Of each two, one is right: 1 / 2."),
    why="AB and BA get the same label, so one of the two is right, however the classifier was trained.",
)
# fmt: on
