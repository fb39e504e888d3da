"""Attention for one head or many, with a mask or without."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SCALE = " * query.size(-1) ** -0.5"
TURNED = "key.transpose(-2, -1)"
BLOCK = "scores.masked_fill(~mask, -math.inf)"
NORMALIZE = "scores.softmax(dim=-1)"
RETURN = "return weights @ value, weights"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
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


def rows_sum_to_one(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    return torch.allclose(result[1].sum(-1), torch.ones_like(result[1][..., 0]), atol=1e-5)


def masked_is_zero(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    mask = arguments[3] if len(arguments) > 3 else None
    return mask is None or float(result[1].masked_fill(mask, 0.0).abs().max()) < 1e-6


def after_softmax(weights: str) -> Any:
    """The mask applied to the weights rather than to the scores."""
    return edit(BLOCK, "scores").then(NORMALIZE, f"{NORMALIZE}\n    if mask is not None:\n        {weights}")


EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    minutes=10,
    difficulty=2,
    reference=attention.scaled_dot_product_attention,
    returns=("output", "weights"),
    cases=cases,
    invariants=[
        Invariant(
            "rows_sum_to_one",
            "A row of the weights says how one query shares out its attention, so it has to sum to 1.",
            rows_sum_to_one,
        ),
        Invariant(
            "masked_is_zero",
            "Where the mask is False a query may not look at all: the weight there has to be 0.",
            masked_is_zero,
        ),
    ],
    alike=[edit("-math.inf", "-1e9")],
    mistakes=[
        Mistake(
            "no_scale",
            "The scores are not scaled. A sum of d products grows like √d, and the softmax of large"
            " scores all but picks one token: divide by the root of the size of a query.",
            edit(SCALE, ""),
        ),
        Mistake(
            "scale_by_d",
            "You divide by d itself. The scores' standard deviation grows like √d, so dividing by d"
            " makes them too small and the attention too even.",
            edit("-0.5", "-1"),
        ),
        Mistake(
            "scale_by_length",
            "You divide by the root of a number of tokens. What makes scores large is the number of"
            " products in each: the last dimension of the query, not the length of the text.",
            (edit("query.size(-1)", "key.size(-2)"), edit("query.size(-1)", "query.size(-2)")),
        ),
        Mistake(
            "scale_by_value_size",
            "You divide by the root of the size of a value, which may differ from a query's. A score is a"
            " dot product of a query and a key: d is query.size(-1).",
            edit("query.size(-1)", "value.size(-1)"),
        ),
        Mistake(
            "scaled_after_softmax",
            "You scale after the softmax: then rows no longer sum to 1, and the softmax has seen scores that"
            " are too large. Divide the scores.",
            edit(SCALE, "").then(NORMALIZE, NORMALIZE + SCALE),
        ),
        Mistake(
            "scaled_output",
            "You scale the output. It is the scores that are too large, and softmax has to see them divided.",
            edit(SCALE, "").then("weights @ value", "weights @ value" + SCALE),
        ),
        Mistake(
            "softmax_over_queries",
            "Your softmax runs over the queries: columns sum to 1, rows do not. Each query shares out"
            " its attention among the keys, and those are the last dimension.",
            edit("dim=-1", "dim=-2"),
        ),
        Mistake(
            "softmax_without_dimension",
            "Without dim, softmax guesses a dimension, and not the one you want in a batch: the keys"
            " are the last, dim=-1.",
            edit("dim=-1", "dim=0 if scores.dim() == 3 else 1"),
        ),
        Mistake(
            "mask_after_softmax",
            "You mask after the softmax: the blocked weights are gone, but the others were computed as"
            " if they were there, so rows no longer sum to 1. Mask the scores, then normalize.",
            after_softmax("weights = weights * mask"),
        ),
        Mistake(
            "closed_after_softmax",
            "You close the places after the softmax, so the weights there are hugely negative. Close the"
            " scores: softmax turns minus infinity into 0.",
            tuple(
                after_softmax(f"weights = weights.masked_fill(~mask, {fill})")
                for fill in ("-math.inf", "-1e9")
            ),
        ),
        Mistake(
            "mask_inverted",
            "Your mask is upside down: True marks where a query may look, and you closed just those"
            " places. masked_fill fills where its mask is True, so give it ~mask.",
            edit("~mask", "mask"),
        ),
        Mistake(
            "zero_times_infinity",
            "Multiplied by minus infinity, the open places become NaN, since 0 times infinity is no number."
            " Put it in place instead: scores.masked_fill(~mask, -torch.inf).",
            edit(BLOCK, "scores + ~mask * -math.inf"),
        ),
        Mistake(
            "truth_of_a_tensor",
            "A tensor has no single truth value: write `if mask is not None`.",
            edit("if mask is not None", "if mask"),
        ),
        Mistake(
            "indexed_with_the_mask",
            "Indexing does not broadcast: a mask of another shape than the scores cannot index them."
            " masked_fill does: scores = scores.masked_fill(~mask, -torch.inf).",
            edit(f"scores = {BLOCK}", "scores[~mask] = -math.inf"),
        ),
        Mistake(
            "mask_ignored",
            "Right without a mask, but it has no effect: padding takes its share of the attention. If you did"
            " use it: masked_fill returns a new tensor, so assign what it returns.",
            edit(BLOCK, "scores"),
        ),
        Mistake(
            "mask_times_zero",
            "You set the blocked scores to 0, but exp(0) is 1, not 0: those tokens still get weight."
            " The score whose exponential is 0 is minus infinity.",
            edit(BLOCK, "scores * mask"),
        ),
        Mistake(
            "mask_added",
            "You add the mask itself to the scores: True counts as 1, so allowed places gain 1 and"
            " blocked ones stay open. Blocked scores have to become minus infinity.",
            edit(BLOCK, "scores + mask"),
        ),
        Mistake(
            "masked_weights_rescaled",
            "Equal on paper. But when a closed score is far above the rest, the open weights have rounded"
            " to 0 and you divide 0 by 0: close the scores before the softmax.",
            after_softmax("weights = weights * mask / (weights * mask).sum(-1, True)"),
        ),
        Mistake(
            "turned_all_dimensions",
            "key.T turns every dimension over. Turn the last two: key.transpose(-2, -1).",
            edit(TURNED, "key.permute(*reversed(range(key.dim())))"),
        ),
        Mistake(
            "turned_dimensions_1_and_2",
            "Dimensions 1 and 2 are the last two of a batch only, not of one sentence, nor with heads. Count"
            " from the end: key.transpose(-2, -1).",
            edit(TURNED, "key.transpose(1, 2)"),
        ),
        Mistake(
            "query_turned",
            "You turned the query over. Rows have to be queries and columns keys:"
            " query @ key.transpose(-2, -1).",
            edit(f"query @ {TURNED}", "key @ query.mT"),
        ),
        Mistake(
            "overflow",
            "Right until scores grow: exp of a large number is infinite, and inf/inf is NaN. Take the"
            " largest score off each row first, or let softmax do it.",
            edit(NORMALIZE, "scores.exp() / scores.exp().sum(-1, keepdim=True)"),
        ),
        Mistake(
            "not_normalized",
            "You take the exponential but never divide by the row's sum: these are no shares yet.",
            edit(NORMALIZE, "scores.exp()"),
        ),
        Mistake(
            "no_softmax",
            "You average with the raw scores. Scores can be negative and sum to anything: softmax makes"
            " shares of them.",
            edit(".softmax(dim=-1)", ""),
        ),
        Mistake(
            "returns_scores",
            "The output is right. Beside it you return the scores; return the weights, what softmax made"
            " of them.",
            when=lambda arguments, answer, expected: (
                torch.allclose(answer[1].softmax(-1), expected[1], atol=1e-5)
                and torch.allclose(answer[0], expected[0], atol=1e-5)
            ),
            example=edit(RETURN, "return weights @ value, scores"),
        ),
    ],
    hints=(
        "Each query asks every key how well they match (a dot product), makes shares of the answers"
        " (softmax), and takes that mixture of the values. A place that the mask closes gets the score minus"
        " infinity.",
        "query [..., T, d] times key turned over [..., d, S] gives scores [..., T, S]; the mask"
        " broadcasts to that; softmax over the last dimension; times value [..., S, d].",
        "scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5; if there is a mask, scores ="
        " scores.masked_fill(~mask, -torch.inf); then weights = scores.softmax(dim=-1), and return weights"
        " @ value, weights.",
    ),
    box="attention",
    use=lambda candidate, model: replaced(attention, "scaled_dot_product_attention", candidate),
)
