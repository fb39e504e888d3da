"""What the neurons of a model give at every token of some sentences, and lists of words to compare."""

import heapq
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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


def sentences() -> list[str]:
    """A third of the sentences of the course's stories, from the shortest to the longest."""
    stories = []
    for document in text.reader():
        stories += document[1:]  # without its title
    found = re.split(r"(?<=[.!?]) ", " ".join(stories))
    return sorted(found[::3], key=len)


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

    def not_in(self, neuron: int, words: Sequence[str], places: int = 50) -> list[str]:
        """The tokens at the strongest places of a neuron that are not in a list, the most frequent first."""
        strongest = self.values[:, neuron].topk(places).indices.tolist()
        left = Counter(self.tokens[place] for place in strongest)
        return [token for token, _ in left.most_common() if token not in words]

    def different_words(self, neuron: int, words: Sequence[str], places: int = 50) -> int:
        """How many different words of a list stand at the strongest places of a neuron."""
        strongest = self.values[:, neuron].topk(places).indices.tolist()
        return len({self.tokens[place] for place in strongest} & set(words))

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
