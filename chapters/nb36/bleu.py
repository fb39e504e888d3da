"""BLEU of a corpus with one reference for each sentence."""

import random
from collections.abc import Iterator
from itertools import chain

from chapters.nb36 import answers
from lib.exercises.spec import Exercise, Mistake, edit

Corpus = list[list[str]]

CLIP = "min(count, theirs[gram])"
RESULT = "100 * penalty * math.prod(precisions) ** 0.25"
IF = "if 0 < written < wanted:"
PENALTY = "math.exp(1 - wanted / written)"
TOTAL = "total += sum(ours.values())"


def cases(seed: int) -> Iterator[tuple[Corpus, Corpus]]:
    """The text's pair; a repeated word; too short; an empty one; none right; case; corpora drawn."""
    gato = ["el", "gato", "espera", "en", "mi", "la", "cocina"]
    yield [gato], [[*gato[:5], "cocina"]]
    yield [gato], [list(gato)]
    yield [gato[:5]], [gato]
    again = ["el", "gato", "el", "gato", "el", "gato", "come"]
    yield [again], [["el", "gato", "come", "el", "pan", "el", "lunes"]]
    perro = ["un", "perro", "ve", "la", "casa", "roja"]
    yield [gato, perro], [gato[:6], ["un", "perro", "ve", "una", "casa", "roja"]]
    yield [gato, []], [gato, ["no", "lo", "veo"]]
    yield [["el", "gato"]], [["el", "gato"]]
    yield [[]], [["el"]]
    yield [["El", *gato[1:]]], [gato]
    rng = random.Random(seed)
    for count in (2, 3, 6):
        references = [[rng.choice("abcd") for _ in range(rng.randint(5, 9))] for _ in range(count)]
        hypotheses = [
            [*one[: rng.randint(4, 9)], *rng.choices("abcd", k=rng.randint(0, 2))] for one in references
        ]
        yield hypotheses, references


def mean_of_sentences(hypotheses: Corpus, references: Corpus) -> float:
    each = [answers.bleu([ours], [theirs]) for ours, theirs in zip(hypotheses, references, strict=True)]
    return sum(each) / len(each)


def one_long_text(hypotheses: Corpus, references: Corpus) -> float:
    return answers.bleu([list(chain(*hypotheses))], [list(chain(*references))])


# fmt: off
EXERCISE = Exercise(
    name="bleu", minutes=11, difficulty=3, reference=answers.bleu, cases=cases, gradients=False,
    mistakes=[
        Mistake("mean_of_sentences", "You take BLEU of each sentence, then the mean. The counts of all"
            " sentences are added up first; one division for each n comes after.", mean_of_sentences),
        Mistake("one_long_text", "You glue the sentences together, so n-grams run over their ends, and words"
            " are found in another sentence's reference. Count pair by pair.", one_long_text),
        Mistake("not_clipped", "You count an n-gram as often as you write it. It counts at most as often as"
            " it stands in the reference, or \"la la la la\" would be perfect: min of the two counts.",
            edit(CLIP, "count * (gram in theirs)")),
        Mistake("counted_once", "You count each n-gram once, however often it stands there. Count as often as"
            " it stands in both.",
            (edit(CLIP, "min(1, theirs[gram])"),
             edit(CLIP, "min(1, theirs[gram])").then(TOTAL, "total += len(ours)"))),
        Mistake("recall", "You divide by the n-grams of the reference, which is recall. Precision divides by"
            " those of the hypothesis.", edit(TOTAL, "total += sum(theirs.values())")),
        Mistake("no_penalty", "Nothing punishes a translation that is too short: a single safe word would be"
            " perfect. Multiply by exp(1 - r / c) where c < r.", edit(PENALTY, "1.0")),
        Mistake("penalty_for_long", "You multiply by exp(1 - r / c) also where the hypotheses are longer:"
            " there it would exceed 1. Precision punishes those already.", edit(IF, "if written > 0:")),
        Mistake("another_penalty", "The penalty is exp(1 - r / c), with c the words written and r those of"
            " the references.",
            (edit(PENALTY, "written / wanted"), edit(PENALTY, "math.exp(1 - written / wanted)"))),
        Mistake("penalty_of_pairs", "You compare lengths pair by pair. c and r are the words of all"
            " hypotheses and of all references.",
            edit(IF, "penalty = sum(min(1.0, math.exp(1 - len(r) / max(1, len(h)))) for h, r in"
                " zip(hypotheses, references)) / len(references)\n    if False:")),
        Mistake("arithmetic_mean", "You take the arithmetic mean of the four precisions. BLEU takes the"
            " geometric one: the fourth root of their product.",
            edit("math.prod(precisions) ** 0.25", "sum(precisions) / 4")),
        Mistake("no_root", "You multiply the four precisions and leave it at that. Take the fourth root of"
            " their product.", edit(" ** 0.25", "")),
        Mistake("a_share", "The number is right as a share of 1. BLEU is printed from 0 to 100.",
            edit("100 * penalty", "penalty")),
        Mistake("smoothed", "You add 1 to counts. That is smoothing, and here nothing is smoothed: where one"
            " precision is 0, BLEU is 0.",
            edit("found / total if total > 0 else 0.0", "(found + 1) / (total + 1)")),
        Mistake("missing_sizes", "You leave a size of n out where there are no n-grams of it, or none right."
            " Its precision is then 0, and so is BLEU.",
            edit(RESULT, "100 * penalty * math.prod(p for p in precisions if p > 0) ** (1 / max(1, sum(p > 0"
                " for p in precisions)))")),
        Mistake("other_sizes", "Four precisions count: of single words, and of runs of two, three and four.",
            (edit("(1, 2, 3, 4)", "(1, 2, 3)").then("0.25", "(1 / 3)"),
             edit("(1, 2, 3, 4)", "(1,)").then("0.25", "1"), edit("(1, 2, 3, 4)", "(4,)").then("0.25", "1"))),
        Mistake("same_places", "You compare word with word at the same place. One missing word would spoil"
            " all that follow: look for the n-gram anywhere in the reference.",
            edit(CLIP, "sum(tuple(hypothesis[i : i + n]) == tuple(reference[i : i + n]) == gram for i in"
                " range(len(hypothesis) - n + 1))")),
        Mistake("exact", "You count sentences that are right as a whole. BLEU counts n-grams.",
            lambda ours, theirs: 100 * sum(map(list.__eq__, ours, theirs)) / len(theirs)),
        Mistake("turned_round", "You have hypotheses and references the wrong way round: precision divides by"
            " what the *hypotheses* hold.",
            lambda hypotheses, references: answers.bleu(references, hypotheses)),
        Mistake("case_ignored", "You make all letters small. Words are equal only as they stand.",
            edit("precisions = []", "precisions = []\n    hypotheses = [[w.lower() for w in one] for one in"
                " hypotheses]\n    references = [[w.lower() for w in one] for one in references]")),
    ],
    hints=("For each n from 1 to 4 add up two counts over all pairs: n-grams written, and how many of them"
           " the reference has too, each at most as often as it stands there.",
           "Of two Counters, (ours & theirs).total() is how many are in both. c and r are sums over all"
           " sentences, too.",
           "Two numbers may be 0 and stand below a line: the n-grams written, and c. Say what comes out then"
           " before you divide."),
    why="Counts of the whole corpus, clipped, and a penalty for what is too short.",
)
# fmt: on
