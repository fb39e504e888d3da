"""The first book of GOBO: means of bins that hold equally many values."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import codebooks
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SORTED = "values.flatten().sort().values"
MEAN = "values_of_bin.mean()"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The eight weights of the text; one with an outlier and equal values; then random ones."""
    yield torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]), 2
    yield torch.tensor([5.0, 1.0, 1.0, 90.0, 2.0, 1.0, 4.0, 3.0]), 1
    generator = torch.Generator().manual_seed(seed)
    for count, bits in [(24, 3), (64, 4), (12, 1), (40, 2), (8, 3)]:
        yield torch.randn(count, generator=generator) ** 3, bits


def ordered_bins(values: Tensor, bits: int) -> Tensor:
    """The sorted values as rows [2^bits, values of a bin]."""
    return values.sort().values.view(2**bits, -1)


def equal_widths(values: Tensor, bits: int) -> Tensor:
    """Bins between the lowest and the highest value that are equally wide."""
    edges = torch.linspace(float(values.min()), float(values.max()), 2**bits + 1)
    number = (torch.bucketize(values, edges) - 1).clamp(0, 2**bits - 1)
    return torch.stack([values[number == one].mean() for one in range(2**bits)])


def middles_of_equal_widths(values: Tensor, bits: int) -> Tensor:
    edges = torch.linspace(float(values.min()), float(values.max()), 2**bits + 1)
    return (edges[:-1] + edges[1:]) / 2


def lower_quantiles(values: Tensor, bits: int) -> Tensor:
    return ordered_bins(values, bits)[:, 0]


def interpolated_quantiles(values: Tensor, bits: int) -> Tensor:
    return torch.quantile(values, (torch.arange(2**bits) + 0.5) / 2**bits)


def by_size(values: Tensor, bits: int) -> Tensor:
    return values[values.abs().argsort()].view(2**bits, -1).mean(dim=1)


def ends_in_order(candidate: Any, arguments: tuple[Tensor, int], result: Any) -> bool:
    """The mean of the means is the mean of all, because bins are equally large."""
    return bool((result.mean() - arguments[0].mean()).abs() < 1e-4 * (1 + arguments[0].abs().max()))


EXERCISE = Exercise(
    name="equal_population_centroids",
    minutes=5,
    difficulty=2,
    reference=codebooks.equal_population_centroids,
    cases=cases,
    gradients=False,
    tolerance=1e-5,
    invariants=[
        Invariant(
            "mean_of_means",
            "All bins hold equally many values, so the mean of your centroids has to be the mean of all"
            " values, and it isn't.",
            ends_in_order,
        ),
    ],
    mistakes=[
        Mistake(
            "not_sorted",
            "You cut the values in the order in which they come. A bin holds neighbors: sort them first.",
            (
                edit(SORTED, "values.flatten()"),
                lambda values, bits: values.view(2**bits, -1).mean(dim=1).sort().values,
            ),
        ),
        Mistake(
            "equally_wide",
            "Your bins are equally wide, so most values fall into a few of them and some bins may be empty."
            " Each bin gets equally many values, however wide it is.",
            (equal_widths, middles_of_equal_widths, codebooks.evenly_spaced_centroids),
        ),
        Mistake(
            "every_nth",
            "Every one of your bins takes a value from each part of the order, so that all means are nearly"
            " alike. The first bin holds the lowest values: view(2**bits, -1), and the mean along dim 1.",
            lambda values, bits: values.sort().values.view(-1, 2**bits).mean(dim=0),
        ),
        Mistake(
            "bits_for_bins",
            "There are as many bins as codes: 2^bits, not bits.",
            lambda values, bits: torch.stack(
                [part.mean() for part in values.sort().values.tensor_split(bits)]
            ),
        ),
        Mistake(
            "median",
            "You take the middle value of each bin. A centroid is the mean, which moves when the outermost"
            " value of its bin does.",
            (
                lambda values, bits: ordered_bins(values, bits).median(dim=1).values,
                interpolated_quantiles,
                lambda values, bits: torch.quantile(ordered_bins(values, bits), 0.5, dim=1),
            ),
        ),
        Mistake(
            "middle_of_the_ends",
            "You take the middle between the lowest and the highest value of a bin. A centroid is the mean"
            " of all values in it.",
            lambda values, bits: (ordered_bins(values, bits)[:, 0] + ordered_bins(values, bits)[:, -1]) / 2,
        ),
        Mistake(
            "border",
            "These are the values at which the bins begin or end. Asked for is the mean of each bin.",
            (lower_quantiles, lambda values, bits: ordered_bins(values, bits)[:, -1]),
        ),
        Mistake(
            "along_the_bins",
            "Your mean goes across the bins. Of a view [2^bits, N / 2^bits] every row is a bin, so the mean"
            " is along dim 1 and gives 2^bits numbers.",
            lambda values, bits: ordered_bins(values, bits).mean(dim=0),
        ),
        Mistake(
            "sorted_by_size",
            "You sort by the absolute value, so that -0.42 and 0.31 share a bin. Sort the values themselves.",
            (by_size, lambda values, bits: by_size(values, bits).sort().values),
        ),
        Mistake(
            "descending",
            "The right means from the top down. They are asked for ascending.",
            edit(SORTED, "values.flatten().sort(descending=True).values"),
        ),
        Mistake(
            "went_on",
            "You went on with GOBO's rounds. Here only the start is asked for: the means of the first bins.",
            codebooks.gobo_centroids,
        ),
    ],
    hints=(
        "Sort the values, cut them into 2^bits pieces that are equally long, and take the mean of each.",
        "values is [N]; sorted and viewed as [2**bits, N / 2**bits], every row is a bin. The means are"
        " [2**bits].",
        "values.sort().values.view(2**bits, -1).mean(dim=1)",
    ),
    why="Where weights are dense the centroids stand close together.",
)
