"""Ways to train MiniLM on a task: the head alone, some layers, everything, or a few new weights instead.

Each way prepares a fresh model, so that what shall learn is trainable and the rest is frozen. Learning rates
were chosen with seed 9, which no result is reported of: new weights take larger steps than pretrained ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lib.bert import WordPieceTokenizer
from lib.bert.adapters import add_adapter
from lib.bert.added import added_parameters, layer_paths
from lib.bert.alterations import parametrize
from lib.bert.model import PreTrainedBert
from lib.bert.prompts import add_prefix, add_prompt
from lib.records.teachers import RECIPES
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
from lib.training.loop import Callback
from lib.training.optim import OfParameter, same_rate
from lib.training.task_kinds import Task

ADAPTER_SIZE, PREFIX_SIZE, PROMPT_SIZE, RANK = 16, 8, 8, 8
LAYER_DECAY = 0.8
STAGES = 3  # of gradual unfreezing, in an epoch


@dataclass(frozen=True)
class Way:
    """What is done to a fresh model before it is trained, and how fast it is trained then."""

    prepare: Callable[[PreTrainedBert], None]
    rate: float  # times the recipe's, which suits the training of all weights
    #: given the rate
    rate_of: Callable[[PreTrainedBert, float], OfParameter] | None = None
    #: given the steps of an epoch
    callbacks: Callable[[PreTrainedBert, int], Sequence[Callback]] | None = None


def everything(model: PreTrainedBert) -> None:
    """All weights learn."""
    model.requires_grad_(True)


def adapters(size: int, model: PreTrainedBert) -> None:
    """Two adapters a layer, and with them the norms and the head (Houlsby et al., 2019)."""
    for path in (*layer_paths(model, "attention.output"), *layer_paths(model, "output")):
        add_adapter(model, path, size=size)
    train_only(model, *added_parameters(model), "*.LayerNorm.*", *_on_top(model))


def prefix(size: int, model: PreTrainedBert) -> None:
    """Keys and values ahead of those of the text, in every layer (Li and Liang, 2021), and the head."""
    for path in layer_paths(model, "attention.self"):
        add_prefix(model, path, size=size)
    train_only(model, *added_parameters(model), *_on_top(model))


def prompt(size: int, model: PreTrainedBert) -> None:
    """Vectors ahead of the words (Lester et al., 2021), and the head."""
    add_prompt(model, "bert", size=size)
    train_only(model, *added_parameters(model), *_on_top(model))


def low_rank(rank: int, model: PreTrainedBert) -> None:
    """Updates of low rank to the queries and values of all layers (Hu et al., 2022), and the head."""
    for part in ("attention.self.query", "attention.self.value"):
        for path in layer_paths(model, part):
            parametrize(model, path, "LoRA", rank=rank)
    train_only(model, *added_parameters(model), *_on_top(model))


def _on_top(model: PreTrainedBert) -> list[str]:
    """The pooler, where there is one, and the head."""
    return [part for part in parts(model) if part in (POOLER, HEAD)]


def falling(decay: float, model: PreTrainedBert, peak: float) -> OfParameter:
    """The rate of each layer is that of the one above it, times `decay`."""
    return layer_factors(layer_rates(model.config.num_hidden_layers, peak, decay), peak)


def gradual(stages: int, model: PreTrainedBert, steps: int) -> list[Callback]:
    """One part more learns, from the head down, so many times in an epoch."""
    return [GradualUnfreezing(model, every=max(1, steps // stages))]


WAYS = {
    "head": Way(partial(train_top, k=0), 15),
    "top 1": Way(partial(train_top, k=1), 2.5),
    "top 2": Way(partial(train_top, k=2), 2.5),
    "all": Way(everything, 1),
    "layer rates": Way(everything, 1.5, rate_of=partial(falling, LAYER_DECAY)),
    "gradual": Way(everything, 1.5, callbacks=partial(gradual, STAGES)),
    "adapters": Way(partial(adapters, ADAPTER_SIZE), 10),
    "prefix": Way(partial(prefix, PREFIX_SIZE), 25),
    "prompt": Way(partial(prompt, PROMPT_SIZE), 100),
    "low rank": Way(partial(low_rank, RANK), 10),
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
        rate_of=way.rate_of(model, peak) if way.rate_of else same_rate,
        callbacks=way.callbacks(model, steps) if way.callbacks else (),
    )


def recipe_of(task: str) -> Recipe:
    """The teachers' recipe, in the precision that makes hundreds of runs affordable."""
    return replace(RECIPES[task], precision="bf16")
