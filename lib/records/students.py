"""What the records of distillation share: the texts that a student reads, and their length."""

from __future__ import annotations

from typing import Literal

from lib.records.augmented import augmented
from lib.text.tasks import TextExample, own
from lib.training.devices import Precision
from lib.training.known_tasks import load_task

#: the course's tasks that have texts without a label, which a teacher can answer
Unlabeled = Literal["reviews", "headlines"]
TASKS: tuple[Unlabeled, ...] = ("reviews", "headlines")
Texts = Literal["labeled", "unlabeled", "augmented"]
MAX_LENGTH = 128
WARMUP = 0.1
#: what the records of distillation were made in, on a processor that multiplies bfloat16 itself
PRECISION: Precision = "bf16"


def texts_for(kind: Texts, task: str, seed: int) -> list[TextExample]:
    """What a student reads: the labeled texts, with their labels, or more of them, all without.

    "unlabeled" adds the task's texts that nobody has labeled, "augmented" the variants of the labeled ones.
    """
    labeled: list[TextExample] = list(load_task(task).train)
    if kind == "labeled":
        return labeled
    if kind == "augmented":
        return without_labels(augmented(task, seed)["texts"])
    return without_labels([example.first for example in labeled] + own.unlabeled(task))


def without_labels(texts: list[str]) -> list[TextExample]:
    return [TextExample(text, None, None) for text in texts]
