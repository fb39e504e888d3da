"""The exercises of notebook 00, which shows how exercises work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.analysis.vectors import similarity
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
    """Batches with and without padding, before, after or amid the text; the mask in the types it comes in.

    Where there is padding, each text has at least two real tokens and one place of padding.
    """
    generator = torch.Generator().manual_seed(seed)
    for real, size in [
        ([[1, 1, 1, 0], [1, 1, 0, 0]], 3),
        ([[1, 1, 1]], 2),
        ([[1, 1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]], 6),
    ]:
        mask = torch.tensor(real)
        yield torch.randn(*mask.shape, size, generator=generator), mask
    left = torch.tensor([[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]).bool()
    yield torch.randn(2, 5, 3, generator=generator), left
    hole = torch.tensor([[1, 0, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0], [1, 1, 0, 1, 1, 1]]).float()
    yield torch.randn(3, 6, 4, generator=generator), hole


def _pooling(pool: Callable[[Tensor, Tensor], Any]) -> Callable[[Tensor, Tensor], Any]:
    """A wrong version, under the names that a check calls it by."""

    def wrong(hidden: Tensor, attention_mask: Tensor) -> Any:
        return pool(hidden, attention_mask)

    return wrong


def _mean(hidden: Tensor, mask: Tensor) -> Tensor:
    return (hidden * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def _without_first(hidden: Tensor, mask: Tensor) -> Tensor:
    return _mean(hidden[:, 1:], mask[:, 1:])


def _prefix(count: Callable[[Tensor], Any]) -> Callable[[Tensor, Tensor], Any]:
    """The average of the first places of each text, as many as `count` finds in its row of the mask."""
    return _pooling(
        lambda hidden, mask: torch.stack(
            [text[: count(row)].mean(dim=0) for text, row in zip(hidden, mask, strict=True)]
        )
    )


def _shortest(hidden: Tensor, mask: Tensor) -> Tensor:
    return hidden[:, : int(mask.sum(dim=1).min())].mean(dim=1)


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
        *(
            Mistake(
                "mask_of_two_dimensions",
                "[B, T] does not line up with [B, T, D]: give the mask a third dimension at its end,"
                " attention_mask[..., None].",
                _pooling(product),
            )
            for product in (lambda hidden, mask: hidden * mask, lambda hidden, mask: mask * hidden)
        ),
        Mistake(
            "divisor_of_one_dimension",
            "The divisor is [B], one number a text; to divide [B, D] it has to be [B, 1]:"
            " attention_mask.sum(dim=1, keepdim=True).",
            _pooling(lambda hidden, mask: (hidden * mask[..., None]).sum(dim=1) / mask.sum(dim=1)),
        ),
        Mistake(
            "one_vector",
            "One vector for the whole batch; each text needs its own. An index of True and False puts all"
            " texts in one row: multiply by the mask instead.",
            _pooling(lambda hidden, mask: hidden[mask.bool()].mean(dim=0)),
        ),
        *(
            Mistake(
                "mask_inverted",
                "Upside down: you average the padding. The mask is 1 at real tokens, so multiply by it as it"
                " is.",
                _pooling(wrong),
            )
            for wrong in (
                lambda hidden, mask: _mean(hidden, mask == 0),
                lambda hidden, mask: _mean(hidden, 1 - mask),
            )
        ),
        Mistake(
            "without_the_first",
            "You leave out the first token, [CLS]. It is a real token here: the mask decides, nothing else.",
            _pooling(_without_first),
        ),
        *(
            Mistake(
                "maximum",
                "That is the largest value of each feature, max pooling. Take the average.",
                _pooling(pool),
            )
            for pool in (
                lambda hidden, mask: hidden.amax(dim=1),
                lambda hidden, mask: hidden.masked_fill(mask[..., None] == 0, -torch.inf).amax(dim=1),
                lambda hidden, mask: (hidden * mask[..., None]).amax(dim=1),
            )
        ),
        Mistake(
            "normalized",
            "The average is right, but you scale it to length 1. That belongs to the cosine, not here.",
            _pooling(lambda hidden, mask: torch.nn.functional.normalize(_mean(hidden, mask), dim=-1)),
        ),
        Mistake(
            "kept_dimension",
            "The numbers are right, but the tokens' dimension is still there, of size 1: leave keepdim out of"
            " the sum over hidden.",
            _pooling(lambda hidden, mask: _mean(hidden, mask)[:, None]),
        ),
        *(
            Mistake(
                "over_the_texts",
                "You average over dimension 0, the texts. The tokens of a text are dimension 1.",
                _pooling(pool),
            )
            for pool in (
                lambda hidden, mask: hidden.mean(dim=0),
                lambda hidden, mask: (hidden * mask[..., None]).sum(dim=0) / mask.sum(dim=0)[:, None],
            )
        ),
        Mistake(
            "cut_to_the_shortest",
            "You cut all texts to the shortest one and lose real tokens. Each text has its own mask.",
            _pooling(_shortest),
        ),
        *(
            Mistake(
                "first_places",
                "Right where padding stands at the end alone. A mask need not begin with its 1s: padding may"
                " stand first, or amid the text. Use the mask itself, not how many 1s it has.",
                _prefix(count),
            )
            for count in (lambda row: int(row.sum()), lambda row: row.sum(), lambda row: row.sum().item())
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
