"""The smallest model with both of BERT's pretraining heads, and the loss that trains both.

Words are guessed from the word before, pairs from a few numbers about them: enough to watch what a loss does
to each head. Sizes in the comments: B pairs, T words, V words known, F features of a pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from lib.text.pair_tasks import Draw
from lib.text.sentence_pairs import Document, SentencePair, draw_pairs


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
        for weight in (self.words.weight, self.pair.weight, self.pair.bias):
            nn.init.zeros_(weight)  # a head that knows nothing gives all answers the same probability

    def forward(self, before: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        """before [B, T] and features [B, F] to [B, T, V] and [B, 2]."""
        return self.words(before), self.pair(features)


@dataclass(frozen=True)
class Examples:
    """Texts, some of their words hidden, and the cosines of pairs."""

    before: Tensor  # [B, T]: the word before each
    labels: Tensor  # [B, T]: the word there where it is hidden, else 0
    cosines: Tensor  # [B, 1]
    pair_labels: Tensor  # [B]


#: words of each text that are read, and the share of them that is hidden
READ, HIDDEN = 25, 0.15
#: what cosines are multiplied by, so that those of texts of twelve sentences spread by about 1
SCALE = 20.0


def frequent_words(documents: Sequence[Document], count: int) -> dict[str, int]:
    """The most frequent words with their numbers, from 2 on: 0 is for no word, 1 for any other word."""
    counts = Counter(word for document in documents for word in " ".join(document).lower().split())
    return {word: number for number, (word, _) in enumerate(counts.most_common(count), start=2)}


def examples(
    pairs: Sequence[SentencePair], cosine: Callable[[str, str], float], known: Mapping[str, int], seed: int
) -> Examples:
    """What both heads learn from: words of the first texts, some hidden by `seed`; the cosine of each pair.

    The cosines are multiplied by SCALE, the same for every set. A first text of fewer than READ words
    raises a ValueError.
    """
    texts = [pair.first.lower().split()[:READ] for pair in pairs]
    if min(map(len, texts)) < READ:
        raise ValueError(f"A first text has fewer than {READ} words: draw pairs of more sentences.")
    rows = torch.tensor([[known.get(word, 1) for word in text] for text in texts])  # [B, READ]
    generator = torch.Generator().manual_seed(seed)
    hidden = torch.rand(len(rows), READ - 1, generator=generator) < HIDDEN
    numbers = torch.tensor([[cosine(pair.first, pair.second)] for pair in pairs])
    labels = torch.tensor([pair.label for pair in pairs])
    return Examples(rows[:, :-1], rows[:, 1:] * hidden, SCALE * numbers, labels)


def batch_of(
    documents: list[Document],
    task: Draw,
    cosine: Callable[[str, str], float],
    known: Mapping[str, int],
    seed: int,
) -> Examples:
    """The examples of 200 pairs of texts of twelve sentences."""
    return examples(draw_pairs(documents, task, 12, 200, np.random.default_rng(seed)), cosine, known, seed)


@torch.no_grad()
def parts(model: TwoHeads, some: Examples) -> tuple[float, float]:
    """The mean loss of all hidden words and that of all pairs, each by itself."""
    words, pairs = model(some.before, some.cosines)
    hidden = some.labels != 0
    return (
        nn.functional.cross_entropy(words[hidden], some.labels[hidden]).item(),
        nn.functional.cross_entropy(pairs, some.pair_labels).item(),
    )
