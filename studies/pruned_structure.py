"""Heads, neurons, width and layers taken out of a fine-tuned MiniLM: which, how many, then tuned or not.

All arms that are tuned make the same number of steps on the same batches, the dense model among them. Only
the one with new weights, which has no teacher, also makes the steps that its teacher once made.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lib.analysis.attention.head_ablation import heads_off
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.counting import unique_parameters
from lib.compression.packed import save_packed
from lib.compression.pruning import importance
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.students import train_steps
from lib.records.teachers import input_of
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning
from studies.pruning_subject import (
    BATCH,
    HEAD_SCORES,
    JUDGING,
    MOST_ROWS,
    NEURON_SCORES,
    WIDTH_SCORES,
    Subject,
    halved,
    of_width,
    small_bert,
    subject,
    with_new_weights,
    without_heads,
    without_layers,
    without_neurons,
)

TASK, PUBLIC = "reviews", "SST-2"
STEPS, RATE = 100, 1e-4
NEW_STEPS, NEW_RATE = 400, 5e-4  # for new weights: the steps of the teacher and those of the others
HEADS_OFF = (0, 9, 18, 27, 36, 45, 54, 63)
NEURON_SHARES = (0.25, 0.5, 0.75, 0.9)
WIDTHS = (288, 192)
DROPPED = (1, 2, 3)
RULES = ("top", "bottom", "even", "odd", "middle", "alike")
REDUCTIONS: dict[str, importance.Reduction] = {
    "token": importance.per_token,
    "text": importance.per_example,
    "batch": importance.per_batch,
    "running totals": importance.running_totals,
    "all texts at once": importance.of_all,
}
Build = Callable[[Subject], PreTrainedBert]


# --- before any tuning ----------------------------------------------------------------------------


@torch.inference_mode()
def mean_loss(model: PreTrainedBert, batches: Iterable[dict[str, Tensor]]) -> float:
    """The loss of a text on average."""
    total, texts = 0.0, 0
    for batch in batches:
        total += float(model(**batch).loss) * len(batch["labels"])
        texts += len(batch["labels"])
    return total / texts


def single_heads(given: Subject) -> dict[str, Any]:
    """What each head is worth by each estimate, [L][H], and what the loss is without it, on the same rows."""
    model: Any = given.model
    scores = {
        name: importance.importance_of_heads(given.gates, reduction) for name, reduction in REDUCTIONS.items()
    }
    scores["token, last layer by text"] = importance.last_layer_per_example(scores["token"], given.gates)
    scores["token, layers alike"] = importance.layer_normalized(scores["token"])
    without: list[list[float]] = []
    for layer, block in enumerate(model.bert.encoder.layer):
        without.append([])
        for head in range(block.attention.self.num_heads):
            with heads_off(model.bert, [(layer, head)]):
                without[-1].append(mean_loss(model, given.batches))
    return {
        "loss": mean_loss(model, given.batches),
        "without": without,
        "scores": {name: [layer.tolist() for layer in found] for name, found in scores.items()},
    }


def fewer_heads(given: Subject) -> dict[str, Any]:
    """The test with more and more heads gone, by each order."""
    return {
        name: {str(count): given.exam(without_heads(given, scores(given), count)) for count in HEADS_OFF}
        for name, scores in HEAD_SCORES.items()
    }


def fewer_neurons(given: Subject) -> dict[str, Any]:
    """The test with more and more neurons gone, by each order."""
    return {
        name: {
            str(share): given.exam(without_neurons(given, scores(given), share)) for share in NEURON_SHARES
        }
        for name, scores in NEURON_SCORES.items()
    }


def less_width(given: Subject) -> dict[str, Any]:
    """The test at less width, by each order."""
    return {
        name: {str(width): given.exam(of_width(given, scores(given), width)) for width in WIDTHS}
        for name, scores in WIDTH_SCORES.items()
    }


def fewer_layers(given: Subject) -> dict[str, Any]:
    """What the fifth rule measures, and the test with 1 to 3 layers gone, by each rule."""
    return {
        "cosines": given.cosines,
        "rules": {
            rule: {str(dropped): given.exam(without_layers(given, rule, dropped)) for dropped in DROPPED}
            for rule in RULES
        },
    }


PARTS: dict[str, Callable[[Subject], dict[str, Any]]] = {
    "single heads": single_heads,
    "heads": fewer_heads,
    "neurons": fewer_neurons,
    "width": less_width,
    "layers": fewer_layers,
}


# --- tuned ----------------------------------------------------------------------------------------


def _narrow(which: str, given: Subject) -> PreTrainedBert:
    return of_width(given, WIDTH_SCORES[which](given), WIDTHS[-1])


def _halved(which: str, given: Subject) -> PreTrainedBert:
    return halved(given, which)


def _small(which: str, given: Subject) -> PreTrainedBert:
    return small_bert(given, which)


def _shallow(rule: str, dropped: int, given: Subject) -> PreTrainedBert:
    return without_layers(given, rule, dropped)


NEW_WEIGHTS, SMALL = "half of heads and neurons, new weights", "a smaller BERT, importance"
HALVED = "half of heads and neurons, importance"
ARMS: dict[str, Build] = {
    "dense": lambda given: copy.deepcopy(given.model),
    **{
        f"half of heads and neurons, {which}": partial(_halved, which)
        for which in ("importance", "random", "reversed")
    },
    NEW_WEIGHTS: with_new_weights,
    **{f"width {WIDTHS[-1]}, {which}": partial(_narrow, which) for which in ("importance", "random")},
    SMALL: partial(_small, "importance"),
    **{
        f"{dropped} layers gone, {rule}": partial(_shallow, rule, dropped)
        for dropped in (2, 3)
        for rule in RULES
    },
}
#: models that the ledger measures as well
KEPT = (HALVED, NEW_WEIGHTS, SMALL, "3 layers gone, top")
PARTS_OF = {TASK: tuple(PARTS), PUBLIC: ()}
ARMS_OF = {
    TASK: tuple(ARMS),
    PUBLIC: (
        "dense",
        *(f"half of heads and neurons, {which}" for which in ("importance", "random", "reversed")),
        *(f"width {WIDTHS[-1]}, {which}" for which in ("importance", "random")),
        *(f"3 layers gone, {rule}" for rule in RULES),
    ),
}


def tuned(given: Subject, arm: str) -> tuple[dict[str, Any], PreTrainedBert]:
    """A model with parts removed, judged before and after it was tuned, and the model."""
    model = ARMS[arm](given)
    before = given.exam(model)
    steps, rate = (NEW_STEPS, NEW_RATE) if arm == NEW_WEIGHTS else (STEPS, RATE)
    pad_id = given.exam.tokenizer.pad_token_id
    batches = TaskBatches(given.rows, pad_id, BATCH, given.seed, group_by_length=True)
    seconds = train_steps(FineTuning(model), batches, steps, rate, given.seed)
    found = {
        "before": before,
        "after": given.exam(model.eval()),
        "parameters": unique_parameters(model),
        "processor_seconds": round(seconds, 1),
    }
    return found, model


# --- runs -----------------------------------------------------------------------------------------


def pruned_structure(seed: int) -> dict[str, Any]:
    """On the course's reviews; the seed draws the teacher, what goes at random, and the batches."""
    return {TASK: _on_task(TASK, seed)}


def pruned_structure_public(seed: int) -> dict[str, Any]:
    """Models with parts removed, before and after tuning, on SST-2."""
    return {PUBLIC: _on_task(PUBLIC, seed)}


def _on_task(name: str, seed: int) -> dict[str, Any]:
    found = {part: kept_result(run_of(name, part, seed)) for part in ("teacher", *PARTS_OF[name])}
    return found | {"tuned": {arm: kept_result(run_of(name, arm, seed)) for arm in ARMS_OF[name]}}


def run_of(name: str, part: str, seed: int) -> Entry:
    """One part of the record or one arm, which the cache keeps, with the model where the ledger needs it."""
    data = input_of(name)
    return Entry(
        f"pruned_{name.replace('-', '')}_{seed}",
        f"MiniLM without some of its parts, on {name}: {part}",
        run_part,
        {"name": name, "part": part, "seed": seed},
        data=("minilm", data),
    )


def run_part(folder: Path, name: str, part: str, seed: int) -> None:
    """One part of the record, or one arm; what is recorded of it goes into the folder."""
    given = subject(name, seed)
    if part == "teacher":
        scores = given.teacher.scores
        write_json(folder / RESULT, {"scores": scores, "parameters": unique_parameters(given.model)})
    elif part in PARTS:
        write_json(folder / RESULT, PARTS[part](given))
    else:
        found, model = tuned(given, part)
        write_json(folder / RESULT, found)
        if part in KEPT:
            save_packed(model, folder / PACKED)


def config(name: str) -> dict[str, Any]:
    """What the record on a task depends on besides the data."""
    return {
        "rows": {"judging": JUDGING, "most": MOST_ROWS},
        "steps": {"all": STEPS, "new weights": NEW_STEPS},
        "rates": {"all": RATE, "new weights": NEW_RATE},
        "batch_size": BATCH,
        "heads": list(HEADS_OFF),
        "neurons": list(NEURON_SHARES),
        "widths": list(WIDTHS),
        "dropped": list(DROPPED),
        "parts": list(PARTS_OF[name]),
        "arms": list(ARMS_OF[name]),
    }
