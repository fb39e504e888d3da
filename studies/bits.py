"""MiniLM and the pocket BERT in fewer and fewer bits: which part, how fine a range, and trained or not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from lib.analysis.attention.head_ablation import hidden_batches
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.agreement import agreement
from lib.compression.packed import save_packed
from lib.compression.parts import by_layer, by_part, paths_of
from lib.compression.quantizers.activations import MovingRange
from lib.compression.quantizers.model import (
    prepare_q8bert,
    quantize_inputs,
    quantize_weights,
    quantized,
    remove_quantization,
)
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.teachers import Teacher, input_of, load_teacher
from lib.text.masking import IGNORED
from lib.text.tasks import Row, TaskBatches
from lib.training import baselines
from lib.training.finetuning import Recipe, fine_tune
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Task, best_places

TASK = "reviews"
BITS = (8, 7, 6, 5, 4, 3, 2)
ASYMMETRIC_BITS, ACTIVATION_BITS, FEW = (8, 4, 3), (8, 6, 4), 4
PARTS: dict[str, tuple[str, ...] | None] = {
    "all": None,
    "embeddings": ("word_embeddings", "position_embeddings", "token_type_embeddings"),
    "attention": ("query", "key", "value", "attention_output"),
    "feed-forward": ("feed_forward_in", "feed_forward_out"),
}
GROUPS: dict[str, int | None] = {"tensor": 1, "group": 12, "row": None}
ACTIVATIONS: dict[str, dict[str, Any]] = {
    "tensor": {"per": "tensor"},
    "token": {"per": "token"},
    "asymmetric tensor": {"per": "tensor", "scheme": "asymmetric"},
}
DECAY = 0.99  # of moving ranges: Q8BERT's 0.9999 would forget nothing in so few steps
RECIPE = Recipe(batch_size=16, epochs=2, learning_rate=5e-5)
BLANK_BATCHES, BLANK_LENGTH = 32, 64

#: what is done to a fine-tuned model before it is trained further
TRAINED: dict[str, Callable[[PreTrainedBert], None]] = {
    "float32": lambda _model: None,
    "4 bits per row": partial(quantize_weights, bits=4),
    "3 bits per row": partial(quantize_weights, bits=3),
    "8 bits, Q8BERT": partial(prepare_q8bert, bits=8, decay=DECAY),
    "4 bits, Q8BERT": partial(prepare_q8bert, bits=4, decay=DECAY),
}


@dataclass(frozen=True)
class Exam:
    """The test rows, and what the teacher says of them."""

    task: Task
    tokenizer: WordPieceTokenizer
    rows: list[Row]
    of_teacher: list[int]

    def __call__(self, model: PreTrainedBert) -> dict[str, float]:
        """The accuracy of a model, and how often it agrees with the teacher."""
        said = best_places(model, self.rows, self.tokenizer)
        score: float = self.task.kind.score(said, self.task.test)["accuracy"]
        return {"accuracy": score, "agreement": agreement(said, self.of_teacher)}


def bits(seed: int) -> dict[str, Any]:
    """All that the record holds for a seed, which draws the teacher, and what is hidden of a text."""
    parts = {part: kept_result(run_of(part, seed)) for part in ("weights", "activations", "blanks")}
    return {
        **parts["weights"],
        "activations": parts["activations"],
        "blanks": parts["blanks"],
        "trained": {name: kept_result(run_of(name, seed)) for name in TRAINED},
    }


def run_of(part: str, seed: int) -> Entry:
    """One part of the record, or one training, which the cache keeps with the model itself."""
    return Entry(
        f"bits_{seed}",
        f"Few bits: {part}",
        run_part,
        {"part": part, "seed": seed},
        data=("minilm", "pocket", input_of(TASK), "data/reader"),
    )


def run_part(folder: Path, part: str, seed: int) -> None:
    """One part of the record; what is recorded of it goes into the folder."""
    if part == "blanks":
        write_json(folder / RESULT, on_blanks(seed))
        return
    teacher, exam = _prepared(seed)
    if part == "weights":
        write_json(folder / RESULT, rounded_weights(teacher, exam))
    elif part == "activations":
        write_json(folder / RESULT, rounded_activations(teacher.model, exam))
    else:
        write_json(folder / RESULT, trained(teacher.model, part, exam, seed))
        save_packed(teacher.model, folder / PACKED)


def _prepared(seed: int) -> tuple[Teacher, Exam]:
    task, tokenizer = load_task(TASK), WordPieceTokenizer.from_pretrained("minilm")
    teacher = load_teacher(TASK, seed)
    rows = task.kind.rows(task.test, tokenizer, RECIPE.max_length)
    return teacher, Exam(task, tokenizer, rows, teacher.predictions)


def rounded_weights(teacher: Teacher, exam: Exam) -> dict[str, Any]:
    """Weights rounded without training: by part, range and bits, by kind of tensor, and by layer."""
    model = teacher.model

    def at(number: int, **how: Any) -> dict[str, float]:
        with quantized(model, number, **how):
            return exam(model)

    counted = baselines.classify_texts(exam.task.train, exam.task.test)
    return {
        "teacher": teacher.scores,
        "baseline": exam.task.kind.score(counted, exam.task.test),
        "weights": {
            part: {
                per: {str(number): at(number, paths=paths_of(model, kinds), groups=groups) for number in BITS}
                for per, groups in GROUPS.items()
                if per != "group" or part in ("attention", "feed-forward")  # 12 does not divide a vocabulary
            }
            for part, kinds in PARTS.items()
        },
        "asymmetric": {"row": {str(number): at(number, scheme="asymmetric") for number in ASYMMETRIC_BITS}},
        "kinds": {kind: at(FEW, paths=paths, groups=1) for kind, paths in by_part(model).items()},
        "layers": {layer: at(FEW, paths=paths, groups=1) for layer, paths in by_layer(model).items()},
    }


def rounded_activations(model: PreTrainedBert, exam: Exam) -> dict[str, Any]:
    """What Linears read rounded as well, with a range in each call; weights in 8 bits with one a row."""
    found: dict[str, Any] = {per: {} for per in ACTIVATIONS}
    for per, how in ACTIVATIONS.items():
        for number in ACTIVATION_BITS:
            quantize_inputs(model, number, **how)
            with quantized(model, 8):
                found[per][str(number)] = exam(model)
            remove_quantization(model)
    return found


def trained(model: PreTrainedBert, name: str, exam: Exam, seed: int) -> dict[str, Any]:
    """A fine-tuned model rounded, and then trained further with the rounding in it."""
    TRAINED[name](model)
    rows = exam.task.kind.rows(exam.task.train, exam.tokenizer, RECIPE.max_length)
    see_ranges(model, RECIPE.batches(rows, exam.tokenizer.pad_token_id, seed))
    before = exam(model.eval())
    result = fine_tune(model, exam.tokenizer, exam.task, RECIPE, seed=seed)
    return {
        "before": before,
        "after": exam(model.eval()),
        "processor_seconds": round(result.processor_seconds, 1),
    }


@torch.no_grad()
def see_ranges(model: PreTrainedBert, batches: TaskBatches) -> None:
    """Moving ranges follow what flows in one epoch, all else being in eval(): no weight is trained."""
    model.eval()
    ranges = [module for module in model.modules() if isinstance(module, MovingRange)]
    for module in ranges:
        module.train()
    for number in range(batches.size if ranges else 0):
        batch = batches(number)
        del batch["labels"]
        model(**batch)
    model.eval()


def on_blanks(seed: int) -> dict[str, Any]:
    """The pocket BERT on hidden pieces of the course's own text, by range and bits."""
    model = BertForMaskedLM.from_pretrained("pocket").eval()
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    batches = hidden_batches(tokenizer, BLANK_BATCHES, seed, length=BLANK_LENGTH)
    found: dict[str, Any] = {"float32": filled(model, batches)}
    for per in ("tensor", "row"):
        found[per] = {}
        for number in BITS:
            with quantized(model, number, groups=GROUPS[per]):
                found[per][str(number)] = filled(model, batches)
    return found


@torch.inference_mode()
def filled(model: BertForMaskedLM, batches: list[tuple[torch.Tensor, torch.Tensor]]) -> dict[str, float]:
    """The perplexity and the accuracy on hidden pieces, of ids and labels [B, T]."""
    loss, hits, count = 0.0, 0, 0
    for ids, labels in batches:
        hidden = labels != IGNORED
        logits = model.cls.predictions(model.bert(ids).last_hidden_state[hidden])  # [N, V]
        loss += float(torch.nn.functional.cross_entropy(logits, labels[hidden], reduction="sum"))
        hits += int((logits.argmax(dim=-1) == labels[hidden]).sum())
        count += int(hidden.sum())
    return {"perplexity": math.exp(loss / count), "accuracy": hits / count}


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "bits": list(BITS),
        "groups": GROUPS,
        "decay": DECAY,
        "recipe": asdict(RECIPE),
        "blanks": {"batches": BLANK_BATCHES, "length": BLANK_LENGTH},
    }
