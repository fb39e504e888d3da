"""How sure a number is: the interval of a share, and two choices tried from several seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch


def share_interval(share: float, count: int) -> tuple[float, float]:
    """The 95% interval of a share seen in `count` tries (Wilson, 1927): where the true share may lie.

    Unlike share ± 2 standard errors it stays between 0 and 1 and does not vanish at the ends.
    """
    if count < 1 or not 0 <= share <= 1:
        raise ValueError(
            f"A share of {share} in {count} tries is none: give one from 0 to 1, of 1 try or more."
        )
    from scipy.stats import binomtest  # not above: it takes half a second

    interval = binomtest(round(share * count), count).proportion_ci(0.95, "wilson")
    return float(interval.low), float(interval.high)


def resampled_interval(
    score: Callable[[Sequence[int]], float], count: int, times: int = 200
) -> tuple[float, float]:
    """The 95% interval of any score of `count` rows, by drawing rows anew (the bootstrap; Efron, 1979).

    score: what the rows at these places score, some of them more than once. For a share, `share_interval`
    is better where few rows are counted.
    """
    generator = torch.Generator().manual_seed(0)
    drawn = [score(torch.randint(count, (count,), generator=generator).tolist()) for _ in range(times)]
    low, high = torch.tensor(drawn, dtype=torch.float64).nanquantile(torch.tensor([0.025, 0.975]).double())
    return float(low), float(high)


def uneven_by_luck(first: int, second: int) -> float:
    """How often a fair coin splits its tosses at least as unevenly as `first` to `second` (a sign test).

    The tosses are the cases that only one of two readers gets right; two equal readers share them by luck.
    """
    if min(first, second) < 0 or first + second == 0:
        raise ValueError(f"{first} to {second} is no split: give two counts of 0 or more, not both 0.")
    from scipy.stats import binomtest  # not above: it takes half a second

    return float(binomtest(first, first + second).pvalue)


def luck(tosses: int) -> float:
    """How far the heads and the tails of so many fair tosses lie apart, at most, in 95 of 100 tries: 2√n.

    The variance of one toss, +1 or -1, is 1. A lead of one reader over another is resolved if it is larger:
    the tosses are then the cases that only one of the two gets right.
    """
    return float(2 * tosses**0.5)


class Difference(NamedTuple):
    """How far the means of two choices lie apart, and how far another seed moves what is compared.

    spread: the range over seeds of the choice that spreads more; of a paired comparison the range of the
    differences.
    """

    of_means: float
    spread: float

    @property
    def is_resolved(self) -> bool:
        """Whether the choices lie further apart than another seed moves what is compared."""
        return abs(self.of_means) > self.spread

    def __str__(self) -> str:
        verdict = "resolved" if self.is_resolved else "not resolved"
        return f"{self.of_means:+.3f} (spread over seeds {self.spread:.3f}): {verdict}"


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The second choice less the first, each given by one number for each seed."""
    of_means = sum(second) / len(second) - sum(first) / len(first)
    return Difference(of_means, max(max(first) - min(first), max(second) - min(second)))


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The second choice less the first, seed by seed: where a seed draws the same for both, it cancels.

    Of two equal choices it calls 8 in 100 resolved with three seeds, where `difference` calls 5.
    """
    apart = [after - before for before, after in zip(first, second, strict=True)]
    return Difference(sum(apart) / len(apart), max(apart) - min(apart))


def false_positive_rate(seeds: int) -> float:
    """How often `paired_difference` calls equal choices resolved, when differences scatter normally."""
    apart = torch.randn(100_000, seeds, generator=torch.Generator().manual_seed(0))  # [tries, seeds]
    return float((apart.mean(dim=1).abs() > apart.amax(dim=1) - apart.amin(dim=1)).float().mean())
