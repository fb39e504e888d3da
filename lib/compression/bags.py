"""Classifiers without attention: the vectors of what stands in a text, added up, and two dense layers.

What stands in it are the pieces of a tokenizer, or runs of characters, each known by the bucket that its
checksum falls into. With one dense layer this is fastText (Joulin et al., 2017; made small: FastText.zip,
Joulin et al., 2016), with more the deep averaging network (Iyyer et al., 2015). Here it may learn from a
teacher's answers as a small BERT does, and begin with the teacher's vectors:

    pieces = [piece_features(text, tokenizer) for text in texts]
    bag = Bag(len(tokenizer), size=16, hidden_size=64, classes=9)
    bag.start_from(teacher_table, counts)
    teach(bag, pieces, targets, steps=600, rate=3e-3, dropout=0.5)
    quantize_weights(bag, bits=2, paths=["table"], groups=1, scheme="spread")  # and teach(...) on
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import WordPieceTokenizer
from lib.compression.factorizing import factorize_table
from lib.training.schedules import LinearDecay

SHORTEST, LONGEST = 2, 5  # characters of a run


class Features(NamedTuple):
    """What stands in one text, and how much each counts."""

    ids: Tensor  # [M] of whole numbers
    weights: Tensor  # [M]


def piece_features(text: str, tokenizer: WordPieceTokenizer) -> Features:
    """The pieces of a text, each counted as its share, so that a bag takes their mean."""
    ids = tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text))
    return Features(torch.tensor(ids, dtype=torch.long), torch.full((len(ids),), 1 / max(1, len(ids))))


def run_features(text: str, buckets: int) -> Features:
    """The runs of 2 to 5 characters within the words of a text, edges included, as numbers below `buckets`.

    What occurs n times counts 1 + ln n, and all weights together have length 1, as in TF-IDF.
    """
    counts: Counter[int] = Counter()
    for word in re.findall(r"\w+|[^\w\s]", text.lower()):
        padded = f" {word} "
        for length in range(SHORTEST, LONGEST + 1):
            for start in range(len(padded) - length + 1):
                counts[crc32(padded[start : start + length].encode()) % buckets] += 1
    weights = 1 + torch.tensor(list(counts.values()), dtype=torch.float32).log()
    return Features(torch.tensor(list(counts), dtype=torch.long), F.normalize(weights, dim=0))


class Bag(nn.Module):
    """Logits of texts from a table of vectors [features, size], one for each feature: added, then dense."""

    def __init__(self, features: int, size: int, hidden_size: int, classes: int):
        super().__init__()
        self.table = nn.Embedding(features, size)
        self.dense = nn.Linear(size, hidden_size)
        self.classifier = nn.Linear(hidden_size, classes)
        nn.init.normal_(self.table.weight, std=0.1)

    @torch.no_grad()
    def start_from(self, vectors: Tensor, counts: Tensor) -> None:
        """Begin with vectors [features, D], cut to the bag's size so that frequent ones lose least.

        counts [features]: how often each occurs. Their spread becomes 1.
        """
        left, _ = factorize_table(vectors, counts, self.table.embedding_dim)
        self.table.weight.copy_(left / left.std())

    @torch.no_grad()
    def cut(self, size: int, counts: Tensor) -> None:
        """Keep so many directions of the vectors: those in which what the dense layer reads differs most."""
        read = self.table.weight @ self.dense.weight.T  # [features, hidden]
        left, right = factorize_table(read, counts.to(read.device), size)
        self.table.weight, self.dense.weight = nn.Parameter(left), nn.Parameter(right.T.contiguous())
        self.table.embedding_dim = self.dense.in_features = size

    def forward(self, texts: Sequence[Features]) -> Tensor:
        device = self.classifier.weight.device
        lengths = torch.tensor([0, *(len(text.ids) for text in texts[:-1])])
        ids, weights = (torch.cat(parts).to(device) for parts in zip(*texts, strict=True))
        sums = F.embedding_bag(
            ids, self.table.weight, lengths.cumsum(0).to(device), mode="sum", per_sample_weights=weights
        )  # [N, size]
        logits: Tensor = self.classifier(F.gelu(self.dense(sums)))  # [N, C]
        return logits


def thinned(text: Features, share: float, generator: torch.Generator) -> Features:
    """A text without this share of its features, drawn at random; the others count the more."""
    kept = torch.rand(len(text.ids), generator=generator) >= share
    return Features(text.ids[kept], text.weights[kept] / (1 - share))


def teach(
    bag: Bag,
    texts: Sequence[Features],
    targets: Tensor,
    steps: int,
    rate: float,
    batch_size: int = 128,
    dropout: float = 0.0,
    seed: int = 0,
) -> None:
    """Train a bag towards targets [N, C], the probabilities of each text: a teacher's, or 1 for a label.

    AdamW; the rate rises for a tenth of the steps and falls to zero. dropout: the share of a text's features
    that are left out, others each time (Iyyer et al., 2015, for words).
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(bag.parameters(), lr=rate, weight_decay=0.0)
    schedule = LinearDecay(steps, rate, 0.1)
    targets = targets.to(bag.classifier.weight.device)
    order = torch.empty(0, dtype=torch.long)
    for step in range(steps):
        if len(order) < batch_size:
            order = torch.cat([order, torch.randperm(len(texts), generator=generator)])
        chosen, order = order[:batch_size], order[batch_size:]
        for group in optimizer.param_groups:
            group["lr"] = schedule(step)
        logits = bag([thinned(texts[place], dropout, generator) for place in chosen.tolist()])
        loss = F.cross_entropy(logits, targets[chosen.to(targets.device)])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
