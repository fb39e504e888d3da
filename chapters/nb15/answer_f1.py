"""F1 of one answer, by hand, as SQuAD's script counts it."""

from lib.analysis.prediction.scores import answer_scores
from lib.exercises.spec import Exercise, Mistake, near

SAID, RIGHT = "the island's three laps", "three laps of the island"


# fmt: off
EXERCISE = Exercise(
    name="answer_f1", kind="predict", minutes=3, difficulty=1,
    reference=lambda: answer_scores(SAID, [RIGHT]).f1, tolerance=0.004, answer="4 / 7",
    form="An answer is a share between 0 and 1, such as 0.5.",
    mistakes=[
        Mistake("no_share", "F1 is a share between 0 and 1. Papers print it times 100.",
            lambda answer: not 0 <= answer <= 1, example=57.1),
        Mistake("exact_match", "That is the exact match: they are not the same, so it is 0. F1 counts the"
            " words they share.", 0.0),
        Mistake("precision_alone", "2/3 is the precision alone: of three words said, two are right. It also"
            ' comes out if "the" is counted as a word, but articles go first. F1 also asks how many of the'
            " right words were said.", 2 / 3),
        Mistake("articles_kept", 'You counted "the" as a word. Articles are removed before anything is'
            " compared.", 8 / 9),
        Mistake("island_matched", "You took the island of both answers for the same word. Punctuation is"
            ' removed, not replaced by a space: "island\'s" becomes "islands", which is not "island".',
            near(6 / 7, 6 / 8, within=0.006), example=6 / 7),
        Mistake("recall_alone", "That is the recall: 2 of the 4 right words were said. F1 also asks how many"
            " of the words said are right.", 2 / 4),
        Mistake("arithmetic_mean", "You took the usual mean of precision and recall. F1 is the harmonic one,"
            " 2 · P · R / (P + R).", 7 / 12),
        Mistake("overlap_of_the_union", "You divided the shared words by all different words. F1 divides"
            " twice the shared words by the words of both answers together.", 2 / 5),
        Mistake("not_twice", "You divided the shared words by the words of both answers. Count the shared"
            " words twice.", 2 / 7),
        Mistake("as_if_right", "The words are not all the same, so it is less than 1.", 1.0),
    ],
    hints=("Normalize both first: lower case, no punctuation, no a, an, the. What is left of each?",
           "islands three laps against three laps of island: 3 words and 4 words. Which are in both?",
           "2 · 2 / (3 + 4)"),
    why="Two shared words, counted in both, of seven in all: 4/7. The exact match would be 0.",
)
# fmt: on
