"""`python course.py finetune`: a BERT learns a task. Several processes are started on this module."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from lib import command
from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.model import PreTrainedBert
from lib.files import write_json
from lib.records.results import RESULT
from lib.training.checkpoints import Checkpoints, read_log
from lib.training.coverage import coverage
from lib.training.devices import Precision, precision_here, processes
from lib.training.finetuning import FineTuned, Recipe, fine_tune, fresh_model
from lib.training.freezing import train_top
from lib.training.known_tasks import evenly, load_task
from lib.training.options import with_options
from lib.training.own_task import Columns, Kind, OwnTask, read_own_task
from lib.training.task_kinds import Classification, Task

RUN = "run"  # in a model's folder: the log and the checkpoints of its training
#: the names of what is read from a folder as a model, or with one, by whomever
OF_MODELS = re.compile(
    r".*(config|token).*\.json|(modules|task|result)\.json|vocab\..*|merges\.txt"
    r"|.*\.(model|bin|h5|msgpack|safetensors)(\..*)?",
    re.IGNORECASE,
)


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
    encoding: Annotated[
        str | None, typer.Option(help="of your own rows, such as gbk or cp1251; else it is found out")
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
        columns = Columns(self.text, self.label, self.second, self.kind, encoding=self.encoding)
        return read_own_task(self.data, columns, self.test)

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
        Path, typer.Option(help="a new folder for model, scores and predictions; one for each of --seeds")
    ]
    layers: Annotated[
        int | None, typer.Option(help="only so many of the highest layers learn, and the head; 0: it alone")
    ] = None
    seeds: Annotated[int, typer.Option(min=1, help="runs; from several one sees the spread")] = 1
    save_every: Annotated[int, typer.Option(min=1, help="steps from one checkpoint to the next")] = 500
    resume: Annotated[bool, typer.Option(help="go on with the runs in OUT, exactly where they stood")] = False

    @property
    def folders(self) -> list[Path]:
        """Where each run is written."""
        return [self.out / f"seed-{seed}" for seed in range(self.seeds)] if self.seeds > 1 else [self.out]

    def checkpoints(self, folder: Path) -> Checkpoints:
        return Checkpoints(folder / RUN, self.save_every, self.resume)

    def validate(self) -> None:
        """ValueError where a folder holds files of a model that its run neither wrote nor goes on with."""
        for folder in dict.fromkeys([self.out, *self.folders]):
            self.checkpoints(folder).validate_start()
            goes_on = self.resume and read_log(folder / RUN)
            names = sorted(path.name for path in folder.glob("*"))
            if not goes_on and (left := [name for name in names if OF_MODELS.fullmatch(name)]):
                raise ValueError(
                    f"{folder} holds {left[0]} already, of another model or run, which would be read with "
                    "what is written now: name a new folder, or move it away."
                )


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
    learned.validate()  # this and the model first: to read the rows may take long
    config = BertConfig.from_pretrained(resolve_checkpoint(task.model))
    tokenizer = WordPieceTokenizer.from_pretrained(task.model)
    own = task.own
    chosen = task.chosen(own.task if own else load_task(str(task.task), task.data))
    covered = coverage([*chosen.train, *chosen.validation, *chosen.test], tokenizer)
    remarks = own.remarks if own else []
    for remark in remarks + covered.remarks(recipe.max_length, config.max_position_embeddings):
        processes().print(remark)
    results = []
    for seed, folder in enumerate(learned.folders):
        model = fresh_model(chosen, task.model, seed).to(processes().device)
        if learned.layers is not None:
            train_top(model, learned.layers)
        result = fine_tune(
            model,
            tokenizer,
            chosen,
            recipe,
            seed=seed,
            checkpoints=learned.checkpoints(folder),
            when_trained=partial(save, folder=folder, tokenizer=tokenizer, own=own),
        )
        results.append(result.scores)
        if processes().is_main_process:
            write_json(folder / RESULT, told(result, chosen, own))
        processes().print(f"seed {seed}: {format_scores(result.scores)}; {result.seconds:.0f} s of training")
        if own and (missed := not_reached(own, result.scores)):
            processes().print(missed)
    if len(results) > 1:
        for name in results[0]:
            values = [scores[name] for scores in results]
            processes().print(
                f"{name}: {mean(values):.3f} on average, from {min(values):.3f} to {max(values):.3f}"
            )
    processes().print(last_line(task, recipe, learned.folders))


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


def told(result: FineTuned, task: Task, own: OwnTask | None) -> dict[str, Any]:
    """The scores, and three lists of one length, with an entry for each test row.

    `rows` has its place, from 0, in the file that it was kept back from, or among the labeled rows to test
    on; `predictions` what is said of it, a class by its number; `classes` the name of that class.
    """
    rows = own.kept_back if own and own.kept_back else range(len(result.predictions))
    about = {"scores": result.scores, "rows": list(rows), "predictions": result.predictions}
    if isinstance(task.kind, Classification):
        about["classes"] = [task.kind.labels[number] for number in result.predictions]
    return about


def not_reached(own: OwnTask, scores: Mapping[str, float]) -> str:
    """A sentence where a model is no better than whoever always says the same; else nothing."""
    for name, baseline in own.baseline.items():
        better = scores[name] < baseline if name == "mae" else scores[name] > baseline
        if not better:
            return (
                f"Careful: that is no better than always saying the same ({name} {baseline:.3f}): train "
                "longer (--epochs) or at another --learning-rate, or the texts don't tell it."
            )
    return ""


def last_line(task: TaskOptions, recipe: Recipe, folders: Sequence[Path]) -> str:
    """Where the models are and, after rows of one's own, how the first of them is made smaller."""
    written = f"Written: {', '.join(map(str, folders))}."
    if task.task is not None:
        return written
    first = str(folders[0])
    words = ["compress", first, "--data", str(task.data), "--to", f"{first}-small", "--bits", "3", "--book"]
    if task.test is not None:
        words += ["--test", str(task.test)]
    if recipe.max_length != Recipe.max_length:
        words += ["--max-length", str(recipe.max_length)]
    quoted = [f'"{word}"' if " " in word else word for word in words]
    return f"{written} To make it smaller: python course.py {' '.join(quoted)}"


def format_scores(scores: dict[str, float]) -> str:
    """Scores in one line."""
    return ", ".join(f"{name} {score:.3f}" for name, score in scores.items())


if __name__ == "__main__":
    command.run(lambda: typer.run(with_options(main)))
