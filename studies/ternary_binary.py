"""MiniLM in three values a weight and in two: how to round, who teaches, by which way one bit is reached.

What is trained starts from the fine-tuned model, which also teaches it, on the same labeled texts. By
BinaryBERT's way a network of half the width becomes ternary, is split in two and trained further; beside it
stand the same network without the split, and one of whole width that is binary at once, each with as many
steps. All of these learn answers and states: half of the heads have no scores to compare.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lib.analysis.landscape.curvature import ENCODER_PARTS, Hessian, top_eigenvalue
from lib.analysis.landscape.directions import Direction, filter_normalized, random_direction, select
from lib.analysis.landscape.losses import mean_loss
from lib.bert.alterations import simplify
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.knowledge import ATTENTION_SCORES
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import labels_alone, ternary_bert, tinybert_answers
from lib.compression.distillation.objective import Distillation
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.packed import save_packed
from lib.compression.parts import paths_of
from lib.compression.quantizers.binary import BinarySum
from lib.compression.quantizers.linear import in_groups
from lib.compression.quantizers.model import compute_weights, quantize_inputs, quantize_weights
from lib.compression.quantizers.ternary import loss_aware_ternarize
from lib.compression.quantizers.ternary_bert import (
    MATRICES,
    WORDS,
    round_like_ternary_bert,
    split_ternary_weights,
)
from lib.records.rewired import rewired
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.training.features import encoder_of
from lib.training.known_tasks import evenly
from lib.training.loop import Batch

STEPS, FURTHER, WHOLE_STEPS, RATE = 300, 200, 200, 2e-4
MOST_ROWS = 4000  # of SST-2
SCORED = 400  # texts that importances are computed of
BENT_TEXTS, BENT_ITERATIONS = 32, 20
AT = [place / 4 for place in range(-4, 5)]  # of a landscape, in lengths of its rows

Layout = Callable[[PreTrainedBert], None]


# --- without training -----------------------------------------------------------------------------


def all_alike(groups: int | None, model: PreTrainedBert) -> None:
    """Every matrix and table ternary, with one scale each or one for each row."""
    compute_weights(model, "TernaryQuantization", groups=groups)


def measure_rounded(layout: Layout, subject: Subject) -> Measured:
    """The fine-tuned model, rounded."""
    model = copy.deepcopy(subject.teacher.model)
    layout(model)
    return finished(model, subject, {})


def measure_loss_aware(subject: Subject) -> dict[str, Measured]:
    """TernaryBERT's layout with loss-aware codes and scales, by what the loss minds and by nothing."""
    minded = second_moments(subject)
    measured = {}
    for name in ("LAT", "least error"):
        model = copy.deepcopy(subject.teacher.model)
        for path in paths_of(model, [*MATRICES, *WORDS]):
            weight: Any = model.get_submodule(path).weight
            importance = minded[path].sqrt() + 1e-8 if name == "LAT" else torch.ones_like(weight)
            groups = len(weight) if "embeddings" in path else 1
            rows = in_groups(weight.detach(), groups), in_groups(importance, groups)
            codes, scales = torch.vmap(loss_aware_ternarize)(*rows)
            weight.data.copy_((codes * scales[:, None]).view_as(weight))
        measured[f"{name}, paper's layout"] = Measured(subject.judge(model))
    return measured


def second_moments(subject: Subject) -> dict[str, Tensor]:
    """The mean square of each weight's gradient over batches of training texts, by path."""
    model = copy.deepcopy(subject.teacher.model)
    paths = paths_of(model)
    totals: dict[str, Tensor] = {}
    batches = subject.batches(evenly(subject.rows("labeled", MOST_ROWS), SCORED))
    for number in range(batches.size):
        model.zero_grad()
        model(**on_device(batches(number), model)).loss.backward()
        for path in paths:
            weight: Any = model.get_submodule(path).weight
            totals[path] = totals.get(path, 0) + weight.grad.square() / batches.size
    return totals


# --- with training --------------------------------------------------------------------------------


def answers_and_states(num_layers: int) -> list[Match]:
    """TernaryBERT's loss without the scores."""
    return [match for match in ternary_bert(num_layers) if match.knowledge is not ATTENTION_SCORES]


def answers(_num_layers: int) -> list[Match]:
    """Soft answers alone."""
    return tinybert_answers()


def labels(_num_layers: int) -> list[Match]:
    """Labels alone."""
    return labels_alone()


Loss = Callable[[int], list[Match]]


def measure_ternary(loss: Loss, subject: Subject) -> Measured:
    """Ternary in TernaryBERT's layout, trained with this loss."""
    model = copy.deepcopy(subject.teacher.model)
    round_like_ternary_bert(model)
    return finished(model, subject, fit(model, loss, STEPS, subject))


def measure_ternary_bert(subject: Subject) -> dict[str, Measured]:
    """The whole loss, and what the finished model makes of inputs in few bits; its loss as a landscape."""
    model = copy.deepcopy(subject.teacher.model)
    round_like_ternary_bert(model)
    costs = fit(model, ternary_bert, STEPS, subject)
    measured = {"ternary, answers, states and scores": finished(model, subject, costs)}
    for bits in (8, 4):
        for per in ("token", "tensor"):
            rounded = copy.deepcopy(model)
            quantize_inputs(rounded, bits, per=per)
            measured[f"ternary, then {bits}-bit inputs by {per}"] = Measured(subject.judge(rounded))
    return measured | {"ternary, landscape": Measured(landscape(model, subject))}


def measure_with_inputs(bits: int, per: Any, subject: Subject) -> Measured:
    """TernaryBERT trained with inputs in few bits."""
    model = copy.deepcopy(subject.teacher.model)
    round_like_ternary_bert(model)
    quantize_inputs(model, bits, per=per)
    return finished(model, subject, fit(model, ternary_bert, STEPS, subject))


def measure_binary(subject: Subject) -> dict[str, Measured]:
    """Binary at once, at whole width, with all the steps that BinaryBERT's way takes."""
    model = copy.deepcopy(subject.teacher.model)
    round_like_ternary_bert(model, "BinaryQuantization")
    measured = {"binary, whole width, untrained": finished(model, subject, {})}
    costs = fit(model, answers_and_states, WHOLE_STEPS + STEPS + FURTHER, subject)
    measured["binary, whole width"] = finished(model, subject, costs)
    return measured | {"binary, landscape": Measured(landscape(model, subject))}


def measure_half(subject: Subject) -> dict[str, Measured]:
    """BinaryBERT's way: half the width, trained, then ternary, then split; and the last stage without it."""
    model = extracted(rewired(subject), Size(0.5)).to(device_of(subject.teacher.model))
    measured = {"half width, untrained": finished(model, subject, {})}
    costs = fit(model, answers_and_states, WHOLE_STEPS, subject)
    measured["half width"] = finished(model, subject, costs)
    round_like_ternary_bert(model)
    measured["half width, ternary, untrained"] = finished(model, subject, {})
    costs = added(costs, fit(model, answers_and_states, STEPS, subject))
    measured["half width, ternary"] = finished(model, subject, costs)
    split = copy.deepcopy(model)
    split_ternary_weights(split)
    measured["split"] = finished(split, subject, costs, scale_gaps(split))
    for name, variant in (("split, trained further", split), ("not split, trained further", model)):
        whole = added(costs, fit(variant, answers_and_states, FURTHER, subject))
        measured[name] = finished(variant, subject, whole, scale_gaps(variant))
    return measured


def fit(model: PreTrainedBert, loss: Loss, steps: int, subject: Subject) -> dict[str, float]:
    """What the training took; the model is in eval() after it."""
    matches = loss(len(encoder_of(model).encoder.layer))
    objective = Distillation(model, subject.teacher.model, matches)
    seconds = subject.train(objective, subject.rows("labeled", MOST_ROWS), steps, RATE, precision="no")
    objective.eval()
    return {"steps": steps, "processor_seconds": seconds}


def added(first: dict[str, float], second: dict[str, float]) -> dict[str, float]:
    """Costs of two stages."""
    return {name: first[name] + second[name] for name in first}


def finished(
    model: PreTrainedBert, subject: Subject, costs: dict[str, float], more: dict[str, Any] | None = None
) -> Measured:
    """What a model scores, and the bytes of its file."""
    scores = subject.judge(model.eval()) | (more or {})
    own = copy.deepcopy(model).cpu()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model")
        save_packed(own, file)
        return Measured(scores, {**costs, "bytes": file.stat().st_size}, own)


def scale_gaps(model: PreTrainedBert) -> dict[str, float]:
    """How far apart the two scales of a split weight are, as a share of the first: the largest of all groups.

    Nothing where no weight is split. While both are the same, the four sums are three values.
    """
    gaps = []
    for module in model.modules():
        steps: Any = getattr(getattr(module, "parametrizations", None), "weight", [None])
        if isinstance(steps[0], BinarySum):
            first, second = (steps[0].signs(latent)[1] for latent in (steps.original0, steps.original1))
            gaps.append(((first - second).abs() / first.clamp(min=1e-12)).max().item())
    return {"largest_scale_gap": max(gaps)} if gaps else {}


# --- how the loss bends ---------------------------------------------------------------------------


def measure_landscape(subject: Subject) -> Measured:
    """The landscape of the fine-tuned model itself."""
    return Measured(landscape(subject.teacher.model, subject))


def landscape(model: PreTrainedBert, subject: Subject) -> dict[str, Any]:
    """The loss on training texts around the weights that a model computes with: a plane, and curvature.

    The plane moves the value matrices of layers 0 and 1, as in BinaryBERT's second figure; the eigenvalues
    are of each part, as in its third.
    """
    own = copy.deepcopy(model).eval()
    simplify(own)
    batches = subject.batches(evenly(subject.rows("labeled", MOST_ROWS), BENT_TEXTS), BENT_TEXTS)
    batch = on_device(batches(0), own)
    parameters = dict(own.named_parameters())
    values = select(parameters, r"layer\.[01]\.attention\.self\.value\.weight")
    first, second = (filter_normalized(random_direction(values, seed), values) for seed in (0, 1))
    losses = losses_over_plane(own, batch, first, second)
    eigenvalues = {
        part: top_eigenvalue(Hessian(own, [batch], select(parameters, pattern)), 1e-2, BENT_ITERATIONS).value
        for part, pattern in ENCODER_PARTS.items()
    }
    return {"losses": losses, "eigenvalues": eigenvalues}


@torch.no_grad()
def losses_over_plane(
    model: PreTrainedBert, batch: Batch, first: Direction, second: Direction
) -> list[list[float]]:
    """The loss at the model's weights + a * first + b * second, for all a and b of AT (Li et al., 2018).

    Both directions move the same tensors, which are at the end what they were.
    """
    parameters = {name: model.get_parameter(name) for name in first}
    start = {name: parameter.clone() for name, parameter in parameters.items()}
    losses: list[list[float]] = []
    for a in AT:
        row = {name: torch.add(start[name], step, alpha=a) for name, step in first.items()}
        losses.append([])
        for b in AT:
            for name, step in second.items():
                torch.add(row[name], step, alpha=b, out=parameters[name])
            losses[-1].append(mean_loss(model, [batch]))
    for name, parameter in parameters.items():
        parameter.copy_(start[name])
    return losses


def on_device(batch: Batch, model: PreTrainedBert) -> dict[str, Tensor]:
    """A batch where the model is."""
    return {name: tensor.to(device_of(model)) for name, tensor in batch.items()}


def device_of(model: PreTrainedBert) -> torch.device:
    """Where a model is."""
    return next(model.parameters()).device


# --- the arms -------------------------------------------------------------------------------------

ROUNDED: dict[str, Layout] = {
    "2 bits by row, as in notebook 20": partial(quantize_weights, bits=2),
    "TWN, one scale a matrix": partial(all_alike, 1),
    "TWN, paper's layout": round_like_ternary_bert,
    "TWN, by row": partial(all_alike, None),
}
LOSSES: Sequence[tuple[str, Loss]] = (("labels", labels), ("answers", answers))
ARMS: dict[str, Arm] = {
    "teacher": measure_teacher,
    **{name: partial(measure_rounded, layout) for name, layout in ROUNDED.items()},
    "LAT": measure_loss_aware,
    **{f"ternary, {name}": partial(measure_ternary, loss) for name, loss in LOSSES},
    "TernaryBERT": measure_ternary_bert,
    "ternary, 8-bit inputs by tensor": partial(measure_with_inputs, 8, "tensor"),
    "ternary, 4-bit inputs by token": partial(measure_with_inputs, 4, "token"),
    "binary": measure_binary,
    "BinaryBERT": measure_half,
    "landscape": measure_landscape,
}
STUDY = Study(
    "ternary_binary",
    "MiniLM in three values a weight, and in two",
    {"headlines": ARMS, "SST-2": ARMS},
    keep=frozenset(
        {
            "ternary, answers, states and scores",
            "half width, ternary",
            "split, trained further",
            "binary, whole width",
        }
    ),
    minutes=280,
)
