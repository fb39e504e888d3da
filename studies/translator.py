"""A translator of 2 + 2 layers after more and more steps: its score, what is new to it, and where it looks.

The pairs are those of the closed grammar (`lib.text.spanish`), and so is what it is tested on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from chapters.nb36 import translator
from chapters.nb36.rivals import paired_bleu
from chapters.nb36.translator import Translator, Words
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.text.spanish import Pair
from lib.training.fitting import one_thread

STEPS = (200, 300, 400, 600)


def measure_translator(steps: int, subject: Subject) -> Measured:
    """BLEU and the share of sentences right, of new sentences and of new adjectives and nouns together."""
    data = translator.corpus()
    english = Words(pair.english for pair in data.learned)
    spanish = Words(pair.spanish for pair in data.learned)
    with one_thread():
        start = time.process_time()
        model = translator.train(data, english, spanish, subject.at_most(steps), subject.seed)
        seconds = time.process_time() - start
        tested = scores(model, data.tested, english, spanish, held_out=False)
        unseen = scores(model, data.unseen, english, spanish, held_out=True)
        maps = translator.look(model, data.tested, english, spanish)
    looked = {
        "looks right": translator.share_right(maps, data.tested),
        "names right": translator.share_named(model, data.tested, english, spanish),
        "diagonal": translator.share_right(translator.diagonal(data.tested), data.tested),
    }
    new = {f"unseen, {name}": value for name, value in unseen.items()}
    return Measured(tested | new | looked, {"processor_seconds": round(seconds, 1)})


def scores(
    model: Translator, pairs: Sequence[Pair], english: Words, spanish: Words, held_out: bool
) -> dict[str, float]:
    """BLEU, the share of sentences that are right as a whole, and of nouns with their adjective.

    held_out: whether those that never met count, or the others.
    """
    written = translator.translate(model, [pair.english for pair in pairs], english, spanish)
    wanted = [pair.spanish for pair in pairs]
    exact = sum(ours == theirs for ours, theirs in zip(written, wanted, strict=True)) / len(pairs)
    agreeing = translator.share_agreeing(written, pairs, held_out)
    return {"bleu": paired_bleu(written, wanted), "exact": exact, "adjective and noun": agreeing}


ARMS: dict[str, Arm] = {f"{steps} steps": partial(measure_translator, steps) for steps in STEPS}
STUDY = Study(
    "translator",
    "A translator of a closed English-Spanish grammar after 200 to 600 steps",
    {"spanish": ARMS},
    inputs=(),
    examples_of={"spanish": ("data/grammar_spanish",)},
    minutes=8,
    version=2,
)
