"""One layer that runs as often as each token wants: a small Universal Transformer (Dehghani et al., 2019).

Its task is to follow a trail. Eight places each hold the number of another place, no number twice, and from
every place one goes 1, 2, 3 or 4 times to where the number points. A step of attention follows one arrow, or
doubles those known so far.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.compression.halting import halting_weights, ponder_cost

PLACES, HOPS, STEPS, WIDTH = 8, 4, 6, 64
EPSILON, RATE, BATCH = 0.01, 3e-3, 128


class Thinker(nn.Module):
    """Reads places [B, T] and hops [B], 1 to 4, and says where each trail ends."""

    def __init__(self) -> None:
        super().__init__()
        config = BertConfig(
            PLACES, WIDTH, 1, 4, 2 * WIDTH, hidden_dropout_prob=0, attention_probs_dropout_prob=0
        )
        self.numbers, self.hops = nn.Embedding(PLACES, WIDTH), nn.Embedding(HOPS + 1, WIDTH)
        self.positions, self.steps = nn.Embedding(PLACES, WIDTH), nn.Embedding(STEPS, WIDTH)
        self.layer = EncoderLayer(config)
        self.halt, self.answer = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, PLACES)
        nn.init.ones_(self.halt.bias)

    def forward(self, numbers: Tensor, hops: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [B, T, 8], and the weights of the steps [STEPS, B, T]."""
        state = self.numbers(numbers) + self.hops(hops)[:, None]  # [B, T, D]
        probabilities, states = [], []
        for step in range(STEPS):
            x = state + self.positions.weight + self.steps.weight[step]
            probabilities.append(self.halt(x).squeeze(-1).sigmoid())  # [B, T]
            states.append(state := self.layer(x))
        weights = halting_weights(torch.stack(probabilities), EPSILON)  # [STEPS, B, T]
        return self.answer((weights[..., None] * torch.stack(states)).sum(0)), weights


def trails(generator: torch.Generator, rows: int = BATCH) -> tuple[Tensor, Tensor, Tensor]:
    """Places [rows, T], hops [rows], and where each trail ends [rows, T]."""
    numbers = torch.rand(rows, PLACES, generator=generator).argsort(1)
    hops = torch.randint(1, HOPS + 1, (rows,), generator=generator)
    ends = torch.arange(PLACES).expand(rows, -1)
    for hop in range(HOPS):
        ends = torch.where(hop < hops[:, None], numbers.gather(1, ends), ends)
    return numbers, hops, ends


def train_thinker(price: float, steps: int, seed: int) -> Thinker:
    """A thinker that pays `price` for each step that it takes."""
    torch.manual_seed(seed)
    model, generator = Thinker(), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    for step in range(steps):
        numbers, hops, ends = trails(generator)
        logits, weights = model(numbers, hops)
        loss = F.cross_entropy(logits.flatten(0, 1), ends.flatten()) + price * ponder_cost(weights).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
    return model.eval()


@torch.no_grad()
def judge_thinker(model: Thinker, rows: int = 2000) -> list[tuple[float, float]]:
    """For 1, 2, 3 and 4 hops: the share of right answers, and the steps taken on average."""
    numbers, hops, ends = trails(torch.Generator().manual_seed(10_000), rows)
    logits, weights = model(numbers, hops)
    right, steps = (logits.argmax(-1) == ends).float(), (weights > 0).sum(0).float()  # [rows, T]
    return [
        (right[hops == hop].mean().item(), steps[hops == hop].mean().item()) for hop in range(1, HOPS + 1)
    ]
