"""Features made again from those at hand: a normalized kernel for each channel."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb32 import convolutions
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SOFTMAX = "kernel.softmax(dim=-1)"
CONV = "F.conv1d(channels, weights[:, None], padding=weights.size(1) // 2, groups=len(weights))"
RETURN = "return mixed.transpose(1, 2)"
TERMS = (
    f"[{SOFTMAX}[:, k] * F.pad(x, (0, 0, kernel.size(1) // 2, kernel.size(1) // 2))[:, k : k + x.size(1)]"
    " for k in range(kernel.size(1))]"
)
TURNED = "channels = x.transpose(1, 2)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The text's example, a half and two quarters; large kernels; texts shorter than theirs; others."""
    yield torch.tensor([[[0.0], [3.0], [0.0]]]), torch.tensor([[0.6931472, 0.0, 0.0]])
    yield torch.tensor([[[1.0], [2.0], [4.0], [8.0]]]), torch.tensor([[0.0, 0.0, 1.0986123]])
    yield torch.tensor([[[2.0, 1.0], [5.0, 3.0]]]), torch.tensor([[99.0, 100.0, 98.0], [101.0, 99.0, 100.0]])
    generator = torch.Generator().manual_seed(seed)
    for batch, length, features, size in [
        (2, 5, 3, 3),
        (1, 2, 4, 5),
        (3, 1, 2, 3),
        (2, 6, 5, 1),
        (1, 7, 7, 7),
    ]:
        yield (
            torch.randn(batch, length, features, generator=generator),
            torch.randn(features, size, generator=generator),
        )


# fmt: off
EXERCISE = Exercise(
    name="ghost", minutes=6, difficulty=2, reference=convolutions.ghost, cases=cases,
    invariants=[
        Invariant("of_the_same_shape", "A ghost has the shape of x: as many places go in as come out. Put K"
            " // 2 zeros at each end.", lambda _, arguments, result: result.shape == arguments[0].shape),
    ],
    mistakes=[
        Mistake("raw", "You take the kernels as they are. Softmax makes the K numbers of each channel"
            " positive, with a sum of 1.", edit(SOFTMAX, "kernel")),
        Mistake("over_channels", "Your softmax runs over the channels. Each channel has a kernel of its own,"
            " so the numbers of a row sum to 1.", edit("dim=-1", "dim=0")),
        Mistake("x_added", "You add x. Asked is the ghost alone; the layer adds both.",
            edit("return mixed", "return x + mixed")),
        Mistake("along_features", "Your kernel slides over the features of one token. It has to slide over"
            " the tokens, one feature at a time.",
            edit(RETURN,
                "return (F.pad(x, (kernel.size(1) // 2,) * 2).unfold(2, kernel.size(1), 1) *"
                " kernel.softmax(dim=-1)).sum(-1)")),
        Mistake("to_the_left", "Your window ends at place t. It has to reach as far to the right as to the"
            " left, which is x[t + k - K // 2].",
            edit(CONV,
                "F.conv1d(F.pad(channels, (weights.size(1) - 1, 0)), weights[:, None],"
                " groups=len(weights))")),
        Mistake("turned_round", "Your kernel is turned round: number k = 0 belongs to the left neighbor, x[t"
            " - K // 2].",
            edit(CONV, CONV.replace("weights[:, None]", "weights.flip(1)[:, None]"))),
        Mistake("ends_repeated", "Beyond both ends there are zeros, and you repeat the first and the last"
            " token there, or divide by the share of the kernel that lies inside.",
            (edit(CONV,
                 "F.conv1d(F.pad(channels, (weights.size(1) // 2,) * 2, mode='replicate'), weights[:, None],"
                 " groups=len(weights))"),
             edit(RETURN,
                 f"{RETURN} / {CONV.replace('channels', 'torch.ones_like(channels)')}.transpose(1, 2)"))),
        Mistake("in_a_circle", "Your text is a ring: the last token is the left neighbor of the first. Beyond"
            " both ends there are zeros.",
            edit(RETURN,
                "return sum(kernel.softmax(dim=-1)[:, k] * x.roll(kernel.size(1) // 2 - k, 1) for k in"
                " range(kernel.size(1)))")),
        Mistake("channels_mixed", "Every channel gets the sum of all channels. With groups=D each one reads"
            " itself alone.",
            (edit(CONV,
                 "F.conv1d(channels, weights[:, None].expand(-1, len(weights), -1), padding=weights.size(1)"
                 " // 2)"),
             edit(CONV, CONV.replace(", groups=len(weights)", "")))),
        Mistake("one_kernel_for_all", "All channels have one kernel in common. Row d of `kernel` is for"
            " channel d.",
            (edit(SOFTMAX, "kernel[:1].expand_as(kernel).softmax(dim=-1)"),
             edit(SOFTMAX, f"{SOFTMAX}.mean(dim=0, keepdim=True).expand_as(kernel)"))),
        Mistake("average", "You average the neighbors alike, whatever the kernel says. That is what a kernel"
            " of zeros does.", edit(SOFTMAX, "torch.zeros_like(kernel).softmax(dim=-1)")),
        Mistake("exp_overflows", "Right for small numbers. But exp of 89 is beyond float32, and inf / inf is"
            " NaN. Take the largest number of a row off before exp, which changes no share, as"
            " kernel.softmax(dim=-1) does.",
            edit(SOFTMAX, "(kernel.exp() / kernel.exp().sum(dim=-1, keepdim=True))")),
        Mistake("no_softmax", "Your weights aren't those of softmax: exp of each number, divided by the sum"
            " of all exp of its row.",
            (edit(SOFTMAX, "(kernel / kernel.sum(dim=-1, keepdim=True))"),
             edit(SOFTMAX, "(kernel.abs() / kernel.abs().sum(dim=-1, keepdim=True))"),
             *(edit(SOFTMAX, f"kernel.{other}()") for other in ("sigmoid", "exp", "tanh")),
             edit(SOFTMAX, f"{SOFTMAX}.softmax(dim=-1)"), edit(SOFTMAX, "kernel.log_softmax(dim=-1)"))),
        Mistake("to_the_right", "Your window begins at place t. It has to reach as far to the left as to the"
            " right: put K // 2 zeros at each end.",
            edit(CONV,
                "F.conv1d(F.pad(channels, (0, weights.size(1) - 1)), weights[:, None],"
                " groups=len(weights))")),
        Mistake("three_places", "You count on kernels of three places. K is any odd number, kernel.size(1):"
            " put K // 2 zeros at both ends, and add up K terms.",
            (edit(CONV, CONV.replace("weights.size(1) // 2", "1")),
             edit(RETURN,
                 f"return sum({SOFTMAX}[:, k] * F.pad(x, (0, 0, 1, 1))[:, k : k + x.size(1)] for k in"
                 " range(3))"))),
        Mistake("no_zeros", "You put no zeros at the ends, so the text gets shorter. Put K // 2 at each, as"
            " many places as a window reaches beyond its middle.",
            (edit(CONV, CONV.replace("weights.size(1) // 2", "0")),
             edit(RETURN, f"{RETURN}[:, 1:-1]"),
             edit(RETURN,
                 f"return sum({SOFTMAX}[:, k] * x[:, k : k + x.size(1) - kernel.size(1) + 1] for k in"
                 " range(kernel.size(1)))"))),
        Mistake("too_many_zeros", "You put too many zeros at the ends, and the text gets longer: K // 2 at"
            " each.",
            tuple(edit(CONV, CONV.replace("weights.size(1) // 2", zeros))
                for zeros in ("weights.size(1)", "weights.size(1) - 1"))),
        Mistake("tokens_as_channels", "F.conv1d slides along the last dimension, which is D in x. Turn x"
            " first, x.transpose(1, 2) is [B, D, T], and turn the result back.",
            (edit(TURNED, "channels = x"),
             edit(TURNED, "channels = x")
                 .then("mixed.transpose(1, 2)", "mixed"))),
        Mistake("some_terms_left_out", "A term is missing: k goes from 0 to K - 1, so K places are added up.",
            (edit(SOFTMAX, f"({SOFTMAX} * (torch.arange(kernel.size(1)) < kernel.size(1) - 1))"),
             edit(SOFTMAX, f"({SOFTMAX} * (torch.arange(kernel.size(1)) > 0))"))),
        Mistake("not_mixed", "What comes out is x, or x times a part of its kernel: the neighbors are"
            " missing. Add up K places for each token, each with its own weight.",
            (edit(RETURN, "return x"), edit(RETURN, f"return x * {SOFTMAX}[:, kernel.size(1) // 2]"),
             edit(RETURN, f"return x * {SOFTMAX}.sum(dim=-1)"))),
        Mistake("softmax_over_all", "Your softmax runs over the whole kernel. Each feature has K numbers of"
            " its own, whose sum is 1.", edit(SOFTMAX, "kernel.flatten().softmax(dim=0).view_as(kernel)")),
        Mistake("one_weight_for_all_places", "You weight all K places by one number of the kernel. Place k"
            " has the k-th.",
            tuple(edit(SOFTMAX, f"{SOFTMAX}[:, {at} : {at} + 1].expand_as(kernel)")
                for at in ("0", "kernel.size(1) // 2"))),
        Mistake("largest_or_mean", "You take the largest of the K terms, or their mean. Asked is their sum.",
            tuple(edit(RETURN, f"return torch.stack({TERMS}).{of}(dim=0)") for of in ("amax", "mean"))),
        Mistake("shifted", "Your window lies one place too far to the left or to the right: place t reads x[t"
            " + k - K // 2], and itself with the middle weight.",
            tuple(edit(TURNED, f"channels = F.pad(x, (0, 0, {before}, {after}))[:, {place}.transpose(1, 2)")
                for before, after, place in ((1, 0, ":-1]"), (0, 1, "1:]")))),
    ],
    hints=("Normalize each channel's kernel with softmax, and let it slide over the tokens. A convolution"
           " with as many groups as channels does it, or a sum of K shifted copies of x.",
           "F.conv1d wants x as [B, D, T] and the kernels as [D, 1, K]; padding=K // 2 puts zeros at both"
           " ends, and the answer is turned back to [B, T, D].",
           "F.conv1d(x.transpose(1, 2), kernel.softmax(dim=-1)[:, None], padding=kernel.size(1) // 2,"
           " groups=len(kernel)).transpose(1, 2)"),
    why="Three numbers a channel, and a kernel of zeros is a moving average.",
)
# fmt: on
