"""One network at many sizes: LayerDrop, rewiring, DynaBERT, and their controls.

Equal within a family: runs of LayerDrop, and networks trained for one depth alone, run equally many layers
in all, so that the shallower one takes more steps. Of DynaBERT's sizes a few are trained alone, the smallest
also for as many multiplications as the whole of DynaBERT. Rates are those that the teacher learned with.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from lib.bert.model import PreTrainedBert
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student
from lib.compression.elastic.depth import LayerRule, layers_kept, layers_kept_with_last, only_layers
from lib.compression.elastic.dyna_bert import (
    DEPTHS,
    WIDTHS,
    DynaBert,
    depth_stage,
    full_width,
    same_width,
    width_stage,
)
from lib.compression.elastic.sizes import Size, at_size, extracted, sizes_of
from lib.compression.elastic.width import at_width, rewire
from lib.compression.ledger.counting import unique_parameters
from lib.compression.ledger.timing import milliseconds, torch_routes
from lib.compression.pruning.choosing import random_scores, reversed_scores
from lib.records.rewired import importance
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.text.tasks import Row
from lib.training.finetuning import FineTuning, fresh_model
from lib.training.loop import Objective
from studies.methods.layer_drop import LayerDrop

LAYERS, COUNTS = 6, (6, 5, 4, 3, 2)
BATCH, RATE = 16, 1e-4
MOST_ROWS = 4000  # of SST-2
ORDERS = ("important first", "as they were", "at random", "least important first")
SMALLEST, NARROW = Size(0.25, 0.5), Size(0.25, 1.0)


# --- orders of heads and neurons ------------------------------------------------------------------


def ordered(order: str, subject: Subject) -> PreTrainedBert:
    """A copy of the teacher with its heads and neurons in this order."""
    model = copy.deepcopy(subject.teacher.model)
    if order == "as they were":
        return model
    heads, neurons = importance(subject)
    scores = [*heads, *neurons]
    if order == "at random":
        scores = random_scores(scores, subject.seed)
    elif order == "least important first":
        scores = reversed_scores(scores)
    rewire(model, scores[: len(heads)], scores[len(heads) :])
    return model


def measure_untrained(orders: Sequence[str], subject: Subject) -> dict[str, Measured]:
    """Every order at every width, before anything is learned."""
    measured = {}
    for order in orders:
        model = ordered(order, subject)
        for width in WIDTHS:
            with at_width(model, width):
                measured[f"untrained, {order}, {width:g}"] = Measured(subject.judge(model))
    return measured


# --- depth ----------------------------------------------------------------------------------------


def measure_layer_drop(p: float, steps: int, subject: Subject) -> dict[str, Measured]:
    """MiniLM fine-tuned with layers skipped, read at five depths, by both rules for layers."""
    model = _pretrained(subject)
    rows = subject.rows("labeled", MOST_ROWS)
    costs = _fit(subject, LayerDrop(FineTuning(model), model, p), rows, steps)
    measured = {}
    for rule, keep in {"": layers_kept, ", last kept": layers_kept_with_last}.items():
        for count in COUNTS:
            with only_layers(model, keep(LAYERS, count / LAYERS)):
                measured[f"LayerDrop {p:g}, {count} layers{rule}"] = Measured(
                    subject.judge(model), costs, model
                )
    return measured


def measure_layers_alone(count: int, steps: int, subject: Subject) -> Measured:
    """The same layers of MiniLM fine-tuned for this one depth."""
    model = cut_student(_pretrained(subject), layers_kept(LAYERS, count / LAYERS))
    costs = _fit(subject, FineTuning(model), subject.rows("labeled", MOST_ROWS), steps)
    return Measured(subject.judge(model), costs, model)


def _pretrained(subject: Subject) -> PreTrainedBert:
    """MiniLM with a fresh head."""
    model = fresh_model(subject.task, "minilm", subject.seed)
    return model.to(next(subject.teacher.model.parameters()).device)


def _fit(subject: Subject, objective: Objective, rows: Sequence[Row], steps: int) -> dict[str, float]:
    """What the training took; the model is in eval() after it."""
    seconds = subject.train(objective, rows, steps, RATE, batch_size=BATCH)
    objective.eval()
    return {"steps": steps, "processor_seconds": seconds}


# --- width and depth ------------------------------------------------------------------------------


@dataclass(frozen=True)
class DepthStage:
    """DynaBERT's second stage: by which rule layers run, and at which width the teacher runs.

    The grid learns from one teacher or the other: what the paper means, and what its code does.
    """

    keep: LayerRule = layers_kept
    taught_at: Callable[[float], float] = same_width


def measure_dyna_bert(
    order: str, steps: tuple[int, int], stages: dict[str, DepthStage], subject: Subject
) -> dict[str, Measured]:
    """The first stage, and from what it made, which is also their teacher, second stages by name.

    steps: of the first stage, and of each second one.
    """
    rows = subject.rows("unlabeled", MOST_ROWS)
    student = ordered(order, subject)
    costs = _fit(subject, DynaBert(student, subject.teacher.model, width_stage(LAYERS)), rows, steps[0])
    measured = _at_sizes(f"widths, {order}", student, (1.0,), layers_kept, costs, subject)
    for name, stage in stages.items():
        model, lessons = (
            copy.deepcopy(student),
            depth_stage(LAYERS, keep=stage.keep, taught_at=stage.taught_at),
        )
        costs = _fit(subject, DynaBert(model, student, lessons), rows, steps[1])
        measured |= _at_sizes(f"sizes, {name}", model, DEPTHS, stage.keep, costs, subject)
    return measured


def _at_sizes(
    name: str,
    model: PreTrainedBert,
    depths: Sequence[float],
    keep: LayerRule,
    costs: dict[str, float],
    subject: Subject,
) -> dict[str, Measured]:
    measured = {}
    for size in sizes_of(WIDTHS, depths):
        with at_size(model, size, keep):
            measured[f"{name}, {size}"] = Measured(subject.judge(model), costs, model)
    return measured


def measure_size_alone(size: Size, steps: int, subject: Subject) -> Measured:
    """A network of this size alone, cut from the rewired teacher and taught as in DynaBERT."""
    (lesson,) = depth_stage(LAYERS, (size.width,), (size.depth,), taught_at=full_width)
    student = extracted(ordered("important first", subject), size)
    objective = Distillation(student, subject.teacher.model, lesson.matches)
    costs = _fit(subject, objective, subject.rows("unlabeled", MOST_ROWS), steps)
    return Measured(subject.judge(student), costs, student)


def measure_size_from_labels(size: Size, steps: int, subject: Subject) -> Measured:
    """The same size without any teacher: cut from the pretrained MiniLM, which is fine-tuned."""
    student = extracted(_pretrained(subject), size)
    costs = _fit(subject, FineTuning(student), subject.rows("labeled", MOST_ROWS), steps)
    return Measured(subject.judge(student), costs, student)


def equal_steps(size: Size, steps: tuple[int, int]) -> int:
    """The steps of a network alone that multiply as often as all of DynaBERT: forward 1, backward 2."""
    runs = 3 * sum(WIDTHS)
    dyna_bert = steps[0] * (runs + 1) + steps[1] * (runs * sum(DEPTHS) + sum(WIDTHS))
    return round(dyna_bert / (3 * size.width * size.depth + 1))


def measure_costs(subject: Subject) -> dict[str, Measured]:
    """Each size as a model of its own, timed in turns within one process; weights change no time."""
    teacher = copy.deepcopy(subject.teacher.model).cpu()
    models = {str(size): extracted(teacher, size) for size in sizes_of(WIDTHS, DEPTHS)}
    routes = {name: torch_routes(model)["float32"] for name, model in models.items()}
    times = milliseconds(routes, teacher.config.vocab_size)
    measured = {}
    for name, model in models.items():
        taken = {f"milliseconds at {shape}": time for shape, time in times[name].items()}
        measured[f"costs, {name}"] = Measured({}, {"parameters": unique_parameters(model)} | taken)
    return measured


# --- the arms -------------------------------------------------------------------------------------


def layers_dropped(steps: int, *rates: float) -> dict[str, Arm]:
    """LayerDrop at these rates. steps: without skipping; others take more, as they run fewer layers."""
    return {f"LayerDrop {p:g}": partial(measure_layer_drop, p, round(steps / (1 - p))) for p in rates}


def layers_alone(steps: int, *counts: int) -> dict[str, Arm]:
    """Depths trained alone, in as many runs of a layer as whole networks have in so many steps."""
    return {
        f"{count} layers alone": partial(measure_layers_alone, count, steps * LAYERS // count)
        for count in counts
    }


def dyna_berts(
    steps: tuple[int, int], *orders: str, further: dict[str, DepthStage] | None = None
) -> dict[str, Arm]:
    """DynaBERT from these orders. further: other second stages of the first of them."""
    stages = [{order: DepthStage()} for order in orders]
    stages[0] |= further or {}
    return {
        f"DynaBERT, {order}": partial(measure_dyna_bert, order, steps, stage)
        for order, stage in zip(orders, stages, strict=True)
    }


def sizes_alone(steps: int, *sizes: Size) -> dict[str, Arm]:
    """Sizes trained alone."""
    return {f"{size} alone": partial(measure_size_alone, size, steps) for size in sizes}


LONG, SHORT = (200, 100), (100, 50)  # reviews and phrases of SST-2 are longer than headlines
CODE = {
    "teacher at full width": DepthStage(taught_at=full_width),
    "last layer kept": DepthStage(keep=layers_kept_with_last),
}
HEADLINES: dict[str, Arm] = {
    "teacher": measure_teacher,
    "untrained": partial(measure_untrained, ORDERS),
    **layers_dropped(400, 0.0, 0.2, 0.5),
    **layers_alone(400, 3, 2),
    **dyna_berts(LONG, *ORDERS[:2], further=CODE),
    **sizes_alone(sum(LONG), SMALLEST, NARROW),
    f"{SMALLEST} alone, equal compute": partial(measure_size_alone, SMALLEST, equal_steps(SMALLEST, LONG)),
    f"{SMALLEST} alone, labels": partial(measure_size_from_labels, SMALLEST, sum(LONG)),
    "costs": measure_costs,
}
REVIEWS: dict[str, Arm] = {
    **layers_dropped(200, 0.2),
    **layers_alone(200, 3),
    **dyna_berts(SHORT, ORDERS[0]),
    **sizes_alone(sum(SHORT), SMALLEST),
    f"{SMALLEST} alone, labels": partial(measure_size_from_labels, SMALLEST, sum(SHORT)),
}
SST2: dict[str, Arm] = {
    "teacher": measure_teacher,
    "untrained": partial(measure_untrained, ORDERS[:2]),
    **layers_dropped(200, 0.0, 0.2),
    **layers_alone(200, 3),
    **dyna_berts(SHORT, *ORDERS[:2]),
    **sizes_alone(sum(SHORT), SMALLEST),
}
STUDY = Study(
    "elastic",
    "One network at many sizes",
    {"headlines": HEADLINES, "reviews": REVIEWS, "SST-2": SST2},
    once=frozenset({"costs"}),
    minutes=170,
)
