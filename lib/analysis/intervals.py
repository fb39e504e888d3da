"""How sure a share is, of so many tries."""

import math

Z = 1.96  # 95 of 100 such intervals hold the true share


def share_interval(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share seen in `count` tries (Wilson, 1927): where the true share may lie.

    Unlike share ± 2 standard errors it stays between 0 and 1 and does not vanish at the ends.
    """
    if count < 1 or not 0 <= share <= 1:
        raise ValueError(
            f"A share of {share} in {count} tries is none: give one from 0 to 1, of 1 try or more."
        )
    middle = (share + Z**2 / (2 * count)) / (1 + Z**2 / count)
    half = Z / (1 + Z**2 / count) * math.sqrt(share * (1 - share) / count + Z**2 / (4 * count**2))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))  # rounding at the ends
