"""`python course.py finetune`: a BERT learns a task. Several processes are started on this module."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from lib import command
from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.files import write_json
from lib.training.checkpoints import Checkpoints
from lib.training.devices import Precision, precision_here, processes
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import train_top
from lib.training.known_tasks import evenly, load_task
from lib.training.options import with_options
from lib.training.own_task import Columns, Kind, OwnTask, read_own_task
from lib.training.task_kinds import Task

RUN = "run"  # in a model's folder: the log and the checkpoints of its training


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """What is learned, by which model."""

    task: Annotated[
        str | None, typer.Option(help="reviews, headlines, ..., or a public set: SST-2, SQuAD 1.1, ...")
    ] = None
    model: Annotated[
        str, typer.Option(help="minilm, pocket, a folder in transformers' format, or a name on the hub")
    ] = "minilm"
    data: Annotated[
        Path | None,
        typer.Option(
            help="your own rows: CSV, TSV, JSON lines, Parquet, a folder of `datasets`, CoNLL, SQuAD's JSON; "
            "with --task, the folder of that public set, for which else the hub is asked"
        ),
    ] = None
    text: Annotated[str, typer.Option(help="the column of your own rows that holds the text")] = "text"
    second: Annotated[str | None, typer.Option(help="the column of the second text, for pairs")] = None
    label: Annotated[str, typer.Option(help="the column of the class, grade or tags")] = "label"
    kind: Annotated[Kind, typer.Option(help="what your own rows teach")] = "classes"
    test: Annotated[
        Path | None, typer.Option(help="your own rows to test on; without it one text in five is kept back")
    ] = None
    first: Annotated[int | None, typer.Option(min=1, help="learn from so many of the training rows")] = None
    validation: Annotated[
        int, typer.Option(min=0, help="so many of them are kept back, for --patience to stop by")
    ] = 0

    @property
    def own(self) -> OwnTask | None:
        """The task of the reader's own rows, if there are any."""
        if self.task is not None:
            return None
        if self.data is None:
            raise ValueError("Say what is to be learned: --task NAME, or --data with your own rows.")
        return read_own_task(self.data, Columns(self.text, self.label, self.second, self.kind), self.test)

    def chosen(self, task: Task) -> Task:
        """The task, with as many rows to learn from and to stop by as are asked for."""
        rows = evenly(task.train, self.first)
        if self.validation >= len(rows):
            raise ValueError(
                f"{self.validation} of {len(rows)} training rows are kept back: leave some to learn from."
            )
        kept_back = set(evenly(range(len(rows)), self.validation))
        return replace(
            task,
            train=[row for place, row in enumerate(rows) if place not in kept_back],
            validation=[rows[place] for place in sorted(kept_back)],
        )


@dataclass(frozen=True, kw_only=True)
class QuickRecipe(Recipe):
    """A recipe in the precision that this machine is fastest in."""

    precision: Annotated[
        Precision, typer.Option(help="no: float32; bf16: faster where the hardware has it, and taken there")
    ] = field(default_factory=precision_here)


@dataclass(frozen=True, kw_only=True)
class LearnedOptions:
    """Which weights learn, from which seeds, and what is kept."""

    out: Annotated[
        Path, typer.Option(help="a folder for the model, its scores and predictions; one for each of --seeds")
    ]
    layers: Annotated[
        int | None, typer.Option(help="only so many of the highest layers learn, and the head; 0: it alone")
    ] = None
    seeds: Annotated[int, typer.Option(min=1, help="runs; from several one sees the spread")] = 1
    save_every: Annotated[int, typer.Option(min=1, help="steps from one checkpoint to the next")] = 500
    resume: Annotated[bool, typer.Option(help="go on with the runs in OUT, exactly where they stood")] = False


def main(task: TaskOptions, recipe: QuickRecipe, learned: LearnedOptions) -> None:
    """Fine-tune a BERT on a task, and test it.

    Example: `python course.py finetune --data my.csv --text review --label stars --out my-model`

    Grades, pairs: --kind grades --text first --second second --label score

    Tags, in columns or as lists: --kind tags --data my.conll

    A task of the course: --task reviews

    A public set, in the files that it is published in: --task SST-2 --data downloads/GLUE --first 4000

    Three seeds, the head and two layers alone: --seeds 3 --layers 2

    Two GPUs: accelerate launch -m tools.finetune --task MNLI --data downloads/GLUE --out run
    --batch-size 16 --gradient-accumulation 2

    A run that was killed: the same command and --resume.
    """
    own = task.own
    chosen = task.chosen(own.task if own else load_task(str(task.task), task.data))
    for remark in own.remarks if own else ():
        processes().print(remark)
    tokenizer = WordPieceTokenizer.from_pretrained(task.model)
    results = []
    for seed in range(learned.seeds):
        model = fresh_model(chosen, task.model, seed).to(processes().device)
        if learned.layers is not None:
            train_top(model, learned.layers)
        folder = learned.out / f"seed-{seed}" if learned.seeds > 1 else learned.out
        result = fine_tune(
            model,
            tokenizer,
            chosen,
            recipe,
            seed=seed,
            checkpoints=Checkpoints(folder / RUN, learned.save_every, learned.resume),
            when_trained=partial(save, folder=folder, tokenizer=tokenizer, own=own),
        )
        results.append(result.scores)
        if processes().is_main_process:
            write_json(folder / "result.json", {"scores": result.scores, "predictions": result.predictions})
        processes().print(f"seed {seed}: {format_scores(result.scores)}; {result.seconds:.0f} s of training")
    if len(results) > 1:
        for name in results[0]:
            values = [scores[name] for scores in results]
            processes().print(
                f"{name}: {mean(values):.3f} on average, from {min(values):.3f} to {max(values):.3f}"
            )


def save(model: PreTrainedBert, folder: Path, tokenizer: WordPieceTokenizer, own: OwnTask | None) -> None:
    """Write a folder that the next command and `transformers` go on with.

    The files come into it at the end, config.json last: without that nobody takes a folder for a model, so a
    run that is killed leaves none that looks whole.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", suffix=".part", dir=folder) as beside:
        model.save_pretrained(beside)
        tokenizer.save_pretrained(beside)
        if own:
            own.save(Path(beside))
        for path in sorted(Path(beside).iterdir(), key=lambda path: path.name == "config.json"):
            os.replace(path, folder / path.name)


def format_scores(scores: dict[str, float]) -> str:
    """Scores in one line."""
    return ", ".join(f"{name} {score:.3f}" for name, score in scores.items())


if __name__ == "__main__":
    command.run(lambda: typer.run(with_options(main)))
