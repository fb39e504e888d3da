"""What is left of an average's closeness when a task that nobody learned is taken out."""

from lib.exercises.spec import Exercise, Mistake

TEACHER, STUDENT = 78.0, 75.2  # Sanh (2019): the averages of nine tasks
WNLI = 43.7, 55.6


def kept(teacher: float, student: float) -> float:
    """The student's score in percent of the teacher's."""
    return 100 * student / teacher


def eight(nine: float, left_out: float) -> float:
    """The average of eight tasks, given that of nine and the score of the one left out."""
    return (9 * nine - left_out) / 8


# fmt: off
EXERCISE = Exercise(
    name="without_wnli", kind="predict", minutes=4, difficulty=2,
    reference=lambda: round(kept(eight(TEACHER, WNLI[0]), eight(STUDENT, WNLI[1])), 1),
    tolerance=0.005,  # 94.4, and whatever rounds to it on the way
    form="An answer is a number, in percent, such as 91.5.",
    mistakes=[
        Mistake("a_share", "That is a share of 1. Give percent, so multiply by 100.",
            lambda number: 0 < number < 2, example=0.944),
        Mistake("with_wnli", "That is the ratio of the two averages as they were printed, with WNLI in them."
            " Take WNLI out of both sums first.",
            lambda number: abs(number - kept(TEACHER, STUDENT)) < 0.15, example=96.4),
        Mistake("upside_down", "You divided BERT by DistilBERT. Asked is what DistilBERT keeps of BERT.",
            lambda number: abs(number - 100 * 82.3 / 77.65) < 0.3, example=106.0),
        Mistake("points", "That is the difference in points. Asked is the ratio of the two averages, in"
            " percent.", lambda number: 0 < number < 10, example=4.6),
    ],
    hints=("An average of nine is a sum divided by nine. Go back to the sum, take one score out, divide"
           " anew.",
           "BERT: 9 times 78.0, less 43.7, divided by 8. DistilBERT: 9 times 75.2, less 55.6, divided by 8.",
           "100 * ((9 * 75.2 - 55.6) / 8) / ((9 * 78.0 - 43.7) / 8)"),
    why="One task of nine, which neither model learned, made up two of the points between them.",
)
# fmt: on
