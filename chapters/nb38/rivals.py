"""What a vision transformer is compared with: a convolutional network, and logistic regression."""

from __future__ import annotations

from sklearn.linear_model import LogisticRegression
from torch import nn

from chapters.nb38.pictures import CLASSES, SIDE, Digits


def cnn() -> nn.Module:
    """Two convolutions of 3 x 3, each followed by a maximum over 2 x 2, and a linear layer."""
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * (SIDE // 4) ** 2, CLASSES),
    )  # fmt: skip


def regression(data: Digits) -> LogisticRegression:
    """Logistic regression on the pixels: a weight for each pixel and class, and no more."""
    return LogisticRegression(max_iter=1000).fit(data.images.flatten(1).numpy(), data.labels.numpy())


def regression_right(model: LogisticRegression, data: Digits) -> float:
    """The share of pictures whose digit it names."""
    return float(model.score(data.images.flatten(1).numpy(), data.labels.numpy()))
