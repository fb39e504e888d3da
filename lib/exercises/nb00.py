"""The exercises of notebook 00, which shows how exercises work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.analysis import similarity
from lib.exercises.exercise import Exercise, Mistake
from lib.exercises.inside import replaced

NOTEBOOK = "00_start_here"

PAIR = Exercise(
    name="closest_pair",
    notebook=NOTEBOOK,
    kind="predict",
    reference={"a", "b"},
    answer='["a", "b"]',
    form='An answer is two letters, such as ["b", "c"].',
    mistakes=[
        Mistake(
            "shared_words",
            "They share five words, so a search for words would agree with you. BERT does not count shared"
            " words: this flat is a home, the other one has lost its air. Guess again.",
            {"a", "c"},
        ),
        Mistake(
            "nothing_in_common",
            "These two share neither a word nor a subject. Guess again.",
            {"b", "c"},
        ),
    ],
    hints=(
        "Say each of the three in other words.",
        "Two letters of three: there are only three pairs.",
        "Which two would you expect on the same page of a cycling magazine?",
    ),
    why="Open the next output to see by how much.",
)


def _cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches with and without padding, the mask in the types it comes in."""
    generator = torch.Generator().manual_seed(seed)
    for rows, length, size, padded in [(2, 4, 3, True), (1, 3, 2, False), (5, 7, 6, True)]:
        lengths = torch.randint(1, length, (rows, 1), generator=generator) if padded else length
        mask = (torch.arange(length) < lengths).long().expand(rows, length).contiguous()
        yield torch.randn(rows, length, size, generator=generator), mask


def _pooling(pool: Callable[[Tensor, Tensor], Any]) -> Callable[[Tensor, Tensor], Any]:
    """A wrong version, under the names that a check calls it by."""

    def wrong(hidden: Tensor, attention_mask: Tensor) -> Any:
        return pool(hidden, attention_mask)

    return wrong


POOL = Exercise(
    name="mean_pool",
    notebook=NOTEBOOK,
    reference=similarity.mean_pool,
    cases=_cases,
    mistakes=[
        Mistake(
            "padding_counts",
            "You average over all places, padding too. Padding is no word: multiply by the mask, and divide"
            " by how many real tokens there are.",
            _pooling(lambda hidden, mask: hidden.mean(dim=1)),
        ),
        Mistake(
            "divided_by_length",
            "The padding is out of the sum, but you still divide by the full length. Divide by the number of"
            " real tokens, which is the sum of the mask.",
            _pooling(lambda hidden, mask: (hidden * mask[..., None]).mean(dim=1)),
        ),
        Mistake(
            "padding_in_the_sum",
            "You divide by the right number, but the padding is still in the sum.",
            _pooling(lambda hidden, mask: hidden.sum(dim=1) / mask.sum(dim=1, keepdim=True)),
        ),
        Mistake(
            "sum",
            "That is the sum. Divide it by the number of real tokens.",
            _pooling(lambda hidden, mask: (hidden * mask[..., None]).sum(dim=1)),
        ),
        Mistake(
            "first_token",
            "That is the vector of [CLS] alone. It is used too, but not here: average over all real tokens.",
            _pooling(lambda hidden, mask: hidden[:, 0]),
        ),
        Mistake(
            "whole_batch",
            "You divide by the number of real tokens in the whole batch. Each text has its own.",
            _pooling(lambda hidden, mask: (hidden * mask[..., None]).sum(dim=1) / mask.sum()),
        ),
        Mistake(
            "wrong_axis",
            "You average over the features, so one number is left for each token. Average over the tokens,"
            " dimension 1.",
            _pooling(lambda hidden, mask: hidden.mean(dim=-1)),
        ),
    ],
    hints=(
        "An average over some of the places: add those up, divide by how many they are. The mask is 1 there"
        " and 0 elsewhere.",
        "hidden is [B, T, D] and the mask [B, T]; attention_mask[..., None] is [B, T, 1] and can be"
        " multiplied with hidden.",
        "mask = attention_mask[..., None]; then (hidden * mask).sum(dim=1) / mask.sum(dim=1).",
    ),
    use=lambda candidate, model: replaced(similarity, "mean_pool", candidate),
)

STATIONS = Exercise(
    name="order_of_stations",
    notebook=NOTEBOOK,
    kind="order",
    reference=["d", "b", "e", "a", "c"],
    answer='["d", "b", "e", "a", "c"]',
    form='An answer is a list of the five letters, first station first, such as ["a", "b", "c", "d", "e"].',
    mistakes=[
        Mistake(
            "upside_down",
            "The other way around: the map is read from the bottom, where the text comes in.",
            ["c", "a", "e", "b", "d"],
        ),
        Mistake(
            "vectors_before_ids",
            "Nearly. A vector is looked up by a number, so the numbers have to be there first.",
            ["d", "e", "b", "a", "c"],
        ),
    ],
    hints=(
        "The map at the top is read from the bottom up.",
        "Text, pieces, numbers, vectors, vectors that know their sentence, an answer.",
        "It begins with d and ends with c.",
    ),
)

EXERCISES = [PAIR, POOL, STATIONS]
