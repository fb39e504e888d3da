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
    plain = ["".join(filter(str.isalpha, piece.lower())) for piece in answer]
    return plain if len(plain) == 3 else ["", "", ""]


EXERCISE = Exercise(
    name="first_merges",
    kind="predict",
    minutes=6,
    difficulty=2,
    reference=first_merges,
    form='An answer is a list of three pieces, such as ["##es", "at", "##or"].',
    mistakes=[
        Mistake(
            "another_notation",
            "The right pairs; write each as the piece it becomes. One that begins words has no ##, one that"
            " only goes on with words keeps that of its first letter.",
            lambda answer: letters(answer) == letters(first_merges()),
            example=["th", "qu", "in"],
        ),
        Mistake(
            "whole_words",
            "A merge joins two neighbors, and at the beginning these are single letters: the first new piece"
            " has two letters.",
            lambda answer: any(len(piece) > 2 for piece in letters(answer)),
            example=["the", "quiz", "thin"],
        ),
        Mistake(
            "no_neighbors",
            "One of your pieces is not made of two letters that stand side by side in one of the words.",
            lambda answer: any(letters(answer)) and not NEIGHBORS.issuperset(letters(answer)),
            example=["th", "qu", "tn"],
        ),
        Mistake(
            "not_the_most_frequent",
            "The first goes by frequency alone: add up, for each pair, how often the words with it occur.",
            lambda answer: letters(answer)[0] not in ("th", ""),
            example=["##he", "qu", "##in"],
        ),
        Mistake(
            "frequency_three_times",
            "The ratio of t and ##h is 16 / (16 * 16). That is little: both are everywhere. Look for a pair"
            " whose pieces hardly occur outside it.",
            lambda answer: letters(answer)[1] in ("th", "he"),
            example=["th", "th", "th"],
        ),
        Mistake(
            "not_the_best_ratio",
            "There is a pair with a larger ratio than your second one: it has two pieces that occur nowhere"
            " else. Without a minimum, once is enough.",
            lambda answer: letters(answer)[1] not in ("qu", ""),
            example=["th", "##ui", "##in"],
        ),
        Mistake(
            "no_minimum",
            "q and ##u stand together once, so the minimum of 2 shuts out all pairs of that word. Of the"
            " others, divide each count by those of its two pieces.",
            lambda answer: letters(answer)[2] in ("qu", "ui", "iz"),
            example=["th", "qu", "qu"],
        ),
        Mistake(
            "frequency_once_more",
            "With the minimum the ratio is still a ratio. t with ##h: 16 / (16 * 16); ##h with ##e: 14 / (16"
            " * 14); both 1/16. One of the rarer pairs has more.",
            lambda answer: letters(answer)[2] in ("th", "he"),
            example=["th", "qu", "th"],
        ),
        Mistake(
            "not_the_best_with_the_minimum",
            "The first two are right. For the third compare 4 / (14 * 6), 2 / (16 * 3) and 2 / (3 * 6):"
            " which pairs are these?",
            lambda answer: letters(answer)[2] in ("en", "hi"),
            example=["th", "qu", "##en"],
        ),
    ],
    hints=(
        "Cut every word into letters: t ##h ##e ##n. Count the pieces and the pairs of neighbors; a word that"
        " occurs ten times counts ten times.",
        "t 16, ##h 16, ##e 14, ##n 6, ##i 3, q, ##u and ##z 1. Pairs: t ##h 16, ##h ##e 14, ##e ##n 4, ##h"
        " ##i and ##i ##n 2, the others 1.",
        "The ratio of q ##u is 1 / (1 * 1). With the minimum, compare 16 / (16 * 16), 14 / (16 * 14),"
        " 4 / (14 * 6), 2 / (16 * 3) and 2 / (3 * 6).",
    ),
    why="The ratio asks who is faithful, not who is frequent; one meeting of two hermits is enough for it.",
)
