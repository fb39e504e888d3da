"""What a search may report, chosen by some seeds and judged by the others; and how ELM mixes two maps."""

from collections.abc import Sequence

from torch import Tensor


def winner(scores: Tensor, searched: Sequence[int]) -> tuple[int, float]:
    """The row that a search chooses, and its lead over row 0 under seeds that the search did not see.

    scores [maps, seeds], row 0 of the map without a lesson. The row has the highest mean over the seeds of
    `searched`; its lead is the mean over all other seeds, of which there is one at least.
    """
    others = [seed for seed in range(scores.size(1)) if seed not in searched]
    row = int(scores[:, searched].mean(dim=1).argmax())
    leads = scores[row] - scores[0]  # [seeds]
    return row, float(leads[others].mean())


def child_of(first: tuple[int, ...], second: tuple[int, ...], cut: int) -> tuple[int, ...]:
    """The first gene up to place `cut` and the second from there on; what falls becomes 0 (ELM).

    Both have M numbers and 0 <= cut <= M. A number stays only if it is larger than all before it,
    however many zeros stand between.
    """
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        if child[place] <= max(child[:place]):
            child[place] = 0
    return tuple(child)
