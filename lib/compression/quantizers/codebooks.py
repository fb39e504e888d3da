"""Weights as places in a small book of values, with a few outliers kept beside it.

Linear codes stand equally far apart, whether any weight lies there or not. Here the values are chosen by the
weights themselves (GOBO; Zadeh et al., 2020): a weight far out of its matrix's normal distribution is kept as
it is, and every other one becomes the number of the nearest of 2^bits centroids. No training follows.

    parametrize(model, "encoder.layer.0.attention.self.query", "CodebookQuantization", bits=3)

The way to a book and the rule for outliers are functions by name, in `BOOKS` and `OUTLIERS`.

Sizes: N values that a book is made of, n outliers beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decodes
from lib.compression.quantizers.fake import straight_through
from lib.compression.quantizers.linear import unsigned_codes
from lib.compression.quantizers.packing import pack_bits, unpack_bits

LOG_DENSITY = -4.0  # what is likelier than this is no outlier, as a rule of thumb


# --- books ----------------------------------------------------------------------------------------


def equal_population_centroids(values: Tensor, bits: int) -> Tensor:
    """The means [2^bits], ascending, of bins of the sorted values [N], as many values in each.

    Where 2^bits does not divide N, the first bins hold one value more.
    """
    bins = values.flatten().sort().values.tensor_split(2**bits)
    return torch.stack([values_of_bin.mean() for values_of_bin in bins])


def evenly_spaced_centroids(values: Tensor, bits: int) -> Tensor:
    """Centroids [2^bits] from the lowest of values [N] to the highest, equally far apart: linear codes."""
    steps = torch.arange(2**bits, device=values.device) / (2**bits - 1)
    return values.min() + steps * (values.max() - values.min())


class Iteration(NamedTuple):
    """Where GOBO's iteration ended, and the total error Σ |w - c| of every round until it stopped falling."""

    centroids: Tensor  # [2^bits], ascending
    errors: list[float]


def iterate_centroids(values: Tensor, bits: int) -> Iteration:
    """Bins of equal population, then rounds: every value to its nearest centroid, every centroid to the mean
    of its values, as long as the total error Σ |w - c| falls.

    values: [N], in any order.

    k-means would go on until nothing moves; a mean is best for squares, and the error that counts here is one
    of absolute values, which may rise again. A centroid that is nearest to no value stays where it is.
    """
    ordered = values.detach().flatten().sort().values.double()
    sums = F.pad(ordered.cumsum(dim=0), (1, 0))  # [N + 1], so that a bin's sum is a difference
    centroids = best = equal_population_centroids(ordered, bits)
    errors: list[float] = []
    while True:
        edges = _edges(ordered, centroids)
        error = _total_error(ordered, sums, centroids, edges)
        if errors and error >= errors[-1]:
            return Iteration(best.to(values.dtype), errors)
        errors.append(error)
        best, counts = centroids, edges.diff()
        means = sums[edges].diff() / counts.clamp(min=1)
        centroids = torch.where(counts > 0, means, centroids)


def gobo_centroids(values: Tensor, bits: int) -> Tensor:
    """The centroids [2^bits], ascending, with which GOBO's iteration ends."""
    return iterate_centroids(values, bits).centroids


def _edges(ordered: Tensor, centroids: Tensor) -> Tensor:
    """Where the bin of each centroid begins among sorted values [N], and the last one ends: [2^bits + 1]."""
    inner = torch.searchsorted(ordered, midpoints(centroids))
    return F.pad(F.pad(inner, (1, 0)), (0, 1), value=len(ordered))


def _total_error(ordered: Tensor, sums: Tensor, centroids: Tensor, edges: Tensor) -> float:
    """Σ |w - c| over all bins, from running sums [N + 1]."""
    first, last = edges[:-1], edges[1:]
    middle = torch.searchsorted(ordered, centroids).clamp(first, last)  # below it, w < c
    below = centroids * (middle - first) - (sums[middle] - sums[first])
    above = (sums[last] - sums[middle]) - centroids * (last - middle)
    return float((below + above).sum())


def midpoints(centroids: Tensor) -> Tensor:
    """[2^bits - 1]: between them, a number is nearest to one and the same of the ascending centroids."""
    return (centroids[:-1] + centroids[1:]) / 2


#: from the values of a matrix that are no outliers, and bits, to centroids [2^bits], ascending
BOOKS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "gobo": gobo_centroids,
    "equal population": equal_population_centroids,
    "evenly spaced": evenly_spaced_centroids,
}


# --- outliers -------------------------------------------------------------------------------------


def density_radius(std: Tensor, threshold: float) -> Tensor:
    """How far from the mean, [], the logarithm of the normal density with this std [] falls to a threshold.

    This is GOBO's rule, and it depends on the unit: of the same weights times 10, more are outliers, because
    a density is a share for each unit of length. `deviation_radius` does not.
    """
    std = std.clamp(min=torch.finfo(std.dtype).tiny)
    room = -threshold - std.log() - 0.5 * math.log(2 * math.pi)
    return std * (2 * room).clamp(min=0).sqrt()


def deviation_radius(std: Tensor, threshold: float) -> Tensor:
    """So many standard deviations, [], of the std []."""
    return threshold * std


def no_radius(std: Tensor, threshold: float) -> Tensor:
    """Infinity, [], so that nothing is an outlier."""
    return torch.full_like(std, math.inf)


#: from the standard deviation [] of a matrix and a threshold to the distance from its mean that is too far
OUTLIERS: dict[str, Callable[[Tensor, float], Tensor]] = {
    "density": density_radius,
    "deviation": deviation_radius,
    "none": no_radius,
}


# --- the parametrization --------------------------------------------------------------------------


@parametrization
class CodebookQuantization(nn.Module):
    """A weight whose numbers are centroids of a book of 2^bits (1 to 8 bits), outliers excepted.

    The book and the bounds are those of the weight that it is made for, and stay. book and outliers: names in
    `BOOKS` and `OUTLIERS`; threshold: what that rule takes, GOBO's log-density by default. A weight of any
    shape keeps it, and the gradient passes unchanged.
    """

    centroids: Tensor  # [2^bits], ascending
    lowest: Tensor  # [], what is below is an outlier
    highest: Tensor  # []

    def __init__(
        self,
        weight: Tensor,
        bits: int,
        book: str = "gobo",
        outliers: str = "density",
        threshold: float = LOG_DENSITY,
    ):
        super().__init__()
        unsigned_codes(bits)
        if book not in BOOKS or outliers not in OUTLIERS:
            raise ValueError(
                f"There is no book {book!r} with outliers {outliers!r}: use {', '.join(BOOKS)} and "
                f"{', '.join(OUTLIERS)}."
            )
        self.bits = bits
        weight = weight.detach()
        mean, std = weight.double().mean(), weight.double().std(correction=0)
        radius = OUTLIERS[outliers](std, threshold)
        self.register_buffer("lowest", (mean - radius).to(weight.dtype))
        self.register_buffer("highest", (mean + radius).to(weight.dtype))
        self.register_buffer("centroids", weight.new_zeros(2**bits))
        if not weight.is_meta:  # there, a model that is being loaded has no numbers yet
            self.centroids.copy_(_book_for(weight[self.is_inside(weight)], bits, book))

    def is_inside(self, weight: Tensor) -> Tensor:
        """Which numbers are no outliers, boolean in the weight's shape."""
        return (weight >= self.lowest) & (weight <= self.highest)

    def codes(self, weight: Tensor) -> Tensor:
        """The number of the centroid next to each weight (int32), in the weight's shape."""
        return torch.bucketize(weight.detach(), midpoints(self.centroids), out_int32=True)

    def forward(self, weight: Tensor) -> Tensor:
        restored = self.centroids[self.codes(weight)].where(self.is_inside(weight), weight)
        return straight_through(restored, like=weight)

    def encode(self, weight: Tensor) -> Encoded:
        """Packed codes of all weights, the book [2^bits], and outliers [n] with places, 8 bytes each."""
        numbers = weight.detach().flatten()
        positions = (~self.is_inside(numbers)).nonzero()[:, 0]
        parts = {
            "codes": pack_bits(self.codes(numbers).to(torch.uint8), self.bits),
            "centroids": self.centroids,
            "positions": positions.to(torch.int32),
            "outliers": numbers[positions],
        }
        return Encoded("codebook", parts, {"bits": self.bits, "shape": list(weight.shape)})


@decodes("codebook")
def decode_codebook(parts: dict[str, Tensor], *, bits: int, shape: list[int]) -> Tensor:
    """The tensor of this shape that `CodebookQuantization` computed; parts as `encode` makes them."""
    codes = unpack_bits(parts["codes"], bits, math.prod(shape))
    restored = parts["centroids"][codes.int()]
    restored[parts["positions"].long()] = parts["outliers"]
    return restored.view(shape)


def _book_for(values: Tensor, bits: int, book: str) -> Tensor:
    """The centroids of a book; where there are no more distinct values than places, the values themselves."""
    if not len(values):
        raise ValueError(
            "Every weight is an outlier by this rule, so that nothing is left for a book: give another "
            "threshold, or outliers='deviation', whose threshold does not depend on the unit."
        )
    distinct = values.unique()
    if len(distinct) <= 2**bits:
        return F.pad(distinct, (0, 2**bits - len(distinct)), value=distinct[-1].item())
    return BOOKS[book](values, bits)
