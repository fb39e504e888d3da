"""The smallest error that a student of one number can reach for a token, through a given map."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

close = partial(near, within=0.006)


# fmt: off
EXERCISE = Exercise(
    name="smallest_error", kind="predict", minutes=4, difficulty=2, reference=2.5, tolerance=0.004,
    form="An answer is a number from 0, such as 1.25.",
    mistakes=[
        Mistake("the_number_itself", "3 is the student's best number. Which vector does the map make of it,"
            " and how far is that from the teacher's?", 3.0),
        Mistake("not_averaged", "You added the two squares. The loss is their mean over the two features.",
            5.0),
        Mistake("nothing_said", "That is the error of the number 0. With a larger number both features come"
            " nearer, until the second is passed: look for the balance.",
            close(25.0, 50.0), example=25.0),
        Mistake("second_feature_alone", "You met the second 5 exactly, with the number 2.5, and paid for it"
            " in the first feature. Another number gives a smaller sum of squares.",
            close(3.125, 6.25), example=3.125),
        Mistake("first_feature_alone", "You met the first 5 exactly, with the number 5, and paid for it in"
            " the second feature. A smaller number gives a smaller sum of squares.", 12.5),
        Mistake("no_error_at_all", "Every number of the student lands on the line through (1, 2), and (5, 5)"
            " does not lie on it, so some error is left.", 0.0),
        Mistake("root", "That is a distance. The loss has no root: it is the mean of the squares.",
            close(5**0.5, 2.5**0.5), example=2.236),
        Mistake("over_the_tokens", "You divided by the number of tokens. The question is for the error of"
            " this one token.", close(2.5 / 4, 2.5 / 3, 1.25), example=0.625),
    ],
    hints=("The student says one number s. The map makes (s, 2s) of it, and the teacher has (5, 5). Write"
           " down the mean of the two squares.",
           "((s - 5)² + (2s - 5)²) / 2. Where is it smallest? Try s = 2, 3 and 4, or set the derivative"
           " to 0.",
           "s = 3 gives (3, 6): (2² + 1²) / 2."),
    why="What a narrow student cannot say stays as an error, however long it learns.",
)
# fmt: on
