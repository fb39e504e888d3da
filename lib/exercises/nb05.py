"""The exercises of notebook 05, attention."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.bert import attention
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import replaced

NOTEBOOK = "05_attention"


# --- scaled_dot_product_attention -----------------------------------------------------------------


def _cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Shapes from one sentence to a batch of heads; masks; large scores; double precision."""
    generator = torch.Generator().manual_seed(seed)

    def random(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=dtype)

    def mask(*shape: int) -> Tensor:
        allowed = torch.rand(shape, generator=generator) < 0.6
        allowed[..., 0] = True  # every row may look somewhere
        allowed[..., -1] = False  # and somewhere it may not
        return allowed

    yield random(3, 4), random(4, 4), random(4, 2), None
    yield random(3, 4), random(4, 4), random(4, 4), mask(3, 4)
    yield random(2, 5, 6), random(2, 5, 6), random(2, 5, 6), None
    yield random(2, 3, 5, 8), random(2, 3, 5, 8), random(2, 3, 5, 8), mask(2, 1, 1, 5)
    yield random(2, 3, 5, 8), random(2, 3, 5, 8), random(2, 3, 5, 8), torch.ones(5, 5).tril() > 0
    yield 40 * random(4, 16), 40 * random(4, 16), random(4, 3), mask(4, 4)
    double = torch.float64
    yield random(2, 4, 4, dtype=double), random(2, 3, 4, dtype=double), random(2, 3, 4, dtype=double)


CLOSED = (-math.inf, -1e9)  # the scores that learners give to places that may not be looked at


def _close(fill: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda scores, mask: scores.masked_fill(~mask, fill)


def _wrong(
    match: Any = lambda query, key: query @ key.mT,
    size: Any = lambda query, key, value: query.size(-1),
    block: Any = lambda scores, mask: scores.masked_fill(~mask, -math.inf),
    normalize: Any = lambda scores: scores.softmax(-1),
    after: Any = lambda weights, mask: weights,
    give: Any = lambda output, weights, scores: (output, weights),
) -> Any:
    """Attention in six steps, one of which a mistake replaces."""

    def wrong(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
        scores = match(query, key) / math.sqrt(size(query, key, value))
        if mask is not None:
            scores = block(scores, mask)
        weights = normalize(scores)
        if mask is not None:
            weights = after(weights, mask)
        return give(weights @ value, weights, scores)

    return wrong


def _scaled_late(scale: Callable[..., Any]) -> Any:
    """Attention whose scores are not scaled; `scale` does it to the output and weights."""
    unscaled = _wrong(size=lambda query, key, value: 1)

    def wrong(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
        return scale(*unscaled(query, key, value, mask), math.sqrt(query.size(-1)))

    return wrong


def _ignore(scores: Tensor, mask: Tensor) -> Tensor:
    return scores


def _assign(scores: Tensor, mask: Tensor) -> Tensor:
    scores[~mask] = -math.inf
    return scores


ATTENTION = Exercise(
    name="scaled_dot_product_attention",
    notebook=NOTEBOOK,
    reference=attention.scaled_dot_product_attention,
    returns=("output", "weights"),
    cases=_cases,
    invariants=[
        Invariant(
            "rows_sum_to_one",
            "A row of the weights says how one query shares out its attention, so it has to sum to 1.",
            lambda candidate, arguments, result: torch.allclose(
                result[1].sum(-1), torch.ones_like(result[1][..., 0]), atol=1e-5
            ),
        ),
        Invariant(
            "masked_is_zero",
            "Where the mask is False a query may not look at all: the weight there has to be 0.",
            lambda candidate, arguments, result: (
                len(arguments) < 4
                or arguments[3] is None
                or float(result[1].masked_fill(arguments[3], 0.0).abs().max()) < 1e-6
            ),
        ),
    ],
    mistakes=[
        Mistake(
            "no_scale",
            "The scores are not scaled. A sum of d products grows like √d, and the softmax of large"
            " scores all but picks one token: divide by the root of the size of a query.",
            _wrong(size=lambda query, key, value: 1),
        ),
        Mistake(
            "scale_by_d",
            "You divide by d itself. The scores' standard deviation grows like √d, so dividing by d"
            " makes them too small and the attention too even.",
            _wrong(size=lambda query, key, value: query.size(-1) ** 2),
        ),
        Mistake(
            "multiplied_by_root",
            "You multiply by √d where the formula divides: large scores become larger still.",
            _wrong(size=lambda query, key, value: 1 / query.size(-1)),
        ),
        *(
            Mistake(
                "scale_by_length",
                "You divide by the root of a number of tokens. What makes scores large is the number of"
                " products in each: the last dimension of the query, not the length of the text.",
                _wrong(size=size),
            )
            for size in (
                lambda query, key, value: key.size(-2),
                lambda query, key, value: query.size(-2),
            )
        ),
        Mistake(
            "scale_by_value_size",
            "You divide by the root of the size of a value, which may differ from a query's. A score is a"
            " dot product of a query and a key: d is query.size(-1).",
            _wrong(size=lambda query, key, value: value.size(-1)),
        ),
        Mistake(
            "scaled_after_softmax",
            "You scale after the softmax: then rows no longer sum to 1, and the softmax has seen scores that"
            " are too large. Divide the scores.",
            _scaled_late(lambda output, weights, root: (output / root, weights / root)),
        ),
        Mistake(
            "scaled_output",
            "You scale the output. It is the scores that are too large, and softmax has to see them divided.",
            _scaled_late(lambda output, weights, root: (output / root, weights)),
        ),
        *(
            Mistake(name, says, _wrong(block=_close(fill), normalize=normalize))
            for name, says, normalize in (
                (
                    "softmax_over_queries",
                    "Your softmax runs over the queries: columns sum to 1, rows do not. Each query shares out"
                    " its attention among the keys, and those are the last dimension.",
                    lambda scores: scores.softmax(-2),
                ),
                (
                    "softmax_over_dimension_1",
                    "Dimension 1 holds the keys of a single sentence only. In a batch it holds the queries,"
                    " with heads the heads: count from the end, dim=-1.",
                    lambda scores: scores.softmax(1),
                ),
                (
                    "softmax_over_dimension_0",
                    "Your softmax runs over dimension 0: queries of one sentence share out, or sentences of a"
                    " batch. The keys are the last dimension, dim=-1.",
                    lambda scores: scores.softmax(0),
                ),
                (
                    "softmax_without_dimension",
                    "Without dim, softmax guesses a dimension, and not the one you want in a batch: the keys"
                    " are the last, dim=-1.",
                    lambda scores: scores.softmax(0 if scores.dim() == 3 else 1),
                ),
            )
            for fill in CLOSED
        ),
        Mistake(
            "mask_after_softmax",
            "You mask after the softmax: the blocked weights are gone, but the others were computed as"
            " if they were there, so rows no longer sum to 1. Mask the scores, then normalize.",
            _wrong(block=_ignore, after=lambda weights, mask: weights * mask),
        ),
        *(
            Mistake(
                "closed_after_softmax",
                "You close the places after the softmax, so the weights there are hugely negative. Close the"
                " scores: softmax turns minus infinity into 0.",
                _wrong(block=_ignore, after=_close(fill)),
            )
            for fill in CLOSED
        ),
        *(
            Mistake(
                "mask_inverted",
                "Your mask is upside down: True marks where a query may look, and you closed just those"
                " places. masked_fill fills where its mask is True, so give it ~mask.",
                _wrong(block=block),
            )
            for block in (
                lambda scores, mask: scores.masked_fill(mask, -math.inf),
                lambda scores, mask: scores.masked_fill(mask, -1e9),
            )
        ),
        Mistake(
            "zero_times_infinity",
            "Multiplied by minus infinity, the open places become NaN, since 0 times infinity is no number."
            " Put it in place instead: scores.masked_fill(~mask, -torch.inf).",
            _wrong(block=lambda scores, mask: scores + ~mask * -math.inf),
        ),
        Mistake(
            "truth_of_a_tensor",
            "A tensor has no single truth value: write `if mask is not None`.",
            _wrong(block=lambda scores, mask: _close(-math.inf)(scores, mask) if mask else scores),
        ),
        Mistake(
            "indexed_with_the_mask",
            "Indexing does not broadcast: a mask of another shape than the scores cannot index them."
            " masked_fill does: scores = scores.masked_fill(~mask, -torch.inf).",
            _wrong(block=_assign),
        ),
        Mistake(
            "mask_ignored",
            "Right without a mask, but it has no effect: padding takes its share of the attention. If you did"
            " use it: masked_fill returns a new tensor, so assign what it returns.",
            _wrong(block=_ignore),
        ),
        Mistake(
            "mask_times_zero",
            "You set the blocked scores to 0, but exp(0) is 1, not 0: those tokens still get weight."
            " The score whose exponential is 0 is minus infinity.",
            _wrong(block=lambda scores, mask: scores * mask),
        ),
        Mistake(
            "mask_added",
            "You add the mask itself to the scores: True counts as 1, so allowed places gain 1 and"
            " blocked ones stay open. Blocked scores have to become minus infinity.",
            _wrong(block=lambda scores, mask: scores + mask),
        ),
        Mistake(
            "masked_weights_rescaled",
            "Equal on paper. But when a closed score is far above the rest, the open weights have rounded"
            " to 0 and you divide 0 by 0: close the scores before the softmax.",
            _wrong(
                block=_ignore, after=lambda weights, mask: weights * mask / (weights * mask).sum(-1, True)
            ),
        ),
        Mistake(
            "turned_all_dimensions",
            "key.T turns every dimension over. Turn the last two: key.transpose(-2, -1).",
            _wrong(match=lambda query, key: query @ key.permute(*reversed(range(key.dim())))),
        ),
        Mistake(
            "turned_dimensions_1_and_2",
            "Dimensions 1 and 2 are the last two of a batch only, not of one sentence, nor with heads. Count"
            " from the end: key.transpose(-2, -1).",
            _wrong(match=lambda query, key: query @ key.transpose(1, 2)),
        ),
        Mistake(
            "key_not_turned",
            "query @ key multiplies a query with a column of the keys. For dot products with each key, turn"
            " the keys over: query @ key.transpose(-2, -1).",
            _wrong(match=lambda query, key: query @ key),
        ),
        Mistake(
            "query_turned",
            "You turned the query over. Rows have to be queries and columns keys:"
            " query @ key.transpose(-2, -1).",
            _wrong(match=lambda query, key: key @ query.mT),
        ),
        Mistake(
            "overflow",
            "Right until scores grow: exp of a large number is infinite, and inf/inf is NaN. Take the"
            " largest score off each row first, or let softmax do it.",
            _wrong(normalize=lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True)),
        ),
        Mistake(
            "not_normalized",
            "You take the exponential but never divide by the row's sum: these are no shares yet.",
            _wrong(normalize=lambda scores: scores.exp()),
        ),
        *(
            Mistake(
                "no_softmax",
                "You average with the raw scores. Scores can be negative and sum to anything: softmax makes"
                " shares of them.",
                _wrong(block=_close(fill), normalize=lambda scores: scores),
            )
            for fill in CLOSED
        ),
        *(
            Mistake(
                "returns_scores",
                "The output is right. Beside it you return the scores; return the weights, what softmax made"
                " of them.",
                _wrong(block=_close(fill), give=lambda output, weights, scores: (output, scores)),
            )
            for fill in CLOSED
        ),
        Mistake(
            "returns_swapped",
            "Both parts are right, in the wrong order: return the output first, then the weights.",
            _wrong(give=lambda output, weights, scores: (weights, output)),
        ),
        Mistake(
            "returns_output_alone",
            "The output is right. Return the weights beside it: return output, weights.",
            _wrong(give=lambda output, weights, scores: output),
        ),
        Mistake(
            "returns_weights_alone",
            "The weights are right, but nothing is averaged yet: the output is weights @ value.",
            _wrong(give=lambda output, weights, scores: weights),
        ),
    ],
    hints=(
        "Each query asks every key how well they match (a dot product), makes shares of the answers"
        " (softmax), and takes that mixture of the values. A closed door is a score of minus infinity.",
        "query [..., T, d] times key turned over [..., d, S] gives scores [..., T, S]; the mask"
        " broadcasts to that; softmax over the last dimension; times value [..., S, d].",
        "scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5; if there is a mask, scores ="
        " scores.masked_fill(~mask, -torch.inf); then weights = scores.softmax(dim=-1), and return weights"
        " @ value, weights.",
    ),
    box="attention",
    use=lambda candidate, model: replaced(attention, "scaled_dot_product_attention", candidate),
)


# --- rows_that_can_be_attention -------------------------------------------------------------------

ROWS = Exercise(
    name="rows_that_can_be_attention",
    notebook=NOTEBOOK,
    kind="choose",
    reference={"c", "d"},
    answer='["c", "d"]',
    form='An answer is a list of letters, such as ["a", "e"].',
    mistakes=[
        Mistake(
            "took_the_printed_rows",
            "Add up rows a and b: 1.11 and 2.08. A query has one whole attention to share out, no more,"
            " whatever a slide prints.",
            lambda letters: bool({"a", "b"} & set(letters)),
            example=["a", "c", "d"],
        ),
        Mistake(
            "took_a_negative_share",
            "Row e sums to 1, but one of its shares is negative. Softmax divides exponentials, and an"
            " exponential is never below 0.",
            lambda letters: "e" in letters,
            example=["c", "d", "e"],
        ),
        Mistake(
            "left_out_the_sure_one",
            "A weight of 0 is possible: a mask makes it, and so, to rounding, does one score far above"
            " the rest.",
            lambda letters: set(letters) == {"c"},
            example=["c"],
        ),
        Mistake(
            "left_out_the_even_one",
            "Equal shares are shares too: they come out when all scores are equal.",
            lambda letters: set(letters) == {"d"},
            example=["d"],
        ),
    ],
    hints=(
        "A query has one whole attention to share out among the words.",
        "Two things to test on each row: the sum, and every single number.",
        "Weights are at least 0 and sum to 1. Zeros are allowed.",
    ),
    why="Shares are at least 0 and sum to 1; the printed rows sum to 1.11 and 2.08.",
)


# --- causal_mask ----------------------------------------------------------------------------------


def _first_row_only(length: int) -> Tensor:
    draft = torch.ones(length, length, dtype=torch.bool).tril(diagonal=-1)
    draft[0, 0] = True
    return draft


CAUSAL = Exercise(
    name="causal_mask",
    notebook=NOTEBOOK,
    kind="bug",
    reference=attention.causal_mask,
    cases=lambda seed: [(length,) for length in (3, 4, 8)],
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Print attention with it as the mask, for three tokens: which row is"
            " NaN, and where may that token look?",
            lambda length: torch.ones(length, length, dtype=torch.bool).tril(diagonal=-1),
        ),
        Mistake(
            "first_row_only",
            "Row 0 is mended; every other token still cannot see itself.",
            _first_row_only,
        ),
        Mistake(
            "sees_itself_alone",
            "Each token sees itself and nothing else; it may also look back.",
            lambda length: torch.eye(length, dtype=torch.bool),
        ),
        Mistake(
            "upside_down_without_itself",
            "Upside down, and no token sees itself: keep the lower triangle, with the diagonal.",
            lambda length: torch.ones(length, length, dtype=torch.bool).triu(diagonal=1),
        ),
        Mistake(
            "looks_ahead",
            "Upside down: your token i looks at itself and at what comes later, so the last word cannot"
            " see the first. Keep the lower triangle.",
            lambda length: torch.ones(length, length, dtype=torch.bool).triu(),
        ),
        Mistake(
            "one_too_many",
            "No row is empty now, but token i also sees token i + 1, the one it is meant to guess.",
            lambda length: torch.ones(length, length, dtype=torch.bool).tril(diagonal=1),
        ),
        Mistake(
            "all_open",
            "No NaN any more, because every door is open: token 0 sees the whole text.",
            lambda length: torch.ones(length, length, dtype=torch.bool),
        ),
        Mistake(
            "numbers",
            "The triangle is right, but these are numbers, and the mask is to be boolean: keep"
            " dtype=torch.bool.",
            lambda length: torch.ones(length, length).tril(),
        ),
    ],
    hints=(
        "Print attention with the draft as a mask, for three tokens. Which row is NaN, and what may that"
        " token look at?",
        "[length, length]: row i needs i + 1 times True, so row 0 needs one.",
        "tril(diagonal=-1) leaves the diagonal out; tril() keeps it.",
    ),
    why="Each token sees itself, so no row of scores is all minus infinity.",
)

EXERCISES = [ROWS, ATTENTION, CAUSAL]
