"""The score of a weight, after one more batch: what the loss says of a model without it."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.pruning import movement
from lib.exercises.spec import Exercise, Mistake, edit

SCORED = "score - gradient * weight"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The four weights of the text, from 0 and from a score; then matrices, and factors that are 0."""
    weight = torch.tensor([0.6, -0.5, 0.2, -0.1])
    gradient = torch.tensor([0.1, 0.6, -0.8, 0.2])
    yield torch.zeros(4), weight, gradient
    yield torch.tensor([1.0, 2.0, -3.0, 4.0]), weight, gradient
    generator = torch.Generator().manual_seed(seed)
    for rows, columns in [(2, 3), (4, 4), (3, 1), (1, 5)]:
        score, weight, gradient = torch.randn(3, rows, columns, generator=generator)
        yield score, weight, gradient
    yield torch.tensor([0.3, -0.2]), torch.tensor([0.0, 2.0]), torch.tensor([5.0, 0.0])


# fmt: off
EXERCISE = Exercise(
    name="add_to_score", minutes=4, difficulty=1, reference=movement.add_to_score, cases=cases,
    gradients=False, tolerance=1e-6, alike=[edit(SCORED, "score + (-gradient) * weight")],
    mistakes=[
        Mistake("sign", "Your scores go the other way. Without w the loss changes by about -g * w: subtract"
            " the product.", edit(SCORED, "score + gradient * weight")),
        Mistake("size_of_each", "You take the size of each product, so batches that disagree can't cancel."
            " Add the products with their sign; the size is taken at the end, of the sum.",
            tuple(edit(SCORED, f"score {sign} (gradient * weight).abs()") for sign in "+-")),
        Mistake("size_of_the_sum", "You take the size of the sum already. Later batches have to be added with"
            " their sign, so the score keeps its own.", edit(SCORED, f"({SCORED}).abs()")),
        Mistake("size_of_a_factor", "You take the size of the weight or of the gradient. The product needs"
            " both signs.",
            tuple(edit(SCORED, f"score {sign} {product}") for sign in "+-"
                for product in ("gradient * weight.abs()", "gradient.abs() * weight"))),
        Mistake("not_added", "You give this batch's product alone. It is added to `score`, which holds those"
            " of the batches before.",
            tuple(edit(SCORED, product) for product in ("-gradient * weight", "gradient * weight"))),
        Mistake("gradient_alone", "You leave out the weight. Pruning changes w by -w, so the loss changes by"
            " the gradient times that.",
            tuple(edit(SCORED, f"score {sign} gradient") for sign in "+-")),
        Mistake("weight_alone", "You leave out the gradient. It says how much the loss changes when the"
            " weight does.", tuple(edit(SCORED, f"score {sign} weight") for sign in "+-")),
        Mistake("sign_alone", "You take the sign of the weight or of the gradient, without its size. A large"
            " weight changes more when it is pruned, and a steep slope counts more.",
            tuple(edit(SCORED, f"score {sign} {product}") for sign in "+-"
                for product in ("gradient * weight.sign()", "gradient.sign() * weight"))),
        Mistake("matrix_product", "You multiply matrices. Each weight has a score of its own, so multiply"
            " entry by entry, with *.",
            tuple(edit(SCORED, f"score - ({product})")
                for product in ("gradient @ weight", "weight @ gradient"))),
        Mistake("one_number_for_all", "You add up the products of all weights. Each weight has a score of its"
            " own: no sum and no mean.",
            tuple(edit(SCORED, f"score - (gradient * weight).{of}()") for of in ("sum", "mean"))),
        Mistake("added_for_multiplied", "You add gradient and weight. The change of the loss is about their"
            " product, entry by entry.",
            tuple(edit(SCORED, f"score - ({sum_})") for sum_ in ("gradient + weight", "gradient - weight"))),
        Mistake("score_multiplied", "The score stands in the product. The product is made of gradient and"
            " weight alone.", edit(SCORED, f"{SCORED} * score")),
        Mistake("weight_updated", "That is a step of the weight itself. Asked for is its score, which begins"
            " at `score`.", tuple(edit(SCORED, f"weight {sign} gradient") for sign in "-+")),
    ],
    hints=("To prune w is to change it by -w. By how much does the loss change, if it changes by g times"
           " whatever w changes?",
           "All three have one shape: multiply gradient and weight entry by entry, and take it from score.",
           "score - gradient * weight"),
    why="Products of one sign pile up over the batches, and those of batches that disagree cancel.",
)
# fmt: on
