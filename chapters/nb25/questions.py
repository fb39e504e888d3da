"""Questions for a vote on choosing bits."""

import torch

from lib.questions import Question, Right, Wrong


def one_number_for_three() -> str:
    numbers = torch.tensor([1.0, 2, 9])
    candidates = torch.tensor([2.0, 5, 4, 9])  # A to D
    errors = (numbers - candidates[:, None]).square().sum(dim=1)
    for candidate, error in zip(candidates.tolist(), errors.tolist(), strict=True):
        print(f"{candidate:.0f} for all three: sum of squared errors {error:.0f}")
    return "ABCD"[int(errors.argmin())]


def a_shorter_reach() -> str:
    row = torch.special.ndtri(torch.linspace(0.0005, 0.9995, 1000))  # normally distributed
    scales = row.max() * torch.tensor([[1.0], [0.55]]) / 3
    errors = ((row / scales).round().clamp(-3, 3) * scales - row).square()
    print(f"squared errors: {errors[0].sum():.0f} in all, then {errors[1].sum():.0f}")
    print(f"the largest weight's own: {errors[0, -1]:.2f}, then {errors[1, -1]:.2f}")
    ratio = (errors[1].sum() / errors[0].sum()).item()
    return "A" if ratio > 1.01 else "B" if ratio > 0.99 else "CD"[bool(errors[1, -1] > errors[0, -1])]


def what_the_second_weight_should_do() -> str:
    x = torch.tensor([1.0, -2.0, 0.5])
    inputs = torch.stack([x, -x], dim=1)  # the second is always the opposite of the first
    errors: dict[float, float] = {}
    for change in (0.04, -0.04, 0.0, 0.02):  # of the second weight, A to D
        outputs = inputs @ torch.tensor([-0.04, change])
        errors[change] = round(outputs.square().mean().item(), 4)
    print("error of the output, by the second weight's change:", errors)
    return "ABCD"[list(errors.values()).index(min(errors.values()))]


def a_photo_of_sixteen_colors() -> str:
    pixels, colors = 1_000_000, 16
    codes = pixels * 4  # bits: sixteen numbers need four
    palette = colors * 24
    print(f"codes {codes:,} bits, list of colors {palette} bits")
    print(f"{(codes + palette) / pixels:.4f} bits for a pixel")
    return {4: "A", 16: "B", 24: "C", 28: "D"}[round((codes + palette) / pixels)]


QUESTIONS = [
    Question(
        name="one_number_for_three",
        section=0,
        text="A single number is to stand for 1, 2 and 9, so that the sum of the squared errors is as small"
        " as it can be. Which number is it?",
        options=(
            Wrong(
                "2, because it is the one in the middle.",
                "the_median_has_least_squares",
                "The median has the smallest sum of distances. Squares give the far 9 more weight.",
            ),
            Wrong(
                "5, because it is halfway from 1 to 9.",
                "the_midrange_has_least_squares",
                "Halfway makes the largest error small. The two small numbers together pull further.",
            ),
            Right(
                "4, because it is the mean of all three.",
                "The errors 3, 2 and -5 add up to 0, so no move to either side makes the sum smaller.",
            ),
            Wrong(
                "9, because large errors count by far most.",
                "only_the_largest_error_counts",
                "With 9, two errors are large instead: 8 and 7, whose squares are 64 and 49.",
            ),
        ),
        shows=one_number_for_three,
        seconds=30,
        guessed=((20, 20, 55, 5), (6, 5, 88, 1)),
    ),
    Question(
        name="a_shorter_reach",
        section=2,
        text="Most weights of a row are small, as in a bell curve. Its seven values, equally spaced, reach"
        " to the largest weight. Now they reach only to 55% of it, and what lies beyond becomes the last"
        " value. What happens to the sum of the squared errors?",
        options=(
            Wrong(
                "It grows, because the largest weights, which count most, are lost.",
                "size_is_importance",
                "Those few do lose. But most other weights have finer steps now, and they are many.",
            ),
            Wrong(
                "It stays, because the row has as many values as it had before.",
                "the_codes_set_the_error",
                "Seven values as before, but they lie closer, where most of the weights are.",
            ),
            Wrong(
                "It shrinks, because every weight lies between finer steps now.",
                "finer_steps_help_every_weight",
                "Not every one: what lies beyond the last value is further from it than before. The sum"
                " shrinks in spite of these.",
            ),
            Right(
                "It shrinks, because many small weights gain more than a few lose.",
                "Few weights are large, so finer steps for the many are worth more than what the few lose.",
            ),
        ),
        shows=a_shorter_reach,
        seconds=60,
        guessed=((20, 5, 20, 55), (5, 2, 6, 87)),
    ),
    Question(
        name="what_the_second_weight_should_do",
        section=4,
        text="A layer has two inputs, and the second is always the opposite of the first: 1 and -1, or -2 and"
        " 2. Rounding makes the first weight smaller by 0.04. What should the second weight do, so that the"
        " output stays?",
        options=(
            Wrong(
                "Rise by 0.04, because what one loses the other has to add.",
                "making_up_is_adding",
                "Then both changes push the output to the same side, since the inputs have opposite signs.",
            ),
            Right(
                "Fall by 0.04, because its input has the opposite sign.",
                "w₁x₁ + w₂x₂ is (w₁ - w₂)x₁ here, so the output stays if both fall by the same.",
            ),
            Wrong(
                "Stay as it is, because only the first has been changed.",
                "weights_are_rounded_alone",
                "The layer's output is what has to stay, and the second weight can bring it back.",
            ),
            Wrong(
                "Rise by 0.02, because both of them share the error.",
                "all_shares_are_equal",
                "The first weight's error can't be undone. The second has to balance all of it.",
            ),
        ),
        shows=what_the_second_weight_should_do,
        seconds=60,
        guessed=((30, 50, 10, 10), (7, 87, 3, 3)),
    ),
    Question(
        name="a_photo_of_sixteen_colors",
        section=3,
        text="A photo of a million pixels, each a color of 24 bits, is stored with the sixteen colors that"
        " suit it best, chosen anew for this photo. How many bits does a pixel take?",
        options=(
            Right(
                "About 4, because the list of colors is stored once.",
                "Each pixel stores the number of its color, from 0 to 15. The list is stored once: 384 bits.",
            ),
            Wrong(
                "About 16, because each of the 16 colors needs one bit.",
                "one_bit_for_each_value",
                "Four bits can already write sixteen numbers. One bit a color would be a list of yes and no.",
            ),
            Wrong(
                "About 24, because each of the colors still has 24 bits.",
                "codes_are_as_long_as_values",
                "The colors have, but a pixel only says which of sixteen it is, and they are stored once.",
            ),
            Wrong(
                "About 28, because a pixel has a number and its color.",
                "each_code_brings_its_value",
                "The color is looked up in the list. A pixel has the number alone.",
            ),
        ),
        shows=a_photo_of_sixteen_colors,
        seconds=45,
        guessed=((65, 10, 15, 10), (90, 3, 4, 3)),
    ),
]
