"""Cutting the features into heads."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

VIEW, TURN = "view(batch, length, num_heads, hidden_size // num_heads)", "transpose(1, 2)"
SPLIT = f"vectors.{VIEW}.{TURN}"
CUT = "vectors.split(hidden_size // num_heads, -1)"
# batch, heads, length, head size; no two alike in the first, so that a swap is seen
SIZES = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 4, 2), (2, 1, 5, 3), (2, 6, 3, 1), (3, 2, 1, 5))


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    generator = torch.Generator().manual_seed(seed)
    for batch, heads, length, size in SIZES:
        yield torch.randn(batch, length, heads * size, generator=generator), heads


def tokens_keep_their_features(candidate: Any, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    theirs = result.transpose(1, 2).flatten(2)  # [B, T, D], in whatever order
    return torch.equal(theirs.sort(-1).values, arguments[0].sort(-1).values)


EXERCISE = Exercise(
    name="split_heads",
    minutes=6,
    difficulty=2,
    reference=attention.split_heads,
    cases=cases,
    invariants=[
        Invariant(
            "tokens_mixed",
            "Features of one token have ended up with another. A head takes some features of every token;"
            " nothing moves from token to token here.",
            tokens_keep_their_features,
        ),
        Invariant(
            "features_out_of_order",
            "Each token keeps its features, but they go to the wrong heads, or in the wrong order: head 0"
            " takes the first hidden_size / num_heads, head 1 the next, and so on.",
            lambda candidate, arguments, result: torch.equal(result.transpose(1, 2).flatten(2), arguments[0]),
        ),
    ],
    mistakes=[
        Mistake(
            "viewed_straight",
            "The shape is right and the contents are not: you cut token 0 and the next ones into strips and"
            " call them heads. Split the last dimension first, [B, T, H, K], then swap T and H.",
            edit(SPLIT, "vectors.view(batch, num_heads, length, hidden_size // num_heads)"),
        ),
        Mistake(
            "not_transposed",
            "The features are cut into heads, but the heads still stand behind the tokens, [B, T, H, K]."
            " Swap these two, or attention would run over the heads.",
            edit(f".{TURN}", ""),
        ),
        Mistake(
            "every_other_feature",
            "Your head 0 takes every num_heads-th feature. A head takes neighbors: the last dimension"
            " becomes (num_heads, head_size), in this order.",
            edit(SPLIT, "vectors.unflatten(-1, (hidden_size // num_heads, num_heads)).permute(0, 3, 1, 2)"),
        ),
        Mistake(
            "num_heads_as_size",
            "You took num_heads for the size of a head. There are num_heads of them, each hidden_size /"
            " num_heads wide.",
            edit("num_heads, hidden_size // num_heads)", "hidden_size // num_heads, num_heads)"),
        ),
        Mistake(
            "swapped_others",
            "It is the tokens and the heads that change places: dimensions 1 and 2, and no others.",
            (edit(TURN, "transpose(2, 3)"), edit(TURN, "transpose(0, 1)"), edit(TURN, "transpose(1, 3)")),
        ),
        Mistake(
            "turned_over",
            "Each head is lying on its side, [K, T]. The keys are turned over later, inside attention;"
            " here tokens come before features, [B, H, T, K].",
            edit(TURN, "permute(0, 2, 3, 1)"),
        ),
        Mistake(
            "stacked_elsewhere",
            "The heads are right, but they do not stand where attention looks for them. Stack them along"
            " dimension 1: [B, H, T, K].",
            edit(SPLIT, f"torch.stack({CUT})"),
        ),
        Mistake(
            "listed",
            "The heads are right, each for itself. Attention wants them in one tensor, to go through all"
            " at once: torch.stack(..., dim=1).",
            edit(SPLIT, CUT),
        ),
        Mistake(
            "heads_in_a_row",
            "You lay the heads one behind the other, in the batch or among the tokens. Here they keep a"
            " dimension of their own, [B, H, T, K].",
            (
                edit(SPLIT, f"{SPLIT}.flatten(0, 1)"),
                edit(SPLIT, f"torch.cat({CUT})"),
                edit(SPLIT, f"torch.cat({CUT}, 1)"),
            ),
        ),
        Mistake(
            "all_features_to_each",
            "Every head gets all of the features here. They share them out: hidden_size / num_heads each.",
            (
                edit(SPLIT, "vectors[:, None].expand(-1, num_heads, -1, -1)"),
                edit(
                    "view(batch, length, num_heads, hidden_size // num_heads)",
                    "view(batch, length, num_heads, hidden_size)",
                ),
            ),
        ),
        Mistake(
            "true_division",
            "A dimension is a whole number, and / gives one with a point. Divide with //.",
            edit("num_heads, hidden_size // num_heads)", "num_heads, hidden_size / num_heads)"),
        ),
        Mistake(
            "one_head",
            "That is head 0 alone. Every head takes its part of the features.",
            (edit(SPLIT, f"{SPLIT}[:, 0]"), edit(SPLIT, f"{SPLIT}[:, :1]")),
        ),
    ],
    hints=(
        "A head is a run of neighboring features. Cut the features into runs without touching the tokens,"
        " then bring the runs forward.",
        "[B, T, D] viewed as [B, T, H, K] with K = D / H cuts the features; swapping dimensions 1 and 2 makes"
        " it [B, H, T, K].",
        "vectors.view(batch, length, num_heads, hidden_size // num_heads).transpose(1, 2)",
    ),
    why="Nothing was computed: the same numbers, seen as several smaller sentences.",
    box="multi_head",
    use=lambda candidate, model: replaced(attention, "split_heads", candidate),
)
