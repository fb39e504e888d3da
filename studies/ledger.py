"""The ledger: what every model costs, measured on one machine, and what it answers out of its file.

On headlines each method of the course has its costs here, and its answers in the record of its own study
(`lib.records.ledger` joins them): bytes and milliseconds depend on shapes, bits and zeros, and on nothing
that was learned. Passages and SQuAD, questions on a paragraph, have what needs no training, on the one
question model that there is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from torch import Tensor, nn

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.methods import answers_alone, labels_alone
from lib.compression.distillation.students import cut_student, new_student
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.factorizing import factorize_linears, factorize_words
from lib.compression.floppy import Floppy, read_floppy, write_floppy
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.costs import measure_costs, multiply_adds
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters
from lib.compression.ledger.memory import peak_memory
from lib.compression.ledger.onnx import OnnxModel, export_onnx, quantize_onnx
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, milliseconds, torch_routes
from lib.compression.ledger.word_counts import WordCounts, measure_word_counts
from lib.compression.packed import load_packed, save_packed
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.pruning.neurons import remove_neurons
from lib.compression.quantizers.binary import BinaryQuantization
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.model import compute_weights, halve_rest, quantize_weights
from lib.compression.quantizers.ternary_bert import round_like_ternary_bert
from lib.compression.sharing import albert_groups, share_in_groups
from lib.records.inputs import POCKET_VOCABULARY
from lib.records.question_model import question_model
from lib.records.results import PACKED
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.records.taught import CUT, CUT_RATE, Student, measure_student
from lib.training.known_tasks import evenly
from lib.training.task_kinds import Task
from studies.floppy import (
    RIVALS,
    STACKS,
    Rival,
    Stack,
    own_tokenizer,
    round_stack,
    taught_rival,
    training_texts,
)
from studies.floppy import cut as cut_to

MOST_PIECES = 30_522  # whose numbers example batches have
WHOLE, INT8 = "model.onnx", "model-int8.onnx"
FLOAT, INT8_ROUTE = "onnxruntime float32", "onnxruntime int8"
LENGTHS = {"headlines": 128, "SST-2": 128, "passages": 256, "SQuAD 1.1": 256}
QUESTIONS = 300  # of SQuAD's dev set, evenly spread
SMALL_STEPS, CUT_STEPS = 2100, 1050  # of students on SST-2, of 32 and of 16 rows

#: a subject's model, and the processor's seconds that its own training took, None if nobody timed it
Source = Callable[[Subject], tuple[PreTrainedBert, float | None]]
Rounding = Callable[[PreTrainedBert], None]


def as_it_is(_model: PreTrainedBert) -> None:
    """No rounding."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A row of the ledger: whose model, how it is rounded, and whose pieces it reads."""

    family: str
    source: Source
    rounding: Rounding = as_it_is
    pieces: str = "minilm"


# --- whose model ----------------------------------------------------------------------------------


def teacher(subject: Subject) -> tuple[PreTrainedBert, float]:
    """MiniLM fine-tuned on the task."""
    return subject.teacher.model, subject.teacher.processor_seconds


def questions(_subject: Subject) -> tuple[PreTrainedBert, None]:
    """The question model that comes with the course."""
    return question_model(), None


def without_training(source: Source, subject: Subject) -> tuple[PreTrainedBert, float]:
    """The same model, to be altered without any training."""
    return source(subject)[0], 0.0


def taught(student: Student, subject: Subject) -> tuple[PreTrainedBert, float]:
    """A student, trained now."""
    measured = measure_student(student, subject)
    assert measured.model is not None
    return measured.model, measured.costs["processor_seconds"]


# --- models of a shape, whatever they have learned ---------------------------------------------------


def rounded_to_two(model: PreTrainedBert) -> PreTrainedBert:
    """All matrices in two bits by row."""
    quantize_weights(model, bits=2)
    return model


def with_books(model: PreTrainedBert) -> PreTrainedBert:
    """GOBO: a book of eight values for each matrix, and outliers beside it."""
    compute_weights(model, CodebookQuantization.__name__, bits=3)
    return model


def with_zeros(share: float, model: PreTrainedBert) -> PreTrainedBert:
    """This share of the encoder's weights at 0."""
    add_masks(model)
    prune(model, share)
    return model


def three_layers(model: PreTrainedBert) -> PreTrainedBert:
    """Every second layer, as DistilBERT has them."""
    return cut_student(model, CUT)


def two_layers(model: PreTrainedBert, **sizes: Any) -> PreTrainedBert:
    """Two new layers of 128 features, or of other sizes; the narrowest reads the pocket BERT's pieces."""
    vocabulary = {} if sizes else {"vocab_size": len(WordPieceTokenizer.from_pretrained("pocket").vocab)}
    return new_student(model, **sizes, **vocabulary)


def ternary(model: PreTrainedBert) -> PreTrainedBert:
    """Two bits a weight, as TernaryBERT has them."""
    round_like_ternary_bert(model)
    return model


def binary(model: PreTrainedBert) -> PreTrainedBert:
    """One bit a weight, positions and token types whole."""
    round_like_ternary_bert(model, BinaryQuantization.__name__)
    return model


def one_layer_six_times(model: PreTrainedBert) -> PreTrainedBert:
    """ALBERT's sharing."""
    share_in_groups(model, albert_groups(model.config.num_hidden_layers, 1))
    return model


def in_two_factors(model: PreTrainedBert) -> PreTrainedBert:
    """The matrices of the layers, and the table of words, of a third of the width, which is rank 128."""
    rank = model.config.hidden_size // 3
    factorize_linears(model, rank)
    factorize_words(model, rank)
    return model


def a_design(size: Size, model: PreTrainedBert) -> PreTrainedBert:
    """The first layers, heads and neurons, as many as a search has chosen."""
    return extracted(model, size)


def half_of_heads_and_neurons(model: PreTrainedBert) -> PreTrainedBert:
    """The first six heads of each layer, and half of its neurons, are gone."""
    layers, neurons = model.config.num_hidden_layers, model.config.intermediate_size
    remove_heads(model, dict.fromkeys(range(layers), range(model.config.num_attention_heads // 2)))
    remove_neurons(model, dict.fromkeys(range(layers), range(neurons // 2)))
    return model


def a_quarter_of_the_width(model: PreTrainedBert) -> PreTrainedBert:
    """The first quarter of each layer's heads and neurons."""
    return extracted(model, Size(width=0.25))


# --- what it answers and costs --------------------------------------------------------------------


def measure_packed(method: Method, subject: Subject) -> Measured:
    """A model written into its file, and what that answers and costs."""
    model, seconds = method.source(subject)
    method.rounding(model)
    with TemporaryDirectory() as folder:
        path = Path(folder, PACKED)
        save_packed(model, path)
        costs = measure_costs(model, folder) if subject.seed == 0 else {}
        answers = answers_of(load_packed(path), method.pieces, subject)
    return _measured(answers, method.family, seconds, costs, subject)


def measure_shape(
    family: str, shape: Callable[[PreTrainedBert], PreTrainedBert], subject: Subject
) -> Measured:
    """What a model of this shape costs."""
    with TemporaryDirectory() as folder:
        return Measured({}, {"family": family, **measure_costs(shape(subject.teacher.model), folder)})


def measure_onnx(source: Source, subject: Subject) -> Measured:
    """The model in eight bits as onnxruntime has it, with its own bytes, its one route and its memory."""
    model = source(subject)[0]
    with TemporaryDirectory() as folder:
        export_onnx(model, Path(folder, WHOLE))
        quantize_onnx(Path(folder, WHOLE), Path(folder, INT8))
        answers = answers_of(OnnxModel(Path(folder, INT8)), "minilm", subject)
        costs = costs_of_onnx(model, Path(folder)) if subject.seed == 0 else {}
    return _measured(answers, "quantization", 0.0, costs, subject)


def costs_of_onnx(model: PreTrainedBert, folder: Path) -> dict[str, Any]:
    """What a file for onnxruntime costs, of which `model` is the original.

    It is timed in turns with the routes of its original, as `measure_costs` times every other row: alone, its
    weights stay near the processor, and one short text takes half of the time. Of the record these are the
    milliseconds that the row of the original has by this route.
    """
    vocab_size = model.config.vocab_size
    routes = torch_routes(model) | {FLOAT: OnnxModel(folder / WHOLE), INT8_ROUTE: OnnxModel(folder / INT8)}
    path = folder / INT8
    return {
        "parameters": unique_parameters(model),
        "file_bytes": path.stat().st_size,
        "multiply_adds": multiply_adds(model),
        "milliseconds": {INT8_ROUTE: milliseconds(routes, vocab_size)[INT8_ROUTE]},
        "peak_memory": peak_memory(partial(OnnxModel, path), vocab_size),
    }


class DiskReader(nn.Module):
    """What is in one file, timed from text on: words of its own stand in place of the pieces of a batch."""

    def __init__(self, disk: Floppy):
        super().__init__()
        self.disk = disk
        self.parts = nn.ModuleList(part for part in (disk.model, disk.bag, disk.runs) if part is not None)
        self.words = [piece for piece in disk.tokenizer.vocab if piece.isalpha()] if disk.tokenizer else []

    def forward(self, input_ids: Tensor, **_: Any) -> list[int]:
        """The class of each row of pieces [N, T]."""
        rows = input_ids.remainder(len(self.words)).tolist()
        return self.disk.predict([" ".join(self.words[number] for number in row) for row in rows])


def reader_of(path: Path) -> DiskReader:
    """What another process loads and asks."""
    return DiskReader(read_floppy(path))


def untrained_disk(stack: Stack | None, rival: Rival | None, subject: Subject) -> Floppy:
    """A file's parts in their shapes and bits, after a step of training at most."""
    tokenizer = own_tokenizer(training_texts(subject, "all"), subject.tokenizer, min_count=1)
    labeled = training_texts(subject, "labels")
    parts: dict[str, Any] = {}
    if stack is not None:
        parts["model"] = cut_to(stack, tokenizer, labeled, subject)
        round_stack(parts["model"], stack)
        halve_rest(parts["model"])
    if rival is not None:
        parts |= taught_rival(rival, tokenizer, labeled, "labels", replace(subject, most_steps=1))
    kind: Any = subject.task.kind
    return Floppy(tuple(kind.labels), tokenizer, **parts)


def measure_disk(stack: Stack | None, rival: Rival | None, subject: Subject) -> Measured:
    """What a file that fits a floppy disk costs, with a stack, a rival, or both in it."""
    disk = untrained_disk(stack, rival, subject)
    with TemporaryDirectory() as folder:
        path = Path(folder, "disk.zip")
        size = write_floppy(disk, path)
        reader = reader_of(path)
        batches = {name: example_batch(MOST_PIECES, shape) for name, shape in SHAPES.items()}
        costs = {
            "family": "combined",
            "parameters": unique_parameters(reader),
            "file_bytes": size,
            "multiply_adds": {
                name: count_multiply_adds(reader, partial(reader, **batch)).total
                for name, batch in batches.items()
            },
            "milliseconds": milliseconds({"float32": reader}, MOST_PIECES),
            "peak_memory": peak_memory(partial(reader_of, path), MOST_PIECES),
        }
    return Measured({}, costs)


def measure_words(subject: Subject) -> Measured:
    """TF-IDF, whose answers depend on no seed; how often it agrees with the teacher does."""
    task, began = subject.task, time.process_time()
    counts = WordCounts.fit(
        [example.first for example in task.train], [example.label for example in task.train]
    )
    seconds = round(time.process_time() - began, 1)
    with TemporaryDirectory() as folder:
        costs = measure_word_counts(counts, folder)
        answers = WordCounts.load(Path(folder, PACKED)).predict([example.first for example in task.test])
    return _measured(answers, "baseline", seconds, costs if subject.seed == 0 else {}, subject)


def answers_of(model: Any, pieces: str, subject: Subject) -> list[Any]:
    """What a model says to the test rows."""
    task = examined(subject)
    return task.kind.predict(
        model, task.test, WordPieceTokenizer.from_pretrained(pieces), LENGTHS[subject.name]
    )


def examined(subject: Subject) -> Task:
    """The task, with as many of its test rows as are asked."""
    task = subject.task
    return replace(task, test=evenly(task.test, QUESTIONS)) if subject.name == "SQuAD 1.1" else task


def _measured(
    answers: list[Any], family: str, seconds: float | None, costs: dict[str, Any], subject: Subject
) -> Measured:
    """`family` stands with the costs, and so do the training's seconds where it was timed."""
    task = examined(subject)
    by_teacher = (
        subject.teacher.predictions
        if subject.name in TAUGHT
        else answers_of(question_model(), "minilm", subject)
    )
    metric = task.kind.metric
    scores = {
        metric: task.kind.score(answers, task.test)[metric],
        "agreement": agreement(answers, by_teacher),
    }
    timed = {} if seconds is None else {"processor_seconds": seconds}
    return Measured(scores, {"family": family, **timed, **costs})


# --- the arms -------------------------------------------------------------------------------------


def packed(family: str, source: Source, rounding: Rounding = as_it_is, pieces: str = "minilm") -> Arm:
    """An arm that packs what comes of a method."""
    return partial(measure_packed, Method(family=family, source=source, rounding=rounding, pieces=pieces))


def on_a_disk(stack: Stack | None, rival: Rival | None = None) -> Arm:
    """An arm that weighs and times what is in one file."""
    return partial(measure_disk, stack, rival)


def shaped(family: str, shape: Callable[[PreTrainedBert], PreTrainedBert]) -> Arm:
    """An arm that makes a shape of the fine-tuned model, and weighs and times it."""
    return partial(measure_shape, family, shape)


def rounded(source: Source, *chosen: str) -> dict[str, Arm]:
    """The model of a source and what becomes of it without any training; of the roundings those chosen."""
    original = partial(without_training, source)
    arms: dict[str, Arm] = {
        "MiniLM": packed("baseline", source),
        "MiniLM, 16 bits": packed("quantization", original, halve_rest),
        "8 bits per tensor": packed("quantization", original, partial(quantize_weights, bits=8, groups=1)),
        **{
            f"{number} bits per row": packed("quantization", original, partial(quantize_weights, bits=number))
            for number in (8, 6, 4, 3)
        },
        "onnxruntime int8": partial(measure_onnx, source),
    }
    return {name: arms[name] for name in chosen or arms}


small = partial(Student, steps=SMALL_STEPS)
cut = partial(Student, is_cut=True, rate=CUT_RATE, steps=CUT_STEPS)
#: those that the literature has too
FEW = ("MiniLM", "MiniLM, 16 bits", "8 bits per row", "4 bits per row", "onnxruntime int8")
DISKS: dict[str, Arm] = {
    "floppy disk": on_a_disk(*STACKS["3 x 1/4, 2 bits, words 3"]),
    "disk of 360 kB": on_a_disk(None, RIVALS["360 kB"]),
    "disk of 100 kB": on_a_disk(None, RIVALS["100 kB"]),
}
HEADLINES: dict[str, Arm] = {
    "TF-IDF": measure_words,
    **rounded(teacher),
    "2 bits per row": shaped("quantization", rounded_to_two),
    "GOBO, 3 bits": shaped("quantization", with_books),
    **{f"{share:.0%} zeros": shaped("pruning", partial(with_zeros, share)) for share in (0.5, 0.7, 0.9)},
    "3 layers": shaped("distillation", three_layers),
    "2 x 128": shaped("distillation", two_layers),
    "2 x 192": shaped("distillation", partial(two_layers, hidden_size=192, num_attention_heads=12)),
    "half of heads and neurons": shaped("pruning", half_of_heads_and_neurons),
    "a quarter of the width": shaped("pruning", a_quarter_of_the_width),
    "ternary": shaped("quantization", ternary),
    "binary": shaped("quantization", binary),
    "1 layer, six times": shaped("sharing", one_layer_six_times),
    "two factors of rank 128": shaped("sharing", in_two_factors),
    "4 layers of half the width": shaped("architecture", partial(a_design, Size(0.5, 2 / 3))),
    **DISKS,
}
SST2: dict[str, Arm] = {
    "TF-IDF": measure_words,
    **rounded(teacher, *FEW),
    "2 x 128, labels alone": packed(
        "baseline", partial(taught, small(matches=labels_alone, asked=())), pieces="pocket"
    ),
    "2 x 128, answers": packed(
        "distillation", partial(taught, small(matches=answers_alone)), pieces="pocket"
    ),
    "3 layers cut, labels alone": packed("baseline", partial(taught, cut(matches=labels_alone, asked=()))),
    "3 layers cut, answers": packed("distillation", partial(taught, cut(matches=answers_alone))),
}
TAUGHT = ("headlines", "SST-2")  # tasks with a teacher for each seed
SHAPES_ALONE = {name for name, arm in HEADLINES.items() if getattr(arm, "func", None) is measure_shape}
STUDY = Study(
    "ledger",
    "What models of four tasks cost, method by method, and what they answer out of their files",
    {
        "headlines": HEADLINES,
        "passages": rounded(questions),
        "SST-2": SST2,
        "SQuAD 1.1": rounded(questions, *FEW),
    },
    once=frozenset({"passages", "SQuAD 1.1", *SHAPES_ALONE, *DISKS}),
    inputs_of=dict.fromkeys(("passages", "SQuAD 1.1"), ("data/minilm-squad",))
    | dict.fromkeys([name for name in HEADLINES | SST2 if name.startswith("2 x 128")], (POCKET_VOCABULARY,)),
    minutes=60,
)
