"""MiniLM fine-tuned on public sets, as far as they are at hand, to stand beside what is published.

The figures are lower than the published ones, for MiniLM is smaller than BERT-base and most sets are read in
part: the record says how many rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training import baselines
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import spread
from lib.training.task_kinds import Task


@dataclass(frozen=True)
class Part:
    """How many rows of a set are learned from and tested on, evenly spread: some are sorted by subject.

    None: all of them.
    """

    rows: int | None = None
    tested: int | None = None

    def of(self, task: Task) -> Task:
        """The task, read in part."""
        return replace(task, train=spread(task.train, self.rows), test=spread(task.test, self.tested))


def measure_minilm(part: Part, recipe: Recipe, subject: Subject) -> Measured:
    """All weights of MiniLM, and how many rows it learned from and was tested on."""
    task = part.of(subject.task)
    model = fresh_model(task, "minilm", subject.seed)
    result = fine_tune(model, subject.tokenizer, task, recipe, seed=subject.seed)
    costs = {"rows": len(task.train), "tested": len(task.test)}
    return Measured(dict(result.scores), costs | {"processor_seconds": round(result.processor_seconds, 1)})


def measure_counting(part: Part, subject: Subject) -> Measured:
    """What a count of words answers that has seen the same rows."""
    task = part.of(subject.task)
    said = baselines.OF_TASK[subject.name](task.train, task.test)
    return Measured(dict(task.kind.score(said, task.test)))


def arms(recipe: Recipe, rows: int | None = None, tested: int | None = None) -> dict[str, Arm]:
    """MiniLM and a count of words, on this part of a set."""
    part = Part(rows, tested)
    minilm = partial(measure_minilm, part, replace(recipe, precision="bf16"))
    return {"MiniLM": minilm, "baseline": partial(measure_counting, part)}


TAGGED = Recipe(batch_size=16, learning_rate=3e-4)
STUDY = Study(
    "public_sets",
    "MiniLM and a count of words on public sets, read in part",
    {
        "SST-2": arms(Recipe(), rows=4000),
        "MRPC": arms(Recipe(batch_size=16, learning_rate=1e-4)),
        "SQuAD 1.1": arms(replace(TAGGED, max_length=256), rows=1600, tested=1000),
        "WNUT17": arms(TAGGED),
        "livedoor": arms(Recipe(batch_size=16), rows=2000, tested=1000),
        "EWT": arms(TAGGED),
    },
    once=frozenset({"baseline"}),
    inputs=(),
    inputs_of={"MiniLM": ("minilm",)},
    minutes=120,
)
