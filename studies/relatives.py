"""What BERT's relatives changed, in small BERTs: how often masks are drawn, and what is asked."""

from __future__ import annotations

from functools import partial

from chapters.nb37 import electra, how_often
from lib.records.small_bert import grammar_texts
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread

FEW_SENTENCES, ALL_SENTENCES = "1,280 sentences, 30 times", "all sentences, equal compute"
MASKS = {"1 mask": 1, "3 masks": 3, "10 masks": 10, "30 masks": 30}


def measure_masks(masks: int, subject: Subject) -> Measured:
    """A small BERT that met each of its sentences behind so many masks."""
    with one_thread():
        texts = grammar_texts()
        epochs = how_often.EPOCHS if subject.most_steps is None else masks
        model, last = how_often.train_with_masks(masks, texts, subject.seed, epochs)
        scores = how_often.held_out_score(model, texts) | {
            "training loss": last,
            "verbs": electra.verbs_right(model, texts),
        }
    return Measured(scores, {"steps": epochs * how_often.READ})


def measure_objectives(budget: float, rate: float, weight: float, subject: Subject) -> dict[str, Measured]:
    """ELECTRA and a masked model of equal multiply-adds; both look for the same replaced tokens."""
    with one_thread():
        texts = grammar_texts()
        model, steps = electra.train_electra(texts, subject.seed, budget, subject.most_steps, rate, weight)
        masked, masked_steps = electra.train_masked(texts, subject.seed, budget, subject.most_steps)
        found = electra.detection(model, texts) | {"verbs": electra.finds_wrong_verbs(model, texts)}
        by_masked = electra.detection(model, texts, masked) | {
            "verbs": electra.verbs_right(masked, texts),
            "loss": how_often.held_out_score(masked, texts)["loss"],
        }
    return {
        "ELECTRA": Measured(found, {"steps": steps}),
        "masked LM": Measured(by_masked, {"steps": masked_steps}),
    }


READER = ("data/reader/town.txt", "data/reader/valley.txt")

STUDY = Study(
    "relatives",
    "How often masks are drawn anew, and replaced tokens against masked ones at equal compute, in small"
    " BERTs on the grammar's text and the course's own; the seed draws weights, sentences, masks",
    {
        FEW_SENTENCES: {name: partial(measure_masks, masks) for name, masks in MASKS.items()},
        ALL_SENTENCES: {
            "both": partial(measure_objectives, electra.BUDGET, electra.RATE, electra.WEIGHT),
        },
    },
    inputs=(),
    examples_of={FEW_SENTENCES: READER, ALL_SENTENCES: READER},
    minutes=10,
)
