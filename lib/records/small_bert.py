"""A BERT small enough to be pretrained while one watches: its text, its vocabulary, and looks on the way.

One step stands here in full, to be read; runs that log, save and go on are `lib.training.pretraining`'s.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.optim import Optimizer

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.records.cache import Entry, cached
from lib.text import documents, grammar
from lib.text.grammar import AgreementPair
from lib.text.packing import PackedCorpus, pack, train_tokenizer
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.reader import FOLDER as reader_folder
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay

HELD_OUT_EVERY = 8  # one document in so many is never trained on
PIECES = 1000  # of a vocabulary that holds nearly every word of the grammar whole
SENTENCES, PAGE = 600, 12  # of the grammar, and so many to a document
WORDS = 6_000  # of its stories
PAIRS = 800  # sentences whose verb has to agree
DRAWN = 48_000  # sentences like them, from which those to read are taken
NOUNS = ("bird", "book", "boy", "cat", "dog", "door", "girl", "house", "key", "window")  # their subjects


class Texts(NamedTuple):
    """A vocabulary, and the documents it cuts: those to learn from and those held out."""

    tokenizer: WordPieceTokenizer
    train: PackedCorpus
    held_out: PackedCorpus


def hold_out(documents: Sequence[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """The documents to learn from, and every eighth, which is held out."""
    train = [
        document for number, document in enumerate(documents) if number % HELD_OUT_EVERY != HELD_OUT_EVERY - 1
    ]
    return train, list(documents[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY])


def pack_texts(train: Sequence[list[str]], held_out: Sequence[list[str]], pieces: int, folder: Path) -> Texts:
    """A vocabulary learned from the documents to learn from; in `folder` it, them and the ones held out."""
    tokenizer = train_tokenizer(train, pieces)
    tokenizer.save_pretrained(folder)
    return Texts(
        tokenizer, pack(train, tokenizer, folder / "train"), pack(held_out, tokenizer, folder / "held_out")
    )


def in_domain() -> list[list[str]]:
    """The reader's documents from the town and the valley."""
    return [document for name in ("town", "valley") for document in documents(reader_folder / f"{name}.txt")]


def pack_grammar(folder: Path) -> None:
    """Sentences and stories of the grammar, two thirds of the reader, and, in two parts, the rest of it.

    No sentence of `agreement_test` is read, and none of a held-out page; a held-out story
    may repeat a short one.
    """
    lines = [*agreement_train(), *(sentence.text for sentence in grammar.sentences(SENTENCES, seed=0))]
    random.Random(0).shuffle(lines)
    kept_back = set(list(dict.fromkeys(lines))[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY])
    train, held_out = hold_out([*grammar.corpus(WORDS, seed=0), *in_domain()])
    read = _pages([line for line in lines if line not in kept_back])
    texts = pack_texts([*read, *train], [*_pages(sorted(kept_back)), *held_out], PIECES, folder)
    coast = list(documents(reader_folder / "coast.txt"))
    middle = 2 * len(coast) // 3
    pack(coast[:middle], texts.tokenizer, folder / "coast")
    pack(coast[middle:], texts.tokenizer, folder / "rest_of_the_coast")


GRAMMAR = Entry(
    "grammar",
    "The grammar's text and the reader's, packed for small BERTs, with the vocabulary learned from them",
    pack_grammar,
    data=("data/grammar", *(f"data/reader/{name}.txt" for name in ("coast", "town", "valley"))),
    done="packed",
)


@cache
def grammar_texts() -> Texts:
    """The texts of `pack_grammar`, out of the cache; opened once in a process."""
    folder = cached(GRAMMAR).folder
    tokenizer = WordPieceTokenizer.from_pretrained(folder)
    return Texts(tokenizer, PackedCorpus(folder / "train"), PackedCorpus(folder / "held_out"))


def _pages(lines: Sequence[str]) -> list[list[str]]:
    return [[" ".join(lines[start : start + PAGE])] for start in range(0, len(lines), PAGE)]


def agreement_train() -> list[str]:
    """Sentences like those of `agreement_test`, in their right form; in half nothing stands in between.

    In most text a noun of the other number is rare there (Linzen et al., 2016). Where it is as frequent as
    one of the same, counting words tells nothing about the verb, and a small model finds no way to begin.
    """
    test_texts = {pair.text for pair in agreement_test()}
    drawn = [pair for pair in grammar.agreement_pairs(DRAWN, seed=1) if _is_known(pair)]
    read = [pair for pair in drawn if pair.text not in test_texts]
    beside = [pair for pair in read if not pair.nearest]
    apart = [pair for pair in read if pair.nearest][: len(beside)]
    return [pair.text.replace("[MASK]", pair.right) for pair in (*beside, *apart)]


@cache
def agreement_test() -> list[AgreementPair]:
    """The sentences on which agreement is scored."""
    return [pair for pair in grammar.agreement_pairs(4 * PAIRS, seed=0) if _is_known(pair)][:PAIRS]


def _is_known(pair: AgreementPair) -> bool:
    return pair.subject.removesuffix("s") in NOUNS


def new_model(
    texts: Texts, layers: int, hidden_size: int, heads: int, seed: int, length: int = 32
) -> BertForPreTraining:
    """A BERT of random weights for these texts, without dropout: it will not read anything often."""
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(texts.tokenizer),
        hidden_size=hidden_size,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=4 * hidden_size,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        max_position_embeddings=length,
        initializer_range=0.05,  # BERT's 0.02 suits a width of 768
    )
    return BertForPreTraining(config)


class Snapshot(NamedTuple):
    """How far a run is: steps made, tokens read, and the seconds of the steps, without those of looking."""

    step: int
    tokens: int
    seconds: float


def train_step(model: nn.Module, batch: Mapping[str, Tensor], optimizer: Optimizer, rate: float) -> float:
    """One step of masked-LM pretraining, on a batch in which places are already hidden.

    batch: `input_ids` [B, T], what the model reads, and `labels` [B, T], the true tokens at the hidden places
    and -100 at all others. model(input_ids) answers with `prediction_logits` [B, T, V]. The gradient's norm
    is cut to 1, all groups of the optimizer get the learning rate `rate`, and the gradients are empty
    afterwards. Returns the loss before the update: nats, the mean over the hidden places.
    """
    logits = model(batch["input_ids"]).prediction_logits  # [B, T, V]
    loss = F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())  # leaves out labels of -100
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def train_with_snapshots(
    model: BertForPreTraining, batches: PretrainingBatches, steps: Sequence[int], learning_rate: float = 2e-3
) -> Iterator[Snapshot]:
    """Pretrain to the last of these steps; at each the caller may look at the model, which is in eval().

    Every step is one call of `train_step`, or of what stands in for it. steps: ascending; 0 is before the
    first.
    """
    if not steps or list(steps) != sorted(set(steps)) or steps[0] < 0:
        raise ValueError(f"The steps to stop at are {list(steps)}: give ascending numbers from 0.")
    optimizer, schedule = adamw(model), LinearDecay(max(1, steps[-1]), learning_rate)
    done, tokens, seconds = 0, 0, 0.0
    for stop in steps:
        model.train()
        started = time.perf_counter()
        for step in range(done, stop):
            batch = batches(step)
            train_step(model, batch, optimizer, schedule(step))
            tokens += batch["input_ids"].numel()
        done = stop
        seconds += time.perf_counter() - started
        model.eval()
        yield Snapshot(done, tokens, seconds)
