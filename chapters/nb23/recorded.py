"""What notebook 23 knows of its bet with the seeds 3, 4 and 5."""

import torch
from torch import Tensor

#: headlines right of 720 by seed and map (`further_seeds`)
FURTHER = {
    3: {"0,0": 473, "0,6": 446, "0,2": 458},
    4: {"0,0": 461, "0,6": 419, "0,2": 467},
    5: {"0,0": 481, "0,6": 452, "0,2": 495},
}
TESTED = 720


def further(lesson: str, base: str) -> Tensor:
    """Seed by seed the points by which the first map leads the second."""
    return torch.tensor([100 * (right[lesson] - right[base]) / TESTED for right in FURTHER.values()])
