"""More text of the domain first: the pocket BERT reads unlabeled reviews, then learns from labeled ones.

Gururangan et al. (2020) call this task-adaptive pretraining. The other arm is fine-tuned as it is.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.text.packing import pack
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.text.tasks import own
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.pretraining import pretraining_trainer
from lib.training.schedules import LinearDecay

LABELED = 200  # reviews to fine-tune on: the fewer there are, the more other text may help
LAST = 30  # steps over which the loss at the end is averaged, and that at the beginning
RECIPE = Recipe(batch_size=16, learning_rate=1e-4, epochs=10, precision="bf16")


@dataclass(frozen=True)
class Reading:
    """How long the model guesses hidden pieces of the text, and how fast it learns."""

    steps: int = 300
    batch_size: int = 32
    length: int = 40
    learning_rate: float = 2e-4


def measure_as_it_is(labeled: int, recipe: Recipe, subject: Subject) -> Measured:
    """The pocket BERT fine-tuned on so many reviews."""
    return Measured(fine_tuned("pocket", labeled, recipe, subject))


def measure_after_reading(reading: Reading, labeled: int, recipe: Recipe, subject: Subject) -> Measured:
    """The same after it has read, and the masked-LM loss, in nats, of the first and the last steps.

    The seed draws the order of the text and what is hidden in it, the head, the labeled reviews' order.
    """
    with tempfile.TemporaryDirectory() as folder:
        losses = read_domain(own.unlabeled("reviews"), Path(folder), reading, subject.seed)
        scores = fine_tuned(folder, labeled, recipe, subject)
    first_and_last = {"first_loss": sum(losses[:LAST]) / LAST, "last_loss": sum(losses[-LAST:]) / LAST}
    return Measured(scores | first_and_last)


def read_domain(texts: list[str], folder: Path, reading: Reading, seed: int) -> list[float]:
    """The pocket BERT reads the texts for some steps and is saved into the folder; the loss of each step."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    model = BertForPreTraining.from_pretrained("pocket")
    corpus = pack([[text] for text in texts], tokenizer, folder / "text")
    rows = SentenceRows(corpus, tokenizer, reading.length, reading.batch_size, seed)
    schedule = LinearDecay(reading.steps, reading.learning_rate, 0.1)
    trainer = pretraining_trainer(model, PretrainingBatches(rows), schedule, precision="bf16")
    losses = [trainer.step()["masked_lm"] for _ in range(reading.steps)]
    model.save_pretrained(folder)
    return losses


def fine_tuned(start: str, labeled: int, recipe: Recipe, subject: Subject) -> dict[str, float]:
    """The scores on the test reviews of a model that learns from the first labeled ones."""
    few = replace(subject.task, train=subject.task.train[:labeled])
    tokenizer, model = WordPieceTokenizer.from_pretrained("pocket"), fresh_model(few, start, subject.seed)
    return dict(fine_tune(model, tokenizer, few, recipe, seed=subject.seed).scores)


STUDY = Study(
    "domain_text",
    "The pocket BERT fine-tuned on few reviews, as it is and after it has read unlabeled ones",
    {
        "reviews": {
            "without": partial(measure_as_it_is, LABELED, RECIPE),
            "with": partial(measure_after_reading, Reading(), LABELED, RECIPE),
        }
    },
    inputs=("pocket",),
    minutes=20,
)
