"""More text of the domain first: the pocket BERT reads unlabeled reviews, then learns from labeled ones.

Gururangan et al. (2020) call this task-adaptive pretraining. The other arm is fine-tuned as it is.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text.packing import pack
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.text.tasks import own
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import load_task
from lib.training.pretraining import pretraining_trainer
from lib.training.schedules import LinearDecay

STEPS, BATCH, LENGTH, LEARNING_RATE = 300, 32, 40, 2e-4
LABELED = 200  # reviews to fine-tune on: the fewer there are, the more other text may help
LAST = 30  # steps over which the loss at the end is averaged, and that at the beginning
RECIPE = Recipe(batch_size=16, learning_rate=1e-4, epochs=10, precision="bf16")


def with_and_without(seed: int) -> dict[str, float]:
    """The test accuracy of both arms, and the masked-LM loss, in nats, of the first and the last steps.

    The seed draws the order of the text and what is hidden in it, the head, the labeled reviews' order.
    """
    with tempfile.TemporaryDirectory() as folder:
        losses = read_domain(own.unlabeled("reviews"), Path(folder), seed)
        return {
            "without": fine_tuned("pocket", seed),
            "with": fine_tuned(folder, seed),
            "first_loss": sum(losses[:LAST]) / LAST,
            "last_loss": sum(losses[-LAST:]) / LAST,
        }


def read_domain(texts: list[str], folder: Path, seed: int) -> list[float]:
    """The pocket BERT reads the texts for some steps and is saved into the folder; the loss of each step."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    model = BertForPreTraining.from_pretrained("pocket")
    rows = SentenceRows(
        pack([[text] for text in texts], tokenizer, folder / "text"), tokenizer, LENGTH, BATCH, seed
    )
    schedule = LinearDecay(STEPS, LEARNING_RATE, 0.1)
    trainer = pretraining_trainer(model, PretrainingBatches(rows), schedule, precision="bf16")
    losses = [trainer.step()["masked_lm"] for _ in range(STEPS)]
    model.save_pretrained(folder)
    return losses


def fine_tuned(start: str, seed: int) -> float:
    """The accuracy on the test reviews of a model that learns from the first labeled ones."""
    task = load_task("reviews")
    few = replace(task, train=task.train[:LABELED])
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    return fine_tune(fresh_model(few, start, seed), tokenizer, few, RECIPE, seed=seed).scores["accuracy"]


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    reading = {"steps": STEPS, "batch_size": BATCH, "length": LENGTH, "learning_rate": LEARNING_RATE}
    return {"reading": reading, "labeled": LABELED, "recipe": asdict(RECIPE)}
