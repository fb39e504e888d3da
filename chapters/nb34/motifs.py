"""Series in which a motif returns, and a small causal transformer whose queries and keys are convolved.

The layer is that of Li et al. (2019): queries and keys come from the last k points, values from one. Sizes in
the comments: B series, T points, D features, k the width of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.functional import mse_loss

#: x [B, T, D], weights of queries and keys [D, D, k], and what makes the values, to [B, T, D]
Attend = Callable[[Tensor, Tensor, Tensor, nn.Linear], Tensor]

LENGTH, MOTIF, TIMES, WIDTH = 96, 8, 9, 64  # points of a series and of its motif, its returns, features
STEPS, BATCH, RATE, WARM_UP = 250, 32, 5e-3, 25
TESTED, TEST_SEED = 512, 2_000_000  # the rate was chosen on the series of seed 1,000,000


def causal_convolution(x: Tensor, weight: Tensor) -> Tensor:
    """Each place sees itself and the k - 1 before it: x [B, T, D] and weight [E, D, k] to [B, T, E].

    Before place 0 stand zeros. weight[..., k - 1] meets the place itself, as in `conv1d`. No bias.
    """
    before = weight.shape[-1] - 1
    padded = F.pad(x.transpose(1, 2), (before, 0))  # [B, D, k - 1 + T]
    return F.conv1d(padded, weight).transpose(1, 2)


def attend(x: Tensor, to_query: Tensor, to_key: Tensor, to_value: nn.Linear) -> Tensor:
    """Causal attention whose queries and keys are made of k points, and its values of one: [B, T, D]."""
    query = causal_convolution(x, to_query)
    key = causal_convolution(x, to_key)
    return F.scaled_dot_product_attention(query, key, to_value(x), is_causal=True)


def attend_earlier(x: Tensor, to_query: Tensor, to_key: Tensor, to_value: nn.Linear) -> Tensor:
    """The same, but a place's key is made one place earlier: it tells what stood before the value."""
    query = causal_convolution(x, to_query)
    before = F.pad(x, (0, 0, 1, 0))[:, :-1]  # zeros, then each point one place later
    key = causal_convolution(before, to_key)
    return F.scaled_dot_product_attention(query, key, to_value(x), is_causal=True)


def draw_series(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Noise in which a motif of 8 points stands nine times: values [B, T], and where it begins [B, 9].

    All points are drawn from a standard normal distribution, those of the motif once a series.
    """
    values = torch.randn(count, LENGTH, generator=generator)
    starts = torch.zeros(count, TIMES, dtype=torch.long)
    motifs = torch.randn(count, MOTIF, generator=generator)
    free = LENGTH - TIMES * MOTIF
    for row in range(count):
        gaps = torch.randperm(free + TIMES, generator=generator)[:TIMES].sort().values
        starts[row] = gaps + torch.arange(TIMES) * (MOTIF - 1)
        for start in starts[row].tolist():
            values[row, start : start + MOTIF] = motifs[row]
    return values, starts


def returning(starts: Tensor) -> Tensor:
    """Which points can be known, [B, T]: from the third of a motif on that stood in the series before."""
    known = torch.zeros(len(starts), LENGTH, dtype=torch.bool)
    for row, begins in enumerate(starts.tolist()):
        for start in begins[1:]:
            known[row, start + 2 : start + MOTIF] = True
    return known


class Layer(nn.Module):
    """Causal attention whose queries and keys are convolved, then a feed-forward part; pre-LN."""

    def __init__(self, width: int, kernel: int) -> None:
        super().__init__()
        scale = (width * kernel) ** -0.5
        self.norm = nn.LayerNorm(width)
        self.query = nn.Parameter(torch.randn(width, width, kernel) * scale)
        self.key = nn.Parameter(torch.randn(width, width, kernel) * scale)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, x: Tensor, attend: Attend) -> Tensor:
        """[B, T, D] to [B, T, D]."""
        x = x + self.output(attend(self.norm(x), self.query, self.key, self.value))
        return x + self.feed_forward(x)


class Forecaster(nn.Module):
    """Guesses the next point of a series at each place."""

    def __init__(self, kernel: int, layers: int = 1, attend: Attend = attend) -> None:
        super().__init__()
        self.attend = attend
        self.embed = nn.Linear(1, WIDTH)
        self.positions = nn.Parameter(0.02 * torch.randn(LENGTH, WIDTH))
        self.layers = nn.ModuleList(Layer(WIDTH, kernel) for _ in range(layers))
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, values: Tensor) -> Tensor:
        """[B, T] to [B, T]: at place t a guess of point t + 1."""
        x = self.embed(values[..., None]) + self.positions[: values.shape[1]]
        for layer in self.layers:
            x = layer(x, self.attend)
        forecast: Tensor = self.head(x)[..., 0]
        return forecast


def rate_at(step: int, steps: int = STEPS) -> float:
    """The learning rate: it rises for 25 steps, and falls to 0."""
    return RATE * min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)


def learn(kernel: int, layers: int, seed: int, steps: int = STEPS, attend: Attend = attend) -> Forecaster:
    """Train a forecaster on series that the seed draws; notebook 34 writes the same loop on its page."""
    torch.manual_seed(seed)
    model = Forecaster(kernel, layers, attend)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate_at(step, steps)
        series, _ = draw_series(BATCH, generator)
        loss = mse_loss(model(series[:, :-1]), series[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model


@torch.no_grad()
def errors_of(model: nn.Module) -> tuple[float, float]:
    """The mean squared error on 512 new series, of all points and of those where the motif returns."""
    series, starts = draw_series(TESTED, torch.Generator().manual_seed(TEST_SEED))
    errors = (model(series[:, :-1]) - series[:, 1:]).square()  # [B, T - 1]
    return errors.mean().item(), errors[returning(starts)[:, 1:]].mean().item()


def error_of_means() -> float:
    """The error of guessing the mean of all points so far, on the points that `errors_of` scores last."""
    series, starts = draw_series(TESTED, torch.Generator().manual_seed(TEST_SEED))
    counts = torch.arange(1, LENGTH)
    means = series[:, :-1].cumsum(dim=1) / counts
    errors = (means - series[:, 1:]).square()
    return errors[returning(starts)[:, 1:]].mean().item()
