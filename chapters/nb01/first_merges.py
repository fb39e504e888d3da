"""Which pair is merged first: by frequency, by the ratio, and by the ratio from two times on."""

from lib.bert.vocabulary import frequency, likelihood_ratio, merges
from lib.exercises.spec import Exercise, Mistake

WORDS = {"the": 10, "then": 4, "thin": 2, "quiz": 1}
NEIGHBORS = {word[at : at + 2] for word in WORDS for at in range(len(word) - 1)}


def first_merges() -> list[str]:
    often = next(merges(WORDS, frequency))
    ratio = next(merges(WORDS, likelihood_ratio))
    twice = next(merges(WORDS, likelihood_ratio, min_count=2))
    return [often.piece, ratio.piece, twice.piece]


def letters(answer: list[str]) -> list[str]:
    """The letters of three pieces, however these are written; empty texts where there are not three."""
    return ["".join(filter(str.isalpha, piece.lower())) for piece in answer] if len(answer) == 3 else [""] * 3


# fmt: off
EXERCISE = Exercise(
    name="first_merges", kind="predict", minutes=6, difficulty=2, reference=first_merges,
    form='An answer is a list of three pieces, such as ["##es", "at", "##or"].',
    mistakes=[
        Mistake("another_notation", "The right pairs; write each as the piece it becomes, which keeps the ##"
            " of its first letter, if any.",
            lambda answer: letters(answer) == letters(first_merges()), example=["th", "qu", "in"]),
        Mistake("whole_words", "A merge joins two neighbors, and at the beginning these are single letters:"
            " the first new piece has two letters.",
            lambda answer: any(len(piece) > 2 for piece in letters(answer)), example=["the", "quiz", "thin"]),
        Mistake("no_neighbors", "One of your pieces is not made of two letters that are neighbors in one of"
            " the words.",
            lambda answer: any(letters(answer)) and not NEIGHBORS.issuperset(letters(answer)),
            example=["th", "qu", "tn"]),
        Mistake("not_the_most_frequent", "The first goes by frequency alone: add up how often the words with"
            " each pair occur.",
            lambda answer: letters(answer)[0] not in ("th", ""), example=["##he", "qu", "##in"]),
        Mistake("frequency_three_times", "t with ##h: 16 / (16 * 16), which is little. Look for a pair whose"
            " pieces hardly occur outside it.",
            lambda answer: letters(answer)[1] in ("th", "he"), example=["th", "th", "th"]),
        Mistake("not_the_best_ratio", "Another pair's ratio is larger: its two pieces occur nowhere else."
            " Once is enough here.",
            lambda answer: letters(answer)[1] not in ("qu", ""), example=["th", "##ui", "##in"]),
        Mistake("no_minimum", "q and ##u stand together once: the minimum of 2 shuts out that word. Compare"
            " the other ratios.",
            lambda answer: letters(answer)[2] in ("qu", "ui", "iz"), example=["th", "qu", "qu"]),
        Mistake("not_the_best_with_the_minimum", "The third is a ratio too: compare 14 / (16 * 14), 4 / (14 *"
            " 6), 2 / (16 * 3) and 2 / (3 * 6).",
            lambda answer: letters(answer)[2] in ("th", "he", "en", "hi"), example=["th", "qu", "##en"]),
    ],
    hints=("Cut every word into letters, t ##h ##e ##n. Count the pieces and the pairs of neighbors; each"
           " counts as often as its word occurs.",
           "t 16, ##h 16, ##e 14, ##n 6, ##i 3, q, ##u and ##z 1. Pairs: t ##h 16, ##h ##e 14, ##e ##n 4, ##h"
           " ##i and ##i ##n 2, the others 1.",
           "q ##u has 1 / (1 * 1). With the minimum, compare 16 / (16 * 16), 14 / (16 * 14) and the others."),
    why="The ratio asks who is faithful, not who is frequent; one meeting of two hermits is enough.",
)
# fmt: on
