"""Attention for one head or many, with a mask or without."""

from collections.abc import Iterator
from typing import Any

import torch

from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

BLOCK = "scores.masked_fill(~mask, -math.inf)"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Shapes from one sentence to a batch of heads; masks; large scores; double precision."""
    torch.manual_seed(seed)
    mask = torch.rand(4, 4) < 0.6
    mask[:, 0], mask[:, -1] = True, False  # every row may look somewhere, and somewhere it may not
    yield torch.randn(3, 4), torch.randn(4, 4), torch.randn(4, 2), None
    yield torch.randn(3, 4), torch.randn(4, 4), torch.randn(4, 4), mask[:3]
    yield (*torch.randn(3, 2, 5, 6), None)
    yield (*torch.randn(3, 2, 3, 5, 8), torch.arange(5) < torch.tensor([3, 4]).view(2, 1, 1, 1))
    yield 40 * torch.randn(4, 16), 40 * torch.randn(4, 16), torch.randn(4, 3), mask
    yield torch.randn(2, 4, 4).double(), *torch.randn(2, 2, 3, 4).double(), None


# fmt: off
EXERCISE = Exercise(
    name="scaled_dot_product_attention", minutes=10, difficulty=2,
    reference=attention.scaled_dot_product_attention, returns=("output", "weights"), cases=cases,
    invariants=[
        Invariant("rows_sum_to_one", "A row of the weights says how one query shares out its attention: it"
            " has to sum to 1.",
            lambda candidate, arguments, result: bool((result[1].sum(dim=-1) - 1).abs().max() < 1e-5)),
        Invariant("masked_is_zero", "Where the mask is False a query may not look at all: the weight there"
            " has to be 0.",
            lambda candidate, arguments, result: arguments[3] is None
                or bool((result[1].masked_fill(arguments[3], 0) < 1e-6).all())),
    ],
    alike=[edit("-math.inf", "-1e9")],
    mistakes=[
        Mistake("no_scale", "The scores are not scaled. A sum of d products grows like √d, and the softmax of"
            " large scores all but picks one token: divide by the root of query.size(-1).",
            edit(" * query.size(-1) ** -0.5", "")),
        Mistake("scale_by_another_size", "Divide by √d, d being query.size(-1): not by d itself, and not by"
            " the length of the text.", (edit("-0.5", "-1"), edit("query.size(-1)", "key.size(-2)"))),
        Mistake("softmax_over_queries", "Your softmax runs over the queries. Each query shares out its"
            " attention among the keys: dim=-1.", edit("dim=-1", "dim=-2")),
        Mistake("mask_after_softmax", "The softmax has counted the blocked places, so rows no longer sum to"
            " 1: mask the scores first.",
            edit(BLOCK, "scores").then("dim=-1)", "dim=-1) * (1 if mask is None else mask)")),
        Mistake("mask_ignored", "Closed places keep a share: exp(0) is 1, and masked_fill returns a new"
            " tensor. Fill the scores with minus infinity there, and assign what comes back.",
            tuple(edit(BLOCK, scores) for scores in ("scores", "scores * mask", "scores + mask"))),
    ],
    hints=("Each query asks every key how well they match, makes shares of the answers (softmax), and takes"
           " that mixture of the values. A closed place gets the score minus infinity.",
           "query [..., T, d] times key turned over, [..., d, S], gives scores [..., T, S]; the mask"
           " broadcasts.",
           "scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5; with a mask, scores ="
           " scores.masked_fill(~mask, -torch.inf); weights = scores.softmax(dim=-1); return weights @ value,"
           " weights."),
    box="attention",
    use=lambda candidate, model: replaced(attention, "scaled_dot_product_attention", candidate),
)
# fmt: on
