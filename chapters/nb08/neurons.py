"""What makes a neuron of the feed-forward network fire, and whether a name for it holds.

A neuron is one feature of the wide middle: it fires where its key matches, and then adds its value to the
token (Geva et al., 2021). A name is found on one half of the words and of the text, and tested on the
other half, beside groups of words that were thrown together at random.
"""

import heapq
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.hooks import capture

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


@dataclass(frozen=True)
class Firing:
    """What every neuron of a model did at every piece of some texts.

    pieces: the N pieces, [CLS] and [SEP] included. text [N]: the number of the text that each is from.
    values [N, L * F]: what leaves GELU; neuron f of layer l is column l * F + f.
    """

    pieces: list[str]
    text: Tensor
    values: Tensor

    @cached_property
    def usual(self) -> tuple[Tensor, Tensor]:
        """The mean and the standard deviation [L * F] of every neuron, over the texts of even number."""
        deviation, mean = torch.std_mean(self.values[self.text % 2 == 0], dim=0)
        return mean, deviation

    def among(self, words: Sequence[str]) -> Tensor:
        """Boolean [N]: the pieces that are one of the words."""
        wanted = set(words)
        return torch.tensor([piece in wanted for piece in self.pieces])

    def strongest(self, neuron: int, count: int, every: int = 1, around: int = 4) -> list[str]:
        """Where a neuron fires most, from the top: its value, then the piece in brackets among its neighbors.

        `every` skips places, so that weaker ones are seen as well. Only texts of even number are shown: the
        others are for testing what a reader makes of them.
        """
        even = self.text % 2 == 0
        order = self.values[:, neuron].masked_fill(~even, -torch.inf).argsort(descending=True)
        lines = []
        for place in order[: count * every : every].tolist():
            near = range(max(0, place - around), min(len(self.pieces), place + around + 1))
            words = [
                f"[{self.pieces[i]}]" if i == place else self.pieces[i]
                for i in near
                if self.text[i] == self.text[place]
            ]
            lines.append(f"{self.values[place, neuron]:4.1f}  {' '.join(words)}")
        return lines


@torch.inference_mode()
def firing(model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> Firing:
    """Let the model read the texts, 32 at a time, and keep what leaves GELU in every layer."""
    layers: list[Any] = list(model.encoder.layer)
    pieces: list[str] = []
    numbers: list[Tensor] = []
    values: list[Tensor] = []
    for start in range(0, len(texts), 32):
        batch = tokenizer(list(texts[start : start + 32]), max_length=model.config.max_position_embeddings)
        with capture(layer.intermediate for layer in layers) as wide:  # L of [B, T, F]
            model(**batch)
        real = batch["attention_mask"].bool()  # [B, T]
        values.append(torch.cat([out[real] for out in wide], dim=-1))  # [n, L * F]
        pieces += tokenizer.convert_ids_to_tokens(batch["input_ids"][real].tolist())
        numbers.append(real.nonzero()[:, 0] + start)
    return Firing(pieces, torch.cat(numbers), _joined(values))


def _joined(blocks: list[Tensor]) -> Tensor:
    """The blocks [n, D] as one tensor [N, D], each given back once it is copied: cat would hold both."""
    joined = torch.empty(sum(map(len, blocks)), blocks[0].size(1))
    for rows in joined.split([len(block) for block in blocks]):
        rows.copy_(blocks.pop(0))
    return joined


@dataclass(frozen=True)
class Named:
    """A neuron found for a group of words, and how the name held where it was not chosen.

    precision: of the places where it fires, the share that are words of the group. recall: of the places
    of such words, the share where it fires. places: how many there were.
    """

    neuron: int
    threshold: float
    precision: float
    recall: float
    places: int


def name_neuron(fired: Firing, words: Sequence[str]) -> Named:
    """The neuron that tells a group of words from all others, tested on other words in other texts.

    It is chosen with every second word, in texts of even number: the one whose mean there is furthest
    above its mean everywhere, in standard deviations. It counts as firing above the value that it exceeds
    as often as there are such words. Judged are the remaining words, in texts of odd number.
    """
    even = fired.text % 2 == 0
    known, unknown = fired.among(words[::2]), fired.among(words[1::2])
    members, others = known & even, ~(known | unknown) & even
    mean, deviation = fired.usual
    distance = (fired.values[members].mean(dim=0) - mean) / deviation  # [L * F]
    neuron = int(distance.argmax())
    here = fired.values[members | others, neuron]
    threshold = float(here.topk(int(members.sum())).values[-1])

    members, others = unknown & ~even, ~(known | unknown) & ~even
    hits = int((fired.values[members, neuron] >= threshold).sum())
    false = int((fired.values[others, neuron] >= threshold).sum())
    places = int(members.sum())
    return Named(neuron, threshold, hits / max(1, hits + false), hits / max(1, places), places)


def frequency_matched_controls(fired: Firing, words: Sequence[str], seed: int) -> list[str]:
    """As many other words, each about as frequent as its fellow in `words`, with nothing else in common."""
    counts = Counter(piece for piece in fired.pieces if piece.isalpha())
    draw = random.Random(seed)
    drawn: list[str] = []
    for word in words:
        left = sorted(counts.keys() - {*words, *drawn})
        near = heapq.nsmallest(30, left, key=lambda piece: abs(counts[piece] - counts[word]))
        drawn.append(draw.choice(near))
    return drawn
