"""Which sparsity each part of a model gets, from what each costs alone.

scan = {"query": [(0.5, 0.82), (0.9, 0.74)], ...}      # sparsity, and accuracy with that part alone pruned
choose_sparsities(scan, {"query": 884736, ...}, kept=0.25)
"""

from __future__ import annotations

from itertools import product


def choose_sparsities(
    scan: dict[str, list[tuple[float, float]]], sizes: dict[str, int], kept: float
) -> dict[str, float]:
    """Of all choices that keep at most the share `kept` of all weights, the one of highest summed accuracy.

    scan: by name of a part, its sparsities, and the model's accuracy when this part alone is pruned so far.
    sizes: weights by the same names. A part of sparsity s keeps (1 - s) times its size, a real
    number. All choices are tried, so a few names and sparsities are enough. ValueError if none keeps so few.
    """
    limit = kept * sum(sizes.values()) + 0.001  # whoever just meets it does, whatever a sum rounds to
    best_choice = None
    best_total = float("-inf")
    for choice in product(*scan.values()):
        left = 0.0
        total = 0.0
        for name, (sparsity, accuracy) in zip(scan, choice, strict=True):
            left += (1 - sparsity) * sizes[name]
            total += accuracy
        if left <= limit and total > best_total:
            best_choice = choice
            best_total = total
    if best_choice is None:
        raise ValueError(f"Even the highest sparsities keep more than {kept:.0%} of the weights.")
    return {name: sparsity for name, (sparsity, _) in zip(scan, best_choice, strict=True)}
