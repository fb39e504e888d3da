"""How to teach: one small student, one teacher, and the ways in which knowledge gets from one to the other.

A family of arms asks one question, and in it one thing is equal: the student's steps in RAMP, ASSISTANTS,
ADVERSARIES and WRITTEN, where a way changes what they teach; the rows that go backward in NEIGHBORS, where it
chooses texts. What a way costs besides, an assistant, a generator, or a masked LM that writes, is recorded
beside it, and where it is much, an arm of plain distillation was given as many seconds ("as long") or passes
("as costly").

All models read the pocket BERT's pieces, because it rewrites and writes texts for them: the teacher's table
is cut to these pieces. A student is small and begins at random, as in `distilled_answers`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.annealing import AnnealedBatches, falling, regression_stage
from lib.compression.distillation.answers import TaughtBatches, row_answers, unlabeled
from lib.compression.distillation.losses import SoftenedKL
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import answers_alone, hinton, labels_alone
from lib.compression.distillation.neighbors import (
    ByLot,
    Choose,
    Hardest,
    Nearest,
    NeighborBatches,
    WithNeighbors,
    nearest,
)
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_student, with_vocabulary
from lib.compression.ledger.counting import unique_parameters
from lib.records.inputs import POCKET_VOCABULARY
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.records.teachers import PUBLIC_SETS
from lib.text.tasks import Row
from lib.training.devices import has_bf16, precision_here
from lib.training.features import cls_states
from lib.training.loop import Batches, Callback, Objective, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant
from studies.methods.adversarial import Adversary, RewrittenDistillation, mate_kd
from studies.methods.assistants import hand_down
from studies.methods.freelb import Ascents, FreeLB
from studies.methods.rewriting import MaskedLMRewriter, RandomRewriter, Rewrite
from studies.methods.written_text import share_left, write_texts

Matches = Callable[[], list[Match]]
PUBLIC_ROWS = 4000  # of a public set: as many with labels as without
BATCH, RATE = 32, 5e-4
STEPS, LABEL_STEPS = 480, 120  # the second of the first
TAU_MAX = 5
ASSISTANT: dict[str, Any] = {"num_hidden_layers": 3, "hidden_size": 256, "num_attention_heads": 4}
TURNS, CYCLES = (10, 100), 2  # of the adversary and of its student
GENERATOR_RATE = 1e-4  # MATE-KD's is 5e-7, for thousands of steps more
FASTER = 3e-4  # a rate at which the generator climbs in so few steps
FREELB, ASCENTS = {"start": 0.1, "rate": 0.1, "radius": 0.5}, 3
#: steps of plain distillation in the seconds that an adversary, or an assistant, takes
AS_LONG = {"adversary": 2800, "assistant": 1600}
TEXTS_A_STEP, NEAR, CHOSEN = 8, 8, 2
BACKWARD_ROWS = 9_600
#: what the hardest neighbors cost over random ones: they are read to be found; backward counts as two passes
AS_COSTLY = 1 + NEAR / (3 * (1 + CHOSEN))
ROUNDS, AT_ONCE = 12, 3  # of Gibbs sampling


@dataclass(frozen=True)
class TransferSet:
    """What there is to teach a subject with: texts with labels and without, in the pocket BERT's pieces, and
    a teacher who reads these."""

    subject: Subject

    @cached_property
    def tokenizer(self) -> WordPieceTokenizer:
        return WordPieceTokenizer.from_pretrained("pocket")

    @cached_property
    def teacher(self) -> PreTrainedBert:
        """The subject's, with a table of these pieces alone."""
        teacher: PreTrainedBert = self.subject.teacher.model
        return with_vocabulary(teacher, self.subject.tokenizer, self.tokenizer).eval()

    @cached_property
    def labeled(self) -> list[Row]:
        """Of a public set every other of its rows."""
        if self._is_public:
            return self._public[::2]
        return self.subject.rows("labeled", tokenizer=self.tokenizer)

    @cached_property
    def further(self) -> list[Row]:
        """Texts without a label; of a public set the other rows."""
        if self._is_public:
            return unlabeled(self._public[1::2])
        return unlabeled(self.subject.rows("unlabeled", tokenizer=self.tokenizer)[len(self.labeled) :])

    @property
    def _is_public(self) -> bool:
        return self.subject.name in PUBLIC_SETS

    @cached_property
    def _public(self) -> list[Row]:
        return self.subject.rows("labeled", 2 * PUBLIC_ROWS, self.tokenizer)

    @property
    def all_texts(self) -> list[Row]:
        """Those with labels first."""
        return [*self.labeled, *self.further]

    @cached_property
    def answers(self) -> Tensor:
        """The teacher's to all texts, [labeled + further, C]."""
        return row_answers(self.teacher, self.all_texts)

    @cached_property
    def states(self) -> Tensor:
        """The teacher's last [CLS] vector of every text, [labeled + further, D]."""
        last = self.teacher.config.num_hidden_layers
        return cls_states(self.teacher, self.all_texts, (last,))[:, 0]

    def student(self, **sizes: Any) -> PreTrainedBert:
        """A new one, small unless the sizes say otherwise."""
        made = new_student(self.teacher, self.subject.seed, **sizes)
        return made.to(next(self.teacher.parameters()).device)

    def generator(self) -> BertForMaskedLM:
        """The masked LM that writes."""
        return BertForMaskedLM.from_pretrained("pocket").to(next(self.teacher.parameters()).device)

    def batches(self, rows: Sequence[Row], answers: Tensor, size: int = BATCH) -> TaughtBatches:
        ordered = self.subject.batches(rows, size, self.tokenizer.pad_token_id)
        return TaughtBatches(ordered, {"logits": answers})

    def on_labeled(self, size: int = BATCH) -> TaughtBatches:
        return self.batches(self.labeled, self.answers[: len(self.labeled)], size)

    def on_all(self, size: int = BATCH) -> TaughtBatches:
        """Labels count where there are some."""
        return self.batches(self.all_texts, self.answers, size)


# --- one function for each way --------------------------------------------------------------------

#: teaches a student, and says what that cost, and what it showed besides the student's scores
Teach = Callable[[TransferSet, PreTrainedBert], Measured]


def train(
    transfer_set: TransferSet, objective: Objective, batches: Batches, steps: int, **options: Any
) -> dict[str, Any]:
    """What so many steps cost. options: further arguments of `Subject.train`."""
    seconds = transfer_set.subject.train(objective, batches, steps, RATE, **options)
    return {"steps": steps, "processor_seconds": seconds}


def plain(
    matches: Matches, steps: int, transfer_set: TransferSet, student: PreTrainedBert, size: int = BATCH
) -> Measured:
    """Labels, answers or both, on the labeled texts."""
    return Measured(
        {}, train(transfer_set, Distillation(student, None, matches()), transfer_set.on_labeled(size), steps)
    )


def pooled(
    matches: Matches, steps: int, transfer_set: TransferSet, student: PreTrainedBert, size: int = BATCH
) -> Measured:
    """The same on all texts."""
    return Measured(
        {}, train(transfer_set, Distillation(student, None, matches()), transfer_set.on_all(size), steps)
    )


def annealed(
    temperatures: Sequence[int],
    steps: int,
    label_steps: int,
    transfer_set: TransferSet,
    student: PreTrainedBert,
) -> Measured:
    """Annealing: a regression on scaled logits, then labels with a new optimizer."""
    batches = transfer_set.on_labeled()
    scaled = AnnealedBatches(batches, steps, temperatures)
    spent = train(transfer_set, Distillation(student, None, regression_stage()), scaled, steps)
    if label_steps:
        second = train(
            transfer_set, Distillation(student, None, labels_alone()), batches, label_steps, draw=1
        )
        spent = {name: round(spent[name] + second[name], 1) for name in spent}
    return Measured({}, spent)


def assisted(steps: int, transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """An assistant learns from the teacher's answers to all texts, and the student from the assistant's."""
    assistant = transfer_set.student(**ASSISTANT)
    of_teacher = transfer_set.answers  # before the clock runs, as for every other way

    def learn(model: Any, teacher: Any) -> float:
        began = time.process_time()
        answers = (
            of_teacher if teacher is transfer_set.teacher else row_answers(teacher, transfer_set.all_texts)
        )
        asking = time.process_time() - began
        batches = transfer_set.batches(transfer_set.all_texts, answers)
        spent = train(transfer_set, Distillation(model, None, answers_alone()), batches, steps)
        model.eval()
        return float(asking + spent["processor_seconds"])

    first, second = hand_down([transfer_set.teacher, assistant, student], learn)
    costs = {"processor_seconds": round(first + second, 1), "assistant_seconds": round(first, 1)}
    return Measured({}, {"steps": steps} | costs)


def rewritten(writer: str, steps: int, transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """MATE-KD's losses, on texts rewritten "by lot", or by "a masked LM" that learns nothing."""
    rewrite: Rewrite = RandomRewriter(transfer_set.tokenizer)
    if writer == "a masked LM":
        rewrite = MaskedLMRewriter(transfer_set.generator(), transfer_set.tokenizer)
    objective = RewrittenDistillation(student, transfer_set.teacher, *mate_kd(SoftenedKL()), rewrite)
    return Measured({}, train(transfer_set, objective, transfer_set.on_labeled(), steps))


def against(
    rate: float, cycles: int, turns: tuple[int, int], transfer_set: TransferSet, student: PreTrainedBert
) -> Measured:
    """MATE-KD: the masked LM climbs, as an adversary, what its student then descends."""
    rewriter = MaskedLMRewriter(transfer_set.generator(), transfer_set.tokenizer)
    adversary = Adversary(rewriter, student, transfer_set.teacher)
    climbs = Climbs()
    climber = Trainer(
        adversary,
        transfer_set.on_labeled(),
        adamw(adversary),
        Constant(cycles * turns[0], rate),
        (climbs,),
        precision=precision_here(),
        seed=transfer_set.subject.seed,
    )
    objective = RewrittenDistillation(student, transfer_set.teacher, *mate_kd(SoftenedKL()), rewriter)
    spent = train(
        transfer_set,
        objective,
        transfer_set.on_labeled(),
        cycles * turns[1],
        callbacks=[TakesTurns(climber, turns)],
    )
    return Measured({"divergence": climbs.measured}, spent)


@dataclass
class TakesTurns(Callback):
    """Before so many steps of the student so many of the adversary: 100 and 10 in MATE-KD's code."""

    adversary: Trainer
    turns: tuple[int, int]

    def before_step(self, trainer: Trainer) -> None:
        if trainer.steps_done % self.turns[1] == 0:
            self.adversary.train(self.adversary.steps_done + self.turns[0])


class Climbs(Callback):
    """What the adversary climbs, step by step."""

    def __init__(self) -> None:
        self.measured: list[float] = []

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        self.measured.append(round(measured["divergence"], 4))


def perturbed(
    times: float, matches: Matches, steps: int, transfer_set: TransferSet, student: PreTrainedBert
) -> Measured:
    """FreeLB on the labeled texts, with its lengths so many times as long."""
    lengths = {name: times * length for name, length in FREELB.items()}
    objective = FreeLB(student, None, matches(), **lengths)
    batches = Ascents(transfer_set.on_labeled(), ASCENTS)
    return Measured({}, train(transfer_set, objective, batches, steps, gradient_accumulation=ASCENTS))


def neighbored(choose: Choose, rows: int, transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """Some neighbors of each labeled text teach as well, until so many rows went backward."""
    labeled = len(transfer_set.labeled)
    places, _ = nearest(transfer_set.states[:labeled], transfer_set.states[labeled:], NEAR)
    batches = NeighborBatches(
        transfer_set.on_labeled(TEXTS_A_STEP),
        transfer_set.further,
        transfer_set.answers[labeled:],
        places,
        transfer_set.tokenizer.pad_token_id,
    )
    objective = WithNeighbors(student, None, hinton(5.0, 0.5), choose)
    device = next(student.parameters()).device
    terms = objective(**{name: tensor.to(device) for name, tensor in batches(0).items()})
    each = {name: round(float(terms[name].sum)) for name in ("forward_passes", "backward_passes")}
    steps = rows // each["backward_passes"]
    spent = train(transfer_set, objective, batches, steps)
    return Measured({}, spent | {name: steps * number for name, number in each.items()})


def answered(rows: Sequence[Row], transfer_set: TransferSet, student: PreTrainedBert) -> dict[str, Any]:
    """The teacher answers texts, whoever wrote them, and the student learns the answers; what that cost."""
    began = time.process_time()
    answers = row_answers(transfer_set.teacher, rows)
    asking = time.process_time() - began
    batches = transfer_set.batches(unlabeled(rows), answers)
    spent = train(transfer_set, Distillation(student, None, answers_alone()), batches, STEPS)
    seconds = round(asking + spent["processor_seconds"], 1)
    return spent | {"processor_seconds": seconds, "rows": len(rows)}


def real_texts(transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """As many texts without a label as there are labeled ones."""
    return Measured({}, answered(transfer_set.further[: len(transfer_set.labeled)], transfer_set, student))


def tokens_by_lot(transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """As many texts of pieces by lot."""
    return Measured({}, answered(random_texts(transfer_set), transfer_set, student))


def random_texts(transfer_set: TransferSet) -> list[Row]:
    """As many texts as are labeled, each as long, of pieces by lot."""
    torch.manual_seed(transfer_set.subject.seed)
    rewrite = RandomRewriter(transfer_set.tokenizer, 1.0)
    rows = []
    for row in transfer_set.labeled:
        ids = rewrite({"input_ids": torch.tensor([row["input_ids"]])})["input_ids"][0].tolist()
        rows.append({**row, "input_ids": ids})
    return unlabeled(rows)


def written_texts(from_blanks: bool, transfer_set: TransferSet, student: PreTrainedBert) -> Measured:
    """As many texts as are labeled, written by the pocket BERT, which begins with these or with blanks."""
    model, began = BertForMaskedLM.from_pretrained("pocket").eval(), time.process_time()
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bf16()):
        rows = write_texts(
            model,
            transfer_set.tokenizer,
            transfer_set.labeled,
            ROUNDS,
            AT_ONCE,
            from_blanks=from_blanks,
            seed=transfer_set.subject.seed,
        )
    writing = {"writing_seconds": round(time.process_time() - began, 1)}
    left = round(share_left(transfer_set.labeled, rows, transfer_set.tokenizer), 1)
    return Measured({"share_left": left}, answered(rows, transfer_set, student) | writing)


# --- what is measured -----------------------------------------------------------------------------


def measure_cut_teacher(subject: Subject) -> Measured:
    """The teacher, reading the pocket BERT's pieces."""
    transfer_set = TransferSet(subject)
    scores = subject.judge(transfer_set.teacher, transfer_set.tokenizer)
    return Measured(scores, {"parameters": unique_parameters(transfer_set.teacher)})


def measure_taught(teach: Teach, subject: Subject) -> Measured:
    """A small student, taught in one way."""
    transfer_set = TransferSet(subject)
    student = transfer_set.student()
    measured = teach(transfer_set, student)
    scores = subject.judge(student.eval(), transfer_set.tokenizer) | measured.scores
    return Measured(scores, measured.costs | {"parameters": unique_parameters(student)}, student)


def measure_beside(ways: Mapping[str, Teach], subject: Subject) -> dict[str, Measured]:
    """Students of one teacher, by the name of the way."""
    return {name: measure_taught(teach, subject) for name, teach in ways.items()}


# --- the arms -------------------------------------------------------------------------------------


def taught(way: Callable[..., Measured], *arguments: Any, **further: Any) -> Arm:
    """An arm of a way with what it is given."""
    return partial(measure_taught, partial(way, *arguments, **further))


def arms_of(family: Mapping[str, Arm], *names: str) -> dict[str, Arm]:
    """Some of a family, in its order."""
    return {name: arm for name, arm in family.items() if name in names}


_answers_and_labels = partial(hinton, 2.0, 0.5)
_softer_answers_and_labels = partial(hinton, 5.0, 0.5)
_few = TURNS[1] * CYCLES
_rows_a_step = TEXTS_A_STEP * (1 + CHOSEN)
_first = STEPS - LABEL_STEPS

BESIDE: dict[str, Arm] = {"teacher": measure_teacher, "teacher, cut": measure_cut_teacher}
RAMP: dict[str, Arm] = {
    "labels": taught(plain, labels_alone, STEPS),
    "answers and labels": taught(plain, _answers_and_labels, STEPS),
    "logits, then labels": taught(annealed, (1,), _first, LABEL_STEPS),
    "annealing": taught(annealed, falling(TAU_MAX), _first, LABEL_STEPS),
    "annealing backward": taught(annealed, falling(TAU_MAX)[::-1], _first, LABEL_STEPS),
    "annealing, no labels": taught(annealed, falling(TAU_MAX), STEPS, 0),
}
ASSISTANTS: dict[str, Arm] = {
    "direct": taught(pooled, answers_alone, STEPS),
    "direct, as long": taught(pooled, answers_alone, AS_LONG["assistant"]),
    "through an assistant": taught(assisted, STEPS),
}
ADVERSARIES: dict[str, Arm] = {
    "no rewriting": taught(plain, _answers_and_labels, _few),
    "no rewriting, as long": taught(plain, _answers_and_labels, AS_LONG["adversary"]),
    "random pieces": taught(rewritten, "by lot", _few),
    "a masked LM's pieces": taught(rewritten, "a masked LM", _few),
    "MATE-KD": taught(against, GENERATOR_RATE, CYCLES, TURNS),
    "MATE-KD, a faster generator": taught(against, FASTER, CYCLES, TURNS),
    "FreeLB": taught(perturbed, 1.0, _answers_and_labels, _few),
    "FreeLB, a tenth as far": taught(perturbed, 0.1, _answers_and_labels, _few),
}
#: one run, so that both have the same teacher whenever it is made
SHORTEST: dict[str, Arm] = {
    "FreeLB, a hundredth as far": partial(
        measure_beside,
        {
            "FreeLB, a hundredth as far": partial(perturbed, 0.01, _answers_and_labels, _few),
            "no rewriting, beside it": partial(plain, _answers_and_labels, _few),
        },
    )
}
NEIGHBORS: dict[str, Arm] = {
    "no neighbors": taught(
        plain, _softer_answers_and_labels, BACKWARD_ROWS // _rows_a_step, size=_rows_a_step
    ),
    "no neighbors, as costly": taught(
        plain, _softer_answers_and_labels, round(AS_COSTLY * BACKWARD_ROWS) // _rows_a_step, size=_rows_a_step
    ),
    "the pool as texts": taught(
        pooled, _softer_answers_and_labels, BACKWARD_ROWS // _rows_a_step, size=_rows_a_step
    ),
    "all 8 neighbors": taught(neighbored, Nearest(NEAR), BACKWARD_ROWS),
    "2 hardest": taught(neighbored, Hardest(CHOSEN), BACKWARD_ROWS),
    "2 at random": taught(neighbored, ByLot(CHOSEN), BACKWARD_ROWS),
    "2 at random, as costly": taught(neighbored, ByLot(CHOSEN), round(AS_COSTLY * BACKWARD_ROWS)),
    "2 nearest": taught(neighbored, Nearest(CHOSEN), BACKWARD_ROWS),
}
WRITTEN: dict[str, Arm] = {
    "labeled texts": taught(plain, answers_alone, STEPS),
    "as many real texts": taught(real_texts),
    "written from texts": taught(written_texts, False),
    "written from blanks": taught(written_texts, True),
    "tokens at random": taught(tokens_by_lot),
}
ON_ALL = ("labels", "answers and labels", "logits, then labels", "annealing")
REVIEWS = (
    BESIDE
    | RAMP
    | arms_of(
        ADVERSARIES,
        *("no rewriting", "no rewriting, as long", "random pieces"),
        *("a masked LM's pieces", "MATE-KD", "FreeLB"),
    )
)
HEADLINES = (
    BESIDE
    | arms_of(RAMP, *ON_ALL)
    | ASSISTANTS
    | {name: arm for name, arm in NEIGHBORS.items() if name != "no neighbors, as costly"}
    | WRITTEN
)
SST2 = (
    BESIDE
    | arms_of(RAMP, *ON_ALL)
    | ASSISTANTS
    | {
        name: arm
        for name, arm in ADVERSARIES.items()
        if name not in ("no rewriting, as long", "random pieces")
    }
    | arms_of(
        NEIGHBORS,
        *("no neighbors", "no neighbors, as costly"),
        *("2 hardest", "2 at random", "2 at random, as costly"),
    )
    | {name: arm for name, arm in WRITTEN.items() if name != "written from blanks"}
    | SHORTEST
)
WITH_MASKED_LM = (
    "a masked LM's pieces",
    "MATE-KD",
    "MATE-KD, a faster generator",
    "written from texts",
    "written from blanks",
)
STUDY = Study(
    "how_to_teach",
    "A small student of MiniLM, taught in many ways",
    {"reviews": REVIEWS, "headlines": HEADLINES, "SST-2": SST2},
    keep=frozenset(
        {"labels", "annealing", "through an assistant", "MATE-KD", "FreeLB", "2 hardest"}
        | {"written from texts"}
    ),
    inputs_of=dict.fromkeys((REVIEWS | HEADLINES | SST2).keys() - {"teacher"}, (POCKET_VOCABULARY,))
    | dict.fromkeys(WITH_MASKED_LM, ("pocket",)),
    minutes=280,
)
