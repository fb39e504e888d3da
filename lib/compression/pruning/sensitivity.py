"""Which sparsity each part of a model gets, from what each costs alone.

scan = {"query": [(0.5, 0.82), (0.9, 0.74)], ...}      # sparsity, and accuracy with that part alone pruned
choose_sparsities(scan, {"query": 884736, ...}, kept=0.25)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

#: of one part of a model: sparsities, and what the model's accuracy is when this part alone is pruned so far
Curve = Sequence[tuple[float, float]]


def choose_sparsities(scan: Mapping[str, Curve], sizes: Mapping[str, int], kept: float) -> dict[str, float]:
    """Of all choices that keep at most the share `kept` of all weights, the one of highest summed accuracy.

    scan: by name. sizes: weights by the same names. A part of sparsity s keeps (1 - s) times its size, a real
    number. All choices are tried, so a few names and sparsities are enough. ValueError if none keeps so few.
    """
    limit = kept * sum(sizes.values()) * (1 + 1e-9)  # whoever just meets it does, whatever a sum rounds to
    best, best_accuracy = None, float("-inf")
    for choice in product(*scan.values()):
        left = sum((1 - sparsity) * sizes[name] for name, (sparsity, _) in zip(scan, choice, strict=True))
        accuracy = sum(accuracy for _, accuracy in choice)
        if left <= limit and accuracy > best_accuracy:
            best, best_accuracy = choice, accuracy
    if best is None:
        raise ValueError(f"Even the highest sparsities keep more than {kept:.0%} of the weights.")
    return {name: sparsity for name, (sparsity, _) in zip(scan, best, strict=True)}
