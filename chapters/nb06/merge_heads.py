"""Gluing the heads together again."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb06.split_heads import SIZES
from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

MERGED = "heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)"
TURN, GLUE = "transpose(1, 2)", ".reshape(batch, length, num_heads * head_size)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for size in SIZES:
        yield (torch.randn(size, generator=generator),)


def no_token_moved(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    return torch.equal(result.sort(-1).values, arguments[0].transpose(1, 2).flatten(2).sort(-1).values)


EXERCISE = Exercise(
    name="merge_heads",
    minutes=5,
    difficulty=2,
    reference=attention.merge_heads,
    cases=cases,
    invariants=[
        Invariant(
            "tokens_mixed",
            "Row t of the result has to hold what the heads found for token t and nothing else. In yours"
            " tokens are mixed.",
            no_token_moved,
        ),
        Invariant(
            "heads_out_of_order",
            "Every token gets its own numbers back, in the wrong order: first all of head 0, then all of"
            " head 1, and so on.",
            lambda candidate, arguments, result: torch.equal(result, arguments[0].transpose(1, 2).flatten(2)),
        ),
    ],
    mistakes=[
        Mistake(
            "not_transposed_back",
            "The shape is right and the contents are not: you glue before you bring the heads back behind"
            " the tokens, so a row mixes several tokens of one head. Swap dimensions 1 and 2 first.",
            edit(f".{TURN}", ""),
        ),
        Mistake(
            "not_glued",
            "The heads stand behind the tokens again, [B, T, H, K], but each is still by itself. Make the"
            " last two dimensions one: H * K features.",
            edit(GLUE, ""),
        ),
        Mistake(
            "viewed_after_transpose",
            "transpose only renames the axes; the numbers stay where they lie in memory, and view cannot"
            " glue what does not lie side by side. Say reshape, or .contiguous() before view.",
            edit("reshape", "view"),
        ),
        Mistake(
            "interleaved",
            "You take one feature of each head in turn. The heads go side by side: all features of head 0,"
            " then all of head 1.",
            edit(TURN, "permute(0, 2, 3, 1)"),
        ),
        Mistake(
            "swapped_others",
            "It is the heads and the tokens that change places before gluing: dimensions 1 and 2, and no"
            " others.",
            (edit(TURN, "transpose(2, 3)"), edit(TURN, "transpose(0, 1)"), edit(TURN, "transpose(1, 3)")),
        ),
        Mistake(
            "one_after_the_other",
            "You put the heads one after the other along the tokens: H times as many tokens, each as narrow"
            " as one head. They go side by side along the features.",
            edit(MERGED, "heads.flatten(1, 2)"),
        ),
        Mistake(
            "glued_tokens_and_heads",
            "You made one dimension of tokens and heads. Glue heads and features, the last two:"
            " [B, T, H * K].",
            edit(GLUE, ".flatten(1, 2)"),
        ),
        Mistake(
            "pooled",
            "You make one head of all, and what each of them found is gone. Keep them side by side; the"
            " dense layer that follows decides how to mix them.",
            tuple(edit(MERGED, f"heads.{pool}(1)") for pool in ("mean", "sum", "amax")),
        ),
        Mistake(
            "too_much_glued",
            "You glued too much: batch and tokens keep their dimensions, [B, T, H * K]. Glue the last two.",
            (edit(GLUE, ".flatten(2).flatten(0, 1)"), edit(GLUE, ".flatten(1)")),
        ),
    ],
    hints=(
        "Undo split_heads, last step first: bring the heads back behind the tokens, then make one run of"
        " features out of them.",
        "[B, H, T, K], dimensions 1 and 2 swapped: [B, T, H, K]; the last two as one: [B, T, H * K].",
        "heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)",
    ),
    why="merge_heads(split_heads(vectors, h)) is vectors again, for any h.",
    box="multi_head",
    use=lambda candidate, model: replaced(attention, "merge_heads", candidate),
)
