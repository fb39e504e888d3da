"""The top eigenvalue of a Hessian of four numbers, where the toy model has unequal weights."""

from lib.exercises.spec import Exercise, Mistake

A, B = 4.0, 0.25  # the model, which computes the same as (1, 1)


def top() -> float:
    """The larger eigenvalue of 2 [[b², 1], [1, a²]]; where ab = 1 the smaller one is 0."""
    return 2 * (A**2 + B**2)


# fmt: off
EXERCISE = Exercise(
    name="top_by_hand", kind="predict", minutes=4, difficulty=2, reference=top, answer="2 * (4**2 + 0.25**2)",
    tolerance=0.001,
    form="An answer is a number, such as 4.25.",
    mistakes=[
        Mistake("as_at_one_one", "That is the top eigenvalue at (1, 1), from the text above. Here a is 4 and"
            " b is 1/4.", 4.0),
        Mistake("without_the_two", "The 2 in front of the matrix is lost: every entry is doubled, and so is"
            " the eigenvalue.", 16.0625),
        Mistake("largest_entry", "That is the largest entry of the matrix, the curvature along b alone. A"
            " direction that moves a, too, bends a little more.", 32.0),
        Mistake("the_other_one", "That is the other eigenvalue, of the direction (4, -1/4), along which ab"
            " hardly changes.", 0.0),
        Mistake("along_the_old_direction", "You took the direction (1, 1). Here the matrix turns it into"
            " (2.125, 34), so it isn't only stretched and no eigenvector any more: multiply the new direction"
            " again.",
            lambda number: min(abs(number - one) for one in (34.0, 34.0663, 36.125, 18.0625)) < 0.03,
            example=34.0),
    ],
    hints=("First write the matrix down with a = 4 and b = 1/4: its entries are 0.125, 2, 2 and 32.",
           "Multiply (1, 0) by it, as in power iteration: you get (0.125, 2). What does it make of that one?",
           "The matrix turns (0.125, 2) into (4.015625, 64.25). Each part grew by the same factor."),
    why="At (1, 1) the same function has the top eigenvalue 4, here eight times as much. So the top"
        " eigenvalue, too, depends on how a function is written down.",
)
# fmt: on
