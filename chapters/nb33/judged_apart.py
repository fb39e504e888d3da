"""The course's files of notebook 33 before headlines that chose nothing: the sealed ones of the contest.

The page asks them of the course's own files alone, so that they stay sealed for everybody else's.
`recorded.JUDGED` and `recorded.ONLY_ONE` hold what this prints, in a minute or two on one core:

    python -m chapters.nb33.judged_apart
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor

from chapters.nb33 import contest, earlier
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.distillation.students import with_vocabulary
from lib.compression.floppy import Floppy
from lib.records import teachers
from lib.text.tasks import TextExample

MINILM, ITS_PIECES = "MiniLM, all pieces", "MiniLM, the disk's pieces"
BOTH, ALONE = "the course's disk", "its BERT alone"
RIVALS = ("bags in 360 kB", "bags in 100 kB")  # the course's disk holds the second
SHUFFLES = range(5)  # seeds


def shuffled(examples: Sequence[TextExample], seed: int) -> list[TextExample]:
    """The same texts, each with its words in an order drawn by lot."""
    draw = random.Random(seed)
    mixed = []
    for example in examples:
        words = example.first.split()
        draw.shuffle(words)
        mixed.append(TextExample(" ".join(words), None, example.label))
    return mixed


def small_files() -> dict[str, Floppy]:
    """The files that the course has made, and the BERT that lies in the first, by itself."""
    both = contest.disk_named(BOTH)
    files = {BOTH: both, ALONE: Floppy(both.labels, both.tokenizer, model=both.model)}
    return files | {name: contest.disk_named(name) for name in RIVALS}


def whole_files() -> dict[str, Floppy]:
    """The teacher of seed 0 with all pieces, and with those of the course's disk alone."""
    both = contest.disk_named(BOTH)
    assert both.tokenizer is not None  # it holds a BERT
    theirs = WordPieceTokenizer.from_pretrained("minilm")
    teacher = cast(BertForSequenceClassification, teachers.load_teacher("headlines").model)
    own_pieces = with_vocabulary(teacher, theirs, both.tokenizer)
    return {
        MINILM: Floppy(both.labels, theirs, model=teacher),
        ITS_PIECES: Floppy(both.labels, both.tokenizer, model=own_pieces),
    }


def only_one(first: Tensor, second: Tensor) -> tuple[int, int]:
    """How many rows only the first of two gets right, and how many only the second."""
    return int((first & ~second).sum()), int((second & ~first).sum())


def main() -> None:
    """Print of each file how many headlines it sorts, and how many it sorts that a rival doesn't."""
    torch.set_num_threads(1)
    known, new = teachers.task_named("headlines").test, contest.new_headlines()
    right = {}
    for name, disk in (whole_files() | small_files()).items():
        right[name] = earlier.right_rows(disk, new)
        mixed = [int(earlier.right_rows(disk, shuffled(new, seed)).sum()) for seed in SHUFFLES]
        counts = int(earlier.right_rows(disk, known).sum()), int(right[name].sum()), tuple(mixed)
        print(f"    {name!r}: {counts},", flush=True)
    for rival in RIVALS:
        for name in right:
            if name != rival:
                print(f"    ({name!r}, {rival!r}): {only_one(right[name], right[rival])},")


if __name__ == "__main__":
    main()
