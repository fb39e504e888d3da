"""GOBO: books of centroids, outliers kept beside, and the bytes of both."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from tiny_berts import drawn
from torch import Tensor

from lib.compression.encodings import decode
from lib.compression.quantizers.codebooks import (
    BOOKS,
    CodebookQuantization,
    evenly_spaced_centroids,
    iterate_centroids,
)


def with_outliers(seed: int = 0) -> Tensor:
    """A matrix [24, 30] like BERT's: small normal weights, and three far out."""
    weight = 0.04 * drawn(24, 30, seed=seed)
    weight[3, 7], weight[11, 0], weight[23, 29] = 0.9, -0.7, 0.5
    return weight


# --- the method, step by step ---------------------------------------------------------------------


def gobo_by_hand(weight: Tensor, bits: int, threshold: float = -4.0) -> tuple[Tensor, Tensor, list[float]]:
    """Restored weights, which are outliers, and the errors of the rounds, in plain loops over numbers."""
    numbers = weight.flatten().double().tolist()
    mean = sum(numbers) / len(numbers)
    std = math.sqrt(sum((w - mean) ** 2 for w in numbers) / len(numbers))

    def log_density(w: float) -> float:
        return -0.5 * ((w - mean) / std) ** 2 - math.log(std) - 0.5 * math.log(2 * math.pi)

    far = [log_density(w) < threshold for w in numbers]
    near = sorted(w for w, out in zip(numbers, far, strict=True) if not out)
    count = 2**bits
    sizes = [len(near) // count + (number < len(near) % count) for number in range(count)]
    centroids, first = [], 0
    for size in sizes:
        centroids.append(sum(near[first : first + size]) / size)
        first += size

    def nearest(w: float, book: list[float]) -> int:
        return min(range(count), key=lambda number: abs(w - book[number]))

    errors: list[float] = []
    while True:
        members: list[list[float]] = [[] for _ in range(count)]
        for w in near:
            members[nearest(w, centroids)].append(w)
        error = sum(abs(w - c) for c, group in zip(centroids, members, strict=True) for w in group)
        if errors and error >= errors[-1]:
            break
        errors.append(error)
        kept = centroids
        centroids = [
            sum(group) / len(group) if group else c for c, group in zip(centroids, members, strict=True)
        ]
    restored = [w if out else kept[nearest(w, kept)] for w, out in zip(numbers, far, strict=True)]
    return torch.tensor(restored).view_as(weight), torch.tensor(far).view_as(weight), errors


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_numbers_are_those_of_the_method_step_by_step(bits: int, seed: int) -> None:
    weight = with_outliers(seed)
    restored, far, errors = gobo_by_hand(weight, bits)
    book = CodebookQuantization(weight, bits)
    torch.testing.assert_close(book(weight), restored, rtol=0, atol=1e-6)
    assert torch.equal(~book.is_inside(weight), far) and far.sum() >= 3 and far[3, 7]
    found = iterate_centroids(weight[book.is_inside(weight)], bits)
    assert found.errors == pytest.approx(errors, rel=1e-6)


@pytest.mark.parametrize("book", BOOKS)
def test_inv_whoever_is_no_outlier_goes_to_the_nearest_centroid_and_outliers_stay(book: str) -> None:
    weight = with_outliers()
    made = CodebookQuantization(weight, 3, book)
    restored, inside = made(weight), made.is_inside(weight)
    distances = (weight[inside][:, None] - made.centroids).abs()  # [N, 8]
    torch.testing.assert_close((weight - restored)[inside].abs(), distances.min(dim=1).values)
    assert torch.equal(restored[~inside], weight[~inside]) and (~inside).sum() >= 3
    assert len(restored[inside].unique()) <= 8
    assert (made.centroids.diff() >= 0).all()


@pytest.mark.parametrize("book", BOOKS)
def test_inv_with_no_more_distinct_values_than_places_everything_comes_back(book: str) -> None:
    for weight in (drawn(2, 3), torch.tensor([[1.0] * 50, [2.0, 3.0] * 25]), torch.zeros(3, 4)):
        made = CodebookQuantization(weight, 3, book, "none")
        assert torch.equal(made(weight), weight)


def test_a_constant_matrix_has_no_outliers_whatever_the_rule() -> None:
    weight = torch.full((7, 9), 0.1)
    for rule, threshold in (("density", -4.0), ("deviation", 3.5), ("none", 0.0)):
        assert CodebookQuantization(weight, 2, outliers=rule, threshold=threshold).is_inside(weight).all()


# --- books ----------------------------------------------------------------------------------------


def test_an_evenly_spaced_book_is_linear_quantization_from_lowest_to_highest() -> None:
    weight = drawn(6, 10)
    lowest, step = weight.min(), (weight.max() - weight.min()) / 7
    linear = lowest + step * torch.round((weight - lowest) / step)
    torch.testing.assert_close(CodebookQuantization(weight, 3, "evenly spaced", "none")(weight), linear)
    assert evenly_spaced_centroids(weight, 3).diff().std() < 1e-6


def test_a_centroid_that_nobody_is_near_to_stays_finite() -> None:
    values = torch.cat([torch.zeros(1000), torch.tensor([1.0, 1.1, 5.0, 5.1, 9.0])])
    found = iterate_centroids(values, 2)
    assert found.centroids.isfinite().all() and (found.centroids.diff() >= 0).all()


# --- outliers -------------------------------------------------------------------------------------


def test_a_density_depends_on_the_unit_and_a_deviation_does_not() -> None:
    weight = 0.04 * drawn(200, 200)

    def outliers(factor: int, rule: str, threshold: float) -> int:
        scaled = factor * weight
        made = CodebookQuantization(scaled, 1, outliers=rule, threshold=threshold)
        return int((~made.is_inside(scaled)).sum())

    assert outliers(10, "density", -4.0) > 3 * outliers(1, "density", -4.0) > 0
    assert outliers(10, "deviation", 3.5) == outliers(1, "deviation", 3.5) > 0


# --- bytes -----------------------------------------------------------------------


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_inv_bytes_are_codes_and_book_and_outliers(bits: int) -> None:
    weight = with_outliers()
    encoded = CodebookQuantization(weight, bits).encode(weight)
    outliers = len(encoded.parts["outliers"])
    size = sum(part.numel() * part.element_size() for part in encoded.parts.values())
    assert size == math.ceil(weight.numel() * bits / 8) + 4 * 2**bits + 8 * outliers
    assert torch.equal(decode(encoded), CodebookQuantization(weight, bits)(weight))


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: CodebookQuantization(1000 * drawn(4, 4), 2), "Every weight is an outlier"),
    (lambda: CodebookQuantization(drawn(4, 4), 2, "none"), "use gobo, equal population, evenly spaced"),
    (lambda: CodebookQuantization(drawn(4, 4), 2, outliers="far"), "density, deviation, none"),
    (lambda: CodebookQuantization(drawn(4, 4), 9), "from 1 to 8"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_makes_no_book_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
