"""Which weights learn, set by a draft with two bugs that raise no error."""

from collections.abc import Iterator
from typing import Any

import torch

from lib.bert import BertConfig, BertForSequenceClassification
from lib.exercises.spec import Exercise, Mistake
from lib.training import freezing

Model = BertForSequenceClassification


def cases(seed: int) -> Iterator[tuple[int, int, bool]]:
    """Layers, how many of them shall learn, and whether all is frozen before: one, some, none, all."""
    for layers, k in ((3, 1), (3, 2), (3, 0), (3, 3), (4, 3)):
        yield layers, k, False
    yield 3, 2, True
    yield 2, 0, True


def run(candidate: Any, layers: int, k: int, frozen_before: bool) -> dict[str, float]:
    """Of each part of a fresh, tiny model the share of its parameters that learn afterwards."""
    torch.manual_seed(0)
    model = Model(BertConfig(30, 8, layers, 2, 16, max_position_embeddings=8))
    model.requires_grad_(not frozen_before)
    candidate(model, k)
    return {
        f"share of {part} that learns": sum(parameter.requires_grad for parameter in parameters)
        / len(parameters)
        for part, parameters in freezing.parts(model).items()
    }


def draft(model: Model, k: int) -> None:
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[-k:]:
        layer.requires_grad = True  # type: ignore[assignment]
    _thaw_top(model)


def minus_zero(model: Model, k: int) -> None:
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[-k:]:
        layer.requires_grad_(True)
    _thaw_top(model)


def attribute_alone(model: Model, k: int) -> None:
    model.requires_grad_(False)
    _thaw_top(model)


def from_the_bottom(model: Model, k: int) -> None:
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[:k]:
        layer.requires_grad_(True)
    _thaw_top(model)


def from_layer_k(model: Model, k: int) -> None:
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[k:]:
        layer.requires_grad_(True)
    _thaw_top(model)


def nothing_frozen(model: Model, k: int) -> None:
    model.requires_grad_(True)


def all_frozen(model: Model, k: int) -> None:
    model.requires_grad_(False)


def without_head(model: Model, k: int) -> None:
    freezing.train_top(model, k)
    model.classifier.requires_grad_(False)


def without_pooler(model: Model, k: int) -> None:
    freezing.train_top(model, k)
    assert model.bert.pooler is not None
    model.bert.pooler.requires_grad_(False)


def layers_alone(model: Model, k: int) -> None:
    without_head(model, k)
    assert model.bert.pooler is not None
    model.bert.pooler.requires_grad_(False)


def embeddings_too(model: Model, k: int) -> None:
    freezing.train_top(model, k)
    model.bert.embeddings.requires_grad_(True)


def one_too_many(model: Model, k: int) -> None:
    freezing.train_top(model, min(k + 1, len(model.bert.encoder.layer)))


def _thaw_top(model: Model) -> None:
    assert model.bert.pooler is not None
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)


def head_as_it_was(model: Model, k: int) -> None:
    before = [weight.requires_grad for weight in model.classifier.parameters()]
    freezing.train_top(model, k)
    for weight, learned in zip(model.classifier.parameters(), before, strict=True):
        weight.requires_grad_(learned)


def only_freezes(model: Model, k: int) -> None:
    below = [*model.bert.encoder.layer[: len(model.bert.encoder.layer) - k], model.bert.embeddings]
    for module in below:
        module.requires_grad_(False)


EXERCISE = Exercise(
    name="train_top",
    kind="bug",
    minutes=6,
    difficulty=2,
    reference=freezing.train_top,
    cases=cases,
    run=run,
    gradients=False,
    mistakes=[
        Mistake(
            "attribute_of_a_module",
            "No encoder layer learns, as in the draft. Which line should let them learn? Print"
            " next(layer.parameters()).requires_grad after it: the layer is a module, and its parameters have"
            " not heard of the line. Compare it with the two lines at the end of the draft, which work.",
            (draft, attribute_alone),
        ),
        Mistake(
            "minus_zero",
            "For k = 1 and more you are right. With k = 0, [-k:] is [0:], which is every layer, so all of"
            " them learn where none should. Count from the front: [len(layers) - k:].",
            minus_zero,
        ),
        Mistake(
            "from_the_bottom",
            "You thaw the first k layers. Layer 0 is the lowest, next to the embeddings; the top ones are the"
            " last of the list.",
            from_the_bottom,
        ),
        Mistake(
            "from_layer_k",
            "[k:] leaves k layers out, at the bottom, and takes all others. Asked are the last k: begin at"
            " len(layers) - k.",
            from_layer_k,
        ),
        Mistake(
            "nothing_frozen",
            "All of the model learns. Freeze every parameter first, then let the top learn.",
            nothing_frozen,
        ),
        Mistake(
            "all_frozen",
            "Nothing learns. After freezing, let the last k layers, the pooler and the head learn.",
            all_frozen,
        ),
        Mistake(
            "head_left_out",
            "The head stays frozen. Its weights are random when training begins, so it has to learn.",
            (without_head, layers_alone),
        ),
        Mistake(
            "pooler_left_out",
            "The pooler stays frozen. It stands between the last layer and the head, and learns with them.",
            without_pooler,
        ),
        Mistake(
            "embeddings_too",
            "The embeddings learn. They are below the lowest layer, so they stay frozen.",
            embeddings_too,
        ),
        Mistake(
            "one_too_many",
            "One layer too many learns. Of n layers, the last k begin at place n - k.",
            one_too_many,
        ),
        Mistake(
            "only_freezes",
            "Where the model was trainable, you are right. If it was frozen before, the top stays frozen:"
            " freezing what lies below is half of the work, the top also has to be let learn.",
            (only_freezes, head_as_it_was),
        ),
    ],
    hints=(
        "Print what each line does: after it, does next(layer.parameters()).requires_grad say what you"
        " expect? And what is layers[-0:]?",
        "requires_grad belongs to parameters. A module has requires_grad_(True), which sets it on all that"
        " are inside. The last k of n layers are layers[n - k:], for k = 0 as well.",
        "for layer in layers[len(layers) - k :]: layer.requires_grad_(True)",
    ),
    why="Neither bug raises an error, so print what learns before you train.",
    box="task_head",
)
