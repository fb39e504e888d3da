"""Which classifier reads more digits, from how many pictures, and how well lower halves are completed.

The digits are scikit-learn's, 8 x 8 pixels. All networks learn for equally many steps.
"""

from __future__ import annotations

from functools import partial

import torch

from chapters.nb38 import completion, pictures, rivals, vit
from chapters.nb38.completion import PixelWriter
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread

ROWS = (100, 300, 1297)
NETWORKS = {"CNN": rivals.cnn, "ViT": vit.ViT}
WRITER_STEPS = (300, 600)
SHOWN = 10  # completed digits that are kept


def measure_network(name: str, rows: int, steps: int, subject: Subject) -> Measured:
    """The share of test digits that a network names."""
    learned, tested = pictures.digits()
    with one_thread():
        torch.manual_seed(subject.seed)
        model = NETWORKS[name]()
        vit.learn(model, pictures.some(learned, rows, subject.seed), subject.at_most(steps))
        return Measured({"right": vit.share_right(model, tested)})


def measure_regression(rows: int, subject: Subject) -> Measured:
    """The same of logistic regression on the pixels."""
    learned, tested = pictures.digits()
    model = rivals.regression(pictures.some(learned, rows, subject.seed))
    return Measured({"right": rivals.regression_right(model, tested)})


def measure_positions(steps: int, subject: Subject) -> Measured:
    """A ViT without positions: test digits as they are, and with shuffled patches."""
    learned, tested = pictures.digits()
    with one_thread():
        torch.manual_seed(subject.seed)
        model = vit.without_positions()
        vit.learn(model, learned, subject.at_most(steps))
        moved = pictures.Digits(pictures.shuffled(tested.images, pictures.PATCH), tested.labels)
        return Measured({"right": vit.share_right(model, tested), "shuffled": vit.share_right(model, moved)})


def measure_writer(steps: int, subject: Subject) -> Measured:
    """A decoder over pixels: its loss, what regression reads in the digits it completed, and ten of them."""
    learned, tested = pictures.digits()
    asked = tested[: completion.ASKED]
    judge = rivals.regression(learned)
    with one_thread():
        torch.manual_seed(subject.seed)
        model = PixelWriter()
        completion.learn(model, learned, subject.at_most(steps))
        completed = completion.complete(model, asked.images)
        scores = {
            "nats": completion.nats(model, asked),
            "right": rivals.regression_right(judge, pictures.Digits(completed, asked.labels)),
            "error": completion.squared_error(completed, asked.images),
            "completed": completion.grays(completed[:SHOWN]).tolist(),
        }
    return Measured(scores)


CLASSIFIERS: dict[str, Arm] = {}
for _rows in ROWS:
    CLASSIFIERS[f"regression, {_rows}"] = partial(measure_regression, _rows)
    for _name in NETWORKS:
        CLASSIFIERS[f"{_name}, {_rows}"] = partial(measure_network, _name, _rows, vit.STEPS)
CLASSIFIERS["ViT without positions, 1297"] = partial(measure_positions, vit.STEPS)
WRITERS: dict[str, Arm] = {f"{steps} steps": partial(measure_writer, steps) for steps in WRITER_STEPS}
STUDY = Study(
    "pictures",
    "Digits read by regression, a CNN and a ViT from 100 to 1,297 pictures, and lower halves completed",
    {"digits": CLASSIFIERS, "completion": WRITERS},
    inputs=(),
    examples_of={"digits": (), "completion": ()},  # scikit-learn brings them
    minutes=10,
)
