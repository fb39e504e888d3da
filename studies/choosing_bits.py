"""Which weights get which bits: books and outliers, groups, bits by curvature, and noise in training.

All of it starts from the same fine-tuned MiniLM. What is not trained is judged as it comes out of its file,
whose bytes are counted; what is trained takes equally many steps. All six layers are alike in size, so every
way to give three of them 4 bits and the others 2 takes as many bytes as 3 bits for all.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from chapters.nb25.ways import EQUAL, HIGH, LOW, TABLES, WAYS, Way, format_bits, order_of
from lib.bert.model import PreTrainedBert
from lib.compression.packed import load_packed, save_packed
from lib.compression.parts import paths_of
from lib.compression.quantizers.curvature_bits import layer_eigenvalues, layer_sensitivity, quantize_layers
from lib.compression.quantizers.model import compute_weights, quantize_weights
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning

BITS, NOISE_BITS, TABLE_BITS = (4, 3, 2), 3, 8
LAYERS = 6
MOST_ROWS = 4000  # of a training set, evenly spread: all reviews
SUBSETS, SUBSET_ROWS = 5, 16
STEPS, RATE = 75, 5e-5  # once through the reviews
ORDERS = ("by curvature", "reversed", "random", "equal")
#: the share of weights that is rounded in a step
NOISE = {"no noise": 0.0, "a quarter": 0.25, "half": 0.5, "all": 1.0}


# --- without training -----------------------------------------------------------------------------


def measure_way(way: Way, bits: int, subject: Subject) -> Measured:
    """Answers and bytes of the model, rounded in one way, out of its file."""
    model = copy.deepcopy(subject.teacher.model)
    way(model, bits)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model")
        save_packed(model.cpu(), file)
        return Measured(subject.judge(load_packed(file)), {"bytes": file.stat().st_size})


def measure_in_bits(bits_of: tuple[int, ...], groups: int | None, subject: Subject) -> Measured:
    """The model with a number of bits for each layer, and a range for each of so many groups or each row."""
    model = copy.deepcopy(subject.teacher.model)
    round_layers(model, bits_of, groups)
    return Measured(subject.judge(model))


def round_layers(model: PreTrainedBert, bits_of: tuple[int, ...], groups: int | None = None) -> None:
    """Let every layer have its number of bits, and tables 8."""
    quantize_layers(model, bits_of, groups)
    quantize_weights(model, TABLE_BITS, paths_of(model, TABLES))


def measure_curvature(orders: tuple[str, ...], subject: Subject) -> dict[str, Measured]:
    """Eigenvalues by layer and subset, and models that were trained with bits dealt out by these orders."""
    rows = subject.rows(most=MOST_ROWS)[: SUBSETS * SUBSET_ROWS]
    batches = TaskBatches(rows, subject.tokenizer.pad_token_id, SUBSET_ROWS, seed=None)
    subsets = [batches(number) for number in range(SUBSETS)]
    eigenvalues = layer_eigenvalues(subject.teacher.model, subsets)
    sensitivity = layer_sensitivity(eigenvalues)
    measured = {
        "curvature": Measured({"eigenvalues": eigenvalues.tolist(), "sensitivity": sensitivity.tolist()})
    }
    for order in orders:
        bits_of = tuple(order_of(order, sensitivity, subject.seed))
        measured[order] = measure_trained(partial(round_layers, bits_of=bits_of), subject)
    return measured


# --- with training --------------------------------------------------------------------------------


def measure_noise(rate: float, subject: Subject) -> Measured:
    """Trained with a share of all weights rounded in each step, and judged with all of them rounded."""
    noise: dict[str, Any] = {"rate": rate, "of": "LinearQuantization", "bits": NOISE_BITS}
    return measure_trained(partial(compute_weights, kind="QuantNoise", **noise), subject)


def measure_trained(prepare: Callable[[PreTrainedBert], None], subject: Subject) -> Measured:
    """The fine-tuned model prepared, then trained further with the rounding in it."""
    model = copy.deepcopy(subject.teacher.model)
    prepare(model)
    before = {f"{name}_before": score for name, score in subject.judge(model.eval()).items()}
    seconds = subject.train(FineTuning(model), subject.rows(most=MOST_ROWS), STEPS, RATE)
    return Measured(subject.judge(model.eval()) | before, {"processor_seconds": seconds}, model)


# --- the arms -------------------------------------------------------------------------------------


def by_ways(*ways: str) -> dict[str, Arm]:
    """An arm of each way and number of bits."""
    return {f"{way}, {bits} bits": partial(measure_way, WAYS[way], bits) for way in ways for bits in BITS}


def in_bits(*choices: tuple[int, ...]) -> dict[str, Arm]:
    """An arm of each choice of bits for the layers."""
    return {format_bits(bits_of): partial(measure_in_bits, bits_of, None) for bits_of in choices}


def halves() -> list[tuple[int, ...]]:
    """All ways to give half of the layers more bits."""
    chosen = combinations(range(LAYERS), LAYERS // 2)
    return [tuple(HIGH if layer in high else LOW for layer in range(LAYERS)) for high in chosen]


SAME: dict[str, Arm] = in_bits(*halves(), (EQUAL,) * LAYERS) | {
    name: partial(measure_noise, rate) for name, rate in NOISE.items()
}
GROUPS: dict[str, Arm] = {
    f"groups: {count}, {bits} bits": partial(measure_in_bits, (bits,) * LAYERS, count)
    for count in (1, 12, 96)
    for bits in BITS
}
REVIEWS: dict[str, Arm] = {
    "teacher": measure_teacher,
    **by_ways(*WAYS),
    "curvature": partial(measure_curvature, ()),
    **SAME,
}
SST2: dict[str, Arm] = {
    "teacher": measure_teacher,
    **by_ways("linear, matrix", "linear, row", "linear, outliers kept", "GOBO"),
    **GROUPS,
    **in_bits((HIGH,) * LAYERS, (LOW,) * LAYERS),
    "curvature": partial(measure_curvature, ORDERS),
    **SAME,
}
HEADLINES: dict[str, Arm] = {
    "teacher": measure_teacher,
    **by_ways("linear, matrix", "linear, row", "linear, outliers kept", "GOBO"),
    **GROUPS,
    **in_bits((HIGH,) * LAYERS, (LOW,) * LAYERS),
    "curvature": partial(measure_curvature, ORDERS),
}
STUDY = Study(
    "choosing_bits",
    "MiniLM in 4 to 2 bits: books of values, outliers beside, groups, bits dealt out by curvature, and noise",
    {"reviews": REVIEWS, "SST-2": SST2, "headlines": HEADLINES},
    minutes=70,
)
