"""Where a snapshot stands on a plane whose directions are not at a right angle; the draft thinks they are."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb18 import paths
from lib.exercises.spec import Exercise, Mistake, edit

SOLVE = "torch.linalg.solve(gram, along)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """On the plane and beside it, with directions of many lengths and angles, and at a right angle."""
    generator = torch.Generator().manual_seed(seed)
    one, other = torch.tensor([1.0, 0.0, 0.0]), torch.tensor([1.0, 1.0, 0.0])
    yield one + 2 * other, one, other
    yield torch.tensor([3.0, 2.0, 5.0]), one, other
    yield torch.tensor([3.0, 2.0, 1.0]), torch.tensor([2.0, 0.0, 0.0]), torch.tensor([0.0, 0.5, 0.0])
    for size in (4, 7, 20):
        way, first, second = torch.randn(3, size, generator=generator)
        yield way, 3 * first, second + first


# fmt: off
EXERCISE = Exercise(
    name="place_on_plane", kind="bug", minutes=6, difficulty=2, reference=paths.place_on_plane, cases=cases,
    gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("as_if_at_a_right_angle", "This is what the draft says. On the example of the text it isn't"
            " (1, 2). Which part of the way is in both coordinates?", edit(SOLVE, "along / gram.diagonal()")),
        Mistake("bare_dot_products", "Those are the dot products. They are coordinates only where both"
            " directions have the length 1 and stand at a right angle.", edit(SOLVE, "along")),
        Mistake("divided_by_lengths", "You divide by the lengths. That measures along each direction in units"
            " of the weights; a coordinate counts how many of the direction's own lengths, and the angle"
            " matters too.", edit(SOLVE, "along / gram.diagonal().sqrt()")),
        Mistake("multiplied", "You multiply by the table of dot products. You look for the a and b that this"
            " table turns into the two dot products: solve.", edit(SOLVE, "gram @ along")),
        Mistake("straightened", "Your second coordinate is right. You straightened `other` against `one`"
            " first, and the first coordinate is still that of the straightened pair: `other` itself also"
            " goes along `one`.", edit(SOLVE, f"torch.stack([along[0] / gram[0, 0], {SOLVE}[1]])")),
        Mistake("swapped", "The two coordinates have changed places: first the one along `one`, then the one"
            " along `other`.", edit(SOLVE, f"{SOLVE}.flip(0)")),
        Mistake("turned_around", "Your place lies on the other side of the origin: one sign is wrong.",
            edit(SOLVE, f"-{SOLVE}")),
    ],
    hints=("Try one = [1, 0, 0], other = [1, 1, 0] and the way [3, 2, 0], which is one + 2 · other. What does"
           " the draft say? It computes each coordinate as if the other direction were not there.",
           "The nearest point leaves a rest at a right angle to both directions. That gives two equations for"
           " a and b: `gram` holds the four dot products of the directions, `along` the right-hand sides.",
           "torch.linalg.solve(gram, along) finds the two numbers that `gram` turns into `along`."),
    why="Dot products alone draw a path where the training never went.",
)
# fmt: on
