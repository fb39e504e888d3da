"""The drawings of notebook 03."""

from typing import Any

import numpy as np
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb03 import drawings as nb03
from lib.text.vectors import WordVectors

POINTS = {"one": (["a", "b"], [[0, 0], [1, 2]]), "two": (["c"], [[3, 1]])}


def pair_step(**changed: Any) -> nb03.PairStep:
    inputs: dict[str, Any] = {
        "words": ["bank", "river", "spoon"],
        "vectors": [[1.0, 0.5], [-0.5, 1.0], [1.0, 0.0]],
        "probabilities": [0.5, 0.731],
        "losses": [0.693, 1.313],
        "gradients": [[0.981, -0.5], [-0.5, -0.25], [0.731, 0.366]],
        "learning_rate": 0.4,
        "new_loss": 1.312,
    }
    return nb03.PairStep(**(inputs | changed))


def learned_step() -> nb03.PairStep:
    """The same step from tensors that have learned."""
    bank, river, spoon = (
        torch.tensor(numbers, requires_grad=True) for numbers in ([1.0, 0.5], [-0.5, 1.0], [1.0, 0.0])
    )
    loss = -torch.sigmoid(bank @ river).log() - (1 - torch.sigmoid(bank @ spoon)).log()
    loss.backward()
    return nb03.pair_step(bank, river, spoon, 0.4)


FOUR = WordVectors(
    {"spain": 4, "madrid": 3, "italy": 2, "rome": 1},
    torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 2.0]]),
)
STEP_NUMBERS = ("2.01", "1.31", "0.73", "[0.98, −0.50]", "[0.61, 0.70]", "[−0.30, 1.10]")

test_a_drawing_says_what_it_shows = for_each_example({
    "points are named and linked": (
        lambda: nb03.draw_points(POINTS, "Title", links=[("a", "c")]), [], ["a", "b", "c", "one", "two"],
    ),
    "a training step": (
        lambda: nb03.draw_training_step(pair_step()),
        [*STEP_NUMBERS, "−0.50 river + 0.73 spoon"],
        [*STEP_NUMBERS, "−0.50 river + 0.73 spoon"],
    ),
    "a longer step": (
        lambda: nb03.draw_training_step(pair_step(learning_rate=1.0)), ["[0.02, 1.00]"], ["[0.02, 1.00]"],
    ),
    "a step of tensors": (
        lambda: nb03.draw_training_step(learned_step()), [*STEP_NUMBERS, "1.31"], [*STEP_NUMBERS],
    ),
    "rates": (
        lambda: nb03.draw_rates([0.0, 1.0, 2.0], [2.0, 0.5, 3.0], 2.0),
        ["from 2.00 to 0.50 at best, and to 3.00 with a rate of 2", "0.50 at 1"],
        ["One step leads from 2.00 to 0.50 at best, and to 3.00 with a rate of 2"],
    ),
    "neighbors": (
        lambda: nb03.draw_neighbors(FOUR, "italy", 2), ["rome 1.00", "madrid 0.71"], ["rome", "madrid"],
    ),
    "capitals": (
        lambda: nb03.draw_capitals(FOUR, ["spain", "italy"], ["madrid", "rome"]),
        ["4 names", "mean cosine 1.00"], ["spain", "rome", "Steps to a capital"],
    ),
    "leaning": (
        lambda: nb03.draw_leaning(["nurse", "clerk"], torch.tensor([0.15, -0.2])),
        ["nurse +0.15, clerk -0.20"], ["nurse", "clerk"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "points": (lambda: nb03.draw_points({"one": (["a", "b"], [[0, 0]])}), "2 tokens for 1 points"),
    "losses": (lambda: pair_step(losses=[0.7]), "losses"),
    "gradients": (lambda: pair_step(gradients=[[0.1, 0.2]]), "gradients"),
    "words": (lambda: pair_step(words=["bank", "river"]), "2 tokens for 3"),
})  # fmt: skip


def test_the_principal_plane_keeps_the_largest_differences() -> None:
    points = np.random.default_rng(0).normal(size=(30, 5)) * [9, 4, 1, 0.1, 0.1] + 7
    places = nb03.principal_plane(points)
    centered = points - points.mean(axis=0)
    spread = np.linalg.eigvalsh(centered.T @ centered)[::-1][:2]
    assert np.allclose((places**2).sum(axis=0), spread)
    assert np.allclose(places.mean(axis=0), 0) and abs(places[:, 0] @ places[:, 1]) < 1e-8
