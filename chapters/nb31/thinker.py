"""One layer that runs as often as each token wants: a small Universal Transformer (Dehghani et al., 2019).

Its task is to follow a trail. Eight places each hold the number of another place, no number twice, and from
every place one goes once, twice or up to four times to where the number points. A step of attention fetches
what stands at one place, so a longer trail takes more steps.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.compression.halting import halting_weights, ponder_cost

WeightsOf = Callable[[Tensor, float], Tensor]

PLACES, STEPS, WIDTH = 8, 6, 64
EPSILON, RATE, BATCH = 0.01, 3e-3, 128


class Thinker(nn.Module):
    """Reads the numbers at eight places [B, T], and says where the trail from each of them ends.

    weights_of: makes the weights of the steps of their probabilities, as `halting_weights` does.
    """

    def __init__(self, weights_of: WeightsOf = halting_weights) -> None:
        super().__init__()
        self.weights_of = weights_of
        config = BertConfig(
            PLACES, WIDTH, 1, 4, 2 * WIDTH, hidden_dropout_prob=0, attention_probs_dropout_prob=0
        )
        self.numbers, self.positions = nn.Embedding(PLACES, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.steps = nn.Embedding(STEPS, WIDTH)
        self.layer = EncoderLayer(config)
        self.halt, self.answer = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, PLACES)
        nn.init.ones_(self.halt.bias)

    def forward(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [B, T, 8], and the weights of the steps [STEPS, B, T]."""
        state = self.numbers(numbers)  # [B, T, D]
        probabilities, states = [], []
        for step in range(STEPS):
            x = state + self.positions.weight + self.steps.weight[step]
            probabilities.append(self.halt(x).squeeze(-1).sigmoid())  # [B, T]
            states.append(state := self.layer(x))
        every = torch.stack(probabilities)  # [STEPS, B, T]
        weights = self.weights_of(every.flatten(1), EPSILON).view(every.shape)
        return self.answer((weights[..., None] * torch.stack(states)).sum(0)), weights


def trails(hops: int, generator: torch.Generator, rows: int = BATCH) -> tuple[Tensor, Tensor]:
    """The numbers at the places, and where the trail of so many hops from each place ends: [rows, T] each."""
    numbers = torch.rand(rows, PLACES, generator=generator).argsort(1)
    ends = numbers
    for _ in range(hops - 1):
        ends = numbers.gather(1, ends)
    return numbers, ends


def train_thinker(
    hops: int,
    price: float,
    steps: int,
    seed: int,
    device: torch.device | str = "cpu",
    weights_of: WeightsOf = halting_weights,
) -> Thinker:
    """A thinker that learns trails of one length, and pays `price` for each step that a token takes."""
    torch.manual_seed(seed)
    model, generator = Thinker(weights_of).to(device), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    for step in range(steps):
        numbers, ends = (tensor.to(device) for tensor in trails(hops, generator))
        logits, weights = model(numbers)
        loss = F.cross_entropy(logits.flatten(0, 1), ends.flatten()) + price * ponder_cost(weights).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
    return model.cpu().eval()


@torch.no_grad()
def judge_thinker(model: Thinker, hops: int, rows: int = 1000) -> tuple[float, float]:
    """The share of right answers, and the steps that a token takes on average."""
    numbers, ends = trails(hops, torch.Generator().manual_seed(10_000), rows)
    logits, weights = model(numbers)
    return (logits.argmax(-1) == ends).float().mean().item(), (weights > 0).sum(0).float().mean().item()
