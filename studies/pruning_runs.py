"""What the records of pruned weights share: one model, pruned by a rule while it learns, and what came of it.

Masks are on the matrices of the encoder; the tables are frozen in all arms, so that all learn as much.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.knowledge import LABELS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.packed import save_packed
from lib.compression.pruning.magnitude import AtRandom, Choice, by_matrix, over_all
from lib.compression.pruning.masks import GradualPruning, add_masks, originals, prune, remaining
from lib.compression.pruning.movement import (
    STRENGTH,
    THRESHOLD,
    PenaltyGrows,
    SoftlyPruned,
    above_threshold,
    add_scores,
    decay_of_weights,
    score_rate,
)
from lib.compression.pruning.schedule import CubicRamp
from lib.compression.pruning.sparse_bert import sparse_bert
from lib.files import write_json
from lib.records.results import PACKED, RESULT
from lib.records.seeded_teachers import SeededTeacher
from lib.records.students import MAX_LENGTH, WARMUP, judged
from lib.text.tasks import Row, TaskBatches
from lib.training.devices import precision_here
from lib.training.features import encoder_of
from lib.training.finetuning import fresh_model
from lib.training.loop import Callback, Objective, Trainer
from lib.training.optim import parameter_groups
from lib.training.schedules import LinearDecay
from lib.training.task_kinds import Task

Rule = Literal["magnitude", "global", "random", "movement", "soft movement"]
CHOICES: dict[Rule, Choice] = {
    "magnitude": by_matrix,
    "global": over_all,
    "random": AtRandom(0),
    "movement": by_matrix,
    "soft movement": above_threshold,
}
SCORED: tuple[Rule, ...] = ("movement", "soft movement")
EVERY = 10  # steps between two choices of masks
RAMP = 0.8  # of the steps: after it masks of a given sparsity stay, and what is left learns on
WATCHED, PLACES = "bert.encoder.layer.3.intermediate.dense", 300  # weights that are noted before and after


@dataclass(frozen=True, kw_only=True)
class Arm:
    """How a model is pruned, from where, and what it learns meanwhile.

    sparsity: of the matrices; the soft rule finds its own. inside: it learns the teacher's answers and what
    is inside of it (SparseBERT), and no labels. at_once: all is pruned before the first step.
    """

    rule: Rule
    sparsity: float
    steps: int
    start: Literal["fine-tuned", "pretrained"] = "fine-tuned"
    inside: bool = False
    at_once: bool = False


@dataclass(frozen=True, kw_only=True)
class Training:
    """How all arms of a record learn.

    score_rate: at which scores learn; five times the paper's unless said otherwise, for a hundredth of its
    steps: a score has to fall by 2.2 to prune. strength: how heavily scores weigh in the soft form. first:
    the share of the steps before anything is pruned, in which scores learn already.
    """

    batch_size: int = 16
    rate: float = 2e-4
    score_rate: float = 5e-2
    strength: float = STRENGTH
    first: float = 0.0


SHORTLY = Training()


def run_arm(
    folder: Path,
    arm: Arm,
    task: Task,
    rows: Sequence[Row],
    teacher: SeededTeacher,
    seed: int,
    keep: bool,
    training: Training = SHORTLY,
) -> None:
    """One arm; what is recorded goes into the folder, and the model's file with it if it is to be kept."""
    found, model = trained(arm, task, rows, teacher, seed, training)
    save_packed(model.cpu(), folder / PACKED)
    write_json(folder / RESULT, found | {"file_bytes": (folder / PACKED).stat().st_size})
    if not keep:
        (folder / PACKED).unlink()


def trained(
    arm: Arm,
    task: Task,
    rows: Sequence[Row],
    teacher: SeededTeacher,
    seed: int,
    training: Training = SHORTLY,
) -> tuple[dict[str, Any], PreTrainedBert]:
    """What is recorded of an arm, and its model, still under its masks."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    model = starting_model(arm, task, teacher, seed)
    (add_scores if arm.rule in SCORED else add_masks)(model)
    if arm.at_once:
        prune(model, arm.sparsity, CHOICES[arm.rule])
    before = watched(model)
    objective, callbacks = _objective(arm, model, teacher, training)
    seconds = fit(objective, rows, arm.steps, seed, callbacks, training=training)
    left = remaining(model)
    return {
        **judged(model, task, tokenizer, teacher.predictions),
        "sparsity": 1 - left.kept / left.masked,
        "of_matrices": left.of_masked,
        "of_model": left.of_model,
        "steps": arm.steps,
        "processor_seconds": round(seconds, 1),
        "watched": [_rounded(before), _rounded(watched(model)), watched_mask(model)],
    }, model


def starting_model(arm: Arm, task: Task, teacher: SeededTeacher, seed: int) -> PreTrainedBert:
    """A copy of the fine-tuned model, or the pretrained one with a fresh head; its tables are frozen."""
    if arm.start == "fine-tuned":
        model = copy.deepcopy(teacher.model)
    else:
        model = fresh_model(task, "minilm", seed).eval().to(next(teacher.model.parameters()).device)
    encoder_of(model).embeddings.requires_grad_(False)
    return model


def fit(
    objective: Objective,
    rows: Sequence[Row],
    steps: int,
    seed: int,
    callbacks: Sequence[Callback] = (),
    pad_id: int = 0,
    training: Training = SHORTLY,
) -> float:
    """So many steps at a rate that falls to zero, scores at theirs; the processor's seconds they took."""
    of_scores = score_rate(training.score_rate / training.rate)
    groups = parameter_groups(objective, of_scores, decay_of_weights())
    trainer = Trainer(
        objective,
        TaskBatches(rows, pad_id, training.batch_size, seed, group_by_length=True),
        torch.optim.AdamW(groups, fused=True),
        LinearDecay(steps, training.rate, WARMUP),
        callbacks,
        precision=precision_here(),
        seed=seed,
    )
    began = time.process_time()
    trainer.train()
    return time.process_time() - began


def on_labels(model: nn.Module) -> Distillation:
    """Fine-tuning: the labels and no teacher."""
    return Distillation(model, None, [Match(LABELS, ANSWER, cross_entropy)])


def _objective(
    arm: Arm, model: PreTrainedBert, teacher: SeededTeacher, training: Training
) -> tuple[Objective, Sequence[Callback]]:
    """What an arm learns, and what prunes it on the way."""
    learned: Objective = on_labels(model)
    if arm.inside:
        learned = Distillation(model, teacher.model, sparse_bert(model.config.num_hidden_layers))
    if arm.at_once:
        return learned, ()
    first, last = round(training.first * arm.steps), max(1, round(RAMP * arm.steps))
    choice = CHOICES[arm.rule]
    if arm.rule == "soft movement":
        learned, ramp = SoftlyPruned(learned, model), CubicRamp(THRESHOLD, last, first, every=EVERY)
        pruning = GradualPruning(model, ramp, choice, every=EVERY)
        return learned, (pruning, PenaltyGrows(learned, ramp, THRESHOLD, training.strength))
    ramp = CubicRamp(arm.sparsity, last, first, every=EVERY)
    return learned, [GradualPruning(model, ramp, choice, EVERY if arm.rule in SCORED else None)]


def watched(model: nn.Module) -> Tensor:
    """Some weights of one matrix, always the same, whether they are pruned or not."""
    weight = originals(model)[WATCHED][1].detach().flatten()
    return weight[_places(len(weight))].clone()


def watched_mask(model: nn.Module) -> list[int]:
    """1 for those that are kept, 0 for those that are not."""
    mask = originals(model)[WATCHED][0].flatten()
    return [int(kept) for kept in mask[_places(len(mask))]]


def _places(count: int) -> Tensor:
    return torch.randperm(count, generator=torch.Generator().manual_seed(0))[:PLACES]


def _rounded(values: Tensor) -> list[float]:
    return [round(float(value), 5) for value in values]


def config(training: Training = SHORTLY) -> dict[str, Any]:
    """What all records of pruned weights depend on besides the data."""
    return {
        "batch_size": training.batch_size,
        "rates": {"weights": training.rate, "scores": training.score_rate},
        "every": EVERY,
        "ramp": RAMP,
        "soft": {"threshold": THRESHOLD, "strength": training.strength},
        "max_length": MAX_LENGTH,
    }
