"""A vision transformer (Dosovitskiy et al., 2021) of two layers, and how it and its rivals learn.

Sizes in the comments: B pictures, N patches, D features.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb38 import answers
from chapters.nb38.pictures import CLASSES, PATCH, SIDE, Digits

WIDTH, HEADS, LAYERS = 64, 4, 2
STEPS, BATCH, RATE = 300, 64, 4e-3
INIT = 0.02  # standard deviation of positions
Cut = Callable[[Tensor, int], Tensor]


def layer(width: int) -> nn.Module:
    """PyTorch's own: attention and feed-forward, with the norms in front (pre-LN), as in ViT."""
    return nn.TransformerEncoderLayer(
        width, HEADS, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )


class ViT(nn.Module):
    """Patches are the tokens, and [CLS] names the class: images [B, 1, H, W] to logits [B, 10]."""

    def __init__(self, cut: Cut = answers.patches, side: int = SIDE, size: int = PATCH, width: int = WIDTH):
        super().__init__()
        self.cut = cut
        self.size = size
        self.embed = nn.Linear(size * size, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(INIT * torch.randn(1 + (side // size) ** 2, width))
        self.layers = nn.Sequential(*[layer(width) for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        """Logits [B, 10] of the ten digits."""
        pieces = self.embed(self.cut(images, self.size))  # [B, N, D]
        cls = self.cls.expand(len(images), -1, -1)  # [B, 1, D]
        states = torch.cat([cls, pieces], dim=1) + self.positions
        states = self.layers(states)
        logits: Tensor = self.head(self.norm(states[:, 0]))
        return logits


def without_positions() -> ViT:
    """The same model, whose positions are zero and stay so."""
    model = ViT()
    nn.init.zeros_(model.positions)
    model.positions.requires_grad_(False)
    return model


def learn(model: nn.Module, data: Digits, steps: int = STEPS) -> None:
    """Train as the notebook does on its page: AdamW, 64 pictures a step, a rate that rises and falls."""
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        rows = torch.randint(len(data), (BATCH,))
        loss = F.cross_entropy(model(data.images[rows]), data.labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def share_right(model: nn.Module, data: Digits) -> float:
    """The share of pictures whose digit is named."""
    return (model(data.images).argmax(dim=-1) == data.labels).float().mean().item()
