"""Which weights learn, set by a draft with two bugs that raise no error."""

from collections.abc import Iterator
from typing import Any

import torch

from chapters.nb16 import what_learns
from lib.bert import BertConfig, BertForSequenceClassification
from lib.exercises.spec import Exercise, Mistake, edit
from lib.training import freezing

LAYERS, LEARN = "layers[len(layers) - k :]", "        layer.requires_grad_(True)\n"
POOLER, HEAD = "    model.bert.pooler.requires_grad_(True)\n", "    model.classifier.requires_grad_(True)\n"
FROZEN = "        weight.requires_grad = False\n"


def cases(seed: int) -> Iterator[tuple[int, int, bool]]:
    """Layers, how many of them shall learn, and whether all is frozen before."""
    yield from ((3, 1, False), (3, 2, False), (3, 0, False), (4, 3, False), (3, 2, True), (2, 0, True))


def run(candidate: Any, layers: int, k: int, frozen_before: bool) -> dict[str, float]:
    """Of each part of a fresh, tiny model the share of its parameters that learn afterwards."""
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(30, 8, layers, 2, 16, max_position_embeddings=8))
    model.requires_grad_(not frozen_before)
    candidate(model, k)
    learn = {part: [one.requires_grad for one in weights] for part, weights in freezing.parts(model).items()}
    return {f"share of {part} that learns": sum(flags) / len(flags) for part, flags in learn.items()}


# fmt: off
EXERCISE = Exercise(
    name="train_top", kind="bug", minutes=4, difficulty=2, reference=what_learns.train_top, cases=cases,
    run=run, gradients=False,
    mistakes=[
        Mistake("attribute_of_a_module", "No encoder layer learns, as in the draft. Which line should let"
            " them learn? Print next(layer.parameters()).requires_grad after it: the layer is a module, and"
            " its parameters have not heard of the line. Compare it with the two lines at the end of the"
            " draft, which work.", edit(LEARN, "        layer.requires_grad = True\n")),
        Mistake("minus_zero", "For k = 1 and more you are right. With k = 0, [-k:] is [0:], which is every"
            " layer, so all of them learn where none should. Count from the front: [len(layers) - k:].",
            edit(LAYERS, "layers[-k:]")),
        Mistake("other_layers", "Other layers learn than the top k. Layer 0 is the lowest; the last k of n"
            " begin at place n - k.",
            (edit(LAYERS, "layers[:k]"), edit(LAYERS, "layers[k:]"), edit("- k :", "- k - 1 :"))),
        Mistake("all_or_nothing", "All of the model learns, or nothing. Freeze every parameter first, then"
            " let the top learn.",
            (edit(HEAD, HEAD + "    model.requires_grad_(True)\n"),
             edit(HEAD, "    model.requires_grad_(False)\n"))),
        Mistake("top_left_out", "The head or the pooler stays frozen. Both stand above the last layer, and"
            " both have to learn.", (edit(HEAD, ""), edit(POOLER, ""), edit(POOLER + HEAD, ""))),
        Mistake("embeddings_too", "The embeddings learn. They are below the lowest layer, so they stay"
            " frozen.", edit(HEAD, HEAD + "    model.bert.embeddings.requires_grad_(True)\n")),
        Mistake("only_freezes", "If the model was frozen before, its top stays frozen: the top also has to be"
            " let learn.",
            (edit(FROZEN, "        pass\n").then(LEARN, "        pass\n").then(POOLER + HEAD,
                "    for part in (model.bert.embeddings, *layers[: len(layers) - k]):\n"
                "        part.requires_grad_(False)\n"),
             edit(HEAD, "").then("model.parameters()", "model.bert.parameters()"))),
    ],
    hints=("After each line, does next(layer.parameters()).requires_grad say what you expect? And"
           " layers[-0:]?",
           "requires_grad is a parameter's; a module has requires_grad_(True). The last k of n are [n - k:].",
           "for layer in layers[len(layers) - k :]: layer.requires_grad_(True)"),
    why="Neither bug raises an error, so print what learns before you train.", box="task_head",
)
# fmt: on
