"""Six ways to take features for tags out of a frozen MiniLM: Devlin et al. (2019), table 7, on our entities.

The hidden states of all sentences are computed once; for each recipe a small tagger is trained on them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import torch

from lib.bert import BertModel
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.text.masking import IGNORED
from lib.text.tasks import Row
from lib.training.feature_taggers import FeatureRecipe, FeatureTagger, feature_recipes
from lib.training.features import CachedBatches, HiddenStates, hidden_states
from lib.training.finetuning import FineTuning, Task
from lib.training.task_kinds import Tagging

LAYERS, MAX_LENGTH = 6, 128


@dataclass(frozen=True)
class Learning:
    """How wide a tagger is, and how long and fast it learns."""

    width: int = 128
    epochs: int = 10
    batch_size: int = 16
    learning_rate: float = 2e-3


def measure_recipes(
    recipes: dict[str, FeatureRecipe], learning: Learning, subject: Subject
) -> dict[str, Measured]:
    """The F1 of each recipe on the test sentences, and the processor's seconds its tagger took to train.

    The seed draws the tagger's weights and the order of the rows. The states all taggers read took
    `processor_seconds` of "hidden states", once.
    """
    task, bert = subject.task, BertModel.from_pretrained("minilm")
    began = time.process_time()
    rows = task.kind.rows(task.train, subject.tokenizer, MAX_LENGTH)
    states = hidden_states(bert, rows)
    reading = round(time.process_time() - began, 1)
    measured = {"hidden states": Measured({}, {"processor_seconds": reading})}
    test_rows = task.kind.rows(task.test, subject.tokenizer, MAX_LENGTH)
    test_states = hidden_states(bert, test_rows)
    for name, recipe in recipes.items():
        torch.manual_seed(subject.seed)
        tagger = FeatureTagger(recipe, bert.config.hidden_size, len(_kind(task).tags), learning.width)
        batches = CachedBatches(
            states.take(*recipe.layers), rows, batch_size=learning.batch_size, seed=subject.seed
        )
        seconds = subject.train(
            FineTuning(tagger),
            batches,
            learning.epochs * batches.size,
            learning.learning_rate,
            precision="no",
        )
        tags = predict(tagger, test_states.take(*recipe.layers), test_rows, task)
        f1 = task.kind.score(tags, task.test)["f1"]
        measured[name] = Measured({"f1": f1}, {"processor_seconds": seconds})
    return measured


@torch.no_grad()
def predict(tagger: FeatureTagger, states: HiddenStates, rows: list[Row], task: Task) -> list[list[str]]:
    """A tag for each word of the test sentences, read off its first piece; O for words that were cut off."""
    batches, predicted = CachedBatches(states, rows, batch_size=64, seed=None), list[list[str]]()
    tagger.eval()
    for number in range(batches.size):
        batch = batches(number)
        is_first = batch["labels"] != IGNORED  # [B, T]
        best = tagger(**batch).logits.argmax(-1)  # [B, T]
        predicted += [
            [_kind(task).tags[tag] for tag in row[first].tolist()]
            for row, first in zip(best, is_first, strict=True)
        ]
    return [
        tags + ["O"] * (len(example.words) - len(tags))
        for tags, example in zip(predicted, task.test, strict=True)
    ]


def _kind(task: Task) -> Tagging:
    assert isinstance(task.kind, Tagging)
    return task.kind


STUDY = Study(
    "six_recipes",
    "Tags from a frozen MiniLM by six recipes for features",
    {"entities": {"recipes": partial(measure_recipes, feature_recipes(LAYERS), Learning())}},
    minutes=10,
)
