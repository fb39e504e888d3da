"""Which weights get which bits: books and outliers, groups, bits by curvature, and noise in training.

All of it starts from the same fine-tuned MiniLM. What is not trained is judged as it comes out of its file,
whose bytes are counted; what is trained takes equally many steps. All six layers are alike in size, so every
way to give three of them 4 bits and the others 2 takes as many bytes as 3 bits for all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import torch

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.packed import load_packed, save_packed
from lib.compression.parts import by_layer, paths_of
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.curvature_bits import (
    bits_by_rank,
    layer_eigenvalues,
    layer_sensitivity,
    quantize_layers,
)
from lib.compression.quantizers.model import (
    compute_weights,
    quantize_weights,
    quantized,
    remove_quantization,
)
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.students import MAX_LENGTH, train_steps
from lib.records.teachers import Teacher, input_of, load_teacher, task_named
from lib.text.tasks import Row, TaskBatches
from lib.training.finetuning import FineTuning
from lib.training.known_tasks import load_task, spread
from lib.training.task_kinds import Task
from studies.bits import Exam

TaskName = Literal["reviews", "SST-2"]
PUBLIC_ROWS = 4000  # of SST-2's training set, evenly spread
TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")
BITS = (4, 3, 2)
GROUPS: dict[str, int | None] = {"1": 1, "12": 12, "96": 96, "row": None}
HIGH, LOW, EQUAL, TABLE_BITS = 4, 2, 3, 8  # 3 is the mean of 4 and 2
SUBSETS, SUBSET_ROWS = 5, 16
STEPS, BATCH, RATE = 75, 16, 5e-5  # once through the reviews
NOISE_BITS = 3

Prepare = Callable[[PreTrainedBert], None]


def _book(**options: Any) -> Callable[[PreTrainedBert, int], None]:
    def prepare(model: PreTrainedBert, bits: int) -> None:
        compute_weights(model, CodebookQuantization.__name__, bits=bits, **options)

    return prepare


def _gobo_of_paper(model: PreTrainedBert, bits: int) -> None:
    """Tables in 4 bits, as the paper has it."""
    compute_weights(model, CodebookQuantization.__name__, paths_of(model, TABLES), bits=4)
    others = [path for path in paths_of(model) if path not in paths_of(model, TABLES)]
    compute_weights(model, CodebookQuantization.__name__, others, bits=bits)


#: ways to round a finished model to so many bits
WAYS: dict[str, Callable[[PreTrainedBert, int], None]] = {
    "linear, matrix": partial(quantize_weights, groups=1),
    "linear, row": quantize_weights,
    "linear, outliers kept": _book(book="evenly spaced"),
    "book, no outliers kept": _book(outliers="none"),
    "equal population": _book(book="equal population"),
    "GOBO": _book(),
    "GOBO, 3.5 deviations": _book(outliers="deviation", threshold=3.5),
    "GOBO, tables in 4 bits": _gobo_of_paper,
}
ON_SST2 = ("linear, matrix", "linear, row", "linear, outliers kept", "GOBO")
#: the share of weights that is rounded in a step, by arm
NOISE = {"no noise": 0.0, "a quarter": 0.25, "half": 0.5, "all": 1.0}
ORDERS = ("by curvature", "reversed", "random", "equal")
PARTS = ("books", "groups", "curvature", *ORDERS, *NOISE)
#: models that the ledger measures as well
KEPT = ("by curvature", "half")


@dataclass(frozen=True)
class Ground:
    """What every run on a task starts from."""

    teacher: Teacher
    exam: Exam
    rows: list[Row]  # to train on
    pad_id: int


# --- runs -----------------------------------------------------------------------------------------


def choosing_bits(seed: int) -> dict[str, Any]:
    """Every method on the course's reviews; the seed draws the teacher, the order of rows, and the noise."""
    return {"reviews": _on_task("reviews", seed)}


def choosing_bits_public(seed: int) -> dict[str, Any]:
    """The same on SST-2 with fewer books, 4,000 of its rows to train on and its whole dev set to judge."""
    return {"SST-2": _on_task("SST-2", seed)}


def _on_task(task: TaskName, seed: int) -> dict[str, Any]:
    return {part: kept_result(run_of(task, part, seed)) for part in PARTS}


def run_of(task: TaskName, part: str, seed: int) -> Entry:
    """One run, which the cache keeps."""
    place = input_of(task)
    return Entry(
        f"choosing_bits_{seed}",
        f"Bits chosen for MiniLM on {task}: {part}",
        run_part,
        {"task": task, "part": part, "seed": seed},
        data=("minilm", place),
    )


def run_part(folder: Path, task: TaskName, part: str, seed: int) -> None:
    """One run; what is recorded of it goes into the folder."""
    ground = prepared(task, seed)
    if part == "books":
        found = books(ground, ON_SST2 if task == "SST-2" else tuple(WAYS))
    elif part == "groups":
        found = groups(ground)
    elif part == "curvature":
        found = curvature(ground)
    else:
        if part in NOISE:
            prepare: Prepare = partial(noisy, rate=NOISE[part])
        else:
            prepare = partial(q_bert, bits_of=bits_of(task, part, seed))
        found, model = trained(ground, prepare, seed)
        if part in KEPT:
            remove_quantization(model)  # the ledger rounds what training left
            save_packed(model, folder / PACKED)
    write_json(folder / RESULT, found)


def bits_of(task: TaskName, order: str, seed: int) -> list[int]:
    """The bits of the layers by an order, for the curvature that was measured with this seed."""
    sensitivity = torch.tensor(kept_result(run_of(task, "curvature", seed))["sensitivity"])
    return order_of(order, sensitivity, seed)


def prepared(name: TaskName, seed: int) -> Ground:
    """The fine-tuned model of a seed, its test, and rows to train on."""
    task: Task
    if name == "SST-2":
        task, teacher = task_named(name), load_teacher(name, seed)
        task = replace(task, train=spread(task.train, PUBLIC_ROWS))
    else:
        task, teacher = load_task(name), load_teacher(name, seed)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    test, train = (task.kind.rows(rows, tokenizer, MAX_LENGTH) for rows in (task.test, task.train))
    exam = Exam(task, tokenizer, test, teacher.predictions)
    return Ground(teacher, exam, train, tokenizer.pad_token_id)


# --- without training -----------------------------------------------------------------------------


def books(ground: Ground, ways: Sequence[str]) -> dict[str, Any]:
    """Answers and bytes of the model by each way and number of bits, out of its file."""
    model = ground.teacher.model
    found: dict[str, Any] = {"teacher": ground.teacher.scores}
    for way in ways:
        found[way] = {}
        for bits in BITS:
            WAYS[way](model, bits)
            with tempfile.TemporaryDirectory() as folder:
                save_packed(model, Path(folder, "model"))
                small = load_packed(Path(folder, "model"))
                size = Path(folder, "model").stat().st_size
            remove_quantization(model)
            found[way][str(bits)] = {**ground.exam(small), "bytes": size}
    return found


def groups(ground: Ground) -> dict[str, Any]:
    """The layers' matrices rounded with a range for each of so many groups, tables in 8 bits."""
    model = ground.teacher.model
    found: dict[str, Any] = {}
    for name, count in GROUPS.items():
        found[name] = {}
        for bits in BITS:
            with in_bits(model, [bits] * len(by_layer(model)), count):
                found[name][str(bits)] = ground.exam(model)
    return found


@contextmanager
def in_bits(model: PreTrainedBert, bits_of: Sequence[int], groups: int | None) -> Iterator[None]:
    """Inside, every layer has its number of bits, and tables have 8."""
    with ExitStack() as stack:
        stack.enter_context(quantized(model, TABLE_BITS, paths_of(model, TABLES)))
        for bits, paths in zip(bits_of, by_layer(model).values(), strict=True):
            stack.enter_context(quantized(model, bits, paths, groups, "asymmetric"))
        yield


def curvature(ground: Ground) -> dict[str, Any]:
    """Eigenvalues by layer and subset, and what becomes of the model for each way to choose three layers."""
    model, layers = ground.teacher.model, len(by_layer(ground.teacher.model))
    batches = TaskBatches(ground.rows[: SUBSETS * SUBSET_ROWS], ground.pad_id, SUBSET_ROWS, seed=None)
    eigenvalues = layer_eigenvalues(model, [batches(number) for number in range(SUBSETS)])
    sensitivity = layer_sensitivity(eigenvalues)
    ways = [[HIGH if layer in high else LOW for layer in range(layers)] for high in splits(layers)]
    ways.append([EQUAL] * layers)
    found = {}
    for bits_of in ways:
        with in_bits(model, bits_of, None):
            found[told(bits_of)] = ground.exam(model)
    return {"eigenvalues": eigenvalues.tolist(), "sensitivity": sensitivity.tolist(), "ways": found}


def splits(layers: int) -> list[tuple[int, ...]]:
    """All ways to choose half of the layers."""
    return list(combinations(range(layers), layers // 2))


def told(bits_of: Sequence[int]) -> str:
    """The bits of the layers, from the lowest up, such as "444222"."""
    return "".join(map(str, bits_of))


def order_of(order: str, sensitivity: torch.Tensor, seed: int) -> list[int]:
    """The bits of the layers by curvature, by its reverse, at random, or equal bits for all."""
    layers = len(sensitivity)
    if order == "equal":
        return [EQUAL] * layers
    generator = torch.Generator().manual_seed(seed)
    by = {
        "by curvature": sensitivity,
        "reversed": -sensitivity,
        "random": torch.rand(layers, generator=generator),
    }[order]
    return bits_by_rank(by, [HIGH] * (layers // 2) + [LOW] * (layers - layers // 2))


# --- with training --------------------------------------------------------------------------------


def q_bert(model: PreTrainedBert, bits_of: Sequence[int]) -> None:
    """Each layer in its bits with a range for each output, tables in 8."""
    quantize_layers(model, bits_of)
    quantize_weights(model, TABLE_BITS, paths_of(model, TABLES))


def noisy(model: PreTrainedBert, rate: float) -> None:
    """A share of all weights rounded in each step."""
    compute_weights(model, "QuantNoise", rate=rate, of="LinearQuantization", bits=NOISE_BITS)


def trained(
    ground: Ground, prepare: Prepare, seed: int, steps: int = STEPS
) -> tuple[dict[str, Any], PreTrainedBert]:
    """The fine-tuned model prepared, then trained further with the rounding in it; judged in eval()."""
    model = ground.teacher.model
    prepare(model)
    before = ground.exam(model.eval())
    batches = TaskBatches(ground.rows, ground.pad_id, BATCH, seed, group_by_length=True)
    seconds = train_steps(FineTuning(model), batches, steps, RATE, seed)
    after = ground.exam(model.eval())
    return {"before": before, "after": after, "processor_seconds": round(seconds, 1)}, model


def config() -> dict[str, Any]:
    """What the records depend on besides the data."""
    return {
        "bits": list(BITS),
        "groups": GROUPS,
        "mixed": [HIGH, LOW, EQUAL, TABLE_BITS],
        "subsets": [SUBSETS, SUBSET_ROWS],
        "training": {"steps": STEPS, "batch_size": BATCH, "rate": RATE},
        "noise": {"bits": NOISE_BITS, "rates": NOISE},
        "rows of SST-2": PUBLIC_ROWS,
    }
