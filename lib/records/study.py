"""A study: what is trained in order to be measured. Its arms are data, and each of its runs is a row.

    ARMS = {"headlines": {"magnitude 0.9": pruned("magnitude", 0.9)}}
    STUDY = Study("pruned_weights", "MiniLM with weights at 0", ARMS)

An arm is a function of a `Subject`. What it depends on is read off it (`lib.names.stable_name`), so nobody
writes a config. A new arm is a new row: no other row changes, and no other record is begun for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from lib.bert.model import PreTrainedBert
from lib.compression.packed import save_packed
from lib.files import write_json
from lib.names import stable_name
from lib.records.cache import Entry, cached
from lib.records.inputs import digests, is_at_hand
from lib.records.results import PACKED, RESULT, result_in
from lib.records.subject import Subject
from lib.records.table import Run, Table
from lib.records.teachers import folders_of


@dataclass(frozen=True)
class Measured:
    """What a run gave, as JSON, and its model, in eval(), where that is to be kept."""

    scores: dict[str, Any]
    costs: dict[str, Any] = field(default_factory=dict)
    model: PreTrainedBert | None = None


#: what is measured of a subject: one arm, or several by name that share their work
Arm = Callable[[Subject], Measured | dict[str, Measured]]


def measure_teacher(subject: Subject) -> Measured:
    """The fine-tuned model that an arm begins with or learns from, as it is."""
    return Measured(dict(subject.teacher.scores))


@dataclass(frozen=True)
class Study:
    """Arms by task.

    once: arms, or tasks with all of theirs, that no seed changes: run with the first alone. keep: arms whose
    model the ledger measures as well. inputs: what all are made from beside the task, by the names of
    `lib.records.inputs`; inputs_of: what an arm, or all of a task, is made from besides; examples_of: where
    the examples of a task lie that is none of the course's, which may be nowhere. version: raised when the
    code changes what comes out, which makes every run anew. minutes: what all of it takes on two cores.
    """

    name: str
    about: str
    arms: Mapping[str, Mapping[str, Arm]]
    seeds: tuple[int, ...] = (0, 1, 2)
    once: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    inputs: tuple[str, ...] = ("minilm",)
    inputs_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    examples_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    version: int = 1
    minutes: float = 60

    def __post_init__(self) -> None:
        for task, arms in self.arms.items():
            for name, arm in arms.items():
                if "<" in stable_name(arm):  # <lambda>, <locals>, <function at 0x...>
                    raise ValueError(
                        f"What {name!r} on {task} does cannot be read off {stable_name(arm)}: write it as a "
                        "function of the module, or as a partial of one."
                    )

    def identity(self, task: str, arm: str) -> str:
        """What an arm is, by which its runs are known again."""
        return stable_name(self.arms[task][arm])

    def entry(self, task: str, arm: str, seed: int) -> Entry:
        """One run, which the cache keeps."""
        config = {"study": self.name, "task": task, "arm": arm, "seed": seed, "how": self.identity(task, arm)}
        return Entry(
            f"{self.name[:20]}_{seed}",
            f"{self.about}: {task}, {arm}",
            run_arm,
            config,
            self.data_of(task, arm),
            done="measured",
            version=self.version,
            modules=(f"studies.{self.name}",),
        )

    def data_of(self, task: str, arm: str) -> tuple[str, ...]:
        """What the runs of an arm are made from."""
        examples = self.examples_of[task] if task in self.examples_of else folders_of(task)
        return (*self.inputs, *self.inputs_of.get(task, ()), *self.inputs_of.get(arm, ()), *examples)

    def seeds_of(self, task: str, arm: str) -> tuple[int, ...]:
        """With which an arm is run."""
        return self.seeds[:1] if {task, arm} & self.once else self.seeds

    def rows(self, before: Table | None = None) -> Iterator[Run]:
        """A row for each run, in the order of the study: those of `before` that fit, all others made now."""
        for task, arms in self.arms.items():
            for arm in arms:
                by_seed = self._fitting(before, task, arm) if before else {}
                for seed in self.seeds_of(task, arm):
                    yield from by_seed.get(seed) or self._made(task, arm, seed)

    def misfits(self, table: Table) -> list[str]:
        """What of a record is not as the study would make it now, a sentence each. None: it fits."""
        known = {(task, self.identity(task, arm)): arm for task, arms in self.arms.items() for arm in arms}
        there = {(run.task, run.identity, run.seed) for run in table.rows}
        sentences = [
            f"{arm!r} on {task} has no run of seed {seed} as it is now: {identity}"
            for (task, identity), arm in known.items()
            for seed in self.seeds_of(task, arm)
            if (task, identity, seed) not in there
        ]
        for run in table.rows:
            if (run.task, run.identity) not in known:
                sentences.append(
                    f"{run.arm!r} on {run.task}, seed {run.seed}, is of an arm that is no more: "
                    f"{run.identity}"
                )
            elif run.made_with["version"] != self.version:
                sentences.append(f"{run.arm!r} on {run.task} is of version {run.made_with['version']}")
        return sentences + changed_inputs(table)

    def _fitting(self, before: Table, task: str, arm: str) -> dict[int, list[Run]]:
        """By seed the rows of an arm that would come out the same."""
        now = {"how": self.identity(task, arm), "version": self.version}
        inputs = digests(filter(is_at_hand, self.data_of(task, arm)))
        by_seed: dict[int, list[Run]] = {}
        for run in before.rows:
            made = run.made_with
            if run.task == task and now.items() <= made.items() and inputs.items() <= made["inputs"].items():
                by_seed.setdefault(run.seed, []).append(run)
        return by_seed

    def _made(self, task: str, arm: str, seed: int) -> Iterator[Run]:
        kept = cached(self.entry(task, arm, seed))
        made_from = kept.meta["made from"]
        made_with = {
            "how": self.identity(task, arm),
            "version": self.version,
            "inputs": made_from["data"],
            "torch": made_from["torch"],
            **{name: kept.meta[name] for name in ("commit", "date", "machine")},
        }
        for name, measured in result_in(kept.folder).items():
            yield Run(task, name, seed, **measured, made_with=made_with)


def changed_inputs(table: Table) -> list[str]:
    """What rows were made from and is not what it was, a sentence each; public sets count where they are."""
    before = {name: digest for run in table.rows for name, digest in run.made_with["inputs"].items()}
    now = digests(name for name in before if is_at_hand(name))
    return [f"{name} is not what it was" for name in now if now[name] != before[name]]


def run_arm(folder: Path, study: str, task: str, arm: str, seed: int, how: str) -> None:
    """One run: what is recorded of it goes into the folder, and its model's file where it is to be kept."""
    its_study: Study = import_module(f"studies.{study}").STUDY
    measured = its_study.arms[task][arm](Subject(task, seed))
    by_arm = measured if isinstance(measured, dict) else {arm: measured}
    for name, one in by_arm.items():
        if name in its_study.keep and one.model is not None:
            save_packed(one.model.cpu(), folder / PACKED)
    write_json(
        folder / RESULT, {name: {"scores": one.scores, "costs": one.costs} for name, one in by_arm.items()}
    )
