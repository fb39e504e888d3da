"""Two runs on the reviews, from pretrained and from random weights, and the loss around where they went.

runs = load_runs()
print(runs.told)  # trained here in 150 s; or: from the cache, trained on 2026-11-22 in 150 s
runs.paths["pretrained"][0], runs.accuracies["random"]

The BERT is a small one, so that its whole space can be walked through in a notebook: the lower three of
MiniLM's six layers, and of its vocabulary the tokens that occur in the reviews. No dropout, so that the loss
which training lowers is the one that a landscape shows.
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
from lib.experiments.cache import Entry, cached
from lib.files import write_json
from lib.text.tasks import TaskBatches
from lib.training.finetuning import Recipe, evaluate, fine_tune, fresh_model
from lib.training.known_tasks import load_task
from lib.training.snapshots import Snapshots
from lib.training.task_kinds import Task

LAYERS = 3  # of MiniLM's six
LENGTH = 32  # tokens of a review that are read
ROWS = 400  # reviews to learn from
RECIPES = {
    "pretrained": Recipe(epochs=4, batch_size=16, learning_rate=2e-4, max_length=LENGTH),
    "random": Recipe(epochs=10, batch_size=16, learning_rate=5e-4, max_length=LENGTH),
}
#: the steps after which a snapshot is kept: close together where the loss falls fastest
KEPT = {
    "pretrained": (0, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100),
    "random": (0, 10, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250),
}
AT = 48  # reviews that a landscape is the loss of
ACROSS, UP = [-0.4 + 0.15 * n for n in range(13)], [-0.4 + 0.2 * n for n in range(10)]
AROUND = [-1.0 + 0.25 * n for n in range(9)]  # of the planes around an end, filter-normalized
CURVED, OF_ROWS = 3, 8  # batches whose curvature is measured, and their reviews
TOLERANCE, ITERATIONS, SAMPLES = 0.05, 8, 4
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
    scores: dict[str, float]  # loss and accuracy, on the reviews it learned from ("seen ...") and new ones
    around: Plane  # loss on reviews it learned from, on two random directions around its end
    curvature: dict[str, Curvature]  # by part


class Runs(NamedTuple):
    """Both runs, what they read, and the plane that they share."""

    pretrained: Run
    random: Run
    seen: list[Batch]  # of the reviews that both learned from
    new: list[Batch]
    shared: dict[str, Plane]  # the loss on "seen" and "new" reviews
    told: str


def small_tokenizer(task: Task) -> WordPieceTokenizer:
    """MiniLM's tokenizer with the special tokens and those of the task's texts alone, which it cuts alike."""
    whole = WordPieceTokenizer.from_pretrained("minilm")
    used = set(whole.all_special_ids)
    for example in (*task.train, *task.test):
        used.update(whole.encode(example.first))
    return WordPieceTokenizer(whole.convert_ids_to_tokens(sorted(used)))


def new_model(start: str) -> BertForSequenceClassification:
    """The small BERT under a fresh head: with MiniLM's weights or, `start` "random", with random ones."""
    task = load_task("reviews")
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
    for name, kept in {"word": rows, "position": list(range(LENGTH))}.items():
        table = f"bert.embeddings.{name}_embeddings.weight"
        weights[table] = weights[table][kept]
    model.load_state_dict({name: weights[name] for name in model.state_dict()})
    return model


def batches_of(task: Task, tokenizer: WordPieceTokenizer, split: str, batch_size: int = AT) -> list[Batch]:
    """The reviews that both runs learn from ("seen") or new ones, in batches that never change."""
    examples = task.train[:ROWS] if split == "seen" else task.test
    rows = task.kind.rows(examples, tokenizer, LENGTH)
    batches = TaskBatches(rows, tokenizer.pad_token_id, batch_size, seed=None)
    return [batches(number) for number in range(batches.size)]


def train_run(folder: Path, start: str, recipe: Recipe, kept: Sequence[int]) -> dict[str, Any]:
    """Train from one start; in `folder` the snapshots, and as an answer the losses and scores."""
    whole, model = load_task("reviews"), new_model(start)
    tokenizer = small_tokenizer(whole)
    snapshots = Snapshots(model, kept)
    task = replace(whole, train=whole.train[:ROWS])
    result = fine_tune(model, tokenizer, task, recipe, seed=0, callbacks=[snapshots])
    save_file(snapshots.state_dict(), folder / f"{start}.safetensors")
    scores = {"new accuracy": result.scores["accuracy"]}
    scores["seen accuracy"] = evaluate(model, tokenizer, task.kind, task.train, LENGTH)[0]["accuracy"]
    for split in ("seen", "new"):
        scores[f"{split} loss"] = mean_loss(model, batches_of(whole, tokenizer, split))
    return {"step_losses": result.losses, "scores": scores}


def load_path(folder: Path, start: str) -> dict[int, Direction]:
    """The snapshots of a run, by step."""
    path: dict[int, Direction] = {}
    for key, tensor in load_file(folder / f"{start}.safetensors").items():
        step, _, name = key.partition("/")
        path.setdefault(int(step), {})[name] = tensor
    return dict(sorted(path.items()))


def corners(paths: dict[str, dict[int, Direction]]) -> tuple[Direction, Direction, Direction]:
    """The checkpoints that span the shared plane: the end from random weights at (0, 0), the end from
    pretrained ones at (1, 0), and at (0, 1) the random weights; in full precision."""
    ends = [max(paths[start]) for start in ("random", "pretrained")]
    points = paths["random"][ends[0]], paths["pretrained"][ends[1]], paths["random"][0]
    return tuple({name: tensor.float() for name, tensor in point.items()} for point in points)  # type: ignore[return-value]


def around(model: BertForSequenceClassification, batches: Sequence[Batch], at: Sequence[float]) -> Surface:
    """The loss on the plane of two random directions, filter-normalized, around where a model stands."""
    center = weights_of(model)
    one, other = (filter_normalized(random_direction(center, seed), center) for seed in (0, 1))
    return plane(model, batches, one, other, at, at)


def curvature_of(
    model: BertForSequenceClassification, batches: Sequence[Batch]
) -> dict[str, dict[str, list[float]]]:
    """The top eigenvalue and the trace of each part of the encoder, on each batch by itself."""
    found: dict[str, dict[str, list[float]]] = {name: {"top": [], "trace": []} for name in PARTS}
    for name, pattern in PARTS.items():
        part = part_of(dict(model.named_parameters()), pattern)
        for batch in batches:
            hessian = Hessian(model, [batch], part)
            found[name]["top"].append(top_eigenvalue(hessian, TOLERANCE, ITERATIONS).value)
            found[name]["trace"].append(trace(hessian, SAMPLES).value)
    return found


def make_runs(folder: Path, rows: int, recipes: dict[str, Any], kept: dict[str, list[int]]) -> None:
    """Train both, and measure the planes and the curvature that take long."""
    result = {start: train_run(folder, start, Recipe(**recipes[start]), kept[start]) for start in recipes}
    task = load_task("reviews")
    tokenizer = small_tokenizer(task)
    batches = {split: batches_of(task, tokenizer, split)[:1] for split in ("seen", "new")}
    paths = {start: load_path(folder, start) for start in recipes}
    model = new_model("random").eval()
    shared = {
        split: plane_through(model, batches[split], *corners(paths), ACROSS, UP).losses.tolist()
        for split in batches
    }
    for start, path in paths.items():
        model.load_state_dict(path[max(path)])
        result[start]["around"] = around(model, batches["seen"], AROUND).losses.tolist()
        bent = batches_of(task, tokenizer, "seen", OF_ROWS)[:CURVED]
        result[start]["curvature"] = curvature_of(model, bent)
    write_json(folder / RESULT, {"runs": result, "shared": shared})


LANDSCAPES = Entry(
    "landscapes",
    "A small BERT on the reviews, from pretrained and from random weights, and the loss around both ends",
    make_runs,
    {
        "rows": ROWS,
        "recipes": {start: asdict(recipe) for start, recipe in RECIPES.items()},
        "kept": {start: list(steps) for start, steps in KEPT.items()},
    },
    data=("minilm", "data/tasks/reviews"),
)


def load_runs() -> Runs:
    """Both runs, trained now if they are not in the cache."""
    kept = cached(LANDSCAPES)
    result = json.loads((kept.folder / RESULT).read_text(encoding="utf-8"))
    task = load_task("reviews")
    tokenizer = small_tokenizer(task)
    runs = {
        start: Run(
            load_path(kept.folder, start),
            found["step_losses"],
            found["scores"],
            Plane(AROUND, AROUND, found["around"]),
            {name: Curvature(**of_part) for name, of_part in found["curvature"].items()},
        )
        for start, found in result["runs"].items()
    }
    seen, new = (batches_of(task, tokenizer, split) for split in ("seen", "new"))
    shared = {split: Plane(ACROSS, UP, losses) for split, losses in result["shared"].items()}
    return Runs(runs["pretrained"], runs["random"], seen, new, shared, str(kept))
