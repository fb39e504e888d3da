"""How much a fine-tuned BERT and a count of words learn from few labeled reviews."""

from __future__ import annotations

import random
from dataclasses import replace

from lib.bert import WordPieceTokenizer
from lib.training import baselines
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import load_task

COUNTS = (20, 100, 500, 1200)
STEPS = 120  # at least, in every run: with few rows an epoch would be over in a step or two
BATCH = 16


def recipe_for(rows: int) -> Recipe:
    """As many epochs as give `STEPS` steps, three at least."""
    in_epoch = -(-rows // BATCH)
    return Recipe(
        epochs=max(3, -(-STEPS // in_epoch)), batch_size=BATCH, learning_rate=1e-4, precision="bf16"
    )


def few_rows(seed: int) -> dict[str, dict[str, float]]:
    """The accuracy on the test reviews from so many training reviews, half of them of each class."""
    task = load_task("reviews")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    order = random.Random(seed).sample(task.train, len(task.train))
    found = {}
    for count in COUNTS:
        train = [
            example
            for label in (0, 1)
            for example in [one for one in order if one.label == label][: count // 2]
        ]
        result = fine_tune(
            fresh_model(task, "minilm", seed),
            tokenizer,
            replace(task, train=train),
            recipe_for(count),
            seed=seed,
        )
        words = baselines.classify_texts(train, task.test)
        found[str(count)] = {
            "minilm": result.scores["accuracy"],
            "tfidf": task.kind.score(words, task.test)["accuracy"],
        }
    return found
