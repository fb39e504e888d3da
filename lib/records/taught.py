"""A student that learns from its teacher's answers, and is small and new or cut from the teacher.

A small student begins with random weights and reads the pocket BERT's pieces, since MiniLM's vocabulary would
be most of it; another is three layers of its teacher. Learning rates were chosen with seed 9, which no result
is reported of.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.answers import TaughtBatches, row_answers, row_cls_states
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student, new_student
from lib.compression.ledger.counting import unique_parameters
from lib.records.students import PRECISION, Texts
from lib.records.study import Measured
from lib.records.subject import Subject
from lib.text.tasks import Row

CUT = (0, 2, 5)  # of the teacher's six layers, as DistilBERT chooses: the first, the last, one between
SMALL_STEPS, SMALL_BATCH, SMALL_RATE = 800, 32, 5e-4
CUT_STEPS, CUT_BATCH, CUT_RATE = 300, 16, 1e-4

#: what is asked of a teacher beforehand, by the name of the knowledge
ASKED: dict[str, Callable[[PreTrainedBert, Sequence[Row]], Tensor]] = {
    "logits": row_answers,
    "cls_states": row_cls_states,
}


@dataclass(frozen=True, kw_only=True)
class Student:
    """What a student begins as, and what it learns from which texts.

    asked: what the teacher is asked beforehand, names in `ASKED`. guessed: the labels are the teacher's first
    guesses. is_cut: it is three layers of the teacher.
    """

    matches: Callable[[], list[Match]]
    texts: Texts = "labeled"
    asked: tuple[str, ...] = ("logits",)
    guessed: bool = False
    is_cut: bool = False
    rate: float = SMALL_RATE
    steps: int = SMALL_STEPS

    @property
    def batch_size(self) -> int:
        return CUT_BATCH if self.is_cut else SMALL_BATCH

    @property
    def pieces(self) -> str:
        """Whose pieces it reads."""
        return "minilm" if self.is_cut else "pocket"


def measure_student(student: Student, subject: Subject) -> Measured:
    """A student that has learned what its teacher says of the same texts, each in pieces of its own."""
    teacher, tokenizer = subject.teacher.model, WordPieceTokenizer.from_pretrained(student.pieces)
    if student.is_cut:
        model = cut_student(teacher, CUT)
    else:
        model = new_student(teacher, subject.seed, vocab_size=len(tokenizer.vocab))
        model.to(next(teacher.parameters()).device)
    rows = subject.rows(student.texts, tokenizer=tokenizer)
    began = time.process_time()
    answers, guesses = answers_to(teacher, subject.rows(student.texts), student)
    asking = time.process_time() - began
    if student.guessed:
        rows = [{**row, "labels": guess} for row, guess in zip(rows, guesses, strict=True)]
    ordered = subject.batches(rows, student.batch_size, tokenizer.pad_token_id)
    seconds = subject.train(
        Distillation(model, teacher, student.matches()),
        TaughtBatches(ordered, answers),
        student.steps,
        student.rate,
        precision=PRECISION,
    )
    costs = {"processor_seconds": round(asking + seconds, 1), "rows": len(rows), "steps": student.steps}
    return Measured(
        subject.judge(model, tokenizer), costs | {"parameters": unique_parameters(model)}, model.eval()
    )


def answers_to(
    teacher: PreTrainedBert, rows: Sequence[Row], student: Student
) -> tuple[dict[str, Tensor], list[int]]:
    """What a student asks of the teacher beforehand, in the teacher's own pieces, and its first guesses."""
    answers = {name: ASKED[name](teacher, rows) for name in student.asked}
    guesses: list[int] = row_answers(teacher, rows).argmax(dim=-1).tolist() if student.guessed else []
    return answers, guesses
