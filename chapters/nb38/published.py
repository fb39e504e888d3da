"""Table 2 of Dosovitskiy et al. (2021): accuracies of pictures named right.

Percent, means of three fine-tuning runs where the paper has several. BiT-L is a ResNet and Noisy Student an
EfficientNet; all but ViT-L/16 I21k saw JFT, some 300 million pictures that are not public.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One data set, and the accuracies of three ViTs and two convolutional networks; None: not given."""

    task: str
    huge: float
    large: float
    large_21k: float
    bit: float
    noisy_student: float | None

    @property
    def best_convolution(self) -> float:
        """The better of the two convolutional networks."""
        return max(self.bit, self.noisy_student or 0.0)

    @property
    def lead(self) -> float:
        """By how many points the best ViT is ahead of the better convolutional network."""
        return max(self.huge, self.large) - self.best_convolution


ROWS = [
    Row("ImageNet", 88.55, 87.76, 85.30, 87.54, 88.5),
    Row("ImageNet ReaL", 90.72, 90.54, 88.62, 90.54, 90.55),
    Row("CIFAR-10", 99.50, 99.42, 99.15, 99.37, None),
    Row("CIFAR-100", 94.55, 93.90, 93.25, 93.51, None),
    Row("Oxford-IIIT Pets", 97.56, 97.32, 94.67, 96.62, None),
    Row("Oxford Flowers-102", 99.68, 99.74, 99.61, 99.63, None),
    Row("VTAB (19 tasks)", 77.63, 76.28, 72.72, 76.29, None),
]


def columns() -> dict[str, list[str | float]]:
    """The rows as a table: three ViTs, and two convolutional networks."""
    return {
        "task": [row.task for row in ROWS],
        "ViT-H/14": [row.huge for row in ROWS],
        "ViT-L/16": [row.large for row in ROWS],
        "BiT-L": [row.bit for row in ROWS],
        "Noisy Student": [row.noisy_student or "–" for row in ROWS],
        "ViT-L/16, I21k": [row.large_21k for row in ROWS],
    }
