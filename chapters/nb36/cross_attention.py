"""Attention from one text to another."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb36 import answers
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

MASKED = "scores.masked_fill(~mask[:, None, None, :], -math.inf)"
MERGED = "(weights @ values).transpose(1, 2).reshape(batch, length, size)"
KEYS = "key(source).view(batch, -1, heads, head_size)"
VALUES = "value(source).view(batch, -1, heads, head_size)"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """One head; heads and a longer source; a mask; as long a source; one target word; double precision."""
    torch.manual_seed(seed)

    def given(batch: int, length: int, words: int, size: int, heads: int, mask: Tensor | None = None) -> Any:
        layers = [nn.Linear(size, size) for _ in range(3)]
        for layer in layers:
            nn.init.normal_(layer.weight, std=0.7)
        return torch.randn(batch, length, size), torch.randn(batch, words, size), *layers, heads, mask

    yield given(1, 2, 3, 4, 1)
    yield given(2, 3, 5, 6, 2)
    mask = torch.tensor([[True, True, True, False], [False, True, False, False]])
    yield given(2, 3, 4, 12, 3, mask)
    yield given(2, 4, 4, 8, 4, mask)
    yield given(1, 1, 6, 4, 2, torch.ones(1, 6, dtype=torch.bool))
    states, source, *layers, heads, mask = given(2, 2, 4, 6, 3, mask)
    yield states.double(), source.double(), *(layer.double() for layer in layers), heads, mask


# fmt: off
EXERCISE = Exercise(
    name="cross_attention", minutes=10, difficulty=2, reference=answers.cross_attention, cases=cases,
    returns=("output", "weights"),
    invariants=[
        Invariant("rows_sum_to_one", "Each row of the weights has to sum to 1: it says how one target word"
            " shares out its attention among the source words.",
            lambda _, arguments, result: bool((result[1].sum(dim=-1) - 1).abs().max() < 1e-5)),
        Invariant("padding_is_zero", "Where the mask is False the source has no token: the weight there has"
            " to be exactly 0.",
            lambda _, arguments, result: arguments[6] is None
                or not result[1].masked_fill(arguments[6][:, None, None], 0).any()),
    ],
    mistakes=[
        Mistake("self_attention", "Keys or values come from the target: that's self-attention. The source is"
            " what is looked at, so `key` and `value` are called on `source`.",
            (edit(KEYS, "key(states).view(batch, -1, heads, head_size)")
                .then(VALUES, "value(states).view(batch, -1, heads, head_size)").then(MASKED, "scores"),
             edit(VALUES, "value(states).view(batch, -1, heads, head_size)"),
             edit(KEYS, "key(states).view(batch, -1, heads, head_size)"))),
        Mistake("turned_round", "You let the source ask and the target be looked at. `query` is called on"
            " `states`, `key` and `value` on `source`.",
            edit("batch, length, size = states.shape", "states, source = source, states\n    batch, length,"
                " size = states.shape").then(MASKED, "scores")),
        Mistake("no_scale", "The scores are not divided by √K, where K is the size of a head.",
            edit(" / math.sqrt(head_size)", "")),
        Mistake("another_scale", "Divide by √K, where K is D / H, the size of a head: not by √D, and not by K"
            " itself.", (edit("math.sqrt(head_size)", "math.sqrt(size)"),
                edit("math.sqrt(head_size)", "head_size"))),
        Mistake("softmax_over_target", "Your softmax runs over the target words. Each target word shares out"
            " its attention among the source words: dim=-1.", edit("softmax(dim=-1)", "softmax(dim=-2)")),
        Mistake("padding_seen", "The padding of the source is looked at, so a translation depends on what"
            " else is in the batch. Fill its scores with minus infinity before the softmax.",
            (edit(MASKED, "scores"), edit(MASKED, "scores * mask[:, None, None, :]"),
             edit(MASKED, "scores + mask[:, None, None, :]"))),
        Mistake("mask_inverted", "Your mask is upside down: it is True where the source *has* a token.",
            (edit("~mask", "mask"), edit("~mask", "mask").then("-math.inf", "-1e9"))),
        Mistake("mask_after_softmax", "The softmax has counted the padding, so rows no longer sum to 1: mask"
            " the scores first.",
            edit(MASKED, "scores").then("softmax(dim=-1)", "softmax(dim=-1)\n    if mask is not None:\n"
                "        weights = weights * mask[:, None, None, :]")),
        Mistake("heads_not_side_by_side", "You reshape before the heads stand beside each other, so the"
            " features of different words get mixed. Bring [B, H, T, K] to [B, T, H, K] first.",
            edit(MERGED, "(weights @ values).reshape(batch, length, size)")),
        Mistake("heads_interleaved", "Head h takes the features h * K to (h + 1) * K - 1, side by side; yours"
            " takes every H-th one. The view is [B, T, H, K].",
            edit("view(batch, length, heads, head_size).transpose(1, 2)  # [B, H, T, K]",
                 "view(batch, length, head_size, heads).permute(0, 3, 1, 2)")
                .then(f"{KEYS}.transpose(1, 2)", f"{KEYS[:-17]}head_size, heads).permute(0, 3, 1, 2)")
                .then(f"{VALUES}.transpose(1, 2)", f"{VALUES[:-17]}head_size, heads).permute(0, 3, 1, 2)")),
        Mistake("one_head", "You compute one head, whatever `heads` says. Cut the features into `heads`"
            " pieces.", edit("head_size = size // heads", "heads = 1\n    head_size = size")),
        Mistake("residual", "You add `states`. The residual path is the layer's business and stands outside"
            " of this function.", edit("return output, weights", "return output + states, weights")),
        Mistake("mean_of_heads", "You give the mean of the heads' weights. Each head has its own: [B, H, T,"
            " S].", edit("return output, weights", "return output, weights.mean(dim=1)")),
    ],
    hints=("It is the attention of notebook 06, with two texts: the target asks, the source is looked at and"
           " hands over.",
           "queries are [B, H, T, K], keys and values [B, H, S, K], so the scores are [B, H, T, S]; the mask"
           " [B, S] becomes mask[:, None, None, :].",
           "masked_fill with minus infinity closes what softmax must not see. Before the last reshape the"
           " heads stand beside the features they came from: [B, T, H, K]."),
    why="Each target word takes from the source words, and from them alone.",
)
# fmt: on
