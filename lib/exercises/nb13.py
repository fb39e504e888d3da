"""The exercises of notebook 13, reading attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from lib.analysis.attention import patterns, probes
from lib.exercises.exercise import Exercise, Invariant, Mistake

NOTEBOOK = "13_reading_attention"


# --- diagonal_share -------------------------------------------------------------------------------


def _cases_of_maps(seed: int) -> Iterator[tuple[Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for shape in [(3,), (6,), (2, 5), (3, 4, 7), (2, 1)]:
        *heads, length = shape
        yield (torch.randn(*heads, length, length, generator=generator).mul(2).softmax(-1),)


def _near(weights: Tensor, is_near: Callable[[Tensor], Tensor]) -> Tensor:
    """The weights at whose places the distance, to minus from, is near enough; 0 elsewhere."""
    places = torch.arange(weights.size(-1))
    return weights * is_near(places - places[:, None])


def _share(is_near: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda weights: _near(weights, is_near).sum((-2, -1)) / weights.size(-1)


def _band(distance: Tensor) -> Tensor:
    return distance.abs() <= 1


DIAGONAL = Exercise(
    name="diagonal_share",
    notebook=NOTEBOOK,
    reference=patterns.diagonal_share,
    cases=_cases_of_maps,
    gradients=False,
    invariants=[
        Invariant(
            "no_share",
            "A row gives away 1 in all, so what it gives to three of the tokens is between 0 and 1, and so is"
            " the mean over rows. Yours is not.",
            lambda candidate, arguments, result: bool(((result >= -1e-6) & (result <= 1 + 1e-5)).all()),
        ),
    ],
    mistakes=[
        Mistake(
            "the_token_alone",
            "You count what a token gives to itself. A diagonal pattern also looks at the neighbors: all"
            " places with |i - j| of at most 1.",
            _share(lambda distance: distance == 0),
        ),
        Mistake(
            "without_the_token",
            "You count the two neighbors and leave out the token itself. The band has three places in a row.",
            _share(lambda distance: distance.abs() == 1),
        ),
        Mistake(
            "backward_alone",
            "You count the token and the one before it. BERT reads both ways: take the next one as well.",
            _share(lambda distance: (distance <= 0) & (distance >= -1)),
        ),
        Mistake(
            "forward_alone",
            "You count the token and the one after it. BERT reads both ways: take the one before as well.",
            _share(lambda distance: (distance >= 0) & (distance <= 1)),
        ),
        Mistake(
            "too_wide",
            "Your band reaches two places to either side. Here it is one: |i - j| of at most 1.",
            _share(lambda distance: distance.abs() <= 2),
        ),
        Mistake(
            "not_divided",
            "You add up all rows. Each row gives away 1, so divide by the number of rows: the mean over"
            " tokens.",
            lambda weights: _near(weights, _band).sum((-2, -1)),
        ),
        Mistake(
            "mean_of_cells",
            "You average over the cells of the band. What counts is what a row gives to its whole band: sum"
            " along the row, then take the mean over rows.",
            lambda weights: (
                _near(weights, _band).sum((-2, -1)) / _near(torch.ones_like(weights[0]), _band).sum()
            ),
        ),
        Mistake(
            "mean_of_all_cells",
            "You take the mean over the columns as well, and so divide by T twice. Sum along the row, then"
            " take the mean over rows.",
            lambda weights: _near(weights, _band).mean((-2, -1)),
        ),
        Mistake(
            "a_number_for_each_row",
            "That is the share of each row. A head has one: take the mean over its rows.",
            lambda weights: _near(weights, _band).sum(-1),
        ),
        Mistake(
            "all_heads_in_one",
            "You made one number of all heads. Sum over the last two dimensions and leave those in front"
            " alone.",
            lambda weights: _near(weights, _band).sum() / weights.size(-1),
        ),
    ],
    hints=(
        "Row i gives something to columns i - 1, i and i + 1. Add that up, then average over rows.",
        "torch.arange gives places [T]; places[:, None] - places is [T, T], how far each row is from each"
        " column.",
        "near = (places[:, None] - places).abs() <= 1, then (weights * near).sum(dim=(-2, -1)) / len(places)",
    ),
    why="A head that spreads its attention evenly over T tokens has about 3 / T.",
)


# --- score_best_map -------------------------------------------------------------------------------


def _cases_of_halves(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Hits whose best map differs from half to half, so that it matters which half chooses."""
    generator = torch.Generator().manual_seed(seed)
    yield (
        torch.tensor([[1, 0, 1], [1, 0, 0], [1, 1, 0]]) > 0,
        torch.tensor([[0, 1, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1]]) > 0,
    )
    for first, second, maps in [(5, 7, 3), (9, 4, 12), (20, 30, 8), (40, 25, 144), (6, 6, 2)]:
        chance = torch.rand(maps, generator=generator)
        choosing = torch.rand(first, maps, generator=generator) < chance
        scoring = torch.rand(second, maps, generator=generator) < chance.flip(0)
        yield choosing, scoring


def _chosen_on(
    choose: Callable[[Tensor, Tensor], Tensor], score: Callable[[Tensor, Tensor], Tensor] | None = None
) -> Callable[[Tensor, Tensor], tuple[int, float]]:
    """A wrong version: which hits the map is chosen on, and which it is scored on."""

    def wrong(choosing: Tensor, scoring: Tensor) -> tuple[int, float]:
        best = int(choose(choosing, scoring).float().mean(dim=0).argmax())
        scored = scoring if score is None else score(choosing, scoring)
        return best, float(scored[:, best].float().mean())

    return wrong


def _both(choosing: Tensor, scoring: Tensor) -> Tensor:
    return torch.cat([choosing, scoring])


BEST = Exercise(
    name="score_best_map",
    notebook=NOTEBOOK,
    kind="bug",
    reference=probes.score_best_map,
    cases=_cases_of_halves,
    gradients=False,
    returns=("map", "share"),
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Which sentences choose the map, and which score it? With 144 maps"
            " to choose from, one is lucky on these very sentences.",
            _chosen_on(lambda choosing, scoring: scoring),
        ),
        Mistake(
            "chosen_on_both",
            "The half that scores still has a say in the choice: you choose on all sentences. Choose on"
            " `choosing` alone.",
            _chosen_on(_both),
        ),
        Mistake(
            "scored_on_the_choosing_half",
            "You choose on `choosing` and score on it again: luck and all. The share is that of `scoring`.",
            _chosen_on(lambda choosing, scoring: choosing, lambda choosing, scoring: choosing),
        ),
        Mistake(
            "scored_on_both",
            "The map is chosen rightly, and then the sentences that chose it count in its score. Score on"
            " `scoring` alone.",
            _chosen_on(lambda choosing, scoring: choosing, _both),
        ),
        Mistake(
            "halves_swapped",
            "You exchanged the halves: choose on `choosing`, score on `scoring`.",
            _chosen_on(lambda choosing, scoring: scoring, lambda choosing, scoring: choosing),
        ),
        Mistake(
            "the_worst",
            "You take the map that finds fewest: argmax, not argmin.",
            lambda choosing, scoring: (
                int(choosing.float().mean(dim=0).argmin()),
                float(scoring[:, int(choosing.float().mean(dim=0).argmin())].float().mean()),
            ),
        ),
        Mistake(
            "best_share_anywhere",
            "The map is right, but the share is that of the map that happens to be best on `scoring`. Score"
            " the one that was chosen.",
            lambda choosing, scoring: (
                int(choosing.float().mean(dim=0).argmax()),
                float(scoring.float().mean(dim=0).max()),
            ),
        ),
    ],
    hints=(
        "What is chosen on some sentences looks better on them than it is. The sentences that judge must be"
        " new.",
        "choosing.float().mean(dim=0) is [M], a share for each map; so is that of scoring. Which of the two"
        " do you need for which step?",
        "best = int(choosing.float().mean(dim=0).argmax()), and the share is that of column best of scoring.",
    ),
    why="One word is all there is between the two, and the wrong one flatters every head.",
)

EXERCISES: list[Exercise] = [DIAGONAL, BEST]
