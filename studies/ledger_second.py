"""The ledger's rows of the second part of compression, each record beside the whole model on its machine.

A model comes out of the file that its own experiment kept; students of the layer maps, which learn in
seconds, are made again. Zeros among weights have to be put under masks again, and weights that were trained
with rounding rounded again, so that their file leaves out once more what it can.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lib.bert.model import PreTrainedBert
from lib.compression.distillation.students import cut_student
from lib.compression.elastic.depth import layers_kept
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.ledger.rows import LedgerRow
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.quantizers.model import quantize_weights
from lib.records.cache import Entry
from lib.records.question_model import question_model
from lib.records.seeded_teachers import teacher_of
from lib.records.students import Unlabeled
from lib.records.teachers import DATA_OF
from lib.training.known_tasks import load_task
from studies import (
    choosing_bits,
    elastic,
    how_to_teach,
    layer_maps,
    pruned_questions,
    pruned_structure,
    pruned_weights,
)
from studies.ledger_runs import TEACHER, Method, kept_model, rows_of_seed, run_method
from studies.pruning_subject import (
    HEAD_SCORES,
    NEURON_SCORES,
    Subject,
    subject,
    without_heads,
    without_neurons,
)

DATA = {
    "taught": ("pocket", DATA_OF["reviews"], DATA_OF["headlines"]),
    "bits": (DATA_OF["reviews"],),
    "elastic": (DATA_OF["reviews"], DATA_OF["headlines"]),
    "single": ("pocket", DATA_OF["reviews"], DATA_OF["headlines"], "data/reader"),
    "weights": ("pocket", DATA_OF["reviews"], DATA_OF["headlines"], "data/reader"),
    "structure": (DATA_OF["reviews"], DATA_OF["passages"], "data/minilm-squad"),
}
#: the settings that the models of a record were trained with
TRAINED: dict[str, dict[str, Callable[[], dict[str, Any]]]] = {
    "taught": {"maps": layer_maps.config, "ways": how_to_teach.config},
    "bits": {"trained": choosing_bits.config},
    "elastic": {"trained": partial(elastic.config, *elastic.OWN)},
    "single": {
        "weights": pruned_weights.config,
        "structure": partial(pruned_structure.config, pruned_structure.TASK),
        "elastic": partial(elastic.config, *elastic.OWN),
    },
    "weights": {"trained": pruned_weights.config},
    "structure": {
        "trained": partial(pruned_structure.config, pruned_structure.TASK),
        "questions": pruned_questions.config,
    },
}
LENGTHS = {"reviews": 128, "headlines": 64, "passages": 256}


def _teacher(task: str, seed: int) -> tuple[PreTrainedBert, float | None]:
    if task == "passages":
        return question_model(), None
    teacher = teacher_of(task, seed)
    return teacher.model, teacher.processor_seconds


def _untrained(task: str, seed: int) -> tuple[PreTrainedBert, float]:
    return _teacher(task, seed)[0], 0.0


def _weights(task: Unlabeled, arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_weights.run_of(task, arm, seed))


def _structure(arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_structure.run_of(pruned_structure.TASK, arm, seed))


def _of_one_kind(build: Callable[[Subject], PreTrainedBert], seed: int) -> tuple[PreTrainedBert, float]:
    return build(subject(pruned_structure.TASK, seed)), 0.0


def _half_of_heads(given: Subject) -> PreTrainedBert:
    scores = HEAD_SCORES["importance"](given)
    return without_heads(given, scores, sum(map(len, scores)) // 2)


def _half_of_neurons(given: Subject) -> PreTrainedBert:
    return without_neurons(given, NEURON_SCORES["importance"](given), 0.5)


def _half_of_width(seed: int) -> tuple[PreTrainedBert, float]:
    found, model = pruned_structure.tuned(subject(pruned_structure.TASK, seed), "width 192, importance")
    return model, found["processor_seconds"]


def _questions(seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_questions.run_of("passages", "importance", seed))


def _mapped(arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    student, spent = layer_maps.student_of(layer_maps.setting_of("headlines", seed), arm)
    return student, spent["processor_seconds"]


def _taught(task: Unlabeled, arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(how_to_teach.run_of(task, arm, seed))


def _trained_bits(arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(choosing_bits.run_of("reviews", arm, seed))


def _q_bert(seed: int) -> tuple[PreTrainedBert, float]:
    model, seconds = _trained_bits("by curvature", seed)
    choosing_bits.q_bert(model, choosing_bits.bits_of("reviews", "by curvature", seed))
    return model, seconds


def _elastic(part: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(elastic.run_of("headlines", part, seed))


def _of_size(size: Size, seed: int) -> tuple[PreTrainedBert, float]:
    model, seconds = _elastic("sizes, important first", seed)
    return extracted(model, size), seconds


def _of_depth(depth: float, seed: int) -> tuple[PreTrainedBert, float]:
    model, seconds = _elastic("LayerDrop 0.2", seed)
    return cut_student(model, layers_kept(elastic.LAYERS, depth)), seconds


def smallest_to_zero(model: PreTrainedBert, share: float) -> None:
    """Magnitude pruning of the encoder's matrices, without any training."""
    add_masks(model)
    prune(model, share)


def _dense(task: str) -> dict[str, Method]:
    return {TEACHER: Method("baseline", partial(_teacher, task))}


def _untrained_zeros(task: str, share: float) -> Method:
    return Method("pruning", partial(_untrained, task), partial(smallest_to_zero, share=share))


def _masked(task: Unlabeled, arm: str) -> Method:
    return Method("pruning", partial(_weights, task, arm), add_masks)


def _student(task: Unlabeled, arm: str, family: str = "distillation") -> Method:
    return Method(family, partial(_taught, task, arm), pieces="pocket")


def in_books(model: PreTrainedBert, way: str, bits: int) -> None:
    """Every matrix by values of its own, without any training."""
    choosing_bits.WAYS[way](model, bits)


def _gobo(way: str, bits: int) -> Method:
    return Method("quantization", partial(_untrained, "reviews"), partial(in_books, way=way, bits=bits))


def _dyna_bert(size: Size) -> Method:
    return Method("combined", partial(_of_size, size))


#: by record and task
METHODS: dict[str, dict[str, dict[str, Method]]] = {
    "taught": {
        "headlines": {
            **_dense("headlines"),
            "2 x 384, labels alone": Method("baseline", partial(_mapped, "labels")),
            **{
                f"2 x 384, {name}": Method("distillation", partial(_mapped, arm))
                for name, arm in {
                    "answers alone": "0,0",
                    "map 3,6": "3,6",
                    "map 0,1": "0,1",
                    "CKD": "CKD overlap, student widened",
                    "ALP-KD": "ALP",
                }.items()
            },
            "2 x 128, labels alone": _student("headlines", "labels", "baseline"),
            "2 x 128, Annealing KD": _student("headlines", "annealing"),
            "2 x 128, an assistant": _student("headlines", "through an assistant"),
            "2 x 128, MiniMax-kNN": _student("headlines", "2 hardest"),
            "2 x 128, written texts": _student("headlines", "written from texts"),
        },
        "reviews": {
            **_dense("reviews"),
            "2 x 128, labels alone": _student("reviews", "labels", "baseline"),
            "2 x 128, Annealing KD": _student("reviews", "annealing"),
            "2 x 128, MATE-KD": _student("reviews", "MATE-KD"),
            "2 x 128, FreeLB": _student("reviews", "FreeLB"),
        },
    },
    "bits": {
        "reviews": {
            **_dense("reviews"),
            **{f"GOBO, {bits} bits": _gobo("GOBO", bits) for bits in (4, 3, 2)},
            "GOBO, 3 bits, tables in 4": _gobo("GOBO, tables in 4 bits", 3),
            "Q-BERT, 4 and 2 bits": Method("quantization", _q_bert),
            "3 bits, Quant-Noise": Method(
                "quantization",
                partial(_trained_bits, "half"),
                partial(quantize_weights, bits=choosing_bits.NOISE_BITS),
            ),
        },
    },
    "elastic": {
        "headlines": {
            **_dense("headlines"),
            **{
                f"DynaBERT, {size}": _dyna_bert(size)
                for size in (Size(1.0, 1.0), Size(0.5, 1.0), Size(0.5, 0.5), elastic.SMALLEST)
            },
            f"{elastic.SMALLEST} alone": Method("baseline", partial(_elastic, f"{elastic.SMALLEST} alone")),
            "LayerDrop, 3 of 6 layers": Method("pruning", partial(_of_depth, 0.5)),
        },
    },
    "single": {
        "reviews": {
            **_dense("reviews"),
            "36 of 72 heads, untrained": Method("pruning", partial(_of_one_kind, _half_of_heads)),
            "half of the neurons, untrained": Method("pruning", partial(_of_one_kind, _half_of_neurons)),
            "half of the width": Method("pruning", _half_of_width),
            "66% zeros, a ticket": _masked("reviews", "tickets"),
        },
        "headlines": {
            **_dense("headlines"),
            "90% zeros by movement": _masked("headlines", "long, movement 0.9"),
            f"{elastic.SMALLEST} alone, labels": Method("baseline", partial(_elastic, elastic.FROM_LABELS)),
        },
    },
    "weights": {
        "reviews": {
            **_dense("reviews"),
            "50% zeros by size, untrained": _untrained_zeros("reviews", 0.5),
            "90% zeros by size, trained": _masked("reviews", "magnitude 0.9"),
            "soft movement": _masked("reviews", "long, soft movement"),
            "95% zeros, SparseBERT": _masked("reviews", "pretrained, inside"),
        },
        "headlines": {
            **_dense("headlines"),
            **{
                f"{share:.0%} zeros by size, untrained": _untrained_zeros("headlines", share)
                for share in (0.3, 0.5, 0.7)
            },
            "90% zeros by size, trained": _masked("headlines", "long, magnitude 0.9"),
            "soft movement": _masked("headlines", "long, soft movement"),
            "95% zeros, SparseBERT": _masked("headlines", "pretrained, inside"),
        },
    },
    "structure": {
        "reviews": {
            **_dense("reviews"),
            "half of heads and neurons": Method("pruning", partial(_structure, pruned_structure.HALVED)),
            "half of heads and neurons, new weights": Method(
                "baseline", partial(_structure, pruned_structure.NEW_WEIGHTS)
            ),
            "half of heads, neurons and width": Method(
                "pruning", partial(_structure, pruned_structure.SMALL)
            ),
            "3 layers kept, top gone": Method("pruning", partial(_structure, "3 layers gone, top")),
        },
        "passages": {**_dense("passages"), "half of heads and neurons": Method("pruning", _questions)},
    },
}


def rows(record: str, seed: int) -> list[LedgerRow]:
    """The rows of a record for a seed, out of the cache or made now."""
    found: list[LedgerRow] = []
    for task, methods in METHODS[record].items():
        families = {method: made.family for method, made in methods.items()}
        found += rows_of_seed(load_task(task), families, partial(run_of, record, task), seed)
    return found


def run_of(record: str, task: str, method: str, seed: int) -> Entry:
    """One model, which the cache keeps as the file that is counted."""
    return Entry(
        f"ledger_{record}_{seed}",
        f"A row of the ledger on the course's {task}: {method}",
        run_row,
        {"record": record, "task": task, "method": method, "seed": seed},
        data=("minilm", *DATA[record]),
        done="measured",
    )


def run_row(folder: Path, record: str, task: str, method: str, seed: int) -> None:
    """One model; its file, its answers and its costs go into the folder."""
    run_method(folder, METHODS[record][task][method], load_task(task), seed, LENGTHS[task])


def config(record: str) -> dict[str, Any]:
    """What a record depends on besides the data."""
    methods = {task: list(of_task) for task, of_task in METHODS[record].items()}
    return {"methods": methods, **{name: settings() for name, settings in TRAINED[record].items()}}
