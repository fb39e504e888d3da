"""A decoder that writes the lower half of a digit, pixel by pixel.

Sizes in the comments: B pictures, T pixels read, D features, V grays.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb38.pictures import SIDE, Digits
from chapters.nb38.vit import layer
from lib.records.table import Table

ARM = "600 steps"  # of the record
GRAYS, PIXELS = 17, SIDE * SIDE
KNOWN = PIXELS // 2  # the upper half
WIDTH, LAYERS = 64, 2
BATCH, RATE = 32, 4e-3
ASKED = 200  # test digits whose lower half is asked for


class PixelWriter(nn.Module):
    """A causal transformer over pixels in reading order: grays [B, T] to logits [B, T, 17] of the next."""

    def __init__(self, width: int = WIDTH, layers: int = LAYERS):
        super().__init__()
        self.embed = nn.Embedding(GRAYS + 1, width)  # the last is the begin token
        self.positions = nn.Parameter(0.02 * torch.randn(PIXELS, width))
        self.layers = nn.ModuleList(layer(width) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, GRAYS)

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits [B, T, V] of the gray that follows each of the inputs [B, T]."""
        length = inputs.shape[1]
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1)  # True where nobody may look
        states = self.embed(inputs) + self.positions[:length]
        for one in self.layers:
            states = one(states, src_mask=hidden, is_causal=True)
        logits: Tensor = self.head(self.norm(states))
        return logits


def grays(images: Tensor) -> Tensor:
    """Pictures [B, 1, 8, 8] from 0 to 1 as grays int64 [B, 64], 0 to 16."""
    return (16 * images).round().long().flatten(1)


def pictures(values: Tensor) -> Tensor:
    """Grays [B, 64] as pictures [B, 1, 8, 8] from 0 to 1."""
    return (values.float() / 16).view(-1, 1, SIDE, SIDE)


def inputs_of(values: Tensor) -> Tensor:
    """What is read before each pixel: a begin token, then all but the last."""
    return torch.cat([torch.full_like(values[:, :1], GRAYS), values[:, :-1]], dim=1)


def learn(model: PixelWriter, data: Digits, steps: int) -> None:
    """Train as the notebook does: the next gray at each pixel, whole pictures, AdamW."""
    values = grays(data.images)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        chosen = values[torch.randint(len(values), (BATCH,))]
        logits = model(inputs_of(chosen))
        loss = F.cross_entropy(logits.flatten(0, 1), chosen.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def nats(model: PixelWriter, data: Digits) -> float:
    """The loss of a pixel of the lower half, given all before it."""
    values = grays(data.images)
    logits = model(inputs_of(values))[:, KNOWN:]
    return F.cross_entropy(logits.flatten(0, 1), values[:, KNOWN:].flatten()).item()


def histogram_nats(learned: Digits, tested: Digits) -> float:
    """The loss of each pixel's histogram among the learned digits, whatever the upper half shows."""
    counts = F.one_hot(grays(learned.images)[:, KNOWN:], GRAYS).sum(dim=0) + 1.0  # [32, V]
    logs = (counts / counts.sum(dim=-1, keepdim=True)).log()
    wanted = grays(tested.images)[:, KNOWN:]
    return -logs.expand(len(wanted), -1, -1).gather(2, wanted[..., None]).mean().item()


@torch.no_grad()
def complete(model: PixelWriter, images: Tensor) -> Tensor:
    """The upper half stays, and the model writes the lower: each gray is drawn by its probability."""
    values = grays(images)[:, :KNOWN]
    for _ in range(PIXELS - KNOWN):
        begun = torch.cat([torch.full_like(values[:, :1], GRAYS), values], dim=1)
        chances = model(begun)[:, -1].softmax(dim=-1)  # [B, V]
        values = torch.cat([values, torch.multinomial(chances, 1)], dim=1)
    return pictures(values)


def squared_error(completed: Tensor, images: Tensor) -> float:
    """The mean squared difference of the lower halves."""
    return (completed - images).flatten(1)[:, KNOWN:].square().mean().item()


def recorded(table: Table, count: int) -> Tensor:
    """The first digits that the first of the recorded decoders completed, [B, 1, 8, 8]."""
    return pictures(torch.tensor(table.values("completion", ARM, "completed")[0][:count]))
