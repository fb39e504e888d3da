"""The score of a weight, after a step of movement pruning."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.pruning import movement
from lib.exercises.spec import Exercise, Mistake, edit

STEP = "learning_rate * gradient * weight"
UPDATE = f"scores - {STEP}"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, float]]:
    """The four weights of the text; then scores that are not 0, and weights that are pruned, which are 0."""
    weight = torch.tensor([[0.5, 0.5], [-0.5, -0.5]])
    yield torch.zeros(2, 2), weight, torch.tensor([[-1.0, 1.0], [-1.0, 1.0]]), 0.1
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, rate in [(2, 3, 0.5), (4, 4, 2.0), (3, 1, 0.01), (1, 5, 1.0)]:
        scores, weight, gradient = torch.randn(3, rows, columns, generator=generator)
        yield scores, weight, gradient, rate
    yield torch.tensor([0.3, -0.2]), torch.tensor([0.0, 2.0]), torch.tensor([5.0, 0.0]), 0.1


def goes(answer: Tensor, expected: Tensor, scores: Tensor, sign: int) -> bool:
    """Whether all scores move as they should (sign 1), or against it (-1), however far."""
    step, right = answer - scores, expected - scores
    is_still = right.abs() < 1e-7
    return bool(torch.where(is_still, step.abs() < 1e-7, step.sign() == sign * right.sign()).all())


def is_multiple(rest: Tensor, scores: Tensor) -> bool:
    """Whether what an answer has too much is the scores times one number."""
    ratio = (rest * scores).sum() / scores.square().sum()
    return bool(scores.any()) and torch.allclose(rest, ratio * scores, atol=1e-6)


# fmt: off
EXERCISE = Exercise(
    name="movement_update", minutes=4, difficulty=2, reference=movement.movement_update, cases=cases,
    gradients=False, tolerance=1e-6, alike=[edit(UPDATE, "scores + learning_rate * (-gradient) * weight")],
    mistakes=[
        Mistake("sign", "Your scores go the other way. A step moves a weight by -gradient, so a positive"
            " weight with a negative gradient grows, and its score has to grow with it: minus the product.",
            edit(UPDATE, f"scores + {STEP}")),
        Mistake("weight_updated", "That is the step of the weight itself. Asked for is the step of its score,"
            " which begins at `scores`.", edit(UPDATE, "weight - learning_rate * gradient")),
        Mistake("size_instead_of_sign", "You take an absolute value. The signs of weight and gradient tell"
            " whether a step leads away from 0 or towards it.",
            tuple(edit(UPDATE, f"scores {sign} learning_rate * {step}") for sign in "-+"
                for step in ("gradient * weight.abs()", "gradient.abs() * weight"))),
        Mistake("sign_of_the_weight", "You take the weight's sign alone. In the formula its size counts too:"
            " a step of a large weight moves its score more.",
            edit(UPDATE, "scores - learning_rate * gradient * weight.sign()")),
        Mistake("kept_alone", "Your score stands still where it is below 0. Scores learn for pruned weights"
            " as well, so that a weight may return.",
            tuple(edit(UPDATE, f"scores - {STEP} * (scores {above} 0)") for above in (">=", ">"))),
        Mistake("importance", "You take the absolute value of the product, as for the importance of a head."
            " Here the sign matters: a weight that moves towards 0 loses.",
            (edit(UPDATE, f"scores - ({STEP}).abs()"), edit(UPDATE, f"scores + ({STEP}).abs()"))),
        Mistake("moved_weight", "You take the weight after its step. The formula has the weight that the"
            " model computed with, as it is given.",
            edit(UPDATE, f"{UPDATE[: -len('weight')]}(weight - learning_rate * gradient)")),
        Mistake("matrix_product", "You multiply matrices. Each weight has a score of its own, so multiply"
            " entry by entry, with *.",
            tuple(edit(UPDATE, f"scores - learning_rate * ({product})")
                for product in ("gradient @ weight", "weight @ gradient"))),
        Mistake("one_number_for_all", "You add up the products, and all scores move by the same number. Each"
            " weight has a score of its own: no sum and no mean.",
            tuple(edit(UPDATE, f"scores - learning_rate * (gradient * weight).{of}()")
                for of in ("sum", "mean"))),
        Mistake("rate_of_the_scores", "Your learning rate multiplies the scores. It says how large the step"
            " is: only the product of gradient and weight has it.",
            (edit(UPDATE, "learning_rate * scores - gradient * weight"),
             edit(UPDATE, "learning_rate * (scores - gradient * weight)"))),
        Mistake("sign_of_the_gradient", "You take the gradient's sign alone. A steep slope moves a weight"
            " further, so its size counts.",
            edit(UPDATE, "scores - learning_rate * gradient.sign() * weight")),
        Mistake("kept_weights_alone", "Your step leaves out the size of the weight. The score's gradient is"
            " the product of gradient and weight.",
            edit(UPDATE, "scores - learning_rate * gradient * (weight != 0)")),
        Mistake("scores_scaled", "Your scores themselves are made larger or smaller. They are where the step"
            " begins: scores - ..., each taken once.",
            when=lambda arguments, answer, expected: is_multiple(answer - expected, arguments[0]),
            example=edit(UPDATE, f"(1 - learning_rate) * scores - {STEP}")),
        Mistake("opposite", "Your scores go the other way, and by another amount: minus the learning rate"
            " times gradient times weight.",
            when=lambda arguments, answer, expected: goes(answer, expected, arguments[0], -1),
            example=edit(UPDATE, f"scores + {STEP} / learning_rate")),
        Mistake("size_of_the_step", "Your scores go the right way, but by another amount. A step is the"
            " product of three: learning rate, gradient and weight, each once, with its size.",
            when=lambda arguments, answer, expected: goes(answer, expected, arguments[0], 1),
            example=edit(UPDATE, f"scores - learning_rate * {STEP}")),
        Mistake("added_for_multiplied", "You add gradient and weight, or divide them. The score's gradient is"
            " their product, entry by entry.",
            tuple(edit(UPDATE, f"scores - learning_rate {part}")
                for part in ("* (gradient + weight)", "* (gradient - weight)", "/ (gradient * weight)"))),
        Mistake("scores_multiplied", "The scores stand in the step. It is made of gradient and weight alone.",
            tuple(edit(UPDATE, f"{UPDATE} {factor}") for factor in ("* scores", "* (1 - scores)"))),
    ],
    hints=("A step of gradient descent moves a weight by minus the learning rate times its gradient. What of"
           " it comes into the score?",
           "Multiply the step of each weight by the weight, entry by entry, and add that to its score. All of"
           " them have the weight's shape.",
           "scores - learning_rate * gradient * weight"),
    why="A score is how far training wanted to move a weight away from 0, added up over all steps.",
)
# fmt: on
