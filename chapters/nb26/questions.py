"""Questions for a vote on pruning weights."""

import torch

from lib.compression.pruning.magnitude import magnitude_mask, over_all
from lib.questions import Question, Right, Wrong


def a_gradient_of_zero() -> str:
    average = 1.0  # of gradients that were all 1
    square = 1.0  # the average of their squares
    before = average / square**0.5
    average = 0.9 * average + 0.1 * 0.0
    square = 0.999 * square + 0.001 * 0.0**2
    now = average / square**0.5
    print(f"a step, in learning rates: {before:.2f}; with a gradient of 0: {now:.2f}")
    return "A" if now == 0 else "B" if now < 0.02 else "C" if now < before else "D"


def one_threshold_for_two_layers() -> str:
    between = {"A": (0.01, 0.1), "B": (0.2, 1)}
    weights = {name: torch.empty(20, 20).uniform_(*ends) for name, ends in between.items()}
    kept = over_all(weights, 0.5)
    left = {name: int(mask.sum()) for name, mask in kept.items()}
    outputs = torch.randn(5, 20) @ (weights["A"] * kept["A"]) @ (weights["B"] * kept["B"])
    print(f"weights left: {left}; outputs of five inputs spread by {outputs.std(dim=0).max():.2f}")
    return {0: "B", 200: "C", 400: "D"}.get(left["A"], "A")


def a_large_weight_without_input() -> str:
    inputs = torch.tensor([[0.0, 1, -1, 2], [0, 2, 1, 1], [0, -1, 3, 1]])  # the first is always 0
    weight = torch.tensor([[9.0, 0.5, -0.4, 0.3]], requires_grad=True)
    [gradient] = torch.autograd.grad((inputs @ weight.T - 1).square().sum(), weight)
    large = bool(magnitude_mask(weight.detach(), 0.5)[0, 0])
    scored = bool(magnitude_mask(gradient * weight.detach(), 0.5)[0, 0])
    lost = (9 * inputs[:, 0]).abs().max().item()
    print(f"kept by magnitude: {large}, by score: {scored}; without it sums move by {lost:.1f}")
    return {(True, True): "A", (False, False): "B"}.get((large, scored), "C" if lost else "D")


def when_a_bit_a_weight_pays() -> str:
    weights = 1000
    whole = 4 * weights  # bits: a code of four for each
    share = 0
    while weights + 4 * (weights - weights * share // 100) >= whole:
        share += 1
    print(f"codes of 4 bits and one more for every weight: smaller from {share}% zeros on")
    return "A" if share < 10 else "B" if share < 40 else "C" if share < 60 else "D"


QUESTIONS = [
    Question(
        name="a_gradient_of_zero",
        section=0,
        text="A weight has learned with AdamW for a hundred steps, each with about the same gradient. In the"
        " next step its gradient is exactly 0. What does the weight do?",
        options=(
            Wrong(
                "It stays, because a step is the learning rate times the gradient.",
                "no_gradient_no_step",
                "That is plain gradient descent. AdamW's step uses an average of the gradients so far.",
            ),
            Wrong(
                "It shrinks a little, because only weight decay is left to move it.",
                "only_decay_is_left",
                "Decay does go on, but the average of earlier gradients moves the weight far more.",
            ),
            Right(
                "It goes on, because the average of its gradients is not 0 yet.",
                "The average keeps nine tenths of its old value, so the step is nearly as long as the last.",
            ),
            Wrong(
                "It makes a huge step, because Adam divides by a gradient of 0.",
                "adam_divides_by_the_last_gradient",
                "Adam divides by the usual size of many gradients, and a single 0 hardly changes that.",
            ),
        ),
        shows=a_gradient_of_zero,
        seconds=45,
        guessed=((35, 15, 40, 10), (10, 8, 80, 2)),
    ),
    Question(
        name="one_threshold_for_two_layers",
        section=1,
        text="Layer B reads only what layer A gives. Both have equally many weights, and all of A's are"
        " smaller than any of B's. With one threshold for both, the smaller half of all weights becomes 0."
        " How much of the input still counts for the output?",
        options=(
            Wrong(
                "Nearly all of it, because the smallest weights add least to sums.",
                "size_is_importance",
                "They add least to a sum of their own layer. Here a whole layer's sums are gone.",
            ),
            Right(
                "Nothing of it, because A gives the same now whatever comes in.",
                "Every weight of A is below the threshold, so nothing of the input gets through to B.",
            ),
            Wrong(
                "As much as with half of each, because half of all weights go.",
                "all_shares_are_equal",
                "Half of all weights go, and all of these stand in A. A share for each layer prevents it.",
            ),
            Wrong(
                "More than with half of each, because B's large weights decide.",
                "layers_compete_by_size",
                "B can only weigh what A hands on. Layers in a row don't compete, they need each other.",
            ),
        ),
        shows=one_threshold_for_two_layers,
        seconds=75,
        guessed=((20, 45, 20, 15), (5, 82, 8, 5)),
    ),
    Question(
        name="a_large_weight_without_input",
        section=4,
        text="A weight is the largest of its matrix, but the feature that it multiplies is 0 in all texts of"
        " your task. Half of the matrix has to go, by magnitude or by score. What becomes of this weight?",
        options=(
            Wrong(
                "Both rules keep it, because a large weight has a large product with its gradient.",
                "a_large_weight_has_a_large_score",
                "The product has two factors. With an input of 0 the gradient is 0, and so is the product.",
            ),
            Wrong(
                "Both rules let it go, because a weight that meets only zeros can't be large.",
                "unused_weights_shrink_to_nothing",
                "Magnitude looks at the weight alone. What it meets in your texts doesn't go in.",
            ),
            Wrong(
                "Magnitude keeps it, the score lets it go, and then many answers change.",
                "size_is_importance",
                "It was multiplied by 0 in each of these texts, so its sums are the same without it.",
            ),
            Right(
                "Magnitude keeps it, the score lets it go, and then no answer changes.",
                "The score is weight times gradient, and the gradient of a weight whose input is 0 is 0.",
            ),
        ),
        shows=a_large_weight_without_input,
        seconds=75,
        guessed=((20, 10, 20, 50), (5, 5, 10, 80)),
    ),
    Question(
        name="when_a_bit_a_weight_pays",
        section=3,
        text="A file leaves zeros out: one bit for each weight says whether it is there. With float32 this"
        " pays from about 3% zeros on. Now the weights are codes of four bits. From what share of zeros on"
        " does the file get smaller?",
        options=(
            Wrong(
                "From about 3% on as well, because it is one bit for each weight again.",
                "a_mask_costs_the_same_share",
                "It is one bit again, but a zero that is left out saves four bits now, and not 32.",
            ),
            Right(
                "From a quarter on, because a bit for each weight is a quarter of a code.",
                "The mask costs one bit a weight, and each zero saves four: more than one in four has to be"
                " zero.",
            ),
            Wrong(
                "From a half on, because zeros have to be more than the codes that stay.",
                "zeros_need_a_majority",
                "What counts is bits and not numbers of weights: one lost a weight, four saved a zero.",
            ),
            Wrong(
                "Never, because a code that says zero takes no place in a file anyway.",
                "a_zero_takes_no_place",
                "The code 0 is written with four bits, as every other code is, if nothing leaves it out.",
            ),
        ),
        shows=when_a_bit_a_weight_pays,
        seconds=75,
        guessed=((20, 50, 20, 10), (5, 85, 7, 3)),
    ),
]
