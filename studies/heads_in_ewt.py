"""Which head finds which relation of the English Web Treebank? (Clark et al., 2019, section 4.2)"""

from __future__ import annotations

from functools import partial

from chapters.nb13.probes import fit_probes, nearest_in_ewt, trained_in_ewt, untrained
from lib.records.inputs import POCKET_VOCABULARY, public
from lib.records.study import Measured, Study
from lib.records.subject import Subject

EWT = "ud_english_ewt"


def measure_trained(name: str, _subject: Subject) -> Measured:
    """The best head of a trained model for each relation: the fields of `HeadProbe`."""
    return Measured({"probes": trained_in_ewt(name, public(EWT))})


def measure_random(name: str, subject: Subject) -> Measured:
    """The same of its shape, with weights that the seed draws."""
    return Measured({"probes": fit_probes(untrained(name, subject.seed), name, public(EWT))})


def measure_rules(_subject: Subject) -> Measured:
    """The best rule of the form "the nearest noun after it", told the gold parts of speech."""
    return Measured({"rules": nearest_in_ewt(public(EWT))})


STUDY = Study(
    "heads_in_ewt",
    "The best head for every frequent relation of UD English EWT in the pocket BERT and in MiniLM, beside"
    " random weights and rules that are told the parts of speech; chosen on dev and scored on test",
    {
        "EWT": {
            "pocket": partial(measure_trained, "pocket"),
            "minilm": partial(measure_trained, "minilm"),
            "random weights": partial(measure_random, "pocket"),
            "nearest of a kind, told": measure_rules,
        }
    },
    once=frozenset({"pocket", "minilm", "nearest of a kind, told"}),
    inputs=(),
    inputs_of={"pocket": ("pocket",), "minilm": ("minilm",), "random weights": (POCKET_VOCABULARY,)},
    examples_of={"EWT": tuple(f"public/{EWT}/en_ewt-ud-{part}.conllu" for part in ("dev", "test"))},
    minutes=6,
)
