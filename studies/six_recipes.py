"""Six ways to take features for tags out of a frozen MiniLM: Devlin et al. (2019), table 7, on our entities.

The hidden states of all sentences are computed once; for each recipe a small tagger is trained on them.
"""

from __future__ import annotations

import time
from typing import Any

import torch

from lib.bert import BertModel, WordPieceTokenizer
from lib.text.masking import IGNORED
from lib.text.tasks import Row
from lib.training.feature_taggers import FeatureTagger, feature_recipes
from lib.training.features import CachedBatches, HiddenStates, hidden_states
from lib.training.finetuning import FineTuning, Task
from lib.training.known_tasks import load_task
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay
from lib.training.task_kinds import Tagging

WIDTH, EPOCHS, BATCH, LEARNING_RATE, MAX_LENGTH = 128, 10, 16, 2e-3, 128


def all_recipes(seed: int) -> dict[str, dict[str, float]]:
    """The F1 of each recipe on the test sentences, and the processor's seconds its tagger took to train.

    The seed draws the tagger's weights and the order of the rows. The states all taggers read took
    `processor_seconds` of "hidden states", once.
    """
    task, tokenizer = load_task("entities"), WordPieceTokenizer.from_pretrained("minilm")
    bert = BertModel.from_pretrained("minilm")
    began = time.process_time()
    rows = task.kind.rows(task.train, tokenizer, MAX_LENGTH)
    states = hidden_states(bert, rows)
    found = {"hidden states": {"processor_seconds": round(time.process_time() - began, 1)}}
    test_rows = task.kind.rows(task.test, tokenizer, MAX_LENGTH)
    test_states = hidden_states(bert, test_rows)
    for name, recipe in feature_recipes(bert.config.num_hidden_layers).items():
        torch.manual_seed(seed)
        tagger = FeatureTagger(recipe, bert.config.hidden_size, len(_kind(task).tags), WIDTH)
        began = time.process_time()
        train(tagger, CachedBatches(states.take(*recipe.layers), rows, batch_size=BATCH, seed=seed))
        seconds = time.process_time() - began
        tags = predict(tagger, test_states.take(*recipe.layers), test_rows, task)
        found[name] = {
            "f1": task.kind.score(tags, task.test)["f1"],
            "processor_seconds": round(seconds, 1),
        }
    return found


def train(tagger: FeatureTagger, batches: CachedBatches) -> None:
    """The tagger learns from the cached states, by AdamW at a rate that falls to zero."""
    objective, steps = FineTuning(tagger), EPOCHS * batches.size
    schedule = LinearDecay(steps, LEARNING_RATE, 0.1)
    Trainer(objective, batches, adamw(objective), schedule, seed=batches.seed or 0).train()


@torch.no_grad()
def predict(tagger: FeatureTagger, states: HiddenStates, rows: list[Row], task: Task) -> list[list[str]]:
    """A tag for each word of the test sentences, read off its first piece; O for words that were cut off."""
    batches, found = CachedBatches(states, rows, batch_size=64, seed=None), list[list[str]]()
    tagger.eval()
    for number in range(batches.size):
        batch = batches(number)
        is_first = batch["labels"] != IGNORED  # [B, T]
        best = tagger(**batch).logits.argmax(-1)  # [B, T]
        found += [
            [_kind(task).tags[tag] for tag in row[asked].tolist()]
            for row, asked in zip(best, is_first, strict=True)
        ]
    return [
        tags + ["O"] * (len(example.words) - len(tags))
        for tags, example in zip(found, task.test, strict=True)
    ]


def _kind(task: Task) -> Tagging:
    assert isinstance(task.kind, Tagging)
    return task.kind


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {"width": WIDTH, "epochs": EPOCHS, "batch_size": BATCH, "learning_rate": LEARNING_RATE}
