"""A picture cut into patches, which are the tokens of a vision transformer."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb38 import answers
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SPLIT = "images.reshape(batch, channels, rows, size, columns, size)"
ORDER = "cut.permute(0, 2, 4, 1, 3, 5)"
END = "return cut.reshape(batch, rows * columns, channels * size * size)"


#: pictures, channels, height, width, size of a patch
SIZES = ((2, 1, 4, 6, 2), (1, 3, 4, 4, 2), (2, 2, 6, 3, 3), (1, 3, 3, 5, 1), (2, 1, 4, 4, 4), (1, 2, 9, 6, 3))


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The picture of the text; sides of unequal length, channels, one pixel a patch, one patch a picture."""
    yield torch.arange(16.0).view(1, 1, 4, 4), 2
    generator = torch.Generator().manual_seed(seed)
    for batch, channels, height, width, size in SIZES:
        yield torch.randn(batch, channels, height, width, generator=generator), size
    transposed = torch.randn(1, 2, 6, 4, generator=generator).transpose(2, 3)  # not contiguous
    yield transposed.double(), 2


def undone(_: Any, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    """Whether all pixels are there, as often as in the pictures."""
    return torch.equal(result.flatten(1).sort(dim=1).values, arguments[0].flatten(1).sort(dim=1).values)


# fmt: off
EXERCISE = Exercise(
    name="patches", minutes=8, difficulty=2, reference=answers.patches, cases=cases,
    alike=[edit(SPLIT, "images.reshape(batch, channels, rows, size, width // size, size)")],
    invariants=[Invariant("all_pixels", "Each pixel of a picture belongs to exactly one patch. Yours lose"
        " some, or hold some twice.", undone)],
    mistakes=[
        Mistake("not_cut", "You take the pixels in the order in which they lie in memory, so a patch is a"
            " piece of a line. Give rows and columns of patches a dimension of their own, then permute.",
            edit(END, "return images.reshape(batch, rows * columns, channels * size * size)")),
        Mistake("by_columns", "Your patches go from top to bottom first. They go from left to right, then to"
            " the next row of patches.", edit(ORDER, "cut.permute(0, 4, 2, 1, 3, 5)")),
        Mistake("channels_last", "Within a patch you put the channels of a pixel side by side. First comes"
            " all of channel 0, then all of channel 1.",
            (edit(ORDER, "cut.permute(0, 2, 4, 3, 5, 1)"), edit(ORDER, "cut.permute(0, 2, 4, 3, 1, 5)"))),
        Mistake("turned_inside", "Within a patch you go down the columns. Go along the rows.",
            edit(ORDER, "cut.permute(0, 2, 4, 1, 5, 3)")),
        Mistake("far_apart", "Your patch takes pixels that lie far apart. Split a side into (number of"
            " patches, size), in this order: neighbors stay together.",
            (edit(SPLIT, "images.reshape(batch, channels, size, rows, size, columns)")
                .then(ORDER, "cut.permute(0, 3, 5, 1, 2, 4)"),
             edit(ORDER, "cut.permute(0, 3, 5, 1, 2, 4)").then(END,
                 "return cut.reshape(batch, size * size, channels * rows * columns)"))),
        Mistake("not_turned_back", "The pixels of a patch stand in a column of yours: [B, C * P * P, N]."
            " Exchange the last two dimensions.",
            edit(END, "return cut.reshape(batch, rows * columns, channels * size * size).transpose(1, 2)")),
        Mistake("overlapping", "Your patches overlap. The next one begins where the last one ends: the stride"
            " is `size`.",
            edit(END, "return F.unfold(images, size).transpose(1, 2)")),
        Mistake("one_number_a_patch", "You keep one number of each patch and channel. All its pixels are"
            " kept.",
            (edit(END, "return F.avg_pool2d(images, size).flatten(2).transpose(1, 2)"),
             edit(END, "return F.max_pool2d(images, size).flatten(2).transpose(1, 2)"),
             edit(END, "return images[:, :, ::size, ::size].flatten(2).transpose(1, 2)"))),
        Mistake("grid_kept", "Rows and columns of patches still have a dimension each. The encoder reads a"
            " row of tokens: make one dimension of the two.",
            edit(END, "return cut.reshape(batch, rows, columns, channels * size * size)")),
        Mistake("strips", "You cut the rows and not the columns, so your patches are strips as wide as the"
            " picture. Cut both sides.",
            edit(END, "return images.reshape(batch, channels, rows, size * width).permute(0, 2, 1, 3)"
                ".flatten(2)")),
        Mistake("a_channel_alone", "Your patch holds one channel. All channels of a place belong to one"
            " patch.",
            (edit(END, "return F.unfold(images[:, :1], size, stride=size).transpose(1, 2)"),
             edit(END, "return F.unfold(images.mean(1, keepdim=True), size, stride=size).transpose(1, 2)"),
             edit(ORDER, "cut.permute(0, 1, 2, 4, 3, 5)")
                .then(END, "return cut.reshape(batch, channels * rows * columns, size * size)"))),
        Mistake("square", "You take as many columns of patches as rows. A picture may be wider than it is"
            " high: width // size.",
            edit("columns = width // size", "columns = rows")),
    ],
    hints=("A side of H pixels is H / P patches of P pixels: give it two dimensions instead of one.",
           "reshape to [B, C, H / P, P, W / P, P]; then permute, so that the two numbers of patches stand"
           " behind B, and C and the two sides of a patch at the end.",
           "permute(0, 2, 4, 1, 3, 5), then reshape to [B, N, C * P * P]"),
    why="That is Conv2d with kernel and stride P, before its weights.",
)
# fmt: on
