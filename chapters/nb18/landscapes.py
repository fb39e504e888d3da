"""Two runs on the headlines, from pretrained and from random weights, and the loss around where they went.

runs = load_runs()
print(runs.told)  # trained here in 150 s; or: from the cache, trained on 2026-11-22 in 150 s
runs.paths["pretrained"][0], runs.accuracies["random"]

The BERT is a small one, so that its whole space can be walked through in a notebook: the lower three of
MiniLM's six layers, and of its vocabulary the tokens that occur in the headlines. There is no dropout, so
that the loss that training lowers is the one that a landscape shows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file, save_file

from lib.analysis.landscape.curvature import PARTS, Hessian, top_eigenvalue, trace
from lib.analysis.landscape.directions import (
    Direction,
    filter_normalized,
    part_of,
    random_direction,
    weights_of,
)
from lib.analysis.landscape.losses import Batch, mean_loss
from lib.analysis.landscape.surfaces import Surface, plane, plane_through
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.text.tasks import TaskBatches
from lib.training.finetuning import Recipe, evaluate, fine_tune, fresh_model
from lib.training.known_tasks import load_task
from lib.training.snapshots import Snapshots
from lib.training.task_kinds import Task

LAYERS = 3  # of MiniLM's six
TASK = "headlines"
LENGTH = 24  # tokens of a headline that are read
EVERY = 2  # one headline in so many is learned from
RECIPE = Recipe(epochs=6, batch_size=16, learning_rate=5e-4, max_length=LENGTH)  # of both runs
#: the steps after which a snapshot is kept: closer together where the loss falls fastest
KEPT = (0, 10, 20, 35, 50, 75, 100, 130, 165, 204)
STARTS = ("pretrained", "random")
AT = 32  # headlines that a landscape is the loss of
ACROSS = [-0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]  # of the shared plane
UP = [-0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2]
AROUND = [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75]  # of the planes around an end, filter-normalized
CURVED, OF_ROWS = 3, 8  # batches whose curvature is measured, and their headlines
TOLERANCE, ITERATIONS, SAMPLES = 0.05, 6, 2
RESULT = "result.json"


class Plane(NamedTuple):
    """The losses of a plane: [A, B] at `first` [A] and `second` [B]."""

    first: list[float]
    second: list[float]
    losses: list[list[float]]


class Curvature(NamedTuple):
    """How the loss bends in one part of a model, for each batch."""

    top: list[float]  # the eigenvalue of largest magnitude
    trace: list[float]


class Run(NamedTuple):
    """One of the two runs: the weights after some steps, the loss of every step, and how it ended."""

    path: dict[int, Direction]  # by step, in half precision
    step_losses: list[float]
    scores: dict[str, float]  # loss and accuracy, on the headlines it learned from ("seen ...") and new ones
    around: Plane  # loss on headlines it learned from, on two random directions around its end
    curvature: dict[str, Curvature]  # by part

    @property
    def start(self) -> Direction:
        """Where it began, in full precision."""
        return in_full(self.path[0])

    @property
    def end(self) -> Direction:
        """Where it ended, in full precision."""
        return in_full(self.path[max(self.path)])


class Runs(NamedTuple):
    """Both runs, what they read, and the plane that they share: the end from random weights stands at (0, 0),
    that from pretrained ones at (1, 0), and the random weights at (0, 1)."""

    pretrained: Run
    random: Run
    seen: list[Batch]  # of the headlines that both learned from
    new: list[Batch]
    shared: dict[str, Plane]  # the loss on "seen" and "new" headlines
    told: str


def small_tokenizer(task: Task) -> WordPieceTokenizer:
    """MiniLM's tokenizer with the special tokens and those of the task's texts alone, which it cuts alike."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    used = set(tokenizer.all_special_ids)
    for example in (*task.train, *task.test):
        used.update(tokenizer.encode(example.first))
    return WordPieceTokenizer(tokenizer.convert_ids_to_tokens(sorted(used)))


def new_model(start: str) -> BertForSequenceClassification:
    """The small BERT under a fresh head: with MiniLM's weights or, `start` "random", with random ones."""
    task = load_task(TASK)
    tokens = list(small_tokenizer(task).vocab)
    published = fresh_model(task, "minilm", seed=0)
    config = replace(
        published.config,
        vocab_size=len(tokens),
        num_hidden_layers=LAYERS,
        max_position_embeddings=LENGTH,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    torch.manual_seed(0)
    model = BertForSequenceClassification(config)
    if start == "random":
        return model
    rows = WordPieceTokenizer.from_pretrained("minilm").convert_tokens_to_ids(tokens)
    weights = published.state_dict()
    for name, ids in {"word": rows, "position": list(range(LENGTH))}.items():
        table = f"bert.embeddings.{name}_embeddings.weight"
        weights[table] = weights[table][ids]
    model.load_state_dict({name: weights[name] for name in model.state_dict()})
    return model


def batches_of(task: Task, tokenizer: WordPieceTokenizer, split: str, batch_size: int = AT) -> list[Batch]:
    """The headlines that both runs learn from ("seen") or new ones, in batches that never change."""
    examples = task.train[::EVERY] if split == "seen" else task.test
    rows = task.kind.rows(examples, tokenizer, LENGTH)
    batches = TaskBatches(rows, tokenizer.pad_token_id, batch_size, seed=None)
    return [batches(number) for number in range(batches.size)]


def train_run(folder: Path, start: str, recipe: Recipe, kept: Sequence[int]) -> dict[str, Any]:
    """Train from one start; in `folder` the snapshots, and as an answer the losses and scores."""
    full_task, model = load_task(TASK), new_model(start)
    tokenizer = small_tokenizer(full_task)
    snapshots = Snapshots(model, kept)
    task = replace(full_task, train=full_task.train[::EVERY])
    result = fine_tune(model, tokenizer, task, recipe, seed=0, callbacks=[snapshots])
    save_file(snapshots.state_dict(), folder / f"{start}.safetensors")
    scores = {"new accuracy": result.scores["accuracy"]}
    scores["seen accuracy"] = evaluate(model, tokenizer, task.kind, task.train, LENGTH)[0]["accuracy"]
    for split in ("seen", "new"):
        scores[f"{split} loss"] = mean_loss(model, batches_of(full_task, tokenizer, split))
    return {"step_losses": result.losses, "scores": scores}


def load_path(folder: Path, start: str) -> dict[int, Direction]:
    """The snapshots of a run, by step."""
    path: dict[int, Direction] = {}
    for key, tensor in load_file(folder / f"{start}.safetensors").items():
        step, _, name = key.partition("/")
        path.setdefault(int(step), {})[name] = tensor
    return dict(sorted(path.items()))


def in_full(snapshot: Direction) -> Direction:
    """The same weights in full precision."""
    return {name: tensor.float() for name, tensor in snapshot.items()}


def around(model: BertForSequenceClassification, batches: Sequence[Batch], at: Sequence[float]) -> Surface:
    """The loss on the plane of two random directions, filter-normalized, around where a model stands."""
    center = weights_of(model)
    one, other = (filter_normalized(random_direction(center, seed), center) for seed in (0, 1))
    return plane(model, batches, one, other, at, at)


def curvature_of(
    model: BertForSequenceClassification, batches: Sequence[Batch]
) -> dict[str, dict[str, list[float]]]:
    """The top eigenvalue and the trace of each part of the encoder, on each batch by itself."""
    curvatures: dict[str, dict[str, list[float]]] = {name: {"top": [], "trace": []} for name in PARTS}
    for name, pattern in PARTS.items():
        part = part_of(dict(model.named_parameters()), pattern)
        for batch in batches:
            hessian = Hessian(model, [batch], part)
            curvatures[name]["top"].append(top_eigenvalue(hessian, TOLERANCE, ITERATIONS).value)
            curvatures[name]["trace"].append(trace(hessian, SAMPLES).value)
    return curvatures


def make_runs(folder: Path, recipe: dict[str, Any], kept: list[int]) -> None:
    """Train both, and measure the planes and the curvature that take long."""
    result = {start: train_run(folder, start, Recipe(**recipe), kept) for start in STARTS}
    task = load_task(TASK)
    tokenizer = small_tokenizer(task)
    batches = {split: batches_of(task, tokenizer, split)[:1] for split in ("seen", "new")}
    paths = {start: load_path(folder, start) for start in STARTS}
    model = new_model("random").eval()
    ends = {start: in_full(path[max(path)]) for start, path in paths.items()}
    corners = ends["random"], ends["pretrained"], in_full(paths["random"][0])
    shared = {
        split: plane_through(model, batches[split], *corners, ACROSS, UP).losses.tolist() for split in batches
    }
    for start in paths:
        model.load_state_dict(ends[start])
        result[start]["around"] = around(model, batches["seen"], AROUND).losses.tolist()
        bent = batches_of(task, tokenizer, "seen", OF_ROWS)[:CURVED]
        result[start]["curvature"] = curvature_of(model, bent)
    write_json(folder / RESULT, {"runs": result, "shared": shared})


LANDSCAPES = Entry(
    "landscapes",
    "A small BERT on the headlines, from pretrained and from random weights, and the loss around both ends",
    make_runs,
    {"recipe": asdict(RECIPE), "kept": list(KEPT)},
    data=("minilm", f"data/tasks/{TASK}"),
)


def load_runs() -> Runs:
    """Both runs, trained now if they are not in the cache."""
    stored = cached(LANDSCAPES)
    result = json.loads((stored.folder / RESULT).read_text(encoding="utf-8"))
    task = load_task(TASK)
    tokenizer = small_tokenizer(task)
    runs = {
        start: Run(
            load_path(stored.folder, start),
            run["step_losses"],
            run["scores"],
            Plane(AROUND, AROUND, run["around"]),
            {name: Curvature(**of_part) for name, of_part in run["curvature"].items()},
        )
        for start, run in result["runs"].items()
    }
    seen, new = (batches_of(task, tokenizer, split) for split in ("seen", "new"))
    shared = {split: Plane(ACROSS, UP, losses) for split, losses in result["shared"].items()}
    return Runs(runs["pretrained"], runs["random"], seen, new, shared, str(stored))
