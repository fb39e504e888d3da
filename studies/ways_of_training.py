"""Ways to train MiniLM on a task: the head alone, some layers, everything, or a few new weights instead.

Each way prepares a fresh model, so that what shall learn is trainable and the rest is frozen. Learning rates
were chosen with seed 9, which no result is reported of: new weights take larger steps than pretrained ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.adapters import add_adapter
from lib.bert.added import added_parameters, layer_paths
from lib.bert.alterations import parametrize
from lib.bert.model import PreTrainedBert
from lib.bert.prompts import add_prefix, add_prompt
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import RESULT
from lib.records.teachers import RECIPES, input_of
from lib.training import baselines
from lib.training.finetuning import FineTuned, Recipe, fine_tune, fresh_model
from lib.training.freezing import (
    HEAD,
    POOLER,
    GradualUnfreezing,
    layer_factors,
    layer_rates,
    parts,
    train_only,
    train_top,
)
from lib.training.known_tasks import OWN, load_task
from lib.training.loop import Callback
from lib.training.optim import OfParameter, same_rate
from lib.training.task_kinds import Task

ADAPTER_SIZE, PREFIX_SIZE, PROMPT_SIZE, RANK = 16, 8, 8, 8
LAYER_DECAY = 0.8


@dataclass(frozen=True)
class Way:
    """What is done to a fresh model before it is trained, and how fast it is trained then."""

    prepare: Callable[[PreTrainedBert], None]
    rate: float  # times the recipe's, which suits the training of all weights
    rate_of: Callable[[PreTrainedBert, float], OfParameter] = lambda _model, _peak: same_rate
    #: given the steps of an epoch
    callbacks: Callable[[PreTrainedBert, int], Sequence[Callback]] = lambda _model, _steps: ()


def everything(model: PreTrainedBert) -> None:
    """All weights learn."""
    model.requires_grad_(True)


def top(layers: int) -> Callable[[PreTrainedBert], None]:
    """The highest layers learn, with the pooler and the head; with none it is those alone."""
    return lambda model: train_top(model, layers)


def adapters(model: PreTrainedBert) -> None:
    """Two adapters a layer, and with them the norms and the head (Houlsby et al., 2019)."""
    for path in (*layer_paths(model, "attention.output"), *layer_paths(model, "output")):
        add_adapter(model, path, size=ADAPTER_SIZE)
    train_only(model, *added_parameters(model), "*.LayerNorm.*", *_on_top(model))


def prefix(model: PreTrainedBert) -> None:
    """Keys and values ahead of those of the text, in every layer (Li and Liang, 2021), and the head."""
    for path in layer_paths(model, "attention.self"):
        add_prefix(model, path, size=PREFIX_SIZE)
    train_only(model, *added_parameters(model), *_on_top(model))


def prompt(model: PreTrainedBert) -> None:
    """Vectors ahead of the words (Lester et al., 2021), and the head."""
    add_prompt(model, "bert", size=PROMPT_SIZE)
    train_only(model, *added_parameters(model), *_on_top(model))


def low_rank(model: PreTrainedBert) -> None:
    """Updates of low rank to the queries and values of all layers (Hu et al., 2022), and the head."""
    for part in ("attention.self.query", "attention.self.value"):
        for path in layer_paths(model, part):
            parametrize(model, path, "LoRA", rank=RANK)
    train_only(model, *added_parameters(model), *_on_top(model))


def _on_top(model: PreTrainedBert) -> list[str]:
    """The pooler, where there is one, and the head."""
    return [part for part in parts(model) if part in (POOLER, HEAD)]


def _falling(model: PreTrainedBert, peak: float) -> OfParameter:
    rates = layer_rates(model.config.num_hidden_layers, peak, LAYER_DECAY)
    return layer_factors(rates, peak)


WAYS = {
    "head": Way(top(0), 15),
    "top 1": Way(top(1), 2.5),
    "top 2": Way(top(2), 2.5),
    "all": Way(everything, 1),
    "layer rates": Way(everything, 1.5, rate_of=_falling),
    "gradual": Way(
        everything,
        1.5,
        callbacks=lambda model, steps: [GradualUnfreezing(model, every=max(1, steps // 3))],
    ),
    "adapters": Way(adapters, 10),
    "prefix": Way(prefix, 25),
    "prompt": Way(prompt, 100),
    "low rank": Way(low_rank, 10),
}


def train_by(way: Way, task: Task, recipe: Recipe, seed: int) -> FineTuned:
    """MiniLM trained on a task in one of the ways."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    model = fresh_model(task, "minilm", seed)
    way.prepare(model)
    steps = -(-len(task.train) // recipe.batch_size)
    peak = way.rate * recipe.learning_rate
    return fine_tune(
        model,
        tokenizer,
        task,
        replace(recipe, learning_rate=peak),
        seed=seed,
        rate_of=way.rate_of(model, peak),
        callbacks=way.callbacks(model, steps),
    )


def recipe_of(task: str) -> Recipe:
    """The teachers' recipe, in the precision that makes hundreds of runs affordable."""
    return replace(RECIPES[task], precision="bf16")


def recorded(result: FineTuned) -> dict[str, Any]:
    """What the record keeps of a run."""
    return {
        "scores": result.scores,
        "processor_seconds": round(result.processor_seconds, 1),
        "memory": result.memory._asdict(),
        "trained_weights": result.trained_weights,
        "stored_bytes": 4 * result.trained_weights,
    }


def run_way(folder: Path, task: str, way: str, seed: int) -> None:
    """One way on one task; what is recorded of it goes into the folder."""
    result = train_by(WAYS[way], load_task(task), recipe_of(task), seed)
    write_json(folder / RESULT, recorded(result))


def all_ways(seed: int) -> dict[str, Any]:
    """Every way on every task, and beside them what counting words reaches.

    Each run is kept in the cache as soon as it is done: all of them take hours.
    """
    found: dict[str, Any] = {}
    for task, (kind, read) in OWN.items():
        predictions = baselines.OF_TASK[task](read("train"), read("test"))
        found[task] = {way: _kept(task, way, seed) for way in WAYS} | {
            "baseline": {"scores": kind.score(predictions, read("test"))}
        }
    return found


def _kept(task: str, way: str, seed: int) -> Any:
    entry = Entry(
        f"way_of_training_{seed}",
        f"MiniLM trained on the course's {task}: {way}",
        run_way,
        {"task": task, "way": way, "seed": seed},
        data=("minilm", input_of(task)),
    )
    return json.loads((cached(entry).folder / RESULT).read_text(encoding="utf-8"))


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "recipes": {task: asdict(recipe_of(task)) for task in OWN},
        "rates": {name: way.rate for name, way in WAYS.items()},
        "sizes": {"adapters": ADAPTER_SIZE, "prefix": PREFIX_SIZE, "prompt": PROMPT_SIZE, "low rank": RANK},
        "layer_decay": LAYER_DECAY,
    }
