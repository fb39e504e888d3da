"""Is a difference between two designs more than luck? Runs of one seed make pairs."""

from collections.abc import Sequence


def paired_difference(base: Sequence[float], design: Sequence[float]) -> tuple[float, float, bool]:
    """How far a design lies from the base, how far its differences spread, and whether that is resolved.

    base, design: the losses of both, one for each seed, in the same order of seeds.
    """
    differences = []
    for base_loss, design_loss in zip(base, design, strict=True):
        differences.append(design_loss - base_loss)
    mean = sum(differences) / len(differences)
    spread = max(differences) - min(differences)
    resolved = abs(mean) > spread
    return mean, spread, resolved
