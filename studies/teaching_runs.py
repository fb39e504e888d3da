"""What the ways of teaching share: a room with texts and a teacher, and how a student is taught in each.

All models read the pocket BERT's pieces, because it rewrites and writes texts for them: the teacher's table
is cut to these pieces. A student is small and begins at random, as in `distilled_answers`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.adversarial import Adversary, RewrittenDistillation, alternate, mate_kd
from lib.compression.distillation.annealing import AnnealedBatches, label_stage, regression_stage
from lib.compression.distillation.answers import TaughtBatches, row_answers, unlabeled
from lib.compression.distillation.assistants import hand_down
from lib.compression.distillation.freelb import Ascents, FreeLB
from lib.compression.distillation.knowledge import LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import SoftenedKL
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import hinton
from lib.compression.distillation.neighbors import Choose, NeighborBatches, WithNeighbors, nearest
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.rewriting import MaskedLMRewriter, RandomRewriter, Rewrite
from lib.compression.distillation.students import SMALL, new_student, with_vocabulary
from lib.compression.distillation.written_text import share_left, write_texts
from lib.records.students import MAX_LENGTH, WARMUP, train_steps, without_labels
from lib.text.tasks import Row, TaskBatches, TextExample
from lib.training.devices import has_bf16, precision_here
from lib.training.features import hidden_states
from lib.training.loop import Batches, Callback, Objective, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant, LinearDecay
from lib.training.task_kinds import Task

BATCH, RATE = 32, 5e-4
ASSISTANT: dict[str, Any] = {"num_hidden_layers": 3, "hidden_size": 256, "num_attention_heads": 4}
GENERATOR_RATE = 1e-4  # MATE-KD's is 5e-7, for thousands of steps more
FREELB = {"start": 0.1, "rate": 0.1, "radius": 0.5}
ASCENTS, NEIGHBORS, TEXTS_A_STEP = 3, 8, 8
ROUNDS, AT_ONCE = 12, 3  # of Gibbs sampling
ANSWERS = "answers.safetensors"

Spent = dict[str, Any]


@dataclass(frozen=True)
class Room:
    """A task, its teacher, texts with labels and, in `further`, without, and the teacher's answers to all."""

    task: Task
    tokenizer: WordPieceTokenizer
    teacher: PreTrainedBert
    labeled: list[Row]
    further: list[Row]
    answers: Tensor  # [labeled + further, C]
    seed: int

    @property
    def count(self) -> int:
        return len(self.labeled)

    def student(self) -> PreTrainedBert:
        return new_student(self.teacher, self.seed, **SMALL)

    def batches(self, rows: Sequence[Row], answers: Tensor, size: int = BATCH) -> TaughtBatches:
        ordered = TaskBatches(rows, self.tokenizer.pad_token_id, size, self.seed, group_by_length=True)
        return TaughtBatches(ordered, {"logits": answers})

    def on_labeled(self, size: int = BATCH) -> TaughtBatches:
        return self.batches(self.labeled, self.answers[: self.count], size)

    def on_all(self, size: int = BATCH) -> TaughtBatches:
        """Labels count where there are some."""
        return self.batches([*self.labeled, *unlabeled(self.further)], self.answers, size)


def rows_of(
    task: Task, texts: Sequence[TextExample], more: Sequence[str], tokenizer: WordPieceTokenizer
) -> tuple[list[Row], list[Row]]:
    """The labeled texts and the others, in pieces."""
    further = without_labels(list(more))
    labeled, rest = (task.kind.rows(some, tokenizer, MAX_LENGTH) for some in (texts, further))
    return labeled, rest


def cut_teacher(teacher: PreTrainedBert) -> PreTrainedBert:
    """The teacher, reading the pocket BERT's pieces."""
    theirs, own = (WordPieceTokenizer.from_pretrained(name) for name in ("minilm", "pocket"))
    return with_vocabulary(teacher, theirs, own).eval()


def write_answers(folder: Path, teacher: PreTrainedBert, rows: Sequence[Row]) -> float:
    """What the teacher says of the rows goes into the folder; the processor's seconds."""
    began = time.process_time()
    last = teacher.config.num_hidden_layers
    states = hidden_states(teacher, rows, (last,)).first()[:, 0].contiguous()  # [rows, D]
    found = {"logits": row_answers(teacher, rows), "states": states}
    save_file(found, folder / ANSWERS)
    return time.process_time() - began


def read_answers(folder: Path) -> dict[str, Tensor]:
    return load_file(folder / ANSWERS)


def soft(temperature: float = 2.0) -> list[Match]:
    """The teacher's answers alone."""
    return [Match(LOGITS, ANSWER, SoftenedKL(temperature))]


def _fit(room: Room, objective: Objective, batches: Batches, steps: int, draw: int = 0) -> Spent:
    seconds = train_steps(objective, batches, steps, RATE, room.seed + 1000 * draw)
    return {"steps": steps, "processor_seconds": seconds}


# --- one function for each way --------------------------------------------------------------------


def plain(room: Room, student: PreTrainedBert, matches: list[Match], steps: int, size: int = BATCH) -> Spent:
    """Labels, answers or both, on the labeled texts."""
    return _fit(room, Distillation(student, None, matches), room.on_labeled(size), steps)


def pooled(room: Room, student: PreTrainedBert, matches: list[Match], steps: int, size: int = BATCH) -> Spent:
    """The same on all texts."""
    return _fit(room, Distillation(student, None, matches), room.on_all(size), steps)


def ramp(
    room: Room, student: PreTrainedBert, temperatures: Sequence[int], steps: int, label_steps: int
) -> Spent:
    """Annealing: a regression on scaled logits, then labels with a new optimizer."""
    batches = room.on_labeled()
    scaled = AnnealedBatches(batches, steps, temperatures)
    spent = _fit(room, Distillation(student, None, regression_stage()), scaled, steps)
    if label_steps:
        second = _fit(room, Distillation(student, None, label_stage()), batches, label_steps, draw=1)
        spent = {name: spent[name] + second[name] for name in spent}
    return spent


def assisted(room: Room, student: PreTrainedBert, steps: int) -> Spent:
    """An assistant learns from the teacher's answers to all texts, and the student from the assistant's."""
    assistant = new_student(room.teacher, room.seed, **ASSISTANT)
    rows = [*room.labeled, *unlabeled(room.further)]

    def learn(model: Any, teacher: Any) -> Spent:
        began = time.process_time()
        answers = room.answers if teacher is room.teacher else row_answers(teacher, rows)
        asking = time.process_time() - began
        spent = _fit(room, Distillation(model, None, soft()), room.batches(rows, answers), steps)
        model.eval()
        return {**spent, "processor_seconds": asking + spent["processor_seconds"]}

    first, second = hand_down([room.teacher, assistant, student], learn)
    return {
        "steps": steps,
        "processor_seconds": first["processor_seconds"] + second["processor_seconds"],
        "assistant_seconds": first["processor_seconds"],
    }


def rewritten(
    room: Room,
    student: PreTrainedBert,
    how: str,
    cycles: int,
    turns: tuple[int, int],
    rate: float = GENERATOR_RATE,
) -> Spent:
    """MATE-KD's losses, on texts rewritten by lot, by a masked LM, or by one that learns as an adversary."""
    generator = BertForMaskedLM.from_pretrained("pocket")
    by_model = MaskedLMRewriter(generator, room.tokenizer)
    rewrite: Rewrite = RandomRewriter(room.tokenizer) if how == "random" else by_model
    matches = mate_kd(SoftenedKL())
    objective = RewrittenDistillation(student, room.teacher, *matches, rewrite)
    steps, began, curves = cycles * turns[1], time.process_time(), Curves()
    if how == "adversary":
        adversary = Adversary(by_model, student, room.teacher)
        first = _trainer(room, adversary, Constant(cycles * turns[0], rate), curves)
        second = _trainer(room, objective, LinearDecay(steps, RATE, WARMUP), curves)
        alternate(first, second, cycles, *turns)
    else:
        _fit(room, objective, room.on_labeled(), steps)
    return {"steps": steps, "processor_seconds": time.process_time() - began, "turns": curves.measured}


class Curves(Callback):
    """What the adversary climbs and the student descends, step by step, in the order of the steps."""

    def __init__(self) -> None:
        self.measured: list[tuple[str, float]] = []

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        for name in ("divergence", "rewritten_logits"):
            if name in measured:
                self.measured.append((name, round(measured[name], 4)))


def _trainer(room: Room, objective: Objective, schedule: Any, curves: Curves) -> Trainer:
    return Trainer(
        objective, room.on_labeled(), adamw(objective), schedule, (curves,), precision=precision_here(),
        seed=room.seed,
    )  # fmt: skip


def perturbed(
    room: Room, student: PreTrainedBert, matches: list[Match], steps: int, times: float = 1.0
) -> Spent:
    """FreeLB on the labeled texts, with its lengths so many times as long."""
    lengths = {name: times * length for name, length in FREELB.items()}
    objective = FreeLB(student, None, matches, **lengths)
    batches = Ascents(room.on_labeled(), ASCENTS)
    schedule, began = LinearDecay(steps, RATE, WARMUP), time.process_time()
    Trainer(
        objective, batches, adamw(objective), schedule, gradient_accumulation=ASCENTS,
        precision=precision_here(), seed=room.seed,
    ).train()  # fmt: skip
    return {"steps": steps, "processor_seconds": time.process_time() - began}


def neighbored(room: Room, student: PreTrainedBert, choose: Choose, states: Tensor, rows: int) -> Spent:
    """Some neighbors of each labeled text teach as well, until so many rows went backward."""
    places, _ = nearest(states[: room.count], states[room.count :], NEIGHBORS)
    pool = room.answers[room.count :]
    batches = NeighborBatches(
        room.on_labeled(TEXTS_A_STEP), room.further, pool, places, room.tokenizer.pad_token_id
    )
    objective = WithNeighbors(student, None, hinton(5.0, 0.5), choose)
    terms = objective(**batches(0))
    each = {name: round(float(terms[name].sum)) for name in ("forward_passes", "backward_passes")}
    steps = rows // each["backward_passes"]
    spent = _fit(room, objective, batches, steps)
    return {**spent, **{name: steps * number for name, number in each.items()}}


def written(room: Room, student: PreTrainedBert, rows: Sequence[Row], steps: int) -> Spent:
    """The teacher answers texts, whoever wrote them, and the student learns the answers."""
    began = time.process_time()
    answers = row_answers(room.teacher, rows)
    asking = time.process_time() - began
    spent = _fit(room, Distillation(student, None, soft()), room.batches(unlabeled(rows), answers), steps)
    return {**spent, "processor_seconds": asking + spent["processor_seconds"], "rows": len(rows)}


def gibbs_texts(room: Room, from_blanks: bool) -> dict[str, Any]:
    """As many texts as are labeled, written by the pocket BERT, and what that took."""
    model = BertForMaskedLM.from_pretrained("pocket").eval()
    began = time.process_time()
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bf16()):
        rows = write_texts(
            model, room.tokenizer, room.labeled, ROUNDS, AT_ONCE, from_blanks=from_blanks, seed=room.seed
        )
    return {
        "rows": rows,
        "processor_seconds": round(time.process_time() - began, 1),
        "share_left": share_left(room.labeled, rows, room.tokenizer),
    }


def random_texts(room: Room) -> list[Row]:
    """As many texts as are labeled, each as long, of pieces by lot."""
    torch.manual_seed(room.seed)
    rewrite = RandomRewriter(room.tokenizer, 1.0)
    found = []
    for row in room.labeled:
        ids = rewrite({"input_ids": torch.tensor([row["input_ids"]])})["input_ids"][0].tolist()
        found.append({**row, "input_ids": ids})
    return unlabeled(found)
