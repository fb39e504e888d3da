"""Direct objects of the English Web Treebank, found by one head of MiniLM and by random weights."""

from __future__ import annotations

from chapters.nb06.objects_in_ewt import objects_of_minilm, objects_of_random_weights
from lib.records.inputs import public
from lib.records.study import Measured, Study
from lib.records.subject import Subject

EWT = "ud_english_ewt"


def measure_minilm(_subject: Subject) -> Measured:
    """The head that finds most objects of the dev part, on the test part, beside rules."""
    return Measured(objects_of_minilm(public(EWT)))


def measure_random(subject: Subject) -> Measured:
    """The best head of weights that the seed draws."""
    return Measured(objects_of_random_weights(public(EWT), subject.seed))


STUDY = Study(
    "objects",
    "Direct objects of UD English EWT found by one head of MiniLM; the seed draws random weights",
    {"EWT": {"minilm": measure_minilm, "random weights": measure_random}},
    once=frozenset({"minilm"}),
    examples_of={"EWT": tuple(f"public/{EWT}/en_ewt-ud-{part}.conllu" for part in ("dev", "test"))},
    minutes=4,
)
