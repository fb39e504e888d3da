"""Questions for a vote on three values a weight."""

import torch

from lib.compression.quantizers.fake import straight_through
from lib.compression.quantizers.linear import dequantize, quantize_symmetric
from lib.compression.quantizers.ternary import ternarize
from lib.questions import Question, Right, Wrong


def one_weight_ten_times_as_large() -> str:
    row = torch.tensor([0.5, -0.4, 0.6, -0.45, 0.55, -0.5, 0.65, -0.7])
    rows = torch.stack([row, row * torch.tensor([1, 1, 1, 1, 1, 1, 1, 10])])
    rounded = dequantize(*quantize_symmetric(rows, bits=2))  # each row has its own scale
    before, after = rounded[:, :-1]  # without the last weight
    print(f"the seven others, before: {before}\nand after:                {after}")
    stay, become_0, grow = after.equal(before), not after.any(), after.equal(10 * before)
    return "A" if stay else "B" if become_0 else "CD"[grow]


def scale_over_all_weights() -> str:
    weights = torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26])
    codes, scale = ternarize(weights)
    sum_of_sizes = (codes * weights).sum()  # of those that are left
    too_many = sum_of_sizes / len(weights)
    print("codes:", codes.tolist())
    print(f"the mean over those that are left {scale:.3f}, over all {too_many:.3f}")
    return "BDA"[int((too_many - scale).sign())]


def a_step_in_which_no_code_changes() -> str:
    latent = torch.tensor([0.31, -0.14, 0.04, 0.70], requires_grad=True)
    codes, scale = ternarize(latent)
    loss = straight_through(codes * scale, like=latent).square().sum()
    moved = latent - 0.01 * torch.autograd.grad(loss, latent)[0]
    codes_then, scale_then = ternarize(moved)
    print(f"codes {codes.tolist()}, latent {latent.detach()}, scale {scale:.3f}")
    print(f"then  {codes_then.tolist()}, latent {moved.detach()}, scale {scale_then:.3f}")
    return "ADCB"[2 * bool((moved != latent).any()) + bool(scale_then != scale)]


def a_matrix_of_equal_sizes() -> str:
    weights = torch.tensor([[0.1, -0.1, -0.1, 0.1], [-0.1, 0.1, 0.1, -0.1]])
    codes, scale = ternarize(weights)
    zeros = (codes == 0).double().mean().item()
    print(f"mean size {weights.abs().mean():.2f}, threshold {0.7 * weights.abs().mean():.2f}")
    print(f"zeros {zeros:.0%}, scale {scale:.2f}, codes {codes.tolist()}")
    return "D" if zeros == 0 else "B" if zeros == 1 else "AC"[zeros > 0.5]


QUESTIONS = [
    Question(
        name="one_weight_ten_times_as_large",
        section=0,
        text="Notebook 20's two bits have the codes −1, 0 and 1, and the scale is the largest weight of the"
        " row. This one weight becomes ten times as large. What happens to the other weights of the row?",
        options=(
            Wrong(
                "They stay as they are, because each is rounded by itself.",
                "weights_are_rounded_alone",
                "They share one scale, and the largest weight sets it. So they are not rounded by"
                " themselves.",
            ),
            Right(
                "They become 0, because half of the largest is the threshold.",
                "Only what lies beyond half of the scale keeps a code of 1 or −1, and the scale has become"
                " ten times as large.",
            ),
            Wrong(
                "They are rounded more finely, because the scale is larger.",
                "a_larger_scale_is_finer",
                "The number of codes is the same, and they lie farther apart. A larger scale is a coarser"
                " one.",
            ),
            Wrong(
                "They come out ten times as large, as they share the scale.",
                "a_scale_moves_all_alike",
                "A weight is its code times the scale, but the code is made anew: a tenth as large a share"
                " rounds to 0.",
            ),
        ),
        shows=one_weight_ten_times_as_large,
        seconds=60,
        guessed=((15, 50, 15, 20), (5, 80, 5, 10)),
    ),
    Question(
        name="scale_over_all_weights",
        section=1,
        text="For the scale of a ternary matrix a colleague adds up the sizes of the weights that are left"
        " and divides by the number of all weights. The codes are right, and some are 0. What comes out?",
        options=(
            Right(
                "Values that are too small, because the zeros count in the number.",
                "The scale has to be the mean size of those that are left. The zeros add nothing to the sum"
                " and still make the divisor larger.",
            ),
            Wrong(
                "The right values, because the zeros add nothing to the sum.",
                "zeros_leave_a_mean_alone",
                "To the sum they add nothing, but a mean also divides by how many there are.",
            ),
            Wrong(
                "More zeros, because a smaller scale moves the threshold.",
                "the_scale_sets_the_threshold",
                "In TWN the threshold is 0.7 times the mean size of all weights. It is there before the"
                " scale, and so are the codes.",
            ),
            Wrong(
                "Values that are too large, because more weights are counted.",
                "counting_more_makes_a_mean_larger",
                "The number of all weights stands below the line, so the mean becomes smaller.",
            ),
        ),
        shows=scale_over_all_weights,
        seconds=60,
        guessed=((50, 20, 20, 10), (80, 5, 10, 5)),
    ),
    Question(
        name="a_matrix_of_equal_sizes",
        section=1,
        text="Half of a matrix's weights are 0.1, and the other half are −0.1. How many of them does TWN"
        " set to 0?",
        options=(
            Wrong(
                "A third, because three values are shared out.",
                "all_shares_are_equal",
                "Nobody shares out the values: a threshold decides, and it may leave a value unused.",
            ),
            Wrong(
                "All, because plus and minus cancel in the mean.",
                "a_mean_size_has_signs",
                "The threshold comes from the mean of the sizes, which have no signs. It is 0.07 here and"
                " not 0.",
            ),
            Wrong(
                "Most, because only the largest weights are left.",
                "only_the_largest_weights_survive",
                "That was the way of notebook 20, where the largest weight set the threshold. And here all"
                " are the largest.",
            ),
            Right(
                "None, because all lie above 0.7 times the mean size.",
                "The mean size is 0.1 and the threshold 0.07, so all stay, and with a scale of 0.1 nothing"
                " is lost.",
            ),
        ),
        shows=a_matrix_of_equal_sizes,
        seconds=60,
        guessed=((15, 20, 15, 50), (5, 10, 5, 80)),
    ),
    Question(
        name="a_step_in_which_no_code_changes",
        section=3,
        text="A ternary matrix learns with latent weights behind it. After one small step no code has"
        " changed. What did the step move in this matrix?",
        options=(
            Wrong(
                "Nothing, because rounding has a slope of 0 nearly everywhere.",
                "rounding_stops_learning",
                "The straight-through estimator doesn't use this slope: it hands the gradient on to the"
                " latent weights as it is.",
            ),
            Right(
                "The latent weights, and with them the scale, their mean size.",
                "Latent weights are real numbers and move in every step. The scale is the mean size of those"
                " that are left, so it moves, too. A code flips when a threshold is crossed.",
            ),
            Wrong(
                "The values of the matrix, of which there are many by now.",
                "training_leaves_the_grid",
                "What moves lies behind the rounding. The matrix that multiplies is made anew in each step,"
                " of three values.",
            ),
            Wrong(
                "The scale alone, because it is the only real number left.",
                "only_the_scale_learns",
                "During training the latent weights are kept beside the codes. They are dropped when the"
                " file is written.",
            ),
        ),
        shows=a_step_in_which_no_code_changes,
        seconds=60,
        guessed=((20, 40, 20, 20), (5, 75, 10, 10)),
    ),
]
