"""A student that never sees a class, neither a text of it nor its label, and what it knows of it anyway.

Hinton et al. (2015, section 3) left all threes out of what a student of digits reads; raising the bias of
that one class afterwards let it recognize most of them. Here a category of headlines is left out. The student
is cut from the pretrained MiniLM, not from its teacher, whose weights know the class.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.knowledge import LABELS, LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import SoftenedKL, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import RESULT, kept_result
from lib.records.students import MAX_LENGTH, PRECISION, texts_for, train_steps
from lib.records.teachers import input_of, load_teacher
from lib.text.tasks import TaskBatches, own
from lib.training.finetuning import fresh_model
from lib.training.known_tasks import load_task

CATEGORIES = ("sports", "film", "phones")
CUT, STEPS, BATCH, RATE, TEMPERATURE = (0, 2, 5), 400, 16, 2e-4, 4.0
BIASES = torch.arange(0, 10.5, 0.5)

ARMS: dict[str, Callable[[], list[Match]]] = {
    "labels": lambda: [Match(LABELS, ANSWER, cross_entropy)],
    "answers": lambda: [Match(LOGITS, ANSWER, SoftenedKL(TEMPERATURE))],
}


def unseen_classes(seed: int) -> dict[str, dict[str, Any]]:
    """What is known of each category by a student of either arm that never saw it."""
    return {
        category: {arm: kept_result(_run_of(category, arm, seed)) for arm in ARMS} for category in CATEGORIES
    }


def _run_of(category: str, arm: str, seed: int) -> Entry:
    return Entry(
        f"unseen_class_{seed}",
        f"A student of headlines that never saw one of {category}: {arm}",
        run_unseen,
        {"category": category, "arm": arm, "seed": seed},
        data=("minilm", input_of("headlines")),
    )


def run_unseen(folder: Path, category: str, arm: str, seed: int) -> None:
    """One student; what is recorded of it goes into the folder."""
    write_json(folder / RESULT, without_class(own.CATEGORIES.index(category), arm, seed))


def without_class(unseen: int, arm: str, seed: int) -> dict[str, Any]:
    """A student learns from all texts that neither their label nor else the teacher gives this class.

    Both arms read the same texts. Those without a label have, where labels are learned, the teacher's first
    guess for one.
    """
    task, tokenizer = load_task("headlines"), WordPieceTokenizer.from_pretrained("minilm")
    teacher = load_teacher("headlines", seed).model
    rows = task.kind.rows(texts_for("unlabeled", "headlines", seed), tokenizer, MAX_LENGTH)
    logits = row_answers(teacher, rows)  # [rows, C], of the labeled ones first
    labeled = [example.label for example in task.train]
    labels = torch.tensor(labeled + logits[len(labeled) :].argmax(dim=-1).tolist())
    seen = (labels != unseen).nonzero().flatten()
    student = cut_student(fresh_model(task, "minilm", seed), CUT)
    ordered = TaskBatches(
        [{**rows[place], "labels": int(labels[place])} for place in seen.tolist()],
        tokenizer.pad_token_id,
        BATCH,
        seed,
        group_by_length=True,
    )
    batches = TaughtBatches(ordered, {"logits": logits[seen]})
    seconds = train_steps(Distillation(student, None, ARMS[arm]()), batches, STEPS, RATE, seed, PRECISION)
    student.eval()
    share = float((labels[len(labeled) :] == unseen).float().mean())
    bias = bias_for(row_answers(student, rows[len(labeled) :]), unseen, share)
    answers = row_answers(student, task.kind.rows(task.test, tokenizer, MAX_LENGTH))
    right = torch.tensor([example.label for example in task.test])
    return {
        **recognized(answers, right, unseen, 0.0),
        "share_expected": share,
        "corrected": {"bias": bias, **recognized(answers, right, unseen, bias)},
        "sweep": [[bias, *recognized(answers, right, unseen, bias).values()] for bias in BIASES.tolist()],
        "processor_seconds": round(seconds, 1),
    }


def bias_for(logits: Tensor, unseen: int, share: float) -> float:
    """What has to be added to one class's logit, of [N, C], so that this share of the texts is given to it.

    0 where it is given to as many already. No label is looked at: how frequent the class is has to be known,
    or be guessed by a teacher.
    """
    others = logits.clone()
    others[:, unseen] = -torch.inf
    lacking = (others.amax(dim=-1) - logits[:, unseen]).sort().values  # [N]
    last = min(max(round(share * len(lacking)), 1), len(lacking)) - 1
    return max(0.0, float(lacking[last]) + 1e-4)  # just enough for the last of them


def recognized(logits: Tensor, right: Tensor, unseen: int, bias: float) -> dict[str, float]:
    """How many texts [N] are answered rightly with this bias: of the class, of all, of the other classes."""
    raised = logits.clone()
    raised[:, unseen] += bias
    hits = (raised.argmax(dim=-1) == right).float()
    of_class = right == unseen
    return {
        "recognized": float(hits[of_class].mean()),
        "accuracy": float(hits.mean()),
        "of_others": float(hits[~of_class].mean()),
    }


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "categories": list(CATEGORIES),
        "cut": list(CUT),
        "steps": STEPS,
        "batch_size": BATCH,
        "rate": RATE,
        "temperature": TEMPERATURE,
    }
