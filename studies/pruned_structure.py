"""Heads, neurons, width and layers taken out of a fine-tuned MiniLM: which, how many, then tuned or not.

What matters is judged on rows to learn from, what is left on test rows. All arms that are tuned make the same
number of steps on the same batches, the dense model among them. Only the one with new weights, which has no
teacher, also makes the steps that its teacher once made.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor

from chapters.nb27.mean_loss import mean_loss
from lib.analysis.attention.head_ablation import heads_off
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.students import cut_student
from lib.compression.ledger.counting import unique_parameters
from lib.compression.pruning import importance, layers
from lib.compression.pruning.choosing import (
    least_important,
    least_important_of_each,
    random_scores,
    reversed_scores,
)
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.neurons import neuron_magnitudes, remove_neurons
from lib.compression.pruning.width import remove_width, settle, width_importance
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning
from lib.training.known_tasks import evenly
from lib.training.loop import Batch

MOST_ROWS = 4000  # to tune on
JUDGING = 200  # rows that say what matters
BATCH = 16
STEPS, RATE = 100, 1e-4
NEW_STEPS, NEW_RATE = 400, 5e-4  # for new weights: the steps of the teacher and those of the others
REDUCTIONS: dict[str, importance.Reduction] = {
    "token": importance.per_token,
    "text": importance.per_example,
    "batch": importance.per_batch,
    "running totals": importance.running_totals,
    "all texts at once": importance.of_all,
}


@dataclass(frozen=True)
class Worth:
    """What matters in the fine-tuned model of a subject."""

    subject: Subject

    @property
    def model(self) -> PreTrainedBert:
        return self.subject.teacher.model

    @cached_property
    def batches(self) -> list[Batch]:
        """The rows that say what matters, with their labels."""
        chosen = evenly(self.subject.rows("labeled", MOST_ROWS), JUDGING)
        pad_id = self.subject.tokenizer.pad_token_id
        made = TaskBatches(chosen, pad_id, BATCH, seed=None, group_by_length=True)
        return [made(number) for number in range(made.size)]

    @cached_property
    def gates(self) -> list[importance.GateGradients]:
        return importance.gate_gradients(self.model, self.batches)

    @cached_property
    def cosines(self) -> list[float]:
        """Over every token, where the paper takes [CLS] alone, so that other layers may go."""
        return layers.layer_cosines(self.model, self.batches, measured="every token")

    def of_heads(self, order: str) -> list[Tensor]:
        """Scores [H] of each layer's heads.

        "importance" is judged by text: per token the last layers, where the classifier reads [CLS] alone,
        would lose nearly all.
        """
        if order.startswith("per token"):
            scores = importance.importance_of_heads(self.gates, importance.per_token)
            return importance.layer_normalized(scores) if order.endswith("layers alike") else scores
        return self._ordered(importance.importance_of_heads(self.gates, importance.per_example), order)

    def of_neurons(self, order: str) -> list[Tensor]:
        """Scores [F] of each layer's neurons."""
        if order == "weights":
            return neuron_magnitudes(self.model)
        if order == "DynaBERT's":
            return self._of_neurons_by_dynabert()
        return self._ordered(importance.importance_of_neurons(self.gates), order)

    def of_width(self, order: str) -> Tensor:
        """Scores [D] of the features."""
        if order == "random":
            return random_scores([torch.zeros(self.model.config.hidden_size)], self.subject.seed)[0]
        scores = width_importance(self.model, self.batches)
        return scores if order == "importance" else -scores

    def _ordered(self, scores: list[Tensor], order: str) -> list[Tensor]:
        if order == "random":
            return random_scores(scores, self.subject.seed)
        return scores if order == "importance" else reversed_scores(scores)

    def _of_neurons_by_dynabert(self) -> list[Tensor]:
        """DynaBERT's importance, with gradients added up over all batches."""
        model: Any = copy.deepcopy(self.model)
        for batch in self.batches:
            (model(**batch).loss * len(batch["input_ids"])).backward()
        return [importance.neuron_importance_by_weights(layer) for layer in model.bert.encoder.layer]


# --- what goes ------------------------------------------------------------------------------------


def without_heads(count: int, order: str, worth: Worth) -> PreTrainedBert:
    """A copy of the model without `count` heads."""
    model = copy.deepcopy(worth.model)
    remove_heads(model, least_important(worth.of_heads(order), count))
    return model


def without_neurons(share: float, order: str, worth: Worth) -> PreTrainedBert:
    """A copy of the model without this share of the neurons of each layer."""
    model, scores = copy.deepcopy(worth.model), worth.of_neurons(order)
    remove_neurons(model, least_important_of_each(scores, round(share * len(scores[0]))))
    return model


def narrowed(width: int, order: str, worth: Worth) -> PreTrainedBert:
    """A copy of the model with so many features."""
    model, scores = copy.deepcopy(worth.model), worth.of_width(order)
    remove_width(model, scores.argsort(stable=True)[: len(scores) - width].tolist())
    return model


def without_layers(dropped: int, rule: str, worth: Worth) -> PreTrainedBert:
    """The layers that a rule keeps."""
    count = worth.model.config.num_hidden_layers
    return cut_student(worth.model, layers.rules(worth.cosines)[rule](count, dropped))


def halved(order: str, worth: Worth) -> PreTrainedBert:
    """Half of all heads, and half of the neurons of each layer."""
    model = without_heads(sum(map(len, worth.of_heads(order))) // 2, order, worth)
    neurons = worth.of_neurons(order)
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))
    settle(model)
    return model


def smaller(order: str, worth: Worth) -> PreTrainedBert:
    """Half of the heads and neurons of each layer and half of the width: a plain BERT, only smaller."""
    model = narrowed(worth.model.config.hidden_size // 2, order, worth)
    heads, neurons = worth.of_heads(order), worth.of_neurons(order)
    remove_heads(model, least_important_of_each(heads, len(heads[0]) // 2))
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))
    settle(model)
    return model


def with_new_weights(worth: Worth) -> PreTrainedBert:
    """The same shape as `halved`, every number drawn anew: what the removed model is worth as a start."""
    model = halved("importance", worth)
    torch.manual_seed(worth.subject.seed)
    model.init_weights()
    return model


def whole(worth: Worth) -> PreTrainedBert:
    """Nothing goes."""
    return copy.deepcopy(worth.model)


# --- what is measured -----------------------------------------------------------------------------

Build = Callable[[Worth], PreTrainedBert]


def measure_whole(subject: Subject) -> Measured:
    """The fine-tuned model as it is."""
    return Measured(dict(subject.teacher.scores), {"parameters": unique_parameters(subject.teacher.model)})


def measure_single_heads(subject: Subject) -> Measured:
    """What each head is worth by each estimate, [L][H], and what the loss is without it, on the same rows."""
    worth = Worth(subject)
    model: Any = worth.model
    estimates = {
        name: importance.importance_of_heads(worth.gates, reduction) for name, reduction in REDUCTIONS.items()
    }
    by_text = importance.last_layer_per_example(estimates["token"], worth.gates)
    estimates["token, last layer by text"] = by_text
    estimates["token, layers alike"] = importance.layer_normalized(estimates["token"])
    without: list[list[float]] = []
    for layer, block in enumerate(model.bert.encoder.layer):
        without.append([])
        for head in range(block.attention.self.num_heads):
            with heads_off(model.bert, [(layer, head)]):
                without[-1].append(mean_loss(model, worth.batches))
    by_estimate = {name: [scores.tolist() for scores in of_layers] for name, of_layers in estimates.items()}
    return Measured({"loss": mean_loss(model, worth.batches), "without": without} | by_estimate)


def measure_cosines(subject: Subject) -> Measured:
    """The mean cosine of every token before and behind each layer, for the rule "alike"."""
    return Measured({"cosines": Worth(subject).cosines})


def measure_untuned(
    build: Callable[[Any, str, Worth], PreTrainedBert],
    pattern: str,
    levels: Sequence[Any],
    orders: Sequence[str],
    subject: Subject,
) -> dict[str, Measured]:
    """The test with more and more gone, by each order."""
    worth = Worth(subject)
    return {
        pattern.format(level, order): Measured(subject.judge(build(level, order, worth)))
        for order in orders
        for level in levels
    }


def measure_tuned(build: Build, steps: int, rate: float, subject: Subject) -> Measured:
    """A model with parts removed, judged before and after it was tuned."""
    model = build(Worth(subject))
    before = subject.judge(model)
    rows = subject.rows("labeled", MOST_ROWS)
    seconds = subject.train(FineTuning(model), rows, steps, rate, batch_size=BATCH)
    scores = subject.judge(model) | {f"{name}_before": score for name, score in before.items()}
    return Measured(scores, {"parameters": unique_parameters(model), "processor_seconds": seconds}, model)


# --- the arms -------------------------------------------------------------------------------------


def tuned(build: Build, steps: int = STEPS, rate: float = RATE) -> Arm:
    """An arm of a model with parts removed."""
    return partial(measure_tuned, build, steps, rate)


RULES = ("top", "bottom", "even", "odd", "middle", "alike")
ORDERS = ("importance", "random", "reversed")
TUNED: dict[str, Arm] = {
    "dense": tuned(whole),
    **{f"half of heads and neurons, {order}": tuned(partial(halved, order)) for order in ORDERS},
    "half of heads and neurons, new weights": tuned(with_new_weights, NEW_STEPS, NEW_RATE),
    **{f"width 192, {order}": tuned(partial(narrowed, 192, order)) for order in ORDERS[:2]},
}
LAYERS_GONE: dict[str, Arm] = {
    f"{gone} layers gone, {rule}": tuned(partial(without_layers, gone, rule))
    for gone in (2, 3)
    for rule in RULES
}
HEADS: dict[str, Arm] = {
    "heads": partial(
        measure_untuned,
        without_heads,
        "{} heads gone, {}, untuned",
        (0, 9, 18, 27, 36, 45, 54, 63),
        ("importance", "per token", "per token, layers alike", "random", "reversed"),
    )
}
OTHER_PARTS: dict[str, Arm] = {
    "neurons": partial(
        measure_untuned,
        without_neurons,
        "{} of the neurons gone, {}, untuned",
        (0.25, 0.5, 0.75, 0.9),
        ("importance", "DynaBERT's", "weights", "random", "reversed"),
    ),
    "width": partial(measure_untuned, narrowed, "width {}, {}, untuned", (288, 192), ORDERS),
    "layers": partial(measure_untuned, without_layers, "{} layers gone, {}, untuned", (1, 2, 3), RULES),
}
ALWAYS: dict[str, Arm] = {
    "whole": measure_whole,
    "single heads": measure_single_heads,
    "layer cosines": measure_cosines,
    **HEADS,
}
STUDY = Study(
    "pruned_structure",
    "MiniLM without some of its heads, neurons, features or layers",
    {
        "reviews": ALWAYS
        | TUNED
        | {"a smaller BERT, importance": tuned(partial(smaller, "importance"))}
        | LAYERS_GONE,
        "SST-2": ALWAYS
        | OTHER_PARTS
        | TUNED
        | {name: arm for name, arm in LAYERS_GONE.items() if name.startswith("3")},
    },
    minutes=90,
)
