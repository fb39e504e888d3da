"""The experiments that records come from: `python -m lib records run NAME` runs one for each of its seeds."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.analysis.attention import head_ablation, parses, probes
from lib.experiments import bag_of_words, pretraining_choices, residual
from lib.experiments.records import FOLDER, Record, public, write


@dataclass(frozen=True)
class Experiment:
    """Something to record: `run(seed)` gives numbers, texts, lists and dicts of them."""

    run: Callable[[int], Any]
    seeds: tuple[int, ...]
    minutes: float
    about: str


EXPERIMENTS: dict[str, Experiment] = {
    "ablations": Experiment(
        pretraining_choices.all_arms,
        seeds=(0, 1, 2),
        minutes=15,
        about="One choice of pretraining changed at a time at equal compute, in small BERTs on the grammar's"
        " text and the course's own; the seed draws weights, order, masks",
    ),
    "heads_off": Experiment(
        lambda seed: head_ablation.heads_needed("pocket", seed),
        seeds=(0, 1, 2),
        minutes=5,
        about="The pocket BERT's masked-LM loss on the course's own text without each of its heads, and with"
        " more and more of them off; the seed draws the text and what is hidden in it",
    ),
    "heads_in_ewt": Experiment(
        lambda seed: probes.heads_in_ewt(public("ud_english_ewt"), seed),
        seeds=(0, 1, 2),
        minutes=6,
        about="The best head for every frequent relation of UD English EWT in the pocket BERT and in MiniLM,"
        " chosen on dev and scored on test; the seed draws random weights",
    ),
    "objects": Experiment(
        lambda seed: parses.objects_in_ewt(public("ud_english_ewt"), seed),
        seeds=(0, 1, 2),
        minutes=4,
        about="Direct objects of UD English EWT found by one head of MiniLM; the seed draws random weights",
    ),
    "sentence_pairs": Experiment(
        lambda seed: bag_of_words.on_folder(public("pretrain_wikipedia"), seed),
        seeds=(0, 1, 2),
        minutes=10,
        about="Next sentence and sentence order by bags of words, on 2,000 articles of Wikipedia, four folds;"
        " the seed draws folds and pairs",
    ),
    "warm_up": Experiment(
        residual.learning,
        seeds=(0, 1, 2),
        minutes=5,
        about="Post-LN and pre-LN learn to write twelve letters backwards, with and without warm-up",
    ),
}


def run(name: str, folder: Path = FOLDER) -> Record:
    """Runs an experiment for each of its seeds and writes its record."""
    if name not in EXPERIMENTS:
        known = ", ".join(sorted(EXPERIMENTS)) or "none"
        raise ValueError(f"There is no experiment {name!r}; there are {known}.")
    experiment = EXPERIMENTS[name]
    start = time.perf_counter()
    results = tuple(experiment.run(seed) for seed in experiment.seeds)
    seconds = time.perf_counter() - start
    return write(name, experiment.about, seconds, experiment.seeds, results, folder)
