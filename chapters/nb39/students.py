"""Students that read Spanish and imitate a teacher's vectors of the English (Reimers and Gurevych, 2020).

Sizes in the comments: B sentences, T tokens, D = 384, the size of the teacher's vectors.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from torch import Tensor, nn

from lib.analysis.vectors.similarity import mean_pool
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.text.packing import train_tokenizer
from lib.text.spanish import Noun, Pair, nouns, pairs, verbs

LEARNED, TESTED = 1_200, 300  # pairs
PIECES = 1_000  # of a vocabulary for Spanish, at most
SIZE, TEACHER_SIZE = 128, 384
RATES = {"transformer": 4e-3, "bag": 1e-2}  # of several that were tried; a bag learns alike from 3e-3 to 3e-2
WARM_UP = 40  # steps
AT_ONCE = 64  # sentences
LIVING = {"person", "animal"}  # kinds of nouns


@dataclass(frozen=True)
class Sentences:
    """The same sentences in both languages, one beside the other."""

    english: list[str]
    spanish: list[str]

    def __len__(self) -> int:
        return len(self.english)

    def first(self, count: int) -> Sentences:
        """So many pairs; ValueError for none, or more than there are."""
        if not 0 < count <= len(self):
            raise ValueError(f"There are {len(self):,} pairs, not {count:,}: ask for 1 to {len(self):,}.")
        return Sentences(self.english[:count], self.spanish[:count])


def _written(found: Sequence[Pair]) -> Sentences:
    return Sentences(
        [" ".join(pair.english) for pair in found],
        [" ".join(pair.spanish) for pair in found],
    )


def corpus(learned: int = LEARNED, tested: int = TESTED) -> tuple[Sentences, Sentences]:
    """Pairs to learn from, and others whose English sides are all different and were not learned."""
    known = pairs(learned, 0)
    seen = {tuple(pair.english) for pair in known}
    others: list[Pair] = []
    for pair in pairs(3 * tested, 1):
        if len(others) < tested and tuple(pair.english) not in seen:
            seen.add(tuple(pair.english))
            others.append(pair)
    return _written(known), _written(others)


def swapped_sentences(count: int, seed: int = 0) -> Sentences:
    """Sentences in twos, the second with subject and object exchanged; in both languages the same words.

    The two nouns have one gender, so that the articles don't change. Raises ValueError for an odd count.
    """
    if count % 2 or count < 2:
        raise ValueError(f"Sentences come in twos, so {count} can't be had: ask for an even number above 0.")
    rng = random.Random(seed)
    living = [noun for noun in nouns() if noun.kind in LIVING]
    both = [verb for verb in verbs("with object") if {*verb.marked} >= LIVING <= {*verb.whose}]
    english: list[str] = []
    spanish: list[str] = []
    while len(english) < count:
        verb = rng.choice(both)
        one, other = rng.sample(living, 2)
        if one.feminine == other.feminine:
            for subject, object_ in ((one, other), (other, one)):
                english.append(f"the {subject.english[0]} {verb.english[1]} the {object_.english[0]}")
                spanish.append(_who_does(subject, verb.spanish[0][1], object_))
    return Sentences(english, spanish)


def _who_does(subject: Noun, verb: str, object_: Noun) -> str:
    articles = ("la", "a la") if subject.feminine else ("el", "al")
    return f"{articles[0]} {subject.spanish[0]} {verb} {articles[1]} {object_.spanish[0]}"


def spanish_tokenizer(sentences: Sequence[str]) -> WordPieceTokenizer:
    """A vocabulary that is learned from these sentences alone."""
    return train_tokenizer([list(sentences)], PIECES)


class Transformer(nn.Module):
    """Two of BERT's layers, their mean, and a map to the size of the teacher's vectors."""

    rate = RATES["transformer"]

    def __init__(self, pieces: int):
        super().__init__()
        config = BertConfig(
            vocab_size=pieces, hidden_size=SIZE, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=4 * SIZE, max_position_embeddings=64, initializer_range=0.05,
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
        self.bert = BertModel(config, add_pooling_layer=False)
        self.up = nn.Linear(SIZE, TEACHER_SIZE)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """A padded batch to vectors [B, D]."""
        hidden = self.bert(**batch).last_hidden_state  # [B, T, SIZE]
        return self.up(mean_pool(hidden, batch["attention_mask"]))


class Bag(nn.Module):
    """A vector for each piece, and their mean: no layer, no positions, no attention."""

    rate = RATES["bag"]

    def __init__(self, pieces: int):
        super().__init__()
        self.embeddings = nn.Embedding(pieces, TEACHER_SIZE)
        nn.init.normal_(self.embeddings.weight, std=0.05)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """A padded batch to vectors [B, D]."""
        return mean_pool(self.embeddings(batch["input_ids"]), batch["attention_mask"])


def rate_at(step: int, steps: int, highest: float) -> float:
    """The learning rate of a step: up along a line for WARM_UP steps, and down along another all the way."""
    return highest * min((step + 1) / WARM_UP, (steps - step) / steps)


@torch.no_grad()
def encode(student: nn.Module, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> Tensor:
    """A student's vectors of some texts, [N, D]."""
    if not texts:
        raise ValueError("There is no sentence to read: give one at least.")
    starts = range(0, len(texts), AT_ONCE)
    return torch.cat([student(tokenizer(texts[start : start + AT_ONCE])) for start in starts])


def scores_by_letters(questions: Sequence[str], texts: Sequence[str]) -> Tensor:
    """A rival that knows no language: shared runs of two to four letters, weighted by TF-IDF, [Q, N]."""
    counter = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit(texts)
    return torch.tensor((counter.transform(questions) @ counter.transform(texts).T).toarray())
