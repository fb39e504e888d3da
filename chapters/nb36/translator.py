"""An encoder-decoder of BERT's blocks (Vaswani et al., 2017), its words, its training and its writing.

Sizes in the comments: B sentences, T target words, S source words, D hidden size, H heads, V words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb36 import answers
from lib.bert import BertConfig, BertModel
from lib.bert.attention import AddAndNorm, Attention, causal_mask
from lib.bert.embeddings import BertEmbeddings
from lib.bert.encoder import Intermediate
from lib.text.spanish import Pair, is_held_out, nouns, pairs

LEARNED, TESTED = 12_000, 200  # pairs
LAST_ROW = ["i", "love", "this", "class"]  # of the lecture: nobody learns it
BATCH, RATE, WARM_UP = 32, 2e-3, 40
PAD, UNKNOWN, BEGIN, END = range(4)
SPECIAL = ["[PAD]", "[UNK]", "[BEGIN]", "[END]"]
LONGEST = 24  # words of a translation, where no [END] comes
INIT = 0.05  # 0.02, as BERT has it, suits its 768 features; with 128 it learns several times slower
Attend = Callable[..., tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Corpus:
    """Pairs to learn from, others, and others in which an adjective meets a noun for the first time."""

    learned: list[Pair]
    tested: list[Pair]
    unseen: list[Pair]


def corpus(learned: int = LEARNED, tested: int = TESTED) -> Corpus:
    """The pairs of notebook 36, in any process the same."""
    known = [pair for pair in pairs(learned, 0) if pair.english != LAST_ROW]
    sentences = {tuple(pair.english) for pair in known}
    others = [pair for pair in pairs(2 * tested, 1) if tuple(pair.english) not in sentences]
    return Corpus(known, others[:tested], pairs(tested, 2, held_out=True))


class Words:
    """The words of one language and their ids."""

    def __init__(self, sentences: Iterable[Sequence[str]]):
        self.words = SPECIAL + sorted({word for sentence in sentences for word in sentence})
        self.ids = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def batch(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Ids [B, T]: the words of each sentence, [END], then [PAD]."""
        rows = [[*(self.ids.get(word, UNKNOWN) for word in sentence), END] for sentence in sentences]
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])

    def text(self, ids: Sequence[int]) -> list[str]:
        """The words up to [END], without it."""
        found = []
        for number in ids:
            if number == END:
                break
            found.append(self.words[number])
        return found


class DecoderLayer(nn.Module):
    """BERT's layer, and between its two halves a look at the source: cross-attention, add and norm."""

    def __init__(self, config: BertConfig, attend: Attend = answers.cross_attention):
        super().__init__()
        size = config.hidden_size
        self.heads = config.num_attention_heads
        self.attend = attend
        self.attention = Attention(config)
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.cross = AddAndNorm(size, config)
        self.intermediate = Intermediate(config)
        self.output = AddAndNorm(config.intermediate_size, config)

    def forward(
        self, states: Tensor, source: Tensor, source_mask: Tensor, may_look: Tensor
    ) -> tuple[Tensor, Tensor]:
        """states [B, T, D], source [B, S, D], source_mask bool [B, S], may_look bool [T, T].

        Returns the new states [B, T, D] and the weights [B, H, T, S] on the source.
        """
        states = self.attention(states, may_look)
        seen, weights = self.attend(states, source, self.query, self.key, self.value, self.heads, source_mask)
        states = self.cross(seen, states)
        return self.output(self.intermediate(states), states), weights


@dataclass
class Translation:
    """What the decoder answers at each place, and where it looked."""

    logits: Tensor  # [B, T, V]
    weights: Tensor  # [L, B, H, T, S]: of cross-attention


class Translator(nn.Module):
    """BERT's encoder reads the source, layers of `layer` write the target."""

    def __init__(
        self,
        source_words: int,
        target_words: int,
        layer: Callable[[BertConfig], nn.Module] = DecoderLayer,
        layers: int = 2,
        size: int = 128,
        heads: int = 4,
    ):
        super().__init__()
        config = BertConfig(
            vocab_size=target_words, hidden_size=size, num_hidden_layers=layers, num_attention_heads=heads,
            intermediate_size=4 * size, max_position_embeddings=64, type_vocab_size=1,
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=INIT,
        )  # fmt: skip
        self.encoder = BertModel(replace(config, vocab_size=source_words), add_pooling_layer=False)
        self.embeddings = BertEmbeddings(config)
        self.layers = nn.ModuleList(layer(config) for _ in range(layers))
        self.bias = nn.Parameter(torch.zeros(target_words))
        for part in (self.embeddings, self.layers):
            for module in part.modules():
                self.encoder.init_module(module)

    def read(self, source: Tensor) -> Tensor:
        """Ids [B, S] to vectors [B, S, D]."""
        return self.encoder(source, (source != PAD).long()).last_hidden_state

    def write(self, inputs: Tensor, read: Tensor, source: Tensor) -> Translation:
        """What follows each of the inputs [B, T], with what was read [B, S, D] of the source [B, S]."""
        states = self.embeddings(inputs)  # [B, T, D]
        may_look = causal_mask(inputs.size(1))
        weights = []
        for layer in self.layers:
            states, looked = layer(states, read, source != PAD, may_look)
            weights.append(looked)
        logits = F.linear(states, self.embeddings.word_embeddings.weight, self.bias)  # [B, T, V]
        return Translation(logits, torch.stack(weights))

    def forward(self, source: Tensor, inputs: Tensor) -> Tensor:
        """Logits [B, T, V] of what follows each of the inputs [B, T], given the source [B, S]."""
        return self.write(inputs, self.read(source), source).logits


def shuffled_batches(
    pairs: Sequence[Pair], english: Words, spanish: Words, batch_size: int, seed: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of ids [B, S] and [B, T] without end, in an order that the seed draws."""
    rng = random.Random(seed)
    while True:
        order = rng.sample(range(len(pairs)), len(pairs))
        for start in range(0, len(order) - batch_size + 1, batch_size):
            chosen = [pairs[place] for place in order[start : start + batch_size]]
            yield (
                english.batch([pair.english for pair in chosen]),
                spanish.batch([pair.spanish for pair in chosen]),
            )


def rate_at(step: int, steps: int) -> float:
    """The learning rate of a step: up along a line for WARM_UP steps, then down along one."""
    return RATE * min((step + 1) / WARM_UP, (steps - step) / max(1, steps - WARM_UP))


def train(data: Corpus, english: Words, spanish: Words, steps: int, seed: int) -> Translator:
    """A translator from new weights, as the notebook trains it on its page."""
    torch.manual_seed(seed)
    model = Translator(len(english), len(spanish))
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    batches = shuffled_batches(data.learned, english, spanish, BATCH, seed)
    for step in range(steps):
        source, target = next(batches)
        inputs, labels = answers.shifted(target, BEGIN)
        loss = F.cross_entropy(model(source, inputs).flatten(0, 1), labels.flatten())
        optimizer.param_groups[0]["lr"] = rate_at(step, steps)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


@torch.no_grad()
def translate(
    model: Translator, sentences: Sequence[Sequence[str]], english: Words, spanish: Words
) -> list[list[str]]:
    """Word by word the most probable one, until [END] or LONGEST words."""
    if not sentences or not all(sentences):
        raise ValueError("A sentence has no words, so there is nothing to translate: leave empty ones out.")
    source = english.batch(sentences)
    read = model.read(source)
    inputs = torch.full((len(sentences), 1), BEGIN)
    done = torch.zeros(len(sentences), dtype=torch.bool)
    while inputs.size(1) <= LONGEST and not done.all():
        following = model.write(inputs, read, source).logits[:, -1].argmax(dim=-1)  # [B]
        inputs = torch.cat([inputs, following[:, None]], dim=1)
        done |= following == END
    return [spanish.text(row) for row in inputs[:, 1:].tolist()]


@torch.no_grad()
def look(model: Translator, tested: Sequence[Pair], english: Words, spanish: Words) -> list[Tensor]:
    """For each pair the cross-attention of the last layer, the mean of its heads, [T, S].

    Row t belongs to the word that is *predicted* there, Spanish word t; the true words before it are read.
    The columns are the English words, without [END], and the row of [END] is left out as well.
    """
    source = english.batch([pair.english for pair in tested])
    inputs, _ = answers.shifted(spanish.batch([pair.spanish for pair in tested]), BEGIN)
    weights = model.write(inputs, model.read(source), source).weights[-1].mean(dim=1)  # [B, T, S]
    return [row[: len(pair.spanish), : len(pair.english)] for row, pair in zip(weights, tested, strict=True)]


def share_right(maps: Sequence[Tensor], tested: Sequence[Pair]) -> float:
    """How often the largest weight of a Spanish word is on an English word that it translates."""
    right = [
        int(row.argmax()) in links
        for weights, pair in zip(maps, tested, strict=True)
        for row, links in zip(weights, pair.links, strict=True)
        if links
    ]
    return sum(right) / len(right)


@torch.no_grad()
def share_named(model: Translator, tested: Sequence[Pair], english: Words, spanish: Words) -> float:
    """How often a Spanish word is named, given the true words before it: of the words of `share_right`."""
    source = english.batch([pair.english for pair in tested])
    target = spanish.batch([pair.spanish for pair in tested])
    inputs, _ = answers.shifted(target, BEGIN)
    named = model(source, inputs).argmax(dim=-1) == target  # [B, T]
    right = [
        bool(named[row, place])
        for row, pair in enumerate(tested)
        for place, links in enumerate(pair.links)
        if links
    ]
    return sum(right) / len(right)


def phrases(pair: Pair) -> list[tuple[str, str, list[str]]]:
    """Each noun with an adjective: both in English, the noun in the singular, and the two Spanish words."""
    numbers = {form: noun.english[0] for noun in nouns() for form in noun.english}
    found = []
    for place, (word, after) in enumerate(pairwise(pair.english)):
        noun = numbers.get(after, "")
        if (word, noun) in pair.described:
            both = [
                translated
                for translated, links in zip(pair.spanish, pair.links, strict=True)
                if links in ((place,), (place + 1,))
            ]
            found.append((word, noun, both))
    return found


def share_agreeing(written: Sequence[Sequence[str]], tested: Sequence[Pair], held_out: bool) -> float:
    """The share of nouns with an adjective that are written right, both words side by side.

    held_out: whether to count those that stand in no pair to learn from, or the others.
    """
    right = [
        both in map(list, pairwise(words))
        for words, pair in zip(written, tested, strict=True)
        for adjective, noun, both in phrases(pair)
        if is_held_out(adjective, noun) == held_out
    ]
    return sum(right) / len(right)


def diagonal(tested: Sequence[Pair]) -> list[Tensor]:
    """A rule that looks at the word in the same place, or at the last one: a map [T, S] for each pair."""
    maps = []
    for pair in tested:
        places = torch.arange(len(pair.spanish)).clamp(max=len(pair.english) - 1)
        maps.append(F.one_hot(places, len(pair.english)).float())
    return maps


def look_at(
    model: Translator, source: Sequence[str], target: Sequence[str], english: Words, spanish: Words
) -> Tensor:
    """The map [T, S] of one sentence and its translation, see `look`."""
    pair = Pair(list(source), list(target), [()] * len(target), [])
    return look(model, [pair], english, spanish)[0]
