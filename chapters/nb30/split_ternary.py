"""A weight as two, whose binary values add up to its ternary ones."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import binary
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

SHARE = "(kept + negative_less_positive) / (2 * kept)"
SHIFT = "(weight.numel() * scale - size.sum()) / (2 * is_zero.sum())"
CODES, SECOND = "codes, scale = ternarize(weight)", "return first, weight - first"
BOTH_WRITTEN = "return first, torch.where(is_zero, -shift, (1 - share) * weight)"
FIRST = "torch.where(is_zero, weight.clamp(min=0) + shift, share * weight)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The eight weights of the text; small weights of one sign more than of the other; a 0; random ones."""
    yield (torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]], dtype=torch.float64),)
    yield (torch.tensor([[2.0, 0.5, 0.25], [-1.5, 0.5, -0.125]], dtype=torch.float64),)
    yield (torch.tensor([[2.0, 0.0, -0.5], [-1.5, 0.0, -0.25]], dtype=torch.float64),)
    torch.manual_seed(seed)
    for shape, shift in (((3, 8), 0.0), ((5, 4), 0.2), ((4, 6), -0.3), ((20, 30), 0.0)):
        yield (torch.randn(shape, dtype=torch.float64) + shift,)


def run(candidate: Any, weight: Tensor) -> tuple[Tensor, Tensor]:
    """What the two add up to, and what their binary values add up to: any pair that fits will do."""
    pair = candidate(weight)
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(p, Tensor) for p in pair):
        raise Unfit("It should return two tensors: return first, second")
    if any(half.shape != weight.shape for half in pair):
        raise Unfit(f"Both halves should have the weight's shape, {list(weight.shape)}.")
    if any(not half.is_floating_point() for half in pair):
        raise Unfit("The halves are latent weights, real numbers: their binary values are made of them.")
    first, second = (half.detach() for half in pair)
    values = [signs * scale for signs, scale in map(binary.binarize, (first, second))]
    return first + second, values[0] + values[1]


def halved(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Half of every weight on either side."""
    return weight / 2, weight / 2


def ternary_halves(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The two binary matrices, not what they are made of."""
    codes, scale = binary.ternarize(weight)
    half = scale / 2
    first = torch.where(codes == 0, half, half * codes)
    return first, scale * codes - first


def by_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Each row as a matrix of its own."""
    first, second = zip(*(binary.split_ternary(row[None]) for row in weight), strict=True)
    return torch.cat(first), torch.cat(second)


def by_sign(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The positive weights and the negative ones."""
    return weight.clamp(min=0), weight.clamp(max=0)


# fmt: off
EXERCISE = Exercise(
    name="split_ternary", minutes=12, difficulty=3, reference=binary.split_ternary, cases=cases, run=run,
    returns=("first + second", "the sum of their binary values"), gradients=False, tolerance=1e-9,
    mistakes=[
        Mistake("sums_exchanged", "Your a has the two small sums exchanged. The two halves add up to the"
            " weight, but their scales are not equal. The first half takes the positive small weights, so it"
            " needs less of the large ones where those are many: their sum is subtracted in a.",
            edit(SHARE, "(kept - negative_less_positive) / (2 * kept)")),
        Mistake("halved", "You halve every weight. Both halves then have the same signs, and two equal binary"
            " matrices add up to a binary one: no zero comes out. Where the code is 0, the halves need"
            " opposite signs.", halved),
        Mistake("by_sign", "You give positive weights to one side and negative ones to the other. Where the"
            " code is not 0, both halves need the weight's sign, so that their binary values add up to twice"
            " as much.", by_sign),
        Mistake("half_for_a", "You give half of the large weights to each side. The small weights go to one"
            " side or the other by their sign, so the two scales differ unless a makes up for it.",
            edit(SHARE, "0.5")),
        Mistake("latent_weights_forgotten", "Your halves are the binary matrices themselves, so the weight is"
            " not their sum. The latent weights are asked for: first + second = weight.", ternary_halves),
        Mistake("shift_forgotten", "The shift b is missing: small weights stay near 0, and the mean of |w| is"
            " too small for the scale.", edit(SHIFT, "torch.zeros_like(scale)")),
        Mistake("shift_twice", "Your b is twice as large as it should be: it stands in both halves, so that 2"
            " divides it.", edit(SHIFT, "(weight.numel() * scale - size.sum()) / is_zero.sum()")),
        Mistake("shift_over_all", "You divide by all weights. The shift is given to those of code 0 alone.",
            edit(SHIFT, "(weight.numel() * scale - size.sum()) / (2 * weight.numel())")),
        Mistake("negative_ones_in_the_first_half", "You put negative small weights beside +b, which makes"
            " that half smaller than b, or negative. Add b to the positive ones; of a negative one the first"
            " half gets b alone.",
            (edit(FIRST, "torch.where(is_zero, weight + shift, share * weight)"),
             edit(FIRST, "torch.where(is_zero, weight.clamp(max=0) + shift, share * weight)"))),
        Mistake("all_small_ones_in_the_second_half", "You leave all small weights to the second half: where"
            " one is larger than b and positive, both halves are positive there, and no zero comes out.",
            edit(FIRST, "torch.where(is_zero, shift, share * weight)")),
        Mistake("same_sign_of_b", "You add b on both sides. Where the code is 0 the halves have opposite"
            " signs: +b in the first and -b in the second, so that b cancels in their sum.",
            edit(SECOND,
                "return first, torch.where(is_zero, weight.clamp(max=0) + shift, (1 - share) * weight)")),
        Mistake("small_weights_lost", "Your small weights are gone: where the code is 0 you have b and -b"
            " alone, whose sum is 0 and not the weight. A positive one goes to the first half, another to the"
            " second.",
            (edit(FIRST, "torch.where(is_zero, shift, share * weight)").then(SECOND, BOTH_WRITTEN),
             edit(SECOND, BOTH_WRITTEN))),
        Mistake("other_codes", "Your codes are others. One is 0 up to 0.7 times the mean |w|, and the mean"
            " size of the weights beyond is the scale: ternarize(weight) returns codes and scale.",
            tuple(edit(CODES,
                    f"codes = weight.sign() * (weight.abs() > {threshold})\n"
                    "    scale = weight.abs()[codes != 0].mean()")
                for threshold in ("0.5 * weight.abs().mean()", "weight.abs().mean()",
                    "0.7 * weight.abs().max()"))),
        Mistake("row_by_row", "You split each row by itself. The matrix has one threshold, one scale and one"
            " pair of a and b, which are taken over all its weights.", by_rows),
        Mistake("all_in_one", "Both halves are the same. Each needs its own part: a w and (1 - a) w where the"
            " code is not 0, +b and -b where it is.", edit(SECOND, "return first, first")),
        Mistake("signs_alone", "You return signs. The latent weights are asked for, whose signs these are:"
            " first + second = weight.", edit(SECOND, "return first.sign(), (weight - first).sign()")),
        Mistake("float32", "Your halves are float32. Make new tensors of weight's dtype, float64, as"
            " operations on weight do.", edit(SECOND, "return first.float(), (weight - first).float()")),
        Mistake("same_signs_where_0", "Where the code is 0, your halves have the same sign, so that their"
            " binary values don't cancel: +b goes to one half and -b to the other.",
            when=lambda _, answer, right: bool(
                (answer[1][right[1].abs() < 1e-9].abs() > right[1].abs().max() / 2).any()),
            example=edit(SECOND, "return first, torch.where(is_zero, shift, weight - first)")),
        Mistake("scales_unlike", "The two add up to the weight, but their binary values not to the ternary"
            " one: the mean size of each half has to be half of the ternary scale. That is what a and b are"
            " for.",
            when=lambda _, answer, expected: torch.allclose(answer[0], expected[0], atol=1e-9),
            example=edit(SHARE, f"0.9 * {SHARE}")),
        Mistake("not_the_weight", "The binary values add up to the ternary one, but the two latent weights"
            " not to the weight. What the first half has not is the second: weight - first.",
            when=lambda _, answer, expected: torch.allclose(answer[1], expected[1], atol=1e-9),
            example=edit(SECOND, "return first, -first + 2 * share * weight * ~is_zero")),
    ],
    hints=("Where the code is not 0, both halves need its sign: a share a of the weight and the rest. Where"
           " it is 0, they need opposite signs: +b in the first and -b in the second, and the weight itself"
           " to whichever side has its sign. Then choose a and b so that both mean sizes are half of the"
           " scale.",
           "Call the sum of |w| over nonzero codes S_I, over positive weights of code 0 S_J, over the others"
           " of code 0 S_K. The sizes of the first half sum to a S_I + S_J + n0 b, of the second to (1 - a)"
           " S_I + S_K + n0 b, n0 being how many codes are 0. Both have to be n * scale / 2.",
           "a = (S_I + S_K - S_J) / (2 * S_I); b = (n * scale - |w| summed) / (2 * n0); first ="
           " torch.where(codes != 0, a * weight, weight.clamp(min=0) + b); second = weight - first"),
    why="The same three values out of two times two, and the latent weights add up as well.",
)
# fmt: on
