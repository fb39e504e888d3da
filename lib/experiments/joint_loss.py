"""The smallest model with both of BERT's pretraining heads, and the loss that trains both.

Words are guessed from the word before, pairs from a few numbers about them: enough to watch what a loss does
to each head. Sizes in the comments: B pairs, T words, V words known, F features of a pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from lib.experiments.fitting import BatchLoss, InMemory, adam

Loss = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def pretraining_loss(
    prediction_logits: Tensor, labels: Tensor, pair_logits: Tensor, pair_labels: Tensor
) -> Tensor:
    """The mean loss of the hidden words plus the mean loss of all pairs (Devlin et al., 2019, appendix A.2).

    prediction_logits [B, T, V] and labels [B, T], 0 where no word is hidden, which is left out. pair_logits
    [B, 2] and pair_labels [B]: 0, B follows A; 1, it does not. Both count.
    """
    words = nn.functional.cross_entropy(prediction_logits.flatten(0, 1), labels.flatten(), ignore_index=0)
    return words + nn.functional.cross_entropy(pair_logits, pair_labels)


class TwoHeads(nn.Module):
    """A table from each word to scores for the next one, and a linear layer from features to two classes."""

    def __init__(self, vocab_size: int, features: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocab_size, vocab_size)
        self.pair = nn.Linear(features, 2)
        nn.init.zeros_(self.words.weight)

    def forward(self, before: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        """before [B, T] and features [B, F] to [B, T, V] and [B, 2]."""
        return self.words(before), self.pair(features)


@dataclass(frozen=True)
class Examples:
    """Texts, some of their words hidden, and features of pairs."""

    before: Tensor  # [B, T]: the word before each
    labels: Tensor  # [B, T]: the word there where it is hidden, else 0
    features: Tensor  # [B, F]
    pair_labels: Tensor  # [B]


@dataclass
class Curves:
    """What a run gave, step by step."""

    loss: list[float] = field(default_factory=list)
    pairs_right: list[float] = field(default_factory=list)  # on held-out pairs


def train_two_heads(learn: Examples, held_out: Examples, loss: Loss, vocab_size: int, steps: int) -> Curves:
    """Train on all examples at once with `loss`; the same weights at the start every time."""
    torch.manual_seed(0)
    model = TwoHeads(vocab_size, learn.features.size(1))

    def loss_of(before: Tensor, labels: Tensor, features: Tensor, pair_labels: Tensor) -> Tensor:
        words, pairs = model(before, features)
        return loss(words, labels, pairs, pair_labels)

    trainer = adam(BatchLoss(model, loss_of), InMemory([vars(learn)]), steps, 0.1)
    curves = Curves()
    for _ in range(steps):
        curves.loss.append(trainer.step()["loss"])
        with torch.no_grad():
            right = model.pair(held_out.features).argmax(dim=1) == held_out.pair_labels
        curves.pairs_right.append(right.float().mean().item())
    return curves
