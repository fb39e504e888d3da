"""Sentences of a task with words replaced, made once for a task and a seed: they feed several students."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.augmentation import Augmenter
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import RESULT, result_in
from lib.records.teachers import folders_of
from lib.text.vectors import vectors
from lib.training.known_tasks import load_task

ROUNDS = 4  # variants of a sentence, at most: TinyBERT has 20 (Jiao et al., 2020)


def write_variants(folder: Path, task: str, seed: int, rounds: int) -> None:
    """Every labeled text of a task with its variants, and the processor's seconds that it took."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    augmenter = Augmenter(BertForMaskedLM.from_pretrained("pocket").eval(), tokenizer, vectors())
    rng, began = np.random.default_rng(seed), time.process_time()
    texts = [text for row in load_task(task).train for text in augmenter.augment(row.first, rng, rounds)]
    seconds = round(time.process_time() - began, 1)
    write_json(folder / RESULT, {"texts": texts, "processor_seconds": seconds})


def augmented(task: str, seed: int) -> dict[str, Any]:
    """As "texts" the labeled texts and up to `ROUNDS` variants of each, and "processor_seconds"."""
    entry = Entry(
        f"variants_{task}_{seed}",
        f"The course's {task} with words replaced by the pocket BERT and by word vectors",
        write_variants,
        {"task": task, "seed": seed, "rounds": ROUNDS},
        data=("pocket", *folders_of(task), "data/vectors"),
        done="written",
    )
    variants: dict[str, Any] = result_in(cached(entry).folder)
    return variants
