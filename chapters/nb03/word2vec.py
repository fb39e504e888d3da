"""Word vectors from the company that words keep: skip-gram and CBOW with negative sampling.

Both learn two vectors a word, one for its use as input and one as output (Mikolov et al., 2013a and b).
Skip-gram guesses each neighbor from a word, CBOW a word from the mean of its neighbors; so they differ in
what an example is, and in nothing else.

Sizes in the comments: B examples, W inputs of an example, S noise words, D vector size, V words.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from tqdm import tqdm

from lib.text.reader import reader
from lib.text.tasks import own
from lib.text.tasks.own import Split
from lib.text.words import lowercase_words

BREAK = -1  # stands between paragraphs, where no window reaches across
BLOCK = 200_000  # words whose examples are made and shuffled together

#: from ids [N], a window and a generator to inputs [M, W] (`BREAK` where there is none) and targets [M]
Examples = Callable[[Tensor, int, torch.Generator], tuple[Tensor, Tensor]]


def frequent_words(documents: Iterable[list[str]], most: int, min_count: int = 5) -> Counter[str]:
    """The `most` frequent words that occur `min_count` times, the most frequent first."""
    counts = Counter(word for document in documents for text in document for word in lowercase_words(text))
    return Counter({word: count for word, count in counts.most_common(most) if count >= min_count})


def ids_of(documents: Iterable[list[str]], words: Iterable[str]) -> Tensor:
    """All paragraphs as one row of ids [N], `BREAK` after each; words that are not listed are left out."""
    number = {word: place for place, word in enumerate(words)}
    ids: list[int] = []
    for document in documents:
        for text in document:
            ids += [number[word] for word in lowercase_words(text) if word in number]
            ids.append(BREAK)
    return torch.tensor(ids, dtype=torch.int32)


def thinned(ids: Tensor, counts: Tensor, threshold: float, generator: torch.Generator) -> Tensor:
    """The row without most of its frequent words (Mikolov et al., 2013b, section 2.3).

    A word whose share of the text is f is kept with the probability sqrt(threshold / f): 1 for a rare one.
    """
    keep = (threshold * counts.sum() / counts).sqrt()  # [V]
    chance = torch.where(ids == BREAK, 1.0, keep[ids.clamp(min=0)])
    return ids[torch.rand(len(ids), generator=generator) < chance]


def neighbors(ids: Tensor, window: int, generator: torch.Generator) -> Tensor:
    """The words around each place, [N, 2 * window]: `BREAK` where there is none.

    Every place draws its own reach from 1 to `window`, so near words count for more; no reach crosses a
    `BREAK`.
    """
    reach = torch.randint(1, window + 1, (len(ids),), generator=generator)  # [N]
    around = torch.full((len(ids), 2 * window), BREAK, dtype=ids.dtype)
    for side, direction in enumerate((-1, 1)):
        blocked = ids == BREAK
        for distance in range(1, window + 1):
            there = torch.roll(ids, -direction * distance)
            edge = slice(0, distance) if direction < 0 else slice(len(ids) - distance, None)
            there[edge] = BREAK
            blocked = blocked | (there == BREAK) | (reach < distance)
            around[:, side * window + distance - 1] = torch.where(blocked, BREAK, there)
    return around


def skipgram_examples(ids: Tensor, window: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """One example for each neighbor: the word [M, 1] is to predict it [M]."""
    around = neighbors(ids, window, generator)  # [N, 2 * window]
    places, _ = (around != BREAK).nonzero(as_tuple=True)
    return ids[places].unsqueeze(1), around[around != BREAK]


def cbow_examples(ids: Tensor, window: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """One example for each word: its neighbors [M, 2 * window] are to predict it [M]."""
    around = neighbors(ids, window, generator)
    some = (around != BREAK).any(dim=1)
    return around[some], ids[some]


def negative_sampling_loss(prediction: Tensor, target: Tensor, noise: Tensor) -> Tensor:
    """How badly predictions tell their targets from noise, the mean over a batch (2013b, equation 4).

    prediction [B, D], target [B, D], noise [S, D]. The paper draws k noise words for each example; here k is
    5, and the batch shares S, each weighed 5 / S: the same on average, and one matrix product.
    """
    right = (prediction * target).sum(dim=-1)  # [B]
    wrong = prediction @ noise.T  # [B, S]
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(dim=-1)).mean()


def own_texts() -> list[str]:
    """The course's own small texts: stories, reviews, headlines, pairs of sentences, beginnings."""
    texts = [paragraph for document in reader() for paragraph in document]
    texts += own.unlabeled("reviews") + own.unlabeled("headlines")
    for example in own.plain_reviews("train") + own.reviews("train") + own.headlines("train"):
        texts.append(example.first)
    for pair in own.pairs("train"):
        texts += [pair.first, pair.second or ""]
    for story in own.stories("train"):
        texts += [story.context, *story.choices]
    return texts


def own_reviews(split: Split) -> list[str]:
    """The course's own reviews; to learn from, also those that nobody has labeled."""
    examples = own.plain_reviews(split) + own.reviews(split)
    unlabeled = own.unlabeled("reviews") if split == "train" else []
    return unlabeled + [example.first for example in examples]


class Word2Vec(nn.Module):
    """The two tables of vectors; what is kept in the end is `inputs`."""

    def __init__(self, words: int, size: int):
        super().__init__()
        self.inputs = nn.EmbeddingBag(words + 1, size, mode="mean", padding_idx=words)
        self.outputs = nn.Embedding(words, size)
        nn.init.uniform_(self.inputs.weight, -0.5 / size, 0.5 / size)
        nn.init.zeros_(self.outputs.weight)

    def forward(self, inputs: Tensor, targets: Tensor, noise: Tensor) -> Tensor:
        """The loss of examples: inputs [B, W], targets [B], noise [S] are ids of words."""
        padded = torch.where(inputs == BREAK, len(self.outputs.weight), inputs)  # the row after the last word
        return negative_sampling_loss(self.inputs(padded), self.outputs(targets), self.outputs(noise))

    @property
    def vectors(self) -> Tensor:
        """[V, D]: one vector a word."""
        return self.inputs.weight.detach()[:-1]


def word2vec_step(
    model: Word2Vec, optimizer: torch.optim.Optimizer, inputs: Tensor, targets: Tensor, noise: Tensor
) -> float:
    """One training step on a batch: forward, backward, update; returns the loss before the update.

    inputs [B, W], targets [B], noise [S] are ids of words, as in `Word2Vec.forward`.
    """
    loss = model(inputs, targets, noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@dataclass(frozen=True)
class Settings:
    """What a training run may choose."""

    size: int = 100
    window: int = 5
    epochs: int = 1
    threshold: float = 1e-4  # words with a larger share of the text are thinned out
    batch_size: int = 4096
    noise_words: int = 64  # S
    learning_rate: float = 3e-3
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("size", "window", "epochs", "batch_size", "noise_words"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}: give at least 1.")
        for name in ("threshold", "learning_rate"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}: give a number above 0.")


def learn_vectors(
    ids: Tensor, counts: Tensor, examples: Examples = skipgram_examples, settings: Settings | None = None
) -> Tensor:
    """Word vectors [V, D] from a row of ids [N] and how often each word occurs [V], by Adam.

    `examples` is `skipgram_examples` or `cbow_examples`. Noise words are drawn by count to the power of 3/4.
    """
    chosen = settings or Settings()
    generator = torch.Generator().manual_seed(chosen.seed)
    torch.manual_seed(chosen.seed)
    model = Word2Vec(len(counts), chosen.size)
    optimizer = torch.optim.Adam(model.parameters(), chosen.learning_rate, fused=True)
    noise = (counts.double() ** 0.75).cumsum(0)
    done, total = 0, chosen.epochs * len(ids)  # counted here: a bar that is switched off does not count
    # to stdout: a notebook shows what comes on stderr as a fault
    with tqdm(total=total, unit="word", unit_scale=True, file=sys.stdout) as bar:
        for block in _blocks(ids, chosen.epochs, generator):
            optimizer.param_groups[0]["lr"] = chosen.learning_rate * max(0.02, 1 - done / total)
            inputs, targets = examples(
                thinned(block, counts, chosen.threshold, generator), chosen.window, generator
            )
            order = torch.randperm(len(targets), generator=generator)
            for batch in order.split(chosen.batch_size):
                drawn = torch.rand(chosen.noise_words, generator=generator, dtype=noise.dtype) * noise[-1]
                words = torch.searchsorted(noise, drawn, right=True)
                loss = word2vec_step(model, optimizer, inputs[batch], targets[batch], words)
            bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
            bar.update(len(block))
            done += len(block)
    return model.vectors


def _blocks(ids: Tensor, epochs: int, generator: torch.Generator) -> Iterator[Tensor]:
    """The row in pieces, shuffled anew in each epoch, so that no subject of the corpus has the last word."""
    blocks = ids.split(BLOCK)
    for _ in range(epochs):
        for number in torch.randperm(len(blocks), generator=generator).tolist():
            yield blocks[number]
