"""A convolution that doesn't see the future, whose draft pads both sides."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb34 import motifs
from lib.exercises.spec import Exercise, Mistake, edit

PAD = "padded = F.pad(x.transpose(1, 2), (before, 0))  # [B, D, k - 1 + T]"
END = "return F.conv1d(padded, weight).transpose(1, 2)"
BEFORE = "before = weight.shape[-1] - 1"


#: texts, points, features, features that come out, width of the kernel
SIZES = ((2, 6, 3, 4, 3), (1, 5, 2, 2, 1), (2, 3, 2, 3, 5), (1, 1, 2, 2, 2), (2, 7, 4, 3, 4), (1, 8, 3, 3, 6))


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """A readable series, then widths from 1 to more than the series has, even ones among them."""
    yield torch.tensor([[[1.0], [2.0], [3.0], [4.0]]]), torch.tensor([[[10.0, 1.0]]])
    yield torch.tensor([[[1.0], [0.0], [0.0], [0.0], [2.0]]]), torch.tensor([[[4.0, 2.0, 1.0]]])
    generator = torch.Generator().manual_seed(seed)
    for batch, length, size, out, kernel in SIZES:
        x = torch.randn(batch, length, size, generator=generator)
        yield x, torch.randn(out, size, kernel, generator=generator)


def looks_ahead(arguments: tuple[Tensor, Tensor], answer: Tensor, expected: Tensor) -> bool:
    """Whether the answer is that of some padding that lets a place see a later one."""
    x, weight = arguments
    kernel, length = weight.shape[-1], x.shape[1]
    for after in range(1, kernel):
        padded = torch.nn.functional.pad(x.transpose(1, 2), (kernel - 1, after))
        moved = torch.nn.functional.conv1d(padded, weight).transpose(1, 2)[:, after:]
        if answer.shape[1] >= length and torch.allclose(answer[:, :length], moved[:, :length], atol=1e-4):
            return True
    return False


# fmt: off
EXERCISE = Exercise(
    name="causal_convolution", kind="bug", minutes=5, difficulty=2, reference=motifs.causal_convolution,
    cases=cases,
    mistakes=[
        Mistake("both_sides", "That is still the draft's result, or like it. Change one point of a"
            " series, say the last, and print which places of the result change with it. May they?",
            (edit(PAD, "padded = F.pad(x.transpose(1, 2), ((before + 1) // 2, (before + 1) // 2))"),
             edit(PAD, "padded = F.pad(x.transpose(1, 2), (before // 2, before - before // 2))"),
             edit(PAD, "padded = F.pad(x.transpose(1, 2), (before - before // 2, before // 2))"))),
        Mistake("after", "The zeros stand behind the series, so each place sees the k - 1 points that follow."
            " Put them before place 0.", (edit("(before, 0)", "(0, before)"),
                edit("(before, 0)", "(before, before)").then(END,
                    "return F.conv1d(padded, weight).transpose(1, 2)[:, before:]"))),
        Mistake("not_cut", "You pad both sides with k - 1 zeros and keep all of it. The result has T places:"
            " pad on the left alone, or cut off what comes after T.",
            edit("(before, 0)", "(before, before)")),
        Mistake("one_too_far", "Each place misses its own point: with k zeros before place 0 everything moves"
            " by one. Pad k - 1.", (edit("(before, 0)", "(before + 1, 0)").then(END,
                "return F.conv1d(padded, weight).transpose(1, 2)[:, :-1]"),
                edit("(before, 0)", "(before + 1, 0)"))),
        Mistake("no_padding", "Without zeros before place 0 the result has k - 1 places too few. Pad on the"
            " left.", edit("(before, 0)", "(0, 0)")),
        Mistake("turned_round", "The kernel is turned round. As in conv1d, its last entry meets the place"
            " itself.", edit("conv1d(padded, weight)", "conv1d(padded, weight.flip(-1))")),
        Mistake("not_back", "The result is still [B, E, T]. Exchange its last two dimensions, as at the"
            " beginning.", edit(END, "return F.conv1d(padded, weight)")),
        Mistake("own_point_alone", "Each place meets its own point alone. The k - 1 points before it belong"
            " to the sum, too.", edit(END, "return x @ weight[..., -1].T")),
        Mistake("edge_repeated", "Before place 0 stand zeros, and not copies of the first point.",
            edit(PAD, "padded = F.pad(x.transpose(1, 2), (before, 0), mode='replicate')")),
        Mistake("wrapped", "The end of the series stands before its beginning. Before place 0 stand zeros:"
            " roll brings the last points to the front.",
            edit(PAD, "last = x.transpose(1, 2)[..., torch.arange(-before, 0) % x.shape[1]]\n"
                "    padded = torch.cat([last, x.transpose(1, 2)], dim=-1)")),
        Mistake("averaged", "You divide by k. The kernel's weights are summed as they are.",
            edit(END, "return F.conv1d(padded, weight).transpose(1, 2) / weight.shape[-1]")),
        Mistake("looks_ahead", "Some place still sees a point that comes after it. Put all k - 1 zeros before"
            " place 0, and none behind the series.", when=looks_ahead,
            example=edit("(before, 0)", "(before - 1, 1) if before else (0, 0)")),
    ],
    hints=("Which points may place t see, if it is to guess point t + 1? Print the draft's output for a"
           " series of zeros with one 1 in it.",
           "[B, T, D] goes to [B, D, T] for conv1d, and gets k - 1 zeros on the left: [B, D, k - 1 + T].",
           "F.pad(x.transpose(1, 2), (k - 1, 0)), then F.conv1d without padding, then transpose back"),
    why="All the zeros stand before place 0, so no place sees a later one.",
)
# fmt: on
