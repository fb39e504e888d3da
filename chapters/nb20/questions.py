"""Questions for a vote on rounding weights to codes."""

import torch

from lib.compression.quantizers.linear import dequantize, quantize_asymmetric, quantize_symmetric
from lib.questions import Question, Right, Wrong


def a_step_on_a_staircase() -> str:
    weight = torch.tensor(2.2, requires_grad=True)
    loss = weight.round() ** 2  # flat from 1.5 to 2.5, and lower on the stair to the left
    [gradient] = torch.autograd.grad(loss, weight)
    moved = 0.1 * abs(gradient.item())  # the learning rate is 0.1
    print(f"loss {loss:.0f} at {weight:.1f}, and {torch.tensor(1.4).round() ** 2:.0f} at 1.4")
    print(f"gradient {gradient:.1f}: the weight moves by {moved:.2f}")
    return "A" if moved == 0 else "C" if moved > 0.5 else "D" if round(moved, 6) == 0.1 else "B"


def one_huge_weight() -> str:
    torch.manual_seed(0)
    weight = torch.randn(6, 100)
    weight[2, 30] = 200
    codes, _ = quantize_symmetric(weight, bits=4)  # a scale for each row
    zeros = (codes == 0).double()
    print("share of zeros in each row:", *[f"{share:.2f}" for share in zeros.mean(dim=1)])
    most = zeros.mean() > 0.9, zeros[:, 30].mean() > 0.9, zeros[2].mean() > 0.9
    return "BACD"[most.index(True) if any(most) else 3]


def a_latent_weight_rounded_each_time() -> str:
    latent = 0.5
    rounded = 0.5
    for _ in range(20):  # each step is a tenth of the scale 0.5
        latent += 0.05
        rounded = 0.5 * round((rounded + 0.05) / 0.5)
    print(f"the sum is kept: {latent:.2f}; rounded after each step: {rounded:.2f}")
    learned = (rounded - 0.5) / (latent - 0.5)
    return "D" if learned < 0.1 else "C" if learned < 0.8 else "A" if learned < 1.5 else "B"


def a_neighbor_in_the_batch() -> str:
    quiet = torch.linspace(-1, 1, 50)[None]  # one row, so one scale
    alone = quantize_asymmetric(quiet, 8)
    beside = quantize_asymmetric(torch.cat([quiet, 100 * quiet], dim=1), 8)
    errors = [(dequantize(*codes)[:, :50] - quiet).abs().max().item() for codes in (alone, beside)]
    print(f"largest error of its numbers: {errors[0]:.3f} alone, {errors[1]:.3f} beside the other")
    same = "A" if alone[0].equal(beside[0][:, :50]) else "C"
    return "B" if errors[1] > 2 * errors[0] else "D" if errors[1] < errors[0] / 2 else same


QUESTIONS = [
    Question(
        name="a_step_on_a_staircase",
        section=0,
        text="A loss is a staircase: flat around the weight that you have, and one stair lower not far to"
        " its left. What does one update of plain gradient descent do to the weight?",
        options=(
            Right(
                "It leaves the weight, because the gradient of the flat part is 0.",
                "A gradient tells how the loss changes close by, and close by nothing changes.",
            ),
            Wrong(
                "It moves it a little to the left, toward the stair that is lower.",
                "a_gradient_sees_the_lower_step",
                "A gradient doesn't look around. It is the slope at one place, and there the loss is flat.",
            ),
            Wrong(
                "It moves it to the lower stair, because jumps have huge gradients.",
                "the_nearest_jump_pulls",
                "The jump is elsewhere. At the weight's own place the slope is 0.",
            ),
            Wrong(
                "It moves it by the learning rate, because that is an update's length.",
                "the_rate_is_the_step",
                "The update is the rate times the gradient, so it is 0 where the gradient is.",
            ),
        ),
        shows=a_step_on_a_staircase,
        seconds=45,
        guessed=((60, 20, 15, 5), (88, 6, 4, 2)),
    ),
    Question(
        name="one_huge_weight",
        section=2,
        text="A matrix is rounded to four bits, with a scale for each row. Before that, one weight was fifty"
        " times as large as any other. Which weights become 0 because of it?",
        options=(
            Wrong(
                "Nearly all of its column, because they meet the same input.",
                "a_scale_is_shared_by_a_column",
                "An input meets a column, but the scale was taken along a row, over all inputs of one"
                " output.",
            ),
            Wrong(
                "Nearly all of the matrix, because its step became so large.",
                "one_outlier_spoils_the_whole_matrix",
                "That is what one scale for the matrix does. Here the other rows have scales of their own.",
            ),
            Right(
                "Nearly all of its row, because they share the scale with it.",
                "The huge weight sets its row's step. All others are less than half a step.",
            ),
            Wrong(
                "None but itself, because it lies beyond the largest code.",
                "weights_are_rounded_alone",
                "The scale is made for the largest |weight|, which gets the largest code. The small ones"
                " pay.",
            ),
        ),
        shows=one_huge_weight,
        seconds=45,
        guessed=((10, 20, 60, 10), (4, 8, 85, 3)),
    ),
    Question(
        name="a_latent_weight_rounded_each_time",
        section=3,
        text="To save memory, a colleague trains with the rounding inside, but keeps only the rounded weight"
        " after each step. The scales are fixed, and each step is a tenth of a scale. What will happen?",
        options=(
            Wrong(
                "The same as before: the layer has only ever used the rounded weight.",
                "only_the_used_weight_matters",
                "It is what the layer uses, but the latent weight is where the small steps add up.",
            ),
            Wrong(
                "The weights jump to and fro: each small step is made a whole scale.",
                "small_steps_round_up",
                "A tenth of a scale is rounded down to nothing, and not up to a whole one.",
            ),
            Wrong(
                "It learns more slowly: of each step some part is lost by rounding.",
                "rounding_loses_a_part",
                "Not a part: all of it. From any code a tenth of the way leads back to the same code.",
            ),
            Right(
                "Nothing is learned: each step is rounded away before the next one.",
                "No single step reaches the border to the next code, and nothing is left to be added to.",
            ),
        ),
        shows=a_latent_weight_rounded_each_time,
        seconds=60,
        guessed=((25, 5, 35, 35), (8, 2, 10, 80)),
    ),
    Question(
        name="a_neighbor_in_the_batch",
        section=4,
        text="A model in whole numbers finds one scale for the inputs of a batch anew in each call. You ask"
        " it about your text alone, and again beside a text of the same length with far larger activations."
        " What changes for your text?",
        options=(
            Wrong(
                "Nothing, because the rows of a batch don't read each other.",
                "rows_of_a_batch_share_nothing",
                "They don't attend to each other, but here they share a number: the scale of their codes.",
            ),
            Right(
                "Its inputs become coarser, because both texts share a scale.",
                "The larger activations set the step, as an outlier does, and your text is rounded with it.",
            ),
            Wrong(
                "Its codes, and no result, because scales cancel in the end.",
                "a_scale_undoes_its_rounding",
                "The scale is multiplied back, but what was rounded away between two codes is gone.",
            ),
            Wrong(
                "Its inputs become finer, because the scale is now larger.",
                "a_larger_scale_is_finer",
                "A larger scale puts the codes farther apart, so what lies between two of them is rounded"
                " more coarsely.",
            ),
        ),
        shows=a_neighbor_in_the_batch,
        seconds=75,
        guessed=((40, 40, 15, 5), (12, 80, 6, 2)),
    ),
]
