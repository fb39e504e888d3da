"""What a student learns from its teacher's answers: soft or hard, on the same texts or on more of them.

Small students and three layers cut from their teacher (`lib.records.taught`), within each kind for equally
many steps.

Three layers of the pretrained MiniLM, not of the teacher, whose weights know the class, learn all categories
of headlines but one. Hinton et al. (2015, section 3) left all threes out of what a student of digits reads;
raising the bias of that one class afterwards let it recognize most of them.

Three layers cut from the pocket BERT learn DistilBERT's three losses where they belong, on masked words:
MiniLM has no masked-LM head. They read the reviews that have no label, and are asked for hidden pieces of
those that have one.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.knowledge import HIDDEN_STATES, LABELS, LOGITS
from lib.compression.distillation.layer_maps import (
    ANSWER,
    distilbert_layers,
    last_to_last,
    pkd_last,
    pkd_skip,
)
from lib.compression.distillation.losses import SoftenedKL, cosine_distance, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import answers_alone, distilbert, hinton, labels_alone, pkd
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.counting import unique_parameters
from lib.records.baselines import measure_word_counts
from lib.records.inputs import POCKET_VOCABULARY
from lib.records.students import MAX_LENGTH, PRECISION, texts_for
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.records.taught import CUT, CUT_RATE, CUT_STEPS, Student, measure_student
from lib.text.masking import IGNORED
from lib.text.packing import pack
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.text.tasks import own
from lib.training import baselines
from lib.training.finetuning import fresh_model

Matches = Callable[[], list[Match]]
TEMPERATURE = 2.0
UNSEEN = ("sports", "film", "phones")  # as the files name them
UNSEEN_STEPS, UNSEEN_RATE, UNSEEN_TEMPERATURE = 400, 2e-4, 4.0
BIASES = torch.arange(0, 10.5, 0.5)
LAYERS_OF_POCKET, LAYERS_LEFT = 6, 3
BLANK_STEPS, BLANK_BATCH, BLANK_LENGTH, BLANK_RATE = 300, 32, 40, 3e-4
SCORED = 30  # batches
SCORING_SEED = 1000  # hides other pieces than any run's


# --- what stands beside students ------------------------------------------------------------------


def measure_teacher(subject: Subject) -> Measured:
    """The teacher, and how soft its answers are: their entropy in nats."""
    teacher, labeled = subject.teacher, len(subject.task.train)
    of_test = subject.task.kind.rows(subject.task.test, subject.tokenizer, MAX_LENGTH)
    logits, test = (row_answers(teacher.model, rows) for rows in (subject.rows("unlabeled"), of_test))
    parts = {"labeled": logits[:labeled], "unlabeled": logits[labeled:], "test": test}
    softness = {f"entropy, {name}": entropy(part) for name, part in parts.items()}
    costs = {"parameters": unique_parameters(teacher.model), "processor_seconds": teacher.processor_seconds}
    return Measured(teacher.scores | softness, costs)


def entropy(logits: Tensor) -> float:
    """How soft answers are: the mean entropy, in nats, of the distributions that logits [N, C] stand for."""
    return float(torch.distributions.Categorical(logits=logits).entropy().mean())


def measure_cut(subject: Subject) -> Measured:
    """The cut student before it learns."""
    student = cut_student(subject.teacher.model, CUT)
    return Measured(subject.judge(student), {"parameters": unique_parameters(student)})


def measure_taught_word_counts(subject: Subject) -> Measured:
    """What a count of words learns from the teacher's first guesses of all texts."""
    task, teacher = subject.task, subject.teacher
    texts = texts_for("unlabeled", subject.name, subject.seed)
    guesses = task.kind.predict(teacher.model, texts, subject.tokenizer, MAX_LENGTH)
    read = [text._replace(label=guess) for text, guess in zip(texts, guesses, strict=True)]
    predictions = baselines.classify_texts(read, task.test)
    return Measured(
        task.kind.score(predictions, task.test) | {"agreement": agreement(predictions, teacher.predictions)}
    )


# --- a class that was never seen ------------------------------------------------------------------


def measure_unseen(category: str, matches: Matches, subject: Subject) -> Measured:
    """A student of all texts that neither their label nor else the teacher gives this category.

    Whatever is learned, the same texts are read. Those without a label have, where labels are learned, the
    teacher's first guess for one.
    """
    task: Any = subject.task
    unseen, teacher = own.LIVEDOOR_CATEGORIES.index(category), subject.teacher.model
    rows = subject.rows("unlabeled")
    logits = row_answers(teacher, rows)  # [rows, C], of the labeled ones first
    labeled = [example.label for example in task.train]
    labels = torch.tensor(labeled + logits[len(labeled) :].argmax(dim=-1).tolist())
    seen = (labels != unseen).nonzero().flatten()
    student = cut_student(fresh_model(task, "minilm", subject.seed), CUT)
    student.to(next(teacher.parameters()).device)
    read = subject.batches([{**rows[place], "labels": int(labels[place])} for place in seen.tolist()])
    seconds = subject.train(
        Distillation(student, None, matches()),
        TaughtBatches(read, {"logits": logits[seen]}),
        UNSEEN_STEPS,
        UNSEEN_RATE,
        precision=PRECISION,
    )
    student.eval()
    share = float((labels[len(labeled) :] == unseen).float().mean())
    bias = bias_for(row_answers(student, rows[len(labeled) :]), unseen, share)
    answers = row_answers(student, task.kind.rows(task.test, subject.tokenizer, MAX_LENGTH))
    right = torch.tensor([example.label for example in task.test])
    corrected = recognized(answers, right, unseen, bias)
    scores = recognized(answers, right, unseen, 0.0) | {"share_expected": share, "bias": bias}
    scores |= {f"{name}, corrected": value for name, value in corrected.items()}
    sweep = [[one, *recognized(answers, right, unseen, one).values()] for one in BIASES.tolist()]
    return Measured(scores | {"sweep": sweep}, {"processor_seconds": seconds})


def bias_for(logits: Tensor, unseen: int, share: float) -> float:
    """What has to be added to one class's logit, of [N, C], so that this share of the texts is given to it.

    0 where it is given to as many already. No label is looked at: how frequent the class is has to be known,
    or be guessed by a teacher.
    """
    others = logits.clone()
    others[:, unseen] = -torch.inf
    lacking = (others.amax(dim=-1) - logits[:, unseen]).sort().values  # [N]
    last = min(max(round(share * len(lacking)), 1), len(lacking)) - 1
    return max(0.0, float(lacking[last]) + 1e-4)  # just enough for the last of them


def recognized(logits: Tensor, right: Tensor, unseen: int, bias: float) -> dict[str, float]:
    """How many texts [N] are answered rightly with this bias: of the class, of all, of the other classes."""
    raised = logits.clone()
    raised[:, unseen] += bias
    hits = (raised.argmax(dim=-1) == right).float()
    of_class = right == unseen
    return {
        "recognized": float(hits[of_class].mean()),
        "accuracy": float(hits.mean()),
        "of_others": float(hits[~of_class].mean()),
    }


# --- masked words ---------------------------------------------------------------------------------


def measure_pocket_blanks(_subject: Subject) -> Measured:
    """How the whole pocket BERT fills blanks."""
    teacher = BertForMaskedLM.from_pretrained("pocket").eval()
    return Measured(filled(teacher, teacher))


def measure_blanks(matches: Matches | None, subject: Subject) -> Measured:
    """How three of its layers fill them, without training where nothing is matched."""
    teacher = BertForMaskedLM.from_pretrained("pocket").eval()
    student = cut_student(teacher, distilbert_layers(LAYERS_LEFT, LAYERS_OF_POCKET))
    if matches is None:
        return Measured(filled(student, teacher))
    with tempfile.TemporaryDirectory() as place:
        batches = masked_batches(own.unlabeled("reviews"), Path(place), subject.seed)
        objective = Distillation(student, teacher, matches())
        seconds = subject.train(objective, batches, BLANK_STEPS, BLANK_RATE, precision=PRECISION)
    return Measured(filled(student.eval(), teacher), {"processor_seconds": seconds})


def masked_batches(texts: list[str], folder: Path, seed: int) -> PretrainingBatches:
    """Sentences with 15 % of their pieces hidden, batches of equally long ones."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    corpus = pack([[text] for text in texts], tokenizer, folder / "text")
    return PretrainingBatches(SentenceRows(corpus, tokenizer, BLANK_LENGTH, BLANK_BATCH, seed))


def filled(model: BertForMaskedLM, teacher: BertForMaskedLM) -> dict[str, float]:
    """How a model and its teacher guess hidden pieces of the labeled reviews."""
    held_out = [example.first for split in ("train", "test") for example in own.reviews(split)]
    with tempfile.TemporaryDirectory() as place:
        batches = masked_batches(held_out, Path(place), SCORING_SEED)
        return compare_guesses(model, teacher, [batches(number) for number in range(SCORED)])


@torch.inference_mode()
def compare_guesses(
    model: BertForMaskedLM, teacher: BertForMaskedLM, batches: list[dict[str, Tensor]]
) -> dict[str, float]:
    """Perplexity and accuracy on hidden pieces, and the share of them for which both say the same first."""
    losses, hits, alike = list[Tensor](), list[Tensor](), list[Tensor]()
    for batch in batches:
        hidden = batch["labels"] != IGNORED  # [B, T]
        inputs = {name: batch[name] for name in ("input_ids", "token_type_ids")}
        right = batch["labels"][hidden]  # [N]
        logits, of_teacher = (one(**inputs).logits[hidden] for one in (model, teacher))  # [N, V]
        losses.append(F.cross_entropy(logits, right, reduction="none"))
        hits.append(logits.argmax(dim=-1) == right)
        alike.append(logits.argmax(dim=-1) == of_teacher.argmax(dim=-1))
    return {
        "perplexity": math.exp(float(torch.cat(losses).mean())),
        "accuracy": float(torch.cat(hits).float().mean()),
        "agreement": float(torch.cat(alike).float().mean()),
    }


# --- the arms -------------------------------------------------------------------------------------


def answers_and_cosine() -> list[Match]:
    """DistilBERT's losses with its weights (Sanh et al., 2019), a task's labels in place of hidden pieces."""
    last = last_to_last(len(CUT), 6)
    return [
        Match(LOGITS, ANSWER, SoftenedKL(TEMPERATURE), 5 / 8),
        Match(LABELS, ANSWER, cross_entropy, 2 / 8),
        Match(HIDDEN_STATES, last, cosine_distance, 1 / 8),
    ]


def on_words() -> list[Match]:
    """DistilBERT's three losses."""
    return distilbert(LAYERS_LEFT, LAYERS_OF_POCKET, TEMPERATURE)


def answers_on_words() -> list[Match]:
    """The first two of them."""
    return on_words()[:2]


_cut = partial(Student, is_cut=True, rate=CUT_RATE, steps=CUT_STEPS)
STUDENTS: dict[str, Student] = {
    "labels": Student(matches=labels_alone, asked=()),
    "answers": Student(matches=answers_alone),
    "answers and labels": Student(matches=partial(hinton, TEMPERATURE, 0.5)),
    "hard answers on unlabeled": Student(matches=labels_alone, texts="unlabeled", asked=(), guessed=True),
    "answers on unlabeled": Student(matches=answers_alone, texts="unlabeled"),
    "answers on augmented": Student(matches=answers_alone, texts="augmented"),
    "temperature 1": Student(matches=partial(answers_alone, 1.0), texts="unlabeled"),
    "temperature 4": Student(matches=partial(answers_alone, 4.0), texts="unlabeled"),
    "temperature 8": Student(matches=partial(answers_alone, 8.0), texts="unlabeled"),
    "cut, labels": _cut(matches=labels_alone, asked=()),
    "cut, answers": _cut(matches=partial(hinton, TEMPERATURE, 0.5)),
    "cut, answers and cosine": _cut(matches=answers_and_cosine),
    "cut, PKD skip": _cut(matches=partial(pkd, 3, 6, pkd_skip(3, 6)), asked=("logits", "cls_states")),
    "cut, PKD last": _cut(matches=partial(pkd, 3, 6, pkd_last(3, 6)), asked=("logits", "cls_states")),
    "cut, answers on unlabeled": _cut(matches=answers_alone, texts="unlabeled"),
}
BESIDE: dict[str, Arm] = {
    "teacher": measure_teacher,
    "cut": measure_cut,
    "baseline": measure_word_counts,
    "baseline on unlabeled": measure_taught_word_counts,
}
NEVER_SEEN: dict[str, Arm] = {
    f"{category} unseen, {name}": partial(measure_unseen, category, matches)
    for category in UNSEEN
    for name, matches in (("labels", labels_alone), ("answers", partial(answers_alone, UNSEEN_TEMPERATURE)))
}
BLANKS: dict[str, Arm] = {
    "blanks, teacher": measure_pocket_blanks,
    "blanks, cut": partial(measure_blanks, None),
    "blanks, masked words": partial(measure_blanks, labels_alone),
    "blanks, masked words and answers": partial(measure_blanks, answers_on_words),
    "blanks, DistilBERT": partial(measure_blanks, on_words),
}
HEADLINES = (
    BESIDE | {name: partial(measure_student, student) for name, student in STUDENTS.items()} | NEVER_SEEN
)
#: what softness brings with nine classes, and which loss to take, is asked of headlines alone
ON_REVIEWS = (
    "teacher", "baseline", "baseline on unlabeled", "labels", "answers", "hard answers on unlabeled",
    "answers on unlabeled", "answers on augmented", "temperature 8", "cut, labels", "cut, answers",
)  # fmt: skip
SMALL_STUDENTS = [name for name, student in STUDENTS.items() if not student.is_cut]
STUDY = Study(
    "distilled_answers",
    "Students of MiniLM's answers, soft or hard, on the same texts or on more",
    {"headlines": HEADLINES, "reviews": {name: HEADLINES[name] for name in ON_REVIEWS} | BLANKS},
    keep=frozenset({"labels", "answers on unlabeled", "cut, labels", "cut, answers"}),
    inputs=(),
    inputs_of=dict.fromkeys(HEADLINES, ("minilm",))
    | dict.fromkeys(SMALL_STUDENTS, ("minilm", POCKET_VOCABULARY))
    | dict.fromkeys(BLANKS, ("pocket",))
    | {"answers on augmented": ("minilm", "pocket", "data/vectors"), "baseline": ()},
    minutes=150,
)
