"""The first book of GOBO: means of bins that hold equally many values."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import codebooks
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SPLIT = ".tensor_split(2**bits)"
BINS = f"values.flatten().sort().values{SPLIT}"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The eight weights of the text; one with an outlier and equal values; then random ones."""
    yield torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]), 2
    yield torch.tensor([5.0, 1.0, 1.0, 90.0, 2.0, 1.0, 4.0, 3.0]), 1
    generator = torch.Generator().manual_seed(seed)
    for count, bits in [(24, 3), (64, 4), (12, 1), (40, 2), (8, 3)]:
        yield torch.randn(count, generator=generator) ** 3, bits


# fmt: off
EXERCISE = Exercise(
    name="equal_population_centroids", minutes=5, difficulty=2,
    reference=codebooks.equal_population_centroids, cases=cases, gradients=False,
    invariants=[
        Invariant("mean_of_means", "All bins hold equally many values, so the mean of your centroids has to"
            " be the mean of all values, and it isn't.",
            lambda _, arguments, result: bool(
                (result.mean() - arguments[0].mean()).abs() < 1e-4 * (1 + arguments[0].abs().max()))),
    ],
    mistakes=[
        Mistake("not_sorted", "You cut the values in the order in which they come. A bin holds neighbors:"
            " sort them first.", edit(".sort().values", "")),
        Mistake("equally_wide", "Your bins are equally wide, so most values fall into a few of them and some"
            " bins may be empty. Each bin gets equally many values, however wide it is.",
            (edit(BINS, "torch.linspace(values.min(), values.max(), 2**bits + 1).unfold(0, 2, 1)"),
             codebooks.evenly_spaced_centroids)),
        Mistake("across_the_bins", "Your means go across the bins. The first bin holds the lowest values: of"
            " view(2**bits, -1) every row is a bin, so the mean is along dim 1.",
            (edit(SPLIT, ".view(-1, 2**bits).T"), edit(SPLIT, ".view(2**bits, -1).T"))),
        Mistake("bits_for_bins", "There are as many bins as codes: 2^bits, not bits.",
            edit("2**bits", "bits")),
        Mistake("not_the_mean", "A centroid is the mean of all values in its bin: neither a border of it nor"
            " its middle value.",
            tuple(edit("_bin.mean()", f"_bin{other}") for other in (".median()", "[0]", "[-1]"))),
        Mistake("sorted_by_size", "You sort by the absolute value, so that -0.42 and 0.31 share a bin. Sort"
            " the values themselves.",
            edit("values.flatten().sort().values", "values[values.abs().argsort()]")),
    ],
    hints=("Sort the values, cut them into 2^bits pieces that are equally long, and take the mean of each.",
           "values is [N]; sorted and viewed as [2**bits, N / 2**bits], every row is a bin. The means are"
           " [2**bits].",
           "values.sort().values.view(2**bits, -1).mean(dim=1)"),
    why="Where weights are dense the centroids stand close together.",
)
# fmt: on
