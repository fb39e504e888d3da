"""Soups of notebook 18 for other offices than A and B, by the functions of its own cells.

`recorded.SOUPS` holds what this prints, in some five minutes on a quiet core:

    python -m chapters.nb18.other_offices

Office A has every sixth headline from the first one on, B from the second one on, and so on to F. A, B and C
meet their headlines in one order and D, E and F in another. A2, B2 and C2 are A, B and C once more in that
other order, as a control: a soup of A and A2 has two runs on the same headlines.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from chapters.nb18 import NOTEBOOK, landscapes
from chapters.nb18.earlier import batches_of
from chapters.nb18.recorded import Lead, Pooled, Soup
from chapters.nb18.weights import Weights, soup
from lib.records import pages
from lib.training import known_tasks

CELLS = ("n18-train", "n18-answers")  # copy_of and train; visitor, answers_of, loss_of and is_right
OTHERS = ("AB", "AC", "BC", "DE", "DF", "EF")  # two offices
SAME = ("AA2", "BB2", "CC2")  # one office, two orders
POOLED = ("AB",)  # beside one model of both offices' headlines


def names_of_the_page() -> dict[str, Any]:
    """What the page has defined once these cells have run."""
    task = known_tasks.load_task(landscapes.TASK)
    pieces = landscapes.small_tokenizer(task)
    names: dict[str, Any] = {
        "torch": torch,
        "landscapes": landscapes,
        "task": task,
        "pieces": pieces,
        "new": batches_of(task.test[:360], pieces, 40),
    }
    pages.run_cells(NOTEBOOK, CELLS, names)
    return names


def learned(offices: str, order: int, names: dict[str, Any]) -> Weights:
    """The weights after the page's training on the headlines of these offices, such as "A" or "AB"."""
    examples = [example for one in offices for example in names["task"].train["ABCDEF".index(one) :: 6]]
    model = landscapes.new_model()
    torch.manual_seed(order)
    weights: Weights = names["train"](model, batches_of(examples, names["pieces"], 12))[-1]
    return weights


def lead(first: Tensor, second: Tensor) -> Lead:
    """How many headlines only the first gets right, and how many only the second; both [360]."""
    return Lead(int((first & ~second).sum()), int((second & ~first).sum()))


def main() -> None:
    """Print one line for each soup."""
    torch.set_num_threads(1)
    names = names_of_the_page()
    answers_of, is_right = names["answers_of"], names["is_right"]
    models = {office: learned(office, order=int(office > "C"), names=names) for office in "ABCDEF"}
    models |= {f"{office}2": learned(office, order=1, names=names) for office in "ABC"}
    hits = {name: is_right(answers_of(weights)) for name, weights in models.items()}
    for pair in (*OTHERS, *SAME):
        first, second = pair[0], pair[1:]
        better = max(first, second, key=lambda name: int(hits[name].sum()))
        hit = is_right(answers_of(soup([models[first], models[second]], [0.5, 0.5])))
        rival = None
        if pair in POOLED:
            answers = answers_of(learned(pair, order=int(pair > "C"), names=names))
            known, loss = is_right(answers), round(names["loss_of"](answers), 3)
            rival = Pooled(int(known.sum()), loss, lead(known, hit), lead(known, hits[better]))
        found = Soup(int(hit.sum()), lead(hit, hits[better]), lead(hits[first], hits[second]), rival)
        print(f"    {pair!r}: {found},", flush=True)


if __name__ == "__main__":
    main()
