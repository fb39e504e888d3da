"""A learning rate for every part of a model, falling from the top to the embeddings."""

from collections.abc import Iterator
from typing import Any

import torch

from chapters.nb16 import what_learns
from lib.bert import BertConfig, BertForSequenceClassification
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.training import freezing

NONE = -1.0  # of a part in no group


def cases(seed: int) -> Iterator[tuple[int, float, float]]:
    """Two layers to read, one, the paper's decay, and equal rates."""
    yield 2, 1.0, 0.5
    yield 1, 0.1, 0.5
    yield 4, 3e-1, 0.8
    yield 3, 1.0, 1 / 2.6
    yield 3, 1.0, 1.0


def run(candidate: Any, layers: int, top: float, decay: float) -> dict[str, float]:
    """The rate of each part, as an optimizer has it; of a part whose weights have several, the mean."""
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(30, 8, layers, 2, 16, max_position_embeddings=8))
    groups = candidate(model, top, decay)
    if groups is None:
        raise Unfit("Your function returns nothing. Its last line gives back the list of groups.")
    optimizer = torch.optim.AdamW(groups, lr=NONE * -100)
    rate_of = {id(weight): group["lr"] for group in optimizer.param_groups for weight in group["params"]}
    rates = {}
    for part, weights in freezing.parts(model).items():
        found = [rate_of.get(id(weight), NONE) for weight in weights]
        rates[f"rate of {part}"] = sum(found) / len(found)
    return rates


LAST, EMBEDDED = (
    "rate = decay * rate",
    'groups.append({"params": list(model.bert.embeddings.parameters()), "lr": rate})',
)
LAYER = 'groups.append({"params": list(layer.parameters()), "lr": rate})'

# fmt: off
EXERCISE = Exercise(
    name="layer_groups", minutes=6, difficulty=2, reference=what_learns.layer_groups, cases=cases, run=run,
    gradients=False, tolerance=1e-7,
    mistakes=[
        Mistake("upside_down", "Your layer 0 has the highest rate. The last layer has `top`, so begin there:"
            " reversed(model.bert.encoder.layer) goes from the top down.",
            edit("reversed(model.bert.encoder.layer)", "model.bert.encoder.layer")),
        Mistake("embeddings_left_out", "The embeddings are in no group, so the optimizer never moves them."
            " They lie below layer 0 and get a group of their own.", edit(f"    {EMBEDDED}\n", "")),
        Mistake("top_left_out", "The pooler or the head is in no group, so the optimizer never moves it. Both"
            " learn at `top`.",
            (edit('[{"params": above, "lr": top}]', "[]"), edit("*model.bert.pooler.parameters(), ", ""),
             edit(", *model.classifier.parameters()", ""))),
        Mistake("embeddings_as_layer_0", "The embeddings learn as fast as layer 0. They lie below it: one"
            " more factor of `decay`.", edit(EMBEDDED, EMBEDDED.replace("rate}", "rate / decay}"))),
        Mistake("last_layer_decayed", "Your last layer has decay times `top`. It has `top` itself; the first"
            " factor belongs to the layer below it.", edit("rate = top\n", "rate = decay * top\n")),
        Mistake("falls_by_a_line", "The rates fall by the same amount each time. Each is `decay` *times* the"
            " one above it, so they fall by the same factor.", edit(LAST, "rate = rate - (1 - decay) * top")),
        Mistake("same_for_all", "All layers below the last have the same rate. Each is `decay` times the rate"
            " of the layer just above it: the factors multiply.", edit(LAST, "rate = decay * top")),
        Mistake("one_rate", "All parts learn at `top`. After each layer the rate is multiplied by `decay`.",
            edit(LAST, "pass")),
        Mistake("one_minus_decay", "You multiply by 1 - decay. `decay` itself is the factor: 0.8 keeps 80% of"
            " the rate above.", edit(LAST, "rate = (1 - decay) * rate")),
        Mistake("grows_downward", "Your rates grow from layer to layer on the way down. Multiply by `decay`,"
            " which is below 1.", edit(LAST, "rate = rate / decay")),
        Mistake("factor_for_rate", "Your rates begin at 1. They begin at `top`.",
            edit("rate = top\n", "rate = 1.0\n")),
    ],
    hints=("Go from the top down. Pooler and head share the first group; then a group for each layer, and the"
           " rate is multiplied by `decay` after each.",
           "A group is a dictionary: {'params': list(layer.parameters()), 'lr': rate}. The layers are"
           " reversed(model.bert.encoder.layer), and model.bert.embeddings comes last.",
           "rate = top; for layer in reversed(model.bert.encoder.layer): groups.append({'params':"
           " list(layer.parameters()), 'lr': rate}); rate = decay * rate"),
    why="What is lower is more general, so it has less to change.", box="task_head",
)
# fmt: on
