"""How much of a classifier fits on a floppy disk: 1,474,560 bytes, 368,640, and 102,400, with everything.

Each run writes one file, weights, vocabulary and names, reads it back and judges what comes out. A stack cuts
the teacher: to the pieces of its training texts, to few layers and heads, the table of words to a rank; then
it is taught by the teacher's answers, states and the labels, rounded, and taught further. Rivals without
attention are taught by the same answers on the same texts: a bag of pieces, runs of characters, and both.
Of headlines the texts without labels are read, too; of SST-2 all phrases have labels.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.alterations import cut_positions, factorize
from lib.bert.model import PreTrainedBert
from lib.compression.bags import Bag, Features, piece_features, run_features, teach
from lib.compression.distillation.answers import row_answers, unlabeled
from lib.compression.distillation.knowledge import HIDDEN_STATES, LABELS, LOGITS
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs
from lib.compression.distillation.losses import SoftCrossEntropy, cross_entropy, squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import labels_alone
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import with_vocabulary
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.factorizing import factorize_words
from lib.compression.floppy import Floppy, read_floppy, sizes, word_table, write_floppy
from lib.compression.ledger.agreement import agreement
from lib.compression.parts import paths_of
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.records.baselines import measure_word_counts
from lib.records.rewired import rewired
from lib.records.students import texts_for
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.text.tasks import Row, TextExample
from lib.training.features import encoder_of

LAYERS, HEADS = 6, 12
BATCH, RATE, ROUNDED_RATE = 32, 5e-4, 3e-4
LABEL_WEIGHT = 0.3
PLACES = {"headlines": 32, "SST-2": 64}  # positions that are kept
STEPS = {"headlines": (900, 500), "SST-2": (2000, 1000)}  # whole, and rounded
BAG_STEPS = {"headlines": 600, "SST-2": 2000}  # whole, and half as many rounded
BAG_RATE, RUN_RATE, BAG_DROPOUT = 3e-3, 3e-2, 0.5
HIDDEN, DENSE_BITS, RUN_SIZE = 128, 4, 9
#: what is learned from: the labels, the teacher on the labeled texts, the teacher on all texts
Lessons = Literal["labels", "labeled", "all"]


@dataclass(frozen=True)
class Stack:
    """What is made of MiniLM, in this order. bits: of the layers; word_bits: of the table of words.

    pooler_rank and word_rank cut these two, None leaves them whole; min_count: how often a piece has to stand
    in the training texts to be kept.
    """

    layers: int
    heads: int
    bits: int
    word_bits: int
    word_rank: int | None = None
    pooler_rank: int | None = None
    min_count: int = 1


@dataclass(frozen=True)
class Rival:
    """Bags without attention: of pieces, of a size and bits, and of runs, in buckets and bits; 0 for none.

    start: the size that the bag of pieces learns with before it is cut to its own; None: its own. min_count:
    how often a piece has to stand in the training texts to be kept.
    """

    size: int = 0
    bits: int = 3
    start: int | None = None
    buckets: int = 0
    run_bits: int = 3
    min_count: int = 1


# --- what is read ---------------------------------------------------------------------------------


def training_texts(subject: Subject, lessons: Lessons) -> list[TextExample]:
    """The texts to learn from, the labeled ones first; without labels where there are none."""
    labeled: list[TextExample] = list(subject.task.train)
    if lessons == "all" and subject.name == "headlines":
        return labeled + texts_for("unlabeled", subject.name, subject.seed)[len(labeled) :]
    return labeled


def own_tokenizer(texts: list[TextExample], theirs: WordPieceTokenizer, min_count: int) -> WordPieceTokenizer:
    """One of the pieces that stand in these texts so often, and of all single characters."""
    counts = Counter(piece for text in texts for piece in theirs.tokenize(text.first))
    kept = {piece for piece, count in counts.items() if count >= min_count}
    kept |= {piece for piece in theirs.vocab if len(piece.removeprefix("##")) == 1 and ord(piece[-1]) < 256}
    special = theirs.all_special_tokens
    return WordPieceTokenizer([*special, *sorted(kept - set(special))])


def piece_counts(features: list[Features], tokenizer: WordPieceTokenizer) -> Tensor:
    """How often each piece stands there: [V]."""
    ids = torch.cat([text.ids for text in features])
    return torch.bincount(ids, minlength=len(tokenizer)).float()


# --- a small BERT ---------------------------------------------------------------------------------


def measure_stack(
    name: str, stack: Stack, rival: Rival | None, lessons: Lessons, subject: Subject
) -> dict[str, Measured]:
    """A stack in its file, and the same with a rival's parts beside it."""
    texts = training_texts(subject, lessons)
    tokenizer = own_tokenizer(texts, subject.tokenizer, stack.min_count)
    teacher = with_vocabulary(subject.teacher.model, subject.tokenizer, tokenizer)
    rows = subject.task.kind.rows(texts, tokenizer, PLACES[subject.name])
    rows = [row if "labels" in row else unlabeled([row])[0] for row in rows]
    model = cut(stack, tokenizer, texts, subject)
    device = next(subject.teacher.model.parameters()).device
    model, teacher = model.to(device), teacher.to(device)
    whole, further = STEPS[subject.name]
    seconds = fit(model, teacher, lessons, rows, whole, RATE, subject)
    round_stack(model, stack)
    seconds += fit(model, teacher, lessons, rows, further, ROUNDED_RATE, subject)
    halve_rest(model)
    costs = {"steps": whole + further, "processor_seconds": seconds}
    parts: dict[str, Any] = {"tokenizer": tokenizer, "model": model.cpu().eval()}
    measured = {name: finished(parts, costs, subject)}
    if rival is not None:
        parts |= taught_rival(rival, tokenizer, texts, lessons, subject)
        measured[f"{name}, bags beside"] = finished(parts, costs, subject)
    return measured


def cut(
    stack: Stack, tokenizer: WordPieceTokenizer, texts: list[TextExample], subject: Subject
) -> PreTrainedBert:
    """What of the teacher a stack keeps, before anything is learned."""
    model = with_vocabulary(rewired(subject), subject.tokenizer, tokenizer)
    small = extracted(model, Size(stack.heads / HEADS, stack.layers / LAYERS))
    cut_positions(small, "bert.embeddings", count=PLACES[subject.name])
    if stack.word_rank is not None:
        counts = piece_counts([piece_features(text.first, tokenizer) for text in texts], tokenizer)
        factorize_words(small, stack.word_rank, counts.to(word_table(small).device))
    if stack.pooler_rank is not None:
        factorize(small, "bert.pooler.dense", stack.pooler_rank)
    return small


def matches_of(lessons: Lessons, layers: int) -> list[Match]:
    """Answers, states and labels; or labels alone."""
    if lessons == "labels":
        return labels_alone()
    pairs = LayerPairs(tuple((layer, layer * LAYERS // layers) for layer in range(layers + 1)))
    return [
        Match(LOGITS, ANSWER, SoftCrossEntropy()),
        Match(HIDDEN_STATES, pairs, squared_error),
        Match(LABELS, ANSWER, cross_entropy, LABEL_WEIGHT),
    ]


def fit(
    model: PreTrainedBert,
    teacher: PreTrainedBert,
    lessons: Lessons,
    rows: list[Row],
    steps: int,
    rate: float,
    subject: Subject,
) -> float:
    """The processor's seconds that it took; the model is in eval() after it."""
    matches = matches_of(lessons, len(encoder_of(model).encoder.layer))
    objective = Distillation(model, teacher, matches)
    seconds = subject.train(objective, rows, steps, rate, batch_size=BATCH, precision="no")
    objective.eval()
    return seconds


def round_stack(model: PreTrainedBert, stack: Stack) -> None:
    """Round the matrices by rows and the table of words as one, in steps that suit their spread."""
    words = [path for path in paths_of(model) if ".word_embeddings" in path]
    others = [path for path in paths_of(model) if path not in words]
    quantize_weights(model, stack.bits, others, scheme="spread")
    quantize_weights(model, stack.word_bits, words, groups=1, scheme="spread")


# --- rivals without attention ---------------------------------------------------------------------


def measure_rival(rival: Rival, lessons: Lessons, subject: Subject) -> Measured:
    """A rival alone in its file."""
    texts = training_texts(subject, lessons)
    tokenizer = own_tokenizer(texts, subject.tokenizer, rival.min_count)
    began = time.process_time()
    parts = taught_rival(rival, tokenizer, texts, lessons, subject)
    costs = {"processor_seconds": round(time.process_time() - began, 1)}
    return finished({"tokenizer": tokenizer if rival.size else None, **parts}, costs, subject)


def taught_rival(
    rival: Rival, tokenizer: WordPieceTokenizer, texts: list[TextExample], lessons: Lessons, subject: Subject
) -> dict[str, Bag]:
    """A rival's parts, each taught for itself."""
    targets = targets_of(texts, lessons, subject)
    device = next(subject.teacher.model.parameters()).device
    steps = subject.at_most(BAG_STEPS[subject.name])
    torch.manual_seed(subject.seed)
    parts = {}
    if rival.size:
        pieces = [piece_features(text.first, tokenizer) for text in texts]
        counts = 1 + piece_counts(pieces, tokenizer)
        bag = Bag(len(tokenizer), rival.start or rival.size, HIDDEN, targets.size(1))
        places = [subject.tokenizer.vocab[piece] for piece in tokenizer.vocab]
        bag.start_from(word_table(subject.teacher.model).detach().cpu()[places], counts)
        teach(bag.to(device), pieces, targets, steps, BAG_RATE, dropout=BAG_DROPOUT, seed=subject.seed)
        if rival.start:
            bag.cut(rival.size, counts)
        parts["bag"] = rounded(bag, pieces, targets, rival.bits, BAG_RATE, subject)
    if rival.buckets:
        runs = [run_features(text.first, rival.buckets) for text in texts]
        bag = Bag(rival.buckets, RUN_SIZE, HIDDEN, targets.size(1)).to(device)
        teach(bag, runs, targets, steps, RUN_RATE, dropout=BAG_DROPOUT, seed=subject.seed)
        parts["runs"] = rounded(bag, runs, targets, rival.run_bits, RUN_RATE, subject)
    return parts


def rounded(
    bag: Bag, texts: list[Features], targets: Tensor, bits: int, rate: float, subject: Subject
) -> Bag:
    """A bag rounded, trained on for half as long, and its small rest kept in half precision."""
    quantize_weights(bag, bits, ["table"], groups=1, scheme="spread")
    quantize_weights(bag, DENSE_BITS, ["dense"], scheme="spread")
    steps = max(1, subject.at_most(BAG_STEPS[subject.name]) // 2)
    teach(bag, texts, targets, steps, rate / 3, dropout=BAG_DROPOUT, seed=subject.seed + 1)
    halve_rest(bag)
    return bag.cpu().eval()


def targets_of(texts: list[TextExample], lessons: Lessons, subject: Subject) -> Tensor:
    """The probabilities that a bag learns, [N, C]: labels, or the teacher's answers with some of them."""
    classes = subject.teacher.model.config.num_labels
    labels = torch.stack(
        [
            torch.zeros(classes)
            if text.label is None
            else F.one_hot(torch.tensor(text.label), classes).float()
            for text in texts
        ]
    )
    if lessons == "labels":
        return labels
    rows = subject.task.kind.rows(texts, subject.tokenizer, PLACES[subject.name])
    plain = [{name: value for name, value in row.items() if name != "labels"} for row in rows]
    answers = row_answers(subject.teacher.model, plain).softmax(dim=1) + LABEL_WEIGHT * labels
    return answers / answers.sum(dim=1, keepdim=True)


# --- weighed, and judged --------------------------------------------------------------------------


def finished(parts: dict[str, Any], costs: dict[str, float], subject: Subject) -> Measured:
    """What a file answers that holds these parts, after it was written and read, and its bytes."""
    kind: Any = subject.task.kind
    labels = tuple(map(str, kind.labels))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "floppy.zip")
        size = write_floppy(Floppy(labels, **parts), path)
        predictions = read_floppy(path).predict([text.first for text in subject.task.test])
        weighed = {f"bytes of {name}": count for name, count in sizes(path).items() if name != "file"}
    scores = subject.task.kind.score(predictions, subject.task.test)
    scores |= {"agreement": agreement(predictions, subject.teacher.predictions)}
    return Measured(scores, {**costs, "bytes": size, **weighed})


# --- the arms -------------------------------------------------------------------------------------

RIVALS = {
    "100 kB": Rival(8, 3, 128, buckets=16384),
    "360 kB": Rival(64, 3, buckets=32768),
    "1.44 MB": Rival(128, 4, buckets=65536, run_bits=4),
}
#: of headlines; 3 x 1/4 are 3 layers with a quarter of the heads and neurons
STACKS = {
    "3 x 1/4, 2 bits, words 3": (Stack(3, 3, 2, 3), RIVALS["100 kB"]),
    "4 x 1/4, 3 bits, words of rank 128": (Stack(4, 3, 3, 3, 128, 64), RIVALS["360 kB"]),
    "360 kB": (Stack(2, 3, 2, 3, 32, 16), None),
    "100 kB": (Stack(1, 1, 2, 2, 16, 8), None),
}
#: of SST-2, whose phrases hold more pieces, so that each has fewer numbers
SST2_RIVALS = {"1.44 MB": Rival(128, 3, buckets=65536, run_bits=4)}
SST2_STACKS = {
    "3 x 1/4, 3 bits, words of rank 176": (Stack(3, 3, 3, 3, 176, 64), Rival(4, 4, 128, buckets=8192))
}


def stacks(of: Mapping[str, tuple[Stack, Rival | None]]) -> dict[str, Arm]:
    """Small BERTs, some with bags beside them, taught all there is."""
    return {name: partial(measure_stack, name, *pair, "all") for name, pair in of.items()}


def rivals(of: Mapping[str, Rival], lessons: Lessons = "all") -> dict[str, Arm]:
    """What has no attention."""
    ending = {"all": "", "labeled": ", labeled texts alone", "labels": ", labels alone"}[lessons]
    return {f"rival, {name}{ending}": partial(measure_rival, rival, lessons) for name, rival in of.items()}


AT_100 = {"100 kB": RIVALS["100 kB"]}
HEADLINES: dict[str, Arm] = {
    "teacher": measure_teacher,
    "counts of words": measure_word_counts,
    **stacks(STACKS),
    **rivals(RIVALS),
    **rivals(AT_100, "labeled"),
    **rivals(AT_100, "labels"),
    "3 x 1/4, 2 bits, words 3, labels alone": partial(
        measure_stack, "3 x 1/4, 2 bits, words 3, labels alone", Stack(3, 3, 2, 3), None, "labels"
    ),
}
SST2: dict[str, Arm] = {
    "teacher": measure_teacher,
    "counts of words": measure_word_counts,
    **stacks(SST2_STACKS),
    **rivals(SST2_RIVALS),
}
STUDY = Study(
    "floppy",
    "Classifiers that fit on a floppy disk",
    {"headlines": HEADLINES, "SST-2": SST2},
    once=frozenset({"counts of words"}),
    minutes=120,
)
