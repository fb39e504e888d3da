"""The loss halfway between two models of two weights that compute the same."""

from lib.exercises.spec import Exercise, Mistake

ENDS = (1.0, 1.0), (9.0, 1 / 9)


def halfway() -> float:
    """The loss (ab - 1)² in the middle of ENDS."""
    a, b = (sum(numbers) / 2 for numbers in zip(*ENDS, strict=True))
    return (a * b - 1) ** 2


EXERCISE = Exercise(
    name="barrier_by_hand",
    kind="predict",
    minutes=4,
    difficulty=1,
    reference=halfway,
    answer="((1 + 9) / 2 * (1 + 1 / 9) / 2 - 1) ** 2",
    tolerance=0.02,
    form="An answer is a number, such as 0.32.",
    mistakes=[
        Mistake(
            "mean_of_the_losses",
            "The line runs through the weights, so average a, then b, each by adding and halving, and only"
            " then compute the loss of that new model. The mean of the two losses, 0, is not on the line.",
            0.0,
        ),
        Mistake(
            "not_squared",
            "That is how far the product is from 1. The loss is its square.",
            lambda number: abs(abs(number) - 16 / 9) < 0.02,
            example=1.78,
        ),
        Mistake(
            "the_product",
            "That is the product a·b of the model in the middle. Its loss is (a·b − 1)².",
            lambda number: abs(number - 25 / 9) < 0.02,
            example=2.78,
        ),
        Mistake(
            "as_in_the_text",
            "That is the ridge between (1, 1) and (4, 1/4), from the text above. Here the second model is"
            " (9, 1/9).",
            lambda number: abs(number - 0.3164) < 0.005,
            example=0.316,
        ),
    ],
    hints=(
        "First find the model in the middle: it has an a and a b of its own.",
        "a = (1 + 9) / 2 = 5 and b = (1 + 1/9) / 2 = 5/9.",
        "The product is 25/9, so the loss is (25/9 - 1)².",
    ),
    why="The farther apart two equal models are in their weights, the higher the ridge between them can be.",
)
