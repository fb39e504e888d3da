"""Cutting the features into heads."""

import torch

from lib.bert import attention
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

VIEW, TURN = "view(batch, length, num_heads, hidden_size // num_heads)", "transpose(1, 2)"
SPLIT = f"vectors.{VIEW}.{TURN}"
CUT = "vectors.split(hidden_size // num_heads, -1)"
# batch, heads, length, head size; no two alike in the first, so that a swap is seen
SIZES = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 4, 2), (2, 1, 5, 3), (2, 6, 3, 1), (3, 2, 1, 5))


# fmt: off
EXERCISE = Exercise(
    name="split_heads", minutes=6, difficulty=2, reference=attention.split_heads,
    cases=lambda seed: [(torch.randn(b, t, h * k), h) for b, h, t, k in SIZES],
    invariants=[
        Invariant("tokens_mixed", "Features of one token have ended up with another. A head takes some"
            " features of every token; nothing moves from token to token here.",
            lambda candidate, arguments, result: torch.equal(
                result.transpose(1, 2).flatten(2).sort(-1).values, arguments[0].sort(-1).values)),
        Invariant("features_out_of_order", "Each token keeps its features, but they go to the wrong heads, or"
            " in the wrong order: head 0 takes the first hidden_size / num_heads, head 1 the next, and so"
            " on.",
            lambda candidate, arguments, result: torch.equal(result.transpose(1, 2).flatten(2),
                arguments[0])),
    ],
    mistakes=[
        Mistake("viewed_straight", "The shape is right and the contents are not: you cut token 0 and the next"
            " ones into strips and call them heads. Split the last dimension first, [B, T, H, K], then swap T"
            " and H.", edit(SPLIT, "vectors.view(batch, num_heads, length, hidden_size // num_heads)")),
        Mistake("not_transposed", "The features are cut into heads, but the heads still stand behind the"
            " tokens, [B, T, H, K]. Swap these two, or attention would run over the heads.",
            edit(f".{TURN}", "")),
        Mistake("num_heads_as_size", "You took num_heads for the size of a head. There are num_heads of them,"
            " each hidden_size / num_heads wide.",
            edit("num_heads, hidden_size // num_heads)", "hidden_size // num_heads, num_heads)")),
        Mistake("swapped_others", "It is the tokens and the heads that change places: dimensions 1 and 2, and"
            " no others.",
            (*(edit(TURN, f"transpose({dims})") for dims in ("2, 3", "0, 1", "1, 3")),
             edit(SPLIT, f"torch.stack({CUT})"))),
        Mistake("not_shared_out", "Each head takes hidden_size / num_heads features, all heads in one tensor:"
            " [B, H, T, K].",
            (edit(SPLIT, "vectors[:, None].expand(-1, num_heads, -1, -1)"),
             edit("hidden_size // num_heads)", "hidden_size)"), edit(SPLIT, f"torch.cat({CUT})"),
             *(edit(SPLIT, f"{SPLIT}{one}") for one in ("[:, 0]", "[:, :1]")))),
    ],
    hints=("A head is a run of neighboring features. Cut the features into runs, then bring the runs"
           " forward.",
           "[B, T, D] viewed as [B, T, H, K] with K = D / H cuts the features; swap dimensions 1 and 2.",
           "vectors.view(batch, length, num_heads, hidden_size // num_heads).transpose(1, 2)"),
    why="Nothing was computed: the same numbers, seen as several smaller sentences.", box="multi_head",
    use=lambda candidate, model: replaced(attention, "split_heads", candidate),
)
# fmt: on
