"""One network at many sizes: LayerDrop, rewiring, DynaBERT, and their controls.

Equal within a family: runs of LayerDrop, and networks trained for one depth alone, run equally many layers
in all, so that the shallower one takes more steps. Of DynaBERT's sizes a few are trained alone, the smallest
also for as many multiplications as the whole of DynaBERT. Rates are those that the teacher learned with.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

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
from lib.compression.elastic.layer_drop import LayerDrop
from lib.compression.elastic.sizes import Size, at_size, extracted, sizes_of
from lib.compression.elastic.width import at_width
from lib.compression.ledger.counting import unique_parameters
from lib.compression.ledger.timing import milliseconds, torch_routes
from lib.compression.packed import load_packed, save_packed
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.teachers import input_of
from lib.training.finetuning import FineTuning, fresh_model
from studies.elastic_exam import (
    BATCH,
    ORDERS,
    RATE,
    ROWS,
    SCORED,
    Exam,
    Name,
    importance,
    ordered,
    prepared,
)

LAYERS, COUNTS = 6, (6, 5, 4, 3, 2)
SMALLEST = Size(0.25, 0.5)
FROM_LABELS = f"{SMALLEST} alone, labels"  # in a record of its own


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is run on a task.

    layer_steps: of LayerDrop without skipping; others take as many more as they run fewer layers.
    width_steps, depth_steps: of DynaBERT's two stages. skipped: LayerDrop's rates. layers_alone: depths
    trained alone. untrained, trained: orders of heads and neurons. sizes_alone: sizes trained alone.
    """

    layer_steps: int = 400
    width_steps: int = 200
    depth_steps: int = 100
    skipped: tuple[float, ...] = (0.0, 0.2)
    layers_alone: tuple[int, ...] = (3,)
    untrained: tuple[str, ...] = ORDERS[:2]
    trained: tuple[str, ...] = ORDERS[:2]
    sizes_alone: tuple[Size, ...] = (SMALLEST,)


#: reviews and phrases of SST-2 are longer than headlines, so that they have half of the steps
PLANS: dict[Name, Plan] = {
    "headlines": Plan(
        skipped=(0.0, 0.2, 0.5),
        layers_alone=(3, 2),
        untrained=ORDERS,
        sizes_alone=(SMALLEST, Size(0.25, 1.0)),
    ),
    "reviews": Plan(layer_steps=200, width_steps=100, depth_steps=50, untrained=ORDERS, trained=ORDERS[:1]),
    "SST-2": Plan(layer_steps=200, width_steps=100, depth_steps=50),
}
OWN: tuple[Name, ...] = ("headlines", "reviews")
#: the grid learns from one teacher or the other: what the paper means, and what its code does
TEACHERS = {"same width": same_width, "full width": full_width}


def untrained(exam: Exam, folder: Path) -> dict[str, Any]:
    """Every order at every width, before anything is learned."""
    scores, found = importance(exam), dict[str, Any]()
    for order in PLANS[exam.name].untrained:
        model = ordered(exam, order, scores)
        found[order] = {}
        for width in WIDTHS:
            with at_width(model, width):
                found[order][f"{width:g}"] = exam.judge(model)
    return {"teacher": exam.teacher.scores, "orders": found}


# --- depth ----------------------------------------------------------------------------------------


def dropping(exam: Exam, folder: Path, p: float) -> dict[str, Any]:
    """MiniLM fine-tuned with layers skipped, read at five depths."""
    model = fresh_model(exam.task, "minilm", exam.seed)
    steps = round(PLANS[exam.name].layer_steps / (1 - p))
    seconds = exam.learn(LayerDrop(FineTuning(model), model, p), exam.task.train, steps)
    save_packed(model.eval(), folder / PACKED)
    return {
        "depths": _depths(exam, model, layers_kept),
        "depths, last kept": _depths(exam, model, layers_kept_with_last),
        "steps": steps,
        "processor_seconds": seconds,
    }


def _depths(exam: Exam, model: PreTrainedBert, keep: LayerRule) -> dict[str, Any]:
    found = {}
    for count in COUNTS:
        with only_layers(model, keep(LAYERS, count / LAYERS)):
            found[str(count)] = exam.judge(model)
    return found


def layers_alone(exam: Exam, folder: Path, count: int) -> dict[str, Any]:
    """The same layers of MiniLM fine-tuned for this one depth."""
    model = cut_student(fresh_model(exam.task, "minilm", exam.seed), layers_kept(LAYERS, count / LAYERS))
    steps = PLANS[exam.name].layer_steps * LAYERS // count
    seconds = exam.learn(FineTuning(model), exam.task.train, steps)
    return {**exam.judge(model.eval()), "steps": steps, "processor_seconds": seconds}


# --- width and depth ------------------------------------------------------------------------------


def widths(exam: Exam, folder: Path, order: str) -> dict[str, Any]:
    """DynaBERT's first stage, and its model for the second."""
    student = ordered(exam, order, importance(exam))
    objective = DynaBert(student, exam.teacher.model, width_stage(LAYERS))
    seconds = exam.learn(objective, exam.texts, PLANS[exam.name].width_steps)
    save_packed(student.eval(), folder / PACKED)
    return {"sizes": _sizes(exam, student, (1.0,)), "processor_seconds": seconds}


def all_sizes(
    exam: Exam, folder: Path, order: str, taught: str = "same width", keep: LayerRule = layers_kept
) -> dict[str, Any]:
    """The second stage, from what the first one made, which is also its teacher."""
    student: Any = load_packed(cached(run_of(exam.name, f"widths, {order}", exam.seed)).folder / PACKED)
    lessons = depth_stage(LAYERS, keep=keep, taught_at=TEACHERS[taught])
    objective = DynaBert(student, copy.deepcopy(student), lessons)
    seconds = exam.learn(objective, exam.texts, PLANS[exam.name].depth_steps)
    save_packed(student.eval(), folder / PACKED)
    return {"sizes": _sizes(exam, student, DEPTHS, keep), "processor_seconds": seconds}


def _sizes(
    exam: Exam, model: PreTrainedBert, depths: Iterable[float], keep: LayerRule = layers_kept
) -> dict[str, Any]:
    found = {}
    for size in sizes_of(WIDTHS, tuple(depths)):
        with at_size(model, size, keep):
            found[str(size)] = exam.judge(model)
    return found


def one_size(exam: Exam, folder: Path, size: Size, steps: int) -> dict[str, Any]:
    """A network of this size alone, cut from the rewired teacher and taught as in DynaBERT."""
    (lesson,) = depth_stage(LAYERS, (size.width,), (size.depth,), taught_at=full_width)
    student = extracted(ordered(exam, ORDERS[0], importance(exam)), size)
    objective = Distillation(student, exam.teacher.model, lesson.matches)
    seconds = exam.learn(objective, exam.texts, steps)
    save_packed(student.eval(), folder / PACKED)
    return {**exam.judge(student), "steps": steps, "processor_seconds": seconds}


def from_labels(exam: Exam, folder: Path) -> dict[str, Any]:
    """The smallest size without any teacher: cut from the pretrained MiniLM, fine-tuned as often as others
    are taught."""
    plan = PLANS[exam.name]
    student = extracted(fresh_model(exam.task, "minilm", exam.seed), SMALLEST)
    steps = plan.width_steps + plan.depth_steps
    seconds = exam.learn(FineTuning(student), exam.task.train, steps)
    save_packed(student, folder / PACKED)
    return {**exam.judge(student), "steps": steps, "processor_seconds": seconds}


def equal_steps(size: Size, plan: Plan) -> int:
    """The steps of a network alone that multiply as often as all of DynaBERT: forward 1, backward 2."""
    runs = 3 * sum(WIDTHS)
    dyna_bert = plan.width_steps * (runs + 1) + plan.depth_steps * (runs * sum(DEPTHS) + sum(WIDTHS))
    return round(dyna_bert / (3 * size.width * size.depth + 1))


def costs(exam: Exam, folder: Path) -> dict[str, Any]:
    """Each size as a model of its own, timed in turns within one process; weights change no time."""
    models = {str(size): extracted(exam.teacher.model, size) for size in sizes_of(WIDTHS, DEPTHS)}
    routes = {name: torch_routes(model)["float32"] for name, model in models.items()}
    times = milliseconds(routes, exam.teacher.model.config.vocab_size)
    return {
        name: {"parameters": unique_parameters(model), "milliseconds": times[name]}
        for name, model in models.items()
    }


# --- runs -----------------------------------------------------------------------------------------


def parts_of(name: Name) -> dict[str, Callable[[Exam, Path], dict[str, Any]]]:
    """What is run on a task, each by its name in the record."""
    found: dict[str, Callable[[Exam, Path], dict[str, Any]]] = {"untrained": untrained}
    plan = PLANS[name]
    found |= {f"LayerDrop {p:g}": partial(dropping, p=p) for p in plan.skipped}
    found |= {f"{count} layers alone": partial(layers_alone, count=count) for count in plan.layers_alone}
    for order in plan.trained:
        found[f"widths, {order}"] = partial(widths, order=order)
        found[f"sizes, {order}"] = partial(all_sizes, order=order)
    steps = plan.width_steps + plan.depth_steps
    found |= {f"{size} alone": partial(one_size, size=size, steps=steps) for size in plan.sizes_alone}
    if name == "headlines":
        found["sizes, teacher at full width"] = partial(all_sizes, order=ORDERS[0], taught="full width")
        found["sizes, last layer kept"] = partial(all_sizes, order=ORDERS[0], keep=layers_kept_with_last)
        longer = partial(one_size, size=SMALLEST, steps=equal_steps(SMALLEST, plan))
        found[f"{SMALLEST} alone, equal compute"] = longer
        found["costs"] = costs
    return found


def elastic(seed: int) -> dict[str, Any]:
    """On two of the course's tasks; what a size costs is measured once, with seed 0."""
    return {name: _recorded(name, seed) for name in OWN}


def elastic_public(seed: int) -> dict[str, Any]:
    """Fewer of them on SST-2."""
    return _recorded("SST-2", seed)


def _recorded(name: Name, seed: int) -> dict[str, Any]:
    return {part: kept_result(run_of(name, part, 0 if part == "costs" else seed)) for part in parts_of(name)}


def run_of(name: Name, part: str, seed: int) -> Entry:
    """One part on one task, which the cache keeps."""
    place = input_of(name)
    return Entry(
        f"elastic_{name.replace('-', '').lower()}_{seed}",
        f"One network at many sizes, on {name}: {part}",
        run_part,
        {"name": name, "part": part, "seed": seed},
        data=("minilm", place),
    )


def run_part(folder: Path, name: Name, part: str, seed: int) -> None:
    """One part; what is recorded of it goes into the folder."""
    run = from_labels if part == FROM_LABELS else parts_of(name)[part]
    write_json(folder / RESULT, run(prepared(name, seed), folder))


def config(*names: Name) -> dict[str, Any]:
    """What a record on these tasks depends on besides the data."""
    return {
        "plans": {name: _told(PLANS[name]) for name in names},
        "alone, equal compute": {str(SMALLEST): equal_steps(SMALLEST, PLANS["headlines"])},
        "batch_size": BATCH,
        "rate": RATE,
        "rows": ROWS,
        "scored": SCORED,
    }


def _told(plan: Plan) -> dict[str, Any]:
    return {
        key: [str(one) for one in value] if isinstance(value, tuple) else value
        for key, value in vars(plan).items()
    }
