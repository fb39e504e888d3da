"""MiniLM with more and more of its weights at 0: by which rule, with or without training, and what is lost.

Most of it on the course's headlines, whose nine categories leave more room between a guess and the whole
model than reviews do; on reviews an arm of each rule. Within a family all arms have equally many steps, and
in the family of SparseBERT, whose steps differ, about as many seconds. An arm called dense learns as long
with no weight pruned.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lib.analysis.attention.head_ablation import hidden_batches, losses
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.packed import save_packed
from lib.compression.pruning.masks import add_masks, masks_of, prune, set_masks
from lib.compression.pruning.tickets import (
    find_ticket,
    rewind,
    shuffle_survivors,
    shuffled_masks,
    snapshot,
    sparsity_after,
)
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.seeded_teachers import SeededTeacher, teacher_of
from lib.records.students import MAX_LENGTH, Unlabeled, texts_for
from lib.records.teachers import DATA_OF
from lib.text.tasks import Row
from lib.training import baselines
from lib.training.features import encoder_of
from lib.training.finetuning import evaluate, fresh_model
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Task
from studies import pruning_runs
from studies.pruning_runs import CHOICES, SHORTLY, Arm, Rule, Training, fit, on_labels

TASK: Unlabeled = "headlines"
OTHER: Unlabeled = "reviews"
#: pruned without any training
LEVELS: dict[Rule, tuple[float, ...]] = {
    "magnitude": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
    "global": (0.3, 0.5, 0.7, 0.8, 0.9),
    "random": (0.1, 0.3, 0.5, 0.7, 0.9),
}
SHORT, LONG = 100, 300
#: seconds of a step in SparseBERT's family, so that all get about SECONDS of them
SECONDS, LABEL_STEP, INSIDE_STEP = 60.0, 0.15, 0.2
ON_LABELS, ON_INSIDE = round(SECONDS / LABEL_STEP), round(SECONDS / INSIDE_STEP)
TICKET_STEPS, ROUNDS, SHARE = 75, 3, 0.3
TICKETS = {"steps": TICKET_STEPS, "rounds": ROUNDS, "share": SHARE}
KNOWLEDGE_LEVELS, KNOWLEDGE_STEPS, BLANK_BATCHES = (0.0, 0.5, 0.7, 0.8, 0.9), 100, 16

RECOVERED: dict[str, Arm] = {
    "dense": Arm(rule="magnitude", sparsity=0.0, steps=SHORT),
    **{
        f"magnitude {level}": Arm(rule="magnitude", sparsity=level, steps=SHORT)
        for level in (0.5, 0.7, 0.9, 0.95)
    },
    **{f"random {level}": Arm(rule="random", sparsity=level, steps=SHORT) for level in (0.5, 0.9)},
    "global 0.9": Arm(rule="global", sparsity=0.9, steps=SHORT),
    "magnitude at once 0.9": Arm(rule="magnitude", sparsity=0.9, steps=SHORT, at_once=True),
}
MOVED: dict[str, Arm] = {
    "long, dense": Arm(rule="magnitude", sparsity=0.0, steps=LONG),
    "long, magnitude 0.9": Arm(rule="magnitude", sparsity=0.9, steps=LONG),
    "long, magnitude 0.5": Arm(rule="magnitude", sparsity=0.5, steps=LONG),
    "long, random 0.9": Arm(rule="random", sparsity=0.9, steps=LONG),
    "long, movement 0.9": Arm(rule="movement", sparsity=0.9, steps=LONG),
    "long, soft movement": Arm(rule="soft movement", sparsity=0.9, steps=LONG),
}
#: by where they start and what they learn; the first is what SparseBERT sets out from, the last is SparseBERT
TAUGHT = {
    "fine-tuned, labels": Arm(rule="magnitude", sparsity=0.95, steps=ON_LABELS),
    "pretrained, labels": Arm(rule="magnitude", sparsity=0.95, steps=ON_LABELS, start="pretrained"),
    "fine-tuned, inside": Arm(rule="magnitude", sparsity=0.95, steps=ON_INSIDE, inside=True),
    "pretrained, inside": Arm(
        rule="magnitude", sparsity=0.95, steps=ON_INSIDE, start="pretrained", inside=True
    ),
}
#: on reviews an arm of each rule; the soft one needs its time
FEW = (
    "dense", "magnitude 0.5", "magnitude 0.9", "random 0.5", "random 0.9", "long, magnitude 0.5",
    "long, soft movement",
)  # fmt: skip
ARMS: dict[Unlabeled, dict[str, Arm]] = {
    TASK: RECOVERED | MOVED | TAUGHT,
    OTHER: {name: (RECOVERED | MOVED)[name] for name in FEW}
    | {"movement 0.9": Arm(rule="movement", sparsity=0.9, steps=SHORT)}
    | {"pretrained, inside": TAUGHT["pretrained, inside"]},
}
#: in a record of their own
FURTHER = {
    f"{name}, 0.8": replace(TAUGHT[name], sparsity=0.8)
    for name in ("fine-tuned, labels", "pretrained, inside")
}
#: models that the ledger measures as well, and of tickets the ticket
KEPT = (
    "magnitude 0.9", "long, magnitude 0.9", "long, movement 0.9", "long, soft movement", "pretrained, inside",
    "tickets",
)  # fmt: skip
#: what needs no arm, and the tasks that it is measured on
PARTS: dict[str, tuple[Unlabeled, ...]] = {
    "beside": (TASK, OTHER),
    "curves": (TASK, OTHER),
    "tickets": (TASK,),
    "knowledge": (TASK,),
}


def pruned_weights(seed: int) -> dict[str, Any]:
    """All that the record holds for a seed, which draws teacher, head, order of the rows, and dropout."""
    return {task: {part: kept_result(run_of(task, part, seed)) for part in parts_of(task)} for task in ARMS}


def parts_of(task: Unlabeled) -> list[str]:
    """What is recorded of a task: some parts, and its arms."""
    return [part for part, tasks in PARTS.items() if task in tasks] + list(ARMS[task])


def run_of(task: Unlabeled, part: str, seed: int) -> Entry:
    """An arm, or another part of the record, which the cache keeps."""
    return Entry(
        f"pruned_{task}_{seed}",
        f"Pruned weights, on the course's {task}: {part}",
        run_part,
        {"task": task, "part": part, "seed": seed},
        data=("minilm", "pocket", DATA_OF[task], "data/reader"),
    )


def run_part(folder: Path, task: Unlabeled, part: str, seed: int) -> None:
    """One part of the record; it goes into the folder."""
    learned = load_task(task)
    if part == "knowledge":
        write_json(folder / RESULT, knowledge(learned, seed))
        return
    teacher = teacher_of(task, seed)
    arms = ARMS[task] | TAUGHT | FURTHER
    if part in arms:
        arm = arms[part]
        rows = _rows("unlabeled" if arm.inside else "labeled", task, seed)
        pruning_runs.run_arm(folder, arm, learned, rows, teacher, seed, part in KEPT)
    elif part == "tickets":
        found, ticket = tickets(learned, _rows("labeled", task, seed), teacher, seed, TICKET_STEPS)
        save_packed(ticket, folder / PACKED)
        write_json(folder / RESULT, found)
    elif part == "curves":
        write_json(folder / RESULT, curves(learned, teacher, LEVELS))
    else:
        write_json(folder / RESULT, beside(learned, teacher))


def _rows(kind: Any, task: Unlabeled, seed: int) -> list[Row]:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    return load_task(task).kind.rows(texts_for(kind, task, seed), tokenizer, MAX_LENGTH)


def beside(task: Task, teacher: SeededTeacher) -> dict[str, Any]:
    """The dense model, a count of words, and how often the commonest label is right."""
    counted = baselines.classify_texts(task.train, task.test)
    return {
        "teacher": teacher.scores,
        "baseline": task.kind.score(counted, task.test),
        "one answer": max(Counter(example.label for example in task.test).values()) / len(task.test),
    }


def curves(
    task: Task, teacher: SeededTeacher, levels: dict[Rule, tuple[float, ...]]
) -> dict[str, dict[str, Any]]:
    """The fine-tuned model, pruned and not trained again: scores by rule and level."""
    model, tokenizer = teacher.model, WordPieceTokenizer.from_pretrained("minilm")
    add_masks(model)
    whole, found = masks_of(model), dict[str, dict[str, Any]]()
    for rule, shares in levels.items():
        found[rule] = {}
        set_masks(model, whole)
        for share in shares:
            prune(model, share, CHOICES[rule])
            found[rule][str(share)] = pruning_runs.judged(model, task, tokenizer, teacher.predictions)
    return found


def tickets(
    task: Task,
    rows: Sequence[Row],
    teacher: SeededTeacher,
    seed: int,
    steps: int,
    training: Training = SHORTLY,
) -> tuple[dict[str, Any], PreTrainedBert]:
    """A ticket of the pretrained model and its controls, all trained alike from the rewound weights; and the
    trained ticket, under its masks."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    place = next(teacher.model.parameters()).device
    model = _frozen_tables(fresh_model(task, "minilm", seed).eval()).to(place)
    add_masks(model)
    start, whole = snapshot(model), masks_of(model)

    seconds: list[float] = []

    def train(one: Any) -> None:
        seconds.append(fit(on_labels(one), rows, steps, seed, training=training))

    ticket = find_ticket(model, start, train, ROUNDS, SHARE)[-1]
    searching = sum(seconds)
    found: dict[str, Any] = {"sparsity": sparsity_after(ROUNDS, SHARE)}
    others = {"dense": whole, "ticket": ticket, "random mask": shuffled_masks(ticket, seed)}
    for name, masks in (others | {"shuffled weights": ticket}).items():
        set_masks(model, masks)
        rewind(model, start)
        if name == "shuffled weights":
            shuffle_survivors(model, seed)
        train(model)
        found[name] = pruning_runs.judged(model, task, tokenizer, teacher.predictions)
        if name == "ticket":
            kept, found["processor_seconds"] = copy.deepcopy(model), round(searching + seconds[-1], 1)
    return found, kept


def knowledge(task: Task, seed: int) -> dict[str, Any]:
    """What the pocket BERT loses when: its guesses of hidden pieces, and a task that it learns afterwards."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    rows = task.kind.rows(task.train, tokenizer, MAX_LENGTH)
    batches = hidden_batches(tokenizer, BLANK_BATCHES, seed)
    general = BertForMaskedLM.from_pretrained("pocket").eval()
    add_masks(general)
    found: dict[str, list[float]] = {"loss": [], "pruned, then tuned": [], "tuned, then pruned": []}
    whole: PreTrainedBert | None = None
    for level in KNOWLEDGE_LEVELS:
        prune(general, level)
        found["loss"].append(float(losses(general, batches).mean()))
        model = _frozen_tables(fresh_model(task, "pocket", seed).eval())
        add_masks(model)
        prune(model, level)
        fit(on_labels(model), rows, KNOWLEDGE_STEPS, seed, pad_id=tokenizer.pad_token_id)
        whole = whole or model
        prune(whole, level)
        for name, one in (("pruned, then tuned", model), ("tuned, then pruned", whole)):
            scores, _ = evaluate(one, tokenizer, task.kind, task.test, MAX_LENGTH)
            found[name].append(scores[task.kind.metric])
    return {"levels": list(KNOWLEDGE_LEVELS), **found}


def _frozen_tables(model: PreTrainedBert) -> PreTrainedBert:
    encoder_of(model).embeddings.requires_grad_(False)
    return model


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        **pruning_runs.config(),
        "levels": {rule: list(shares) for rule, shares in LEVELS.items()},
        "arms": {task: {name: asdict(arm) for name, arm in arms.items()} for task, arms in ARMS.items()},
        "tickets": TICKETS,
        "knowledge": {
            "levels": list(KNOWLEDGE_LEVELS),
            "steps": KNOWLEDGE_STEPS,
            "batches": BLANK_BATCHES,
        },
    }
