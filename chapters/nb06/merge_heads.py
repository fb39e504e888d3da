"""Gluing the heads together again."""

import torch

from chapters.nb06.split_heads import SIZES
from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

MERGED = "heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)"
GLUE = ".reshape(batch, length, num_heads * head_size)"


# fmt: off
EXERCISE = Exercise(
    name="merge_heads", minutes=5, difficulty=2, reference=attention.merge_heads,
    cases=lambda seed: [(torch.randn(size),) for size in SIZES],
    invariants=[
        Invariant("tokens_mixed", "Row t of the result has to hold what the heads found for token t and"
            " nothing else. In yours tokens are mixed.",
            lambda candidate, arguments, result: torch.equal(result.sort(-1).values,
                arguments[0].transpose(1, 2).flatten(2).sort(-1).values)),
        Invariant("heads_out_of_order", "Every token gets its own numbers back, in the wrong order: first all"
            " of head 0, then all of head 1, and so on.",
            lambda candidate, arguments, result: torch.equal(result,
                arguments[0].transpose(1, 2).flatten(2))),
    ],
    mistakes=[
        Mistake("not_transposed_back", "The shape is right and the contents are not: you glue before you"
            " bring the heads back behind the tokens, so a row mixes several tokens of one head. Swap"
            " dimensions 1 and 2 first.", edit(".transpose(1, 2)", "")),
        Mistake("not_glued", "Glue the last two dimensions of [B, T, H, K], heads and features, and no"
            " others: [B, T, H * K].",
            (edit(MERGED, "heads.flatten(1, 2)"),
             *(edit(GLUE, other)
               for other in ("", ".flatten(1, 2)", ".flatten(1)", ".flatten(2).flatten(0, 1)")))),
        Mistake("viewed_after_transpose", "transpose only renames the axes, and view cannot glue what does"
            " not lie side by side in memory: say reshape, or .contiguous() before view.",
            edit("reshape", "view")),
        Mistake("pooled", "You make one head of all, and what each of them found is gone. Keep them side by"
            " side; the dense layer that follows decides how to mix them.",
            tuple(edit(MERGED, f"heads.{pool}(1)") for pool in ("mean", "sum", "amax"))),
    ],
    hints=("Undo split_heads, last step first: bring the heads back behind the tokens, then make one run of"
           " features out of them.",
           "[B, H, T, K], dimensions 1 and 2 swapped: [B, T, H, K]; the last two as one: [B, T, H * K].",
           "heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)"),
    why="merge_heads(split_heads(vectors, h)) is vectors again, for any h.", box="multi_head",
    use=lambda candidate, model: replaced(attention, "merge_heads", candidate),
)
# fmt: on
