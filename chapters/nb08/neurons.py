"""What the neurons of a model give at every token of some sentences, and lists of words to compare."""

import heapq
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from lib import text
from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.hooks import capture

FEWEST = 10  # places that the words of a list need in one half of the sentences

#: sentences, and the same with a denial: what a neuron for denials should keep apart
DENIED = (
    ("i love this class", "i do not love this class"),
    ("she opened a bank account", "she never opened a bank account"),
    ("the soup is hot", "the soup is not hot"),
    ("everybody came", "nobody came"),
    ("there is milk left", "there is no milk left"),
    ("he left with his coat", "he left without his coat"),
    ("you can swim here", "you cannot swim here"),
    ("they agreed to sign", "they refused to sign"),
    ("she always sings", "she never sings"),
    ("something moved", "nothing moved"),
)


def sentences() -> tuple[list[str], list[str]]:
    """Two lists of sentences, from the shortest to the longest: a third of those of every second story,
    and of the stories between them. No story gives sentences to both.
    """
    halves = []
    for first in (0, 1):
        stories = []
        for document in text.reader()[first::2]:
            stories += document[1:]  # without its title
        found = re.split(r"(?<=[.!?]) ", " ".join(stories))
        halves.append(sorted(found[::3], key=len))
    return halves[0], halves[1]


@dataclass(frozen=True)
class Firing:
    """What every neuron of a model gave at every token of some sentences.

    tokens: the N tokens, [CLS] and [SEP] included. sentence [N]: the number of the sentence of each.
    values [N, L * F]: what leaves GELU. Neuron f of layer l is column l * F + f.
    """

    tokens: list[str]
    sentence: Tensor
    values: Tensor

    def among(self, words: Sequence[str]) -> Tensor:
        """Boolean [N]: the tokens that are one of the words."""
        wanted = set(words)
        return torch.tensor([token in wanted for token in self.tokens])

    @cached_property
    def words(self) -> list[str]:
        """The W different tokens, in the order of the alphabet."""
        return sorted(set(self.tokens))

    @cached_property
    def averages(self) -> Tensor:
        """[W, L * F]: the average of what each neuron gave at all places of each word."""
        numbers = {word: number for number, word in enumerate(self.words)}
        of_token = torch.tensor([numbers[token] for token in self.tokens])  # [N]
        sums = torch.zeros(len(numbers), self.values.size(1)).index_add_(0, of_token, self.values)
        return sums / torch.bincount(of_token)[:, None]

    def strongest_words(self, neuron: int, without: Sequence[str] = (), count: int = 20) -> list[str]:
        """Those of the `count` words with the highest average of a neuron that are not in a list."""
        strongest = self.averages[:, neuron].topk(count).indices.tolist()
        return [self.words[place] for place in strongest if self.words[place] not in without]

    def strongest(self, neuron: int, count: int, every: int = 1, around: int = 4) -> list[str]:
        """Where a neuron gives most, from the top: its value, then the token in brackets and its neighbors.

        `every` skips places, so that weaker ones are seen as well.
        """
        if not 0 <= neuron < self.values.size(1):
            raise ValueError(
                f"There is no neuron {neuron}: give a number from 0 to {self.values.size(1) - 1:,}."
            )
        order = self.values[:, neuron].argsort(descending=True)
        lines = []
        for place in order[: count * every : every].tolist():
            words = []
            for near in range(max(0, place - around), min(len(self.tokens), place + around + 1)):
                if self.sentence[near] != self.sentence[place]:
                    continue
                token = self.tokens[near]
                words.append(f"[{token}]" if near == place else token)
            lines.append(f"{self.values[place, neuron]:4.1f}  {' '.join(words)}")
        return lines


@torch.inference_mode()
def firing(model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> Firing:
    """Let the model read the sentences, 32 at a time, and keep what leaves GELU in every layer."""
    layers: list[Any] = list(model.encoder.layer)
    tokens: list[str] = []
    numbers: list[Tensor] = []
    values: list[Tensor] = []
    for start in range(0, len(texts), 32):
        batch = tokenizer(list(texts[start : start + 32]), max_length=model.config.max_position_embeddings)
        with capture(layer.intermediate for layer in layers) as wide:  # L of [B, T, F]
            model(**batch)
        real = batch["attention_mask"].bool()  # [B, T]: no padding
        values.append(torch.cat([out[real] for out in wide], dim=-1))  # [n, L * F]
        tokens += tokenizer.convert_ids_to_tokens(batch["input_ids"][real].tolist())
        numbers.append(real.nonzero()[:, 0] + start)
    return Firing(tokens, torch.cat(numbers), torch.cat(values))


def best_neuron(half: Firing, words: Sequence[str], count: int = 20) -> int:
    """The neuron of all layers whose `count` strongest words hold the most of a list.

    Where some are equal, the one whose average over the list is highest.
    """
    listed = torch.tensor([word in set(words) for word in half.words])  # [W]
    strongest = half.averages.topk(count, dim=0).indices  # [count, L * F]
    fits = listed[strongest].sum(dim=0)
    means = half.averages[listed].mean(dim=0)
    return int((fits + 0.001 * means).argmax())  # too little to count for a word: it decides between equals


def words_of(line: str, half: Firing) -> list[str]:
    """The words of a line, which have to stand at some places of the sentences."""
    words = line.lower().split()
    count = int(half.among(words).sum())
    if count < FEWEST:
        raise ValueError(
            f"The words of “{line}” stand at {count} places of the stories. Add words, or more frequent ones,"
            f" until there are {FEWEST}."
        )
    return words


def random_list(half: Firing, words: Sequence[str], seed: int) -> list[str]:
    """As many other words, each about as frequent as its fellow in `words`, with nothing else in common."""
    counts = Counter(token for token in half.tokens if token.isalpha())
    draw = random.Random(seed)
    drawn: list[str] = []
    for word in words:
        left = sorted(counts.keys() - {*words, *drawn})
        near = heapq.nsmallest(30, left, key=lambda token: abs(counts[token] - counts[word]))
        drawn.append(draw.choice(near))
    return drawn


def loudest(model: BertModel, fired: Firing, words: Sequence[str], count: int) -> list[tuple[int, float]]:
    """The neurons of layer 0 that add the longest vectors at some words, and their mean length."""
    layer: Any = model.encoder.layer[0]
    wide = model.config.intermediate_size
    lengths = layer.output.dense.weight.detach().norm(dim=0)  # [F]: of what each neuron adds if it gives 1
    given = fired.values[fired.among(words), :wide].abs().mean(dim=0)  # [F]
    longest, numbers = (given * lengths).topk(count)
    return list(zip(numbers.tolist(), longest.tolist(), strict=True))
