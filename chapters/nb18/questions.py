"""Questions for a vote on loss landscapes."""

import torch

from lib.questions import Question, Right, Wrong


def two_losses_of_zero() -> str:
    learned, new = torch.tensor([-2.0, -1, 0, 1, 2]), torch.tensor([-1.5, 0.5, 3])

    def wavy(x: torch.Tensor) -> torch.Tensor:
        return x + (x[:, None] - learned).prod(dim=1)  # is right on the learned numbers, too

    for name, x in {"learned": learned, "new": new}.items():
        print(f"{name}: to {x.tolist()} one says {x.tolist()}, the other {wavy(x).tolist()}")
    return "C" if new.allclose(wavy(new)) else "A"


def averages_of_a_shuffled_copy() -> str:
    torch.manual_seed(0)
    first, second, x = torch.randn(30, 10), torch.randn(5, 30), torch.randn(10)
    model = second @ (first @ x).relu()
    shuffled = second.flip(1) @ (first.flip(0) @ x).relu()
    third = (second + second.flip(1)) / 2 @ ((first + first.flip(0)) / 2 @ x).relu()
    moved = [(each - model).abs().max().item() for each in ((model + shuffled) / 2, third)]
    print(f"moved: averaged answers {moved[0]:.4f}, averaged weights {moved[1]:.4f}")
    return "ACBD"[2 * int(moved[0] > 0.01) + int(moved[1] > 0.01)]


def ten_times_the_matrix() -> str:
    torch.manual_seed(0)
    weight, push, x = torch.randn(8, 8), torch.randn(8, 8), torch.randn(8)

    def answer(matrix: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.layer_norm(matrix @ x, (8,))

    moved = [(answer(w + 0.1 * push) - answer(w)).norm().item() for w in (weight, 10 * weight)]
    same = torch.allclose(answer(weight), answer(10 * weight), atol=1e-3)
    print(f"same answers: {same}; one push moves them by {moved[0]:.3f}, and by {moved[1]:.3f}")
    return ("D" if same else "C") if moved[1] < 0.5 * moved[0] else "AB"[moved[1] < 2 * moved[0]]


def a_step_across_a_narrow_valley() -> str:
    curvature = torch.tensor([50.0, 0.1])  # of a steep and of a flat direction
    place = torch.tensor([0.01, 0.01])  # beside the lowest point
    for step in range(4):
        place = place - 0.1 * curvature * place
        print(f"after step {step + 1}: {place[0]:.2f}, in a flat direction {place[1]:.4f}")
    steep, flat = place.abs().tolist()
    return "B" if steep > 0.02 else "D" if flat > 0.011 else "C" if steep > 0.009 else "A"


QUESTIONS = [
    Question(
        name="two_losses_of_zero",
        section=0,
        text="Two models of the same shape have learned from the same rows, and both have a loss of nearly 0"
        " on these rows. What do you know about new rows?",
        options=(
            Right(
                "Nothing yet, because each may be right on these rows in a way of its own.",
                "Many functions go through the same points. What they do between them only new rows show.",
            ),
            Wrong(
                "They answer new rows alike, because equal losses mean equal functions.",
                "equal_scores_are_equal_answers",
                "Equal losses on these rows mean equal answers on these rows, and no further.",
            ),
            Wrong(
                "Both do well there, because a loss of 0 means that the rule was found.",
                "high_scores_need_understanding",
                "A model with enough weights gets there by learning rows by heart, without any rule.",
            ),
            Wrong(
                "Both do badly there, because a loss of 0 means that they have overfitted.",
                "high_scores_mean_overfitting",
                "It may be so, but a model that has found the rule has a loss near 0 as well.",
            ),
        ),
        shows=two_losses_of_zero,
        seconds=45,
        guessed=((55, 5, 10, 30), (85, 2, 3, 10)),
    ),
    Question(
        name="averages_of_a_shuffled_copy",
        section=1,
        text="A model and its copy, whose features stand in another order, give the same answers. You average"
        " once their answers, and once their weights. Which average answers as the model does?",
        options=(
            Wrong(
                "Both, because two equal things have themselves as their average.",
                "averages_of_equals_are_equal",
                "As functions they are equal, as lists of weights they aren't: feature 5 meets another one.",
            ),
            Wrong(
                "That of the weights, because averaged answers blur each other.",
                "weights_average_better_than_answers",
                "Equal answers have themselves as their average. It is the weights that don't fit together.",
            ),
            Right(
                "That of the answers, because averaged weights are a third model.",
                "In the averaged weights each feature is a mixture of two that have nothing in common.",
            ),
            Wrong(
                "Neither, because any averaging takes some of the details away.",
                "averaging_always_blurs",
                "The average of a number and itself is that number, and both give the same answers.",
            ),
        ),
        shows=averages_of_a_shuffled_copy,
        seconds=60,
        guessed=((25, 15, 50, 10), (7, 4, 86, 3)),
    ),
    Question(
        name="ten_times_the_matrix",
        section=2,
        text="A layer norm follows a matrix, so ten times the matrix gives the same answers. For both,"
        " the loss is drawn along random steps of the same length. How does the picture of the"
        " larger one look?",
        options=(
            Wrong(
                "Sharper, because large weights make each step count for more.",
                "large_weights_look_sharp",
                "A step of fixed length is a smaller share of large weights, so it changes less.",
            ),
            Wrong(
                "The same, because one function has one and the same landscape.",
                "one_function_has_one_landscape",
                "The landscape is drawn over weights. Other weights for the same function, another picture.",
            ),
            Wrong(
                "Flatter, so that the larger matrix does better on new texts.",
                "flat_is_better",
                "It answers every text as the other does. Here flatness says only how the weights are"
                " written down.",
            ),
            Right(
                "Flatter, because each step is a smaller share of the matrix.",
                "That is why steps are made as long as the weights, before flatness is compared.",
            ),
        ),
        shows=ten_times_the_matrix,
        seconds=75,
        guessed=((20, 25, 20, 35), (5, 8, 7, 80)),
    ),
    Question(
        name="a_step_across_a_narrow_valley",
        section=4,
        text="In its most curved direction a loss has the curvature 50. A model stands 0.01 beside the lowest"
        " point in this direction. It makes plain gradient steps with rate 0.1. What becomes of the 0.01?",
        options=(
            Wrong(
                "It shrinks, because each of the steps leads downhill from there.",
                "downhill_steps_always_go_lower",
                "Each step begins downhill, but it is so long that it ends higher on the other side.",
            ),
            Right(
                "It grows, because each step ends higher up on the other side.",
                "A step is 0.1 · 50 = 5 times the distance, so what was 0.01 is -0.04, then 0.16.",
            ),
            Wrong(
                "It stays, because the slope so near to the lowest point is 0.",
                "near_a_minimum_nothing_moves",
                "The slope is 0 at the lowest point only. Beside it, it is curvature times distance.",
            ),
            Wrong(
                "It turns into a flatter direction, because steps avoid walls.",
                "steps_avoid_steep_walls",
                "The gradient points straight up the wall, and a step goes straight against it.",
            ),
        ),
        shows=a_step_across_a_narrow_valley,
        seconds=75,
        guessed=((40, 40, 10, 10), (12, 82, 3, 3)),
    ),
]
