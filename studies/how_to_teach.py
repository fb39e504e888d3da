"""How to teach: one small student, one teacher, and the ways in which knowledge gets from one to the other.

A family of arms asks one question, and in it one thing is equal: the student's steps, where a way changes
what they teach; the rows that go backward, where it chooses texts. What a way costs besides, an assistant, a
generator, or a masked LM that writes, is recorded beside it, and where it is much, an arm of plain
distillation was given as many seconds. Rates are those of `lib.records.taught`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.annealing import falling, label_stage
from lib.compression.distillation.methods import hinton
from lib.compression.distillation.neighbors import ByLot, Hardest, Nearest
from lib.compression.distillation.students import SMALL
from lib.compression.ledger.counting import unique_parameters
from lib.compression.packed import save_packed
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.students import Unlabeled, judged
from lib.records.teachers import Teacher, input_of, load_teacher, task_named
from lib.text.tasks import TextExample, own
from lib.training.known_tasks import load_task, spread
from lib.training.task_kinds import Task
from studies import teaching_runs as runs
from studies.teaching_runs import Room, Spent

TASKS = ("reviews", "headlines")
PUBLIC, PUBLIC_ROWS = "SST-2", 4000
TAU_MAX, TEMPERATURE = 5, 2.0
STEPS, LABEL_STEPS = 480, 120  # the second of the first
TURNS, CYCLES = (10, 100), 2  # of the adversary and of its student
FASTER = 3e-4  # a rate at which the generator climbs in so few steps
#: steps of plain distillation in the seconds that an adversary, or an assistant, takes
AS_LONG = {"adversary": 2800, "assistant": 1600}
BACKWARD_ROWS, CHOSEN = 9_600, 2
#: what the hardest neighbors cost over random ones: they are read to be found; backward counts as two passes
AS_COSTLY = 1 + runs.NEIGHBORS / (3 * (1 + CHOSEN))
EQUAL = (
    "the student's steps within the families ramp, assistant, adversary and written; the rows that go"
    " backward within neighbors; arms that are called as long have the seconds of the dearest of their"
    " family, and neighbors that are called as costly the passes of the hardest"
)


@dataclass(frozen=True)
class Arm:
    """One way to teach, on which tasks, and in which family it is compared."""

    family: str
    teach: Callable[[Room, PreTrainedBert], Spent]
    tasks: tuple[str, ...] = TASKS


def _written(how: str, room: Room, student: PreTrainedBert) -> Spent:
    found = kept_result(written_entry(room.task.name, how, room.seed))
    spent = runs.written(room, student, found["rows"], STEPS)
    return {**spent, "writing_seconds": found["processor_seconds"], "share_left": found["share_left"]}


def _neighbored(choose: Any, room: Room, student: PreTrainedBert, times: float = 1.0) -> Spent:
    states = answers_of(room.task.name, room.seed)["states"]
    return runs.neighbored(room, student, choose, states, round(times * BACKWARD_ROWS))


_soft, _both, _gold = runs.soft(TEMPERATURE), hinton(TEMPERATURE, 0.5), label_stage()
_few = TURNS[1] * CYCLES
_rows_a_step = runs.TEXTS_A_STEP * (1 + CHOSEN)
_anneal = partial(runs.ramp, steps=STEPS - LABEL_STEPS, label_steps=LABEL_STEPS)
_turns: dict[str, Any] = {"cycles": CYCLES, "turns": TURNS}
_ALL, _PUBLIC = (*TASKS, PUBLIC), ("reviews", PUBLIC)
_MORE = ("headlines", PUBLIC)  # tasks with further texts, of which SST-2 is not short

ARMS: dict[str, Arm] = {
    "labels": Arm("ramp", partial(runs.plain, matches=_gold, steps=STEPS), _ALL),
    "answers and labels": Arm("ramp", partial(runs.plain, matches=_both, steps=STEPS), _ALL),
    "logits, then labels": Arm("ramp", partial(_anneal, temperatures=(1,)), _ALL),
    "annealing": Arm("ramp", partial(_anneal, temperatures=falling(TAU_MAX)), _ALL),
    "annealing backward": Arm(
        "ramp", partial(_anneal, temperatures=falling(TAU_MAX)[::-1]), ("reviews",)
    ),
    "annealing, no labels": Arm(
        "ramp", partial(runs.ramp, temperatures=falling(TAU_MAX), steps=STEPS, label_steps=0), ("reviews",)
    ),
    "direct": Arm("assistant", partial(runs.pooled, matches=_soft, steps=STEPS), _MORE),
    "direct, as long": Arm(
        "assistant", partial(runs.pooled, matches=_soft, steps=AS_LONG["assistant"]), _MORE
    ),
    "through an assistant": Arm("assistant", partial(runs.assisted, steps=STEPS), _MORE),
    "no rewriting": Arm("adversary", partial(runs.plain, matches=_both, steps=_few), _PUBLIC),
    "no rewriting, as long": Arm(
        "adversary", partial(runs.plain, matches=_both, steps=AS_LONG["adversary"]), ("reviews",)
    ),
    "random pieces": Arm("adversary", partial(runs.rewritten, how="random", **_turns), ("reviews",)),
    "a masked LM's pieces": Arm("adversary", partial(runs.rewritten, how="masked LM", **_turns), _PUBLIC),
    "MATE-KD": Arm("adversary", partial(runs.rewritten, how="adversary", **_turns), _PUBLIC),
    "MATE-KD, a faster generator": Arm(
        "adversary", partial(runs.rewritten, how="adversary", rate=FASTER, **_turns), (PUBLIC,)
    ),
    "FreeLB": Arm("adversary", partial(runs.perturbed, matches=_both, steps=_few), _PUBLIC),
    "FreeLB, a tenth as far": Arm(
        "adversary", partial(runs.perturbed, matches=_both, steps=_few, times=0.1), (PUBLIC,)
    ),
    "FreeLB, a hundredth as far": Arm(
        "adversary", partial(runs.perturbed, matches=_both, steps=_few, times=0.01), ()
    ),  # in a record of its own, on both
    "no neighbors": Arm(
        "neighbors",
        partial(
            runs.plain, matches=hinton(5.0, 0.5), steps=BACKWARD_ROWS // _rows_a_step, size=_rows_a_step
        ),
        _MORE,
    ),
    "no neighbors, as costly": Arm(
        "neighbors",
        partial(
            runs.plain,
            matches=hinton(5.0, 0.5),
            steps=round(AS_COSTLY * BACKWARD_ROWS) // _rows_a_step,
            size=_rows_a_step,
        ),
        (PUBLIC,),
    ),
    "the pool as texts": Arm(
        "neighbors",
        partial(
            runs.pooled, matches=hinton(5.0, 0.5), steps=BACKWARD_ROWS // _rows_a_step, size=_rows_a_step
        ),
        ("headlines",),
    ),
    "all 8 neighbors": Arm("neighbors", partial(_neighbored, Nearest(runs.NEIGHBORS)), ("headlines",)),
    "2 hardest": Arm("neighbors", partial(_neighbored, Hardest(CHOSEN)), _MORE),
    "2 at random": Arm("neighbors", partial(_neighbored, ByLot(CHOSEN)), _MORE),
    "2 at random, as costly": Arm("neighbors", partial(_neighbored, ByLot(CHOSEN), times=AS_COSTLY), _MORE),
    "2 nearest": Arm("neighbors", partial(_neighbored, Nearest(CHOSEN)), ("headlines",)),
    "labeled texts": Arm("written", partial(runs.plain, matches=_soft, steps=STEPS), _MORE),
    "as many real texts": Arm(
        "written",
        lambda room, student: runs.written(room, student, room.further[: room.count], STEPS),
        _MORE,
    ),
    "written from texts": Arm("written", partial(_written, "texts"), _MORE),
    "written from blanks": Arm("written", partial(_written, "blanks"), ("headlines",)),
    "tokens at random": Arm(
        "written",
        lambda room, student: runs.written(room, student, runs.random_texts(room), STEPS),
        _MORE,
    ),
}  # fmt: skip
#: models that the ledger measures as well
KEPT = (
    "labels", "annealing", "through an assistant", "MATE-KD", "FreeLB", "2 hardest", "written from texts",
)  # fmt: skip


# --- what arms share, kept once -------------------------------------------------------------------


def _data(task: str) -> tuple[str, ...]:
    place = input_of(task)
    return ("minilm", "pocket", place)


def _name(task: str) -> str:
    return task.replace("-", "").lower()


def _task_and_teacher(task: str, seed: int) -> tuple[Task, Teacher]:
    if task == PUBLIC:
        return task_named(task), load_teacher(task, seed)
    return load_task(task), load_teacher(task, seed)


def room_of(task_name: str, seed: int, with_answers: bool = True) -> tuple[Room, Teacher]:
    """A task's room, and the teacher as it was before its table was cut."""
    task, teacher = _task_and_teacher(task_name, seed)
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    texts, further = _texts_of(task, task_name)
    labeled, rest = runs.rows_of(task, texts, further, tokenizer)
    model: Any = runs.cut_teacher(teacher.model)
    answers = answers_of(task_name, seed)["logits"] if with_answers else model.classifier.weight[:0]
    return Room(task, tokenizer, model, labeled, rest, answers, seed), teacher


def _texts_of(task: Task, name: str) -> tuple[Sequence[TextExample], list[str]]:
    """Texts with labels and further ones without; of SST-2 so many of each, evenly spread."""
    if name != PUBLIC:
        return task.train, own.unlabeled(cast(Unlabeled, name))
    both = spread(task.train, 2 * PUBLIC_ROWS)
    return both[::2], [example.first for example in both[1::2]]


def answers_of(task: str, seed: int) -> dict[str, Any]:
    """What the teacher says of all texts, "logits", and its last [CLS], "states"."""
    entry = Entry(
        f"asked_{_name(task)}_{seed}",
        f"What MiniLM in the pocket BERT's pieces says of the texts of {task}",
        run_answers,
        {"task": task, "seed": seed},
        data=_data(task),
        done="asked",
    )
    return runs.read_answers(cached(entry).folder)


def run_answers(folder: Path, task: str, seed: int) -> None:
    """The teacher is asked once; what he says goes into the folder."""
    room, _ = room_of(task, seed, with_answers=False)
    seconds = runs.write_answers(folder, room.teacher, [*room.labeled, *runs.unlabeled(room.further)])
    write_json(folder / RESULT, {"processor_seconds": round(seconds, 1)})


def written_entry(task: str, how: str, seed: int) -> Entry:
    """Texts that the pocket BERT wrote, beginning with the labeled texts or with blanks."""
    return Entry(
        f"written_{_name(task)}_{seed}",
        f"Texts that the pocket BERT wrote in the place of {task}, from {how}",
        run_written,
        {"task": task, "how": how, "seed": seed},
        data=_data(task),
        done="written",
    )


def run_written(folder: Path, task: str, how: str, seed: int) -> None:
    """Texts are written into the folder."""
    room, _ = room_of(task, seed, with_answers=False)
    write_json(folder / RESULT, runs.gibbs_texts(room, from_blanks=how == "blanks"))


# --- runs -----------------------------------------------------------------------------------------


def arms_of(task: str) -> list[str]:
    """The arms that are trained on a task."""
    return [name for name, arm in ARMS.items() if task in arm.tasks]


def how_to_teach(seed: int) -> dict[str, Any]:
    """The arms of the course's tasks, and the teacher beside them."""
    return {task: on_task(task, seed, arms_of(task)) for task in TASKS}


def how_to_teach_public(seed: int) -> dict[str, Any]:
    """Most of them on SST-2."""
    return {PUBLIC: on_task(PUBLIC, seed, arms_of(PUBLIC))}


def on_task(task: str, seed: int, arms: Sequence[str]) -> dict[str, Any]:
    """Some arms on a task, and the teacher beside them."""
    beside = Entry(
        f"room_{_name(task)}_{seed}",
        f"MiniLM in its own and in the pocket BERT's pieces on {task}",
        run_beside,
        {"task": task, "seed": seed},
        data=_data(task),
    )
    found = {name: kept_result(run_of(task, name, seed)) for name in arms}
    return {**kept_result(beside), **found}


def run_beside(folder: Path, task: str, seed: int) -> None:
    """What no student's training gives."""
    room, teacher = room_of(task, seed)
    cut = judged(room.teacher, room.task, room.tokenizer, teacher.predictions)
    cut |= {"parameters": unique_parameters(room.teacher)}
    write_json(folder / RESULT, {"teacher": {"scores": teacher.scores}, "teacher, cut": cut})


def run_of(task: str, arm: str, seed: int) -> Entry:
    """One arm on one task, which the cache keeps."""
    return Entry(
        f"taught_{_name(task)}_{seed}",
        f"A small student of MiniLM on {task}: {arm}",
        run_arm,
        {"task": task, "arm": arm, "seed": seed},
        data=_data(task),
    )


def run_arm(folder: Path, task: str, arm: str, seed: int) -> None:
    """One arm on one task; what is recorded of it goes into the folder."""
    room, teacher = room_of(task, seed)
    student = room.student()
    spent = ARMS[arm].teach(room, student)
    rounded = {name: round(one, 1) if isinstance(one, float) else one for name, one in spent.items()}
    found = judged(student.eval(), room.task, room.tokenizer, teacher.predictions)
    write_json(folder / RESULT, {**found, **rounded, "parameters": unique_parameters(student)})
    if arm in KEPT:
        save_packed(student, folder / PACKED)


def config() -> dict[str, Any]:
    """What the records depend on besides the data."""
    return {
        "equal": EQUAL,
        "student": SMALL,
        "assistant": runs.ASSISTANT,
        "steps": {"all": STEPS, "labels": LABEL_STEPS, "adversary": _few, "as long": AS_LONG},
        "turns": {"steps": list(TURNS), "cycles": CYCLES},
        "rates": {"student": runs.RATE, "generator": runs.GENERATOR_RATE},
        "batch_size": runs.BATCH,
        "tau_max": TAU_MAX,
        "temperature": TEMPERATURE,
        "freelb": {**runs.FREELB, "ascents": runs.ASCENTS},
        "neighbors": {"of": runs.NEIGHBORS, "chosen": CHOSEN, "backward_rows": BACKWARD_ROWS},
        "gibbs": {"rounds": runs.ROUNDS, "at_once": runs.AT_ONCE},
        "public_rows": PUBLIC_ROWS,
    }
