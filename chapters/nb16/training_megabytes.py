"""What a step holds beside the weights: three numbers for each weight that learns."""

from collections.abc import Iterator
from typing import Any

import torch

from chapters.nb16 import what_learns
from lib.bert import BertConfig, BertForSequenceClassification
from lib.exercises.spec import Exercise, Mistake, edit

#: thousands of bytes would round to nothing: so wide is the model
WIDTH, LAYERS = 96, 3
PARTS = (
    "bert.embeddings",
    "bert.encoder.layer.0",
    "bert.encoder.layer.1",
    "bert.encoder.layer.2",
    "bert.pooler",
    "classifier",
)


def cases(seed: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """From which part on the model learns, and all of it, and nothing."""
    yield seed, PARTS[4:]
    yield seed, PARTS
    yield seed, PARTS[2:]
    yield seed, (PARTS[0], PARTS[5])
    yield seed, ()


def run(candidate: Any, seed: int, learning: tuple[str, ...]) -> Any:
    """The answer for a small model of which these parts learn."""
    torch.manual_seed(seed)
    config = BertConfig(3000, WIDTH, LAYERS, 2, 4 * WIDTH, max_position_embeddings=32)
    model = BertForSequenceClassification(config)
    for name, weight in model.named_parameters():
        weight.requires_grad = name.startswith(learning) if learning else False
    return candidate(model)


THREE, BYTES = "3 * weight.numel()", "4 * numbers / 1e6"

# fmt: off
EXERCISE = Exercise(
    name="training_megabytes", minutes=4, difficulty=1, reference=what_learns.training_megabytes, cases=cases,
    run=run, gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("whole_model", "You count frozen weights as well. A frozen weight has no gradient, and AdamW"
            " remembers nothing of it: look at its requires_grad.", edit("weight.requires_grad", "True")),
        Mistake("frozen_alone", "You count the frozen weights. Asked is what is held for those that learn.",
            edit("if weight.requires_grad", "if not weight.requires_grad")),
        Mistake("one_of_three", "That is one number for each weight that learns. There are three: its"
            " gradient, and the two that AdamW remembers.", edit(THREE, "weight.numel()")),
        Mistake("two_of_three", "That is two numbers for each weight that learns. There are three: its"
            " gradient, and the two that AdamW remembers.", edit(THREE, "2 * weight.numel()")),
        Mistake("weights_counted_too", "You count the weights themselves as well. They are there with or"
            " without training; asked is what comes on top: three numbers for each weight that learns.",
            edit(THREE, "4 * weight.numel()")),
        Mistake("numbers_not_bytes", "That is how many millions of numbers are held. Each is a float32, which"
            " takes four bytes.", edit(BYTES, "numbers / 1e6")),
        Mistake("bytes", "That is a number of bytes. Divide by a million.", edit(BYTES, "4 * numbers")),
        Mistake("mebibytes", "You divide by 1,024 twice. A megabyte is a million bytes here.",
            edit(BYTES, "4 * numbers / 2**20")),
        Mistake("tensors_not_weights", "You count tensors. A matrix holds many weights: weight.numel() says"
            " how many.", (edit(THREE, "3"), edit(THREE, "3 * len(weight)"))),
        Mistake("not_added_up", "Your number is that of one tensor. Add up over all that learn, with +=.",
            edit("numbers += 3", "numbers = 3")),
    ],
    hints=("First count the weights that learn. Then ask how many numbers a training step keeps for each.",
           "model.parameters() gives all tensors of weights; weight.requires_grad says whether one learns,"
           " and weight.numel() how many weights it holds.",
           "if weight.requires_grad: numbers += 3 * weight.numel(); and at the end 4 * numbers / 1e6"),
    why="A frozen weight costs its own four bytes; one that learns costs sixteen.", box="task_head",
)
# fmt: on
