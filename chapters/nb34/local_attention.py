"""Attention in a window, computed in blocks, so that no table of all pairs is made."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb34 import blocks
from lib.exercises.spec import Exercise, Mistake, edit

MASK = "mask = ((place - seen).abs() <= window) & (seen >= 0) & (seen < length)  # [N, C, 3C]"
THERE = "& (seen >= 0) & (seen < length)"
CALL = "mask.repeat(batch * heads, 1, 1)[:, None],"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, int]]:
    """Three blocks of two; one block, blocks of one, more texts and heads."""
    generator = torch.Generator().manual_seed(seed)
    sizes = (
        (1, 1, 6, 2, 2),
        (1, 2, 8, 4, 2),
        (1, 1, 4, 3, 4),
        (2, 1, 5, 2, 1),
        (2, 2, 12, 4, 3),
        (1, 1, 16, 8, 4),
    )
    for batch, heads, length, size, window in sizes:
        query, key, value = torch.randn(3, batch, heads, length, size, generator=generator)
        yield query, key, value, window


# fmt: off
EXERCISE = Exercise(
    name="local_attention", minutes=12, difficulty=3, reference=blocks.local_attention, cases=cases,
    mistakes=[
        Mistake("own_block", "Tokens at the edge of a block don't see their neighbors on the other side. Give"
            " each block the keys and values of the block before and after it.",
            edit(THERE, f"& (place // window == seen // window) {THERE}")),
        Mistake("whole_blocks", "All three blocks are seen, although their far ends are more than `window`"
            " places away. Hide pairs with |i - j| > window.",
            edit("((place - seen).abs() <= window)", "((place - seen).abs() <= 3 * window)")),
        Mistake("strict", "A token that is exactly `window` places away belongs to the window: compare with"
            " <=.", edit("<= window)", "< window)")),
        Mistake("past_alone", "Only tokens before are seen. The window has two sides.",
            edit(THERE, f"& (seen <= place) {THERE}")),
        Mistake("future_alone", "Only tokens behind are seen. The window has two sides.",
            edit(THERE, f"& (seen >= place) {THERE}")),
        Mistake("before_and_own", "Each block meets the block before it, and not the one after it.",
            edit(THERE, f"& (seen // window <= place // window) {THERE}")),
        Mistake("no_scale", "The scores aren't divided by the root of K.", edit(CALL, f"{CALL} scale=1.0")),
        Mistake("padding_seen", "The zeros that fill up the first and the last block get weights, too. Hide"
            " places below 0 and from T on.", edit(THERE, "")),
        Mistake("wrapped", "The first block sees the last one, as if the text were a ring. (roll does that.)"
            " Before place 0 there is nothing to see.",
            edit(MASK, "mask = (place - seen).abs() <= window\n"
                "    ring = torch.arange(-window, length + window) % length\n"
                "    keys = key[:, :, ring].unfold(2, 3 * window, window).transpose(-1, -2)\n"
                "    values = value[:, :, ring].unfold(2, 3 * window, window).transpose(-1, -2)")),
        Mistake("full", "Every token sees every other. Hide pairs with |i - j| > window.",
            edit(MASK, "return F.scaled_dot_product_attention(query, key, value)\n    mask = None")),
        Mistake("half", "The window is counted to each side: `window` places to the left and as many to the"
            " right.", edit("<= window)", "<= window // 2)")),
    ],
    hints=("Cut the queries into blocks of `window` tokens. Whatever a token may see lies in its own block or"
           " in one of the two beside it.",
           "Queries are [B, H, N, C, K] with C = window and N = T / C. Keys, padded with C zeros on both"
           " sides, are unfolded to [B, H, N, 3C, K], and the mask is [N, C, 3C].",
           "keys = F.pad(key, (0, 0, C, C)).unfold(2, 3 * C, C).transpose(-1, -2); hide |i - j| > window and"
           " the places outside of the text"),
    why="It equals attention with the mask, and no table of T × T is ever made.",
)
# fmt: on
