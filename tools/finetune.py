"""`python course.py finetune`: a BERT learns a task. Several processes are started on this module."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Annotated

import typer

from lib import command
from lib.bert import WordPieceTokenizer
from lib.files import write_json
from lib.training.checkpoints import Checkpoints
from lib.training.devices import processes
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import train_top
from lib.training.known_tasks import load_task, spread
from lib.training.options import with_options
from lib.training.task_kinds import Task


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """What is learned, by which model."""

    task: Annotated[str, typer.Option(help="reviews, headlines, ..., or a public set: SST-2, SQuAD 1.1, ...")]
    model: Annotated[
        str, typer.Option(help="minilm, pocket, a folder in transformers' format, or a name on the hub")
    ] = "minilm"
    data: Annotated[
        Path | None, typer.Option(help="the folder of a public set; without it the hub is asked")
    ] = None
    first: Annotated[int | None, typer.Option(min=1, help="learn from so many of the training rows")] = None
    validation: Annotated[
        int, typer.Option(min=0, help="so many of them are kept back, for --patience to stop by")
    ] = 0

    @property
    def chosen(self) -> Task:
        """The task, with as many rows to learn from and to stop by as are asked for."""
        task = load_task(self.task, self.data)
        rows = spread(task.train, self.first)
        if self.validation >= len(rows):
            raise ValueError(
                f"{self.validation} of {len(rows)} training rows are kept back: leave some to learn from."
            )
        kept_back = set(spread(range(len(rows)), self.validation))
        return replace(
            task,
            train=[row for place, row in enumerate(rows) if place not in kept_back],
            validation=[rows[place] for place in sorted(kept_back)],
        )


@dataclass(frozen=True, kw_only=True)
class LearnedOptions:
    """Which weights learn, from which seeds, and what is kept."""

    out: Annotated[Path, typer.Option(help="a folder for each seed: the model, its scores and predictions")]
    layers: Annotated[
        int | None, typer.Option(help="only so many of the highest layers learn, and the head; 0: it alone")
    ] = None
    seeds: Annotated[int, typer.Option(min=1, help="runs; from several one sees the spread")] = 1
    save_every: Annotated[int, typer.Option(min=1, help="steps from one checkpoint to the next")] = 500
    resume: Annotated[bool, typer.Option(help="go on with the runs in OUT, exactly where they stood")] = False


def main(task: TaskOptions, recipe: Recipe, learned: LearnedOptions) -> None:
    """Fine-tune a BERT on a task, and test it.

    Example: `python course.py finetune --task reviews --out run`

    A public set, in the files that it is published in: --task SST-2 --data downloads/GLUE --first 4000

    Three seeds, the head and two layers alone: --seeds 3 --layers 2

    Two GPUs: accelerate launch -m tools.finetune --task MNLI --data downloads/GLUE --out run
    --batch-size 16 --gradient-accumulation 2

    A run that was killed: the same command and --resume.
    """
    chosen = task.chosen
    results = []
    for seed in range(learned.seeds):
        model = fresh_model(chosen, task.model, seed).to(processes().device)
        if learned.layers is not None:
            train_top(model, learned.layers)
        folder = learned.out / f"seed-{seed}"
        result = fine_tune(
            model,
            WordPieceTokenizer.from_pretrained(task.model),
            chosen,
            recipe,
            seed=seed,
            checkpoints=Checkpoints(folder, learned.save_every, learned.resume),
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


def format_scores(scores: dict[str, float]) -> str:
    """Scores in one line."""
    return ", ".join(f"{name} {score:.3f}" for name, score in scores.items())


if __name__ == "__main__":
    command.run(lambda: typer.run(with_options(main)))
