"""Fine-tuning: a pretrained model and a fresh head learn a task together, on the one loop.

    task = load_task("reviews")
    model = fresh_model(task, "minilm", seed=0)
    result = fine_tune(model, tokenizer, task, Recipe(epochs=3), seed=0)
    result.scores["accuracy"], result.predictions, result.losses

What a task is made of stands in `lib.training.task_kinds`; which of the model's weights learn is decided
before, by `requires_grad` (`lib.training.freezing`). The command line: `python course.py finetune`.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from torch import Tensor, nn
from tqdm import tqdm

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.text.masking import IGNORED
from lib.text.tasks import Row, TaskBatches
from lib.text.tasks.batches import pieces_in
from lib.training.checkpoints import Checkpoints
from lib.training.devices import Precision, processes
from lib.training.loop import Batch, Callback, Objective, Term, Trainer
from lib.training.optim import OfParameter, adamw, same_rate
from lib.training.schedules import LinearDecay
from lib.training.step_memory import TrainingMemory, longest_batch, training_memory
from lib.training.task_kinds import Classification, Regression, Tagging, TaskKind, checked_examples
from lib.training.task_kinds import Task as Task


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How long and how fast a task is learned (Devlin et al., 2019, appendix A.3, for the orders)."""

    epochs: Annotated[int, typer.Option(min=1, help="times that each row is read")] = 3
    batch_size: Annotated[int, typer.Option(min=1, help="rows in a batch")] = 32
    gradient_accumulation: Annotated[
        int, typer.Option(min=1, help="batches in a step, over all processes")
    ] = 1
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 2e-4
    warmup: Annotated[float, typer.Option(help="share of the steps")] = 0.1
    weight_decay: Annotated[float, typer.Option(help="of matrices, not of biases and norms")] = 0.01
    max_length: Annotated[int, typer.Option(min=8, help="pieces in a row; what is longer is cut")] = 128
    precision: Annotated[
        Precision, typer.Option(help="no: float32; bf16: faster where the hardware has it")
    ] = "no"
    patience: Annotated[
        int | None,
        typer.Option(min=1, help="stop after so many epochs that are no better on the validation rows"),
    ] = None

    def batches(self, rows: Sequence[Row], pad_id: int, seed: int) -> TaskBatches:
        """The rows in an order of `seed`, those of like length together, so that little is padding."""
        return TaskBatches(rows, pad_id, self.batch_size, seed, group_by_length=True)

    def steps(self, batches: TaskBatches, epochs: int) -> int:
        """The steps up to the end of so many epochs."""
        return -(-epochs * batches.size // self.gradient_accumulation)

    def schedule(self, batches: TaskBatches) -> LinearDecay:
        return LinearDecay(self.steps(batches, self.epochs), self.learning_rate, self.warmup)


class FineTuning(Objective):
    """A model with its head, under the loss that the head defines, as a mean over all labels of a step."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """How many labels there are: rows, or tagged words."""
        labels = batch["labels"] if "labels" in batch else batch["start_positions"]
        return {"labels": (labels != IGNORED).sum()}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        loss = self.model(**batch).loss  # the mean over this batch's labels
        return {"task_loss": Term(loss * self.counts(batch)["labels"], "labels")}


@dataclass(frozen=True)
class FineTuned:
    """What a run gave."""

    task: str
    seed: int
    scores: dict[str, float]  # on the test rows
    predictions: list[Any]  # one for each test example
    losses: list[float]  # of each step, before its update
    validation_scores: list[float]  # of each epoch, by the task's metric
    seconds: float  # of training
    processor_seconds: float  # the same on all cores together, which other programs do not lengthen
    memory: TrainingMemory
    trained_weights: int
    model: PreTrainedBert = field(repr=False)


def fresh_model(task: Task, name_or_folder: str | Path = "minilm", seed: int = 0) -> PreTrainedBert:
    """The pretrained model under the head that the task needs, which is drawn from the seed.

    A head that the checkpoint has is left behind, of whatever size; its pooler is kept.
    """
    torch.manual_seed(seed)
    model = task.kind.model_class.from_pretrained(name_or_folder, fresh_head=True, **task.kind.config)
    if isinstance(task.kind, Regression):  # else a pipeline of transformers squeezes grades between 0 and 1
        model.config.other["problem_type"] = "regression"
    return model


def fine_tune(
    model: PreTrainedBert,
    tokenizer: WordPieceTokenizer,
    task: Task,
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    rate_of: OfParameter = same_rate,
    callbacks: Sequence[Callback] = (),
    checkpoints: Checkpoints | None = None,
    when_trained: Callable[[PreTrainedBert], None] | None = None,
) -> FineTuned:
    """Train what of the model is trainable on the task, in place, and test it.

    seed: of the order of the rows and of dropout; the head's own was drawn before. rate_of: what the learning
    rate is multiplied by for a parameter. With `patience` the model keeps the weights of its best epoch.
    when_trained: called with the model before it is tested, to save it. Raises ValueError before the first
    step for what cannot be learned or tested, see `prepared`.
    """
    recipe = recipe or Recipe()
    if recipe.patience is not None and not len(task.validation):
        raise ValueError(f"{task.name} has no validation rows to stop by: give it some, or no patience.")
    if len(task.validation) and checkpoints is not None and checkpoints.resume:
        raise ValueError(
            "A checkpoint does not hold the scores on validation rows: begin the run anew in another folder."
        )
    task, rows = prepared(task, model, tokenizer, recipe.max_length)
    batches = recipe.batches(rows, tokenizer.pad_token_id, seed)
    objective, progress = FineTuning(model), Progress(recipe.steps(batches, recipe.epochs))
    trainer = Trainer(
        objective,
        batches,
        adamw(objective, recipe.weight_decay, rate_of),
        recipe.schedule(batches),
        (*callbacks, progress),
        checkpoints,
        gradient_accumulation=recipe.gradient_accumulation,
        precision=recipe.precision,
        seed=seed,
    )
    start, processor_start = time.perf_counter(), time.process_time()
    with closing(progress):  # also where a step fails
        validation_scores = _train(trainer, tokenizer, task, recipe, batches)
    seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
    if when_trained is not None and processes().is_main_process:
        when_trained(model)
    memory = training_memory(trainer, longest_batch(batches))
    scores, predictions = evaluate(model, tokenizer, task.kind, task.test, recipe.max_length)
    return FineTuned(
        task=task.name,
        seed=seed,
        scores=scores,
        predictions=predictions,
        losses=progress.losses,
        validation_scores=validation_scores,
        seconds=seconds,
        processor_seconds=processor_seconds,
        memory=memory,
        trained_weights=sum(p.numel() for p in model.parameters() if p.requires_grad),
        model=model,
    )


def prepared(
    task: Task, model: PreTrainedBert, tokenizer: WordPieceTokenizer, max_length: int
) -> tuple[Task, list[Row]]:
    """The task with its labels as numbers, and its training rows: all is looked at that would end a run late.

    That are the model, the tokenizer, and the examples of all three splits: each by itself (`checked` of the
    task's kind), and as rows. Raises ValueError for the first that is wrong; of a class that test rows have
    and no training row, a warning says that it cannot be learned.
    """
    _validate_model(task, model, tokenizer)
    task = replace(
        task,
        train=checked_examples(task.kind, task.train, f"the training rows of {task.name}"),
        test=checked_examples(task.kind, task.test, f"the test rows of {task.name}"),
        validation=checked_examples(task.kind, task.validation, f"the validation rows of {task.name}")
        if len(task.validation)
        else (),
    )
    train, test, validation = (
        task.kind.rows(examples, tokenizer, max_length)
        for examples in (task.train, task.test, task.validation)
    )
    _validate_rows(task, model, [*train, *test, *validation])
    if isinstance(task.kind, Classification | Tagging):
        _warn_of_unseen_classes(task, train, test)
    return task, train


def _validate_model(task: Task, model: PreTrainedBert, tokenizer: WordPieceTokenizer) -> None:
    kind = task.kind
    if not isinstance(model, kind.model_class) or not isinstance(tokenizer, WordPieceTokenizer):
        given = " and ".join(f"{type(part).__module__}.{type(part).__name__}" for part in (model, tokenizer))
        raise ValueError(
            f"{task.name} is learned by a {kind.model_class.__name__} and a WordPieceTokenizer of lib.bert, "
            f"not by {given}: load both by their from_pretrained."
        )
    classes = len(kind.config.get("id2label", model.config.id2label))
    if classes != model.config.num_labels:
        raise ValueError(
            f"{task.name} has {classes} classes and the model's head {model.config.num_labels}: take the "
            "model from fresh_model(task, ...)."
        )


def _validate_rows(task: Task, model: PreTrainedBert, rows: Sequence[Row]) -> None:
    longest = max(pieces_in(row["input_ids"]) for row in rows)
    if longest > model.config.max_position_embeddings:
        raise ValueError(
            f"A row of {task.name} has {longest} pieces and the model {model.config.max_position_embeddings} "
            "positions: make max_length as small."
        )
    if model.config.type_vocab_size == 1 and any(np.hstack(row["token_type_ids"]).any() for row in rows):
        raise ValueError(
            f"{task.name} has pairs of texts, and the model was made for single ones (its type_vocab_size is "
            "1): take another model, or put both texts into one."
        )


def _warn_of_unseen_classes(task: Task, train: Sequence[Row], test: Sequence[Row]) -> None:
    learned, tested = ({*np.hstack([row["labels"] for row in rows]).tolist()} for rows in (train, test))
    names = task.kind.config["id2label"]
    if unseen := [names[label] for label in sorted(tested - learned - {IGNORED})]:
        warnings.warn(
            f"No training row of {task.name} has {', '.join(unseen)}, as test rows have: that cannot be "
            "learned.",
            stacklevel=4,
        )


def _train(
    trainer: Trainer, tokenizer: WordPieceTokenizer, task: Task, recipe: Recipe, batches: TaskBatches
) -> list[float]:
    """All epochs, or fewer where patience ends; the validation score of each, if there are such rows."""
    model, validation_scores = trainer.objective.model, list[float]()
    assert isinstance(model, PreTrainedBert)
    best: dict[str, Tensor] = {}
    for epoch in range(1, recipe.epochs + 1):
        trainer.train(until=recipe.steps(batches, epoch))
        if not task.validation:
            continue
        scores, _ = evaluate(model, tokenizer, task.kind, task.validation, recipe.max_length)
        validation_scores.append(scores[task.kind.metric])
        if recipe.patience is None:
            continue
        if validation_scores[-1] > max(validation_scores[:-1], default=float("-inf")):
            best = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        elif epoch - 1 - validation_scores.index(max(validation_scores)) >= recipe.patience:
            break
    if best:
        model.load_state_dict(best)
    return validation_scores


def evaluate(
    model: PreTrainedBert,
    tokenizer: WordPieceTokenizer,
    kind: TaskKind,
    examples: Sequence[Any],
    max_length: int = 128,
) -> tuple[dict[str, float], list[Any]]:
    """The scores of a model, which is left in eval() mode, and what it predicts for each example.

    Raises ValueError for an example that cannot be scored, see `checked` of its kind.
    """
    model.eval()
    examples = checked_examples(kind, examples, "those to be scored")
    predictions = kind.predict(model, examples, tokenizer, max_length)
    return kind.score(predictions, examples), predictions


class Progress(Callback):
    """One bar from the first step to the last, in however many stretches they are made; each step's loss."""

    shows_bar = True

    def __init__(self, steps: int) -> None:
        self.losses: list[float] = []
        # where there is no terminal on stdout, as a notebook shows what comes on stderr as a fault
        file = sys.stderr if sys.stderr.isatty() else sys.stdout
        hidden = {} if processes().is_main_process else {"disable": True}  # disable=False: over TQDM_DISABLE
        self._bar = tqdm(total=steps, unit="step", file=file, **hidden)

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        self.losses.append(measured["loss"])
        self._bar.set_postfix(loss=f"{measured['loss']:.3f}", refresh=False)
        self._bar.update()

    def close(self) -> None:
        self._bar.close()

    def state_dict(self) -> dict[str, Tensor]:
        return {"losses": torch.tensor(self.losses)}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        self.losses = state["losses"].tolist()
        self._bar.initial = self._bar.n = len(self.losses)  # steps of before, of which the rate knows nothing
        self._bar.refresh()
