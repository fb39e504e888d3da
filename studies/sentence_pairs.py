"""Next sentence and sentence order by bags of words, on articles of Wikipedia."""

from __future__ import annotations

from functools import partial

from chapters.nb11.bag_of_words import on_folder
from lib.records.inputs import public
from lib.records.study import Measured, Study
from lib.records.subject import Subject

CORPUS = "pretrain_wikipedia"
SIZES = (1, 2, 4, 8, 12)  # sentences of a text
LEARNED = 2000  # pairs


def measure_bags(sizes: tuple[int, ...], learned: int, subject: Subject) -> dict[str, Measured]:
    """By task and size the shares of right labels, one for each of four folds; see `on_folder`."""
    accuracies = on_folder(public(CORPUS), subject.seed, sizes, learned)
    lengths = accuracies.pop("sentences")
    return {
        f"{task}, {size} sentences": Measured({"accuracy": shares})
        for task, by_size in accuracies.items()
        for size, shares in zip(lengths, by_size, strict=True)
    }


STUDY = Study(
    "sentence_pairs",
    "Next sentence and sentence order by bags of words, on 2,000 articles of Wikipedia, four folds; the seed"
    " draws folds and pairs",
    {"Wikipedia": {"bags of words": partial(measure_bags, SIZES, LEARNED)}},
    inputs=(),
    examples_of={"Wikipedia": (f"public/{CORPUS}",)},
    minutes=10,
)
