"""A BERT small enough to be pretrained while one watches: its text, its vocabulary, and a loop by the clock.

The steps are those of `lib.training.pretraining.Run`; nothing is saved.
"""

from __future__ import annotations

import atexit
import math
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from tqdm import tqdm

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import documents, grammar
from lib.text.grammar import AgreementPair
from lib.text.ngrams import BlankFiller
from lib.text.packing import PackedCorpus, learn_vocabulary, pack
from lib.text.reader import FOLDER as reader_folder
from lib.training.masking import IGNORED
from lib.training.pairs import PairBatches
from lib.training.pretraining import Run, Schedule

HELD_OUT = 8  # one document in so many is never trained on
BAR = "{l_bar}{bar}| {n:.0f} of {total:.0f} s"


PIECES = 1000  # of a vocabulary that holds nearly every word of the grammar whole
SENTENCES, AGREEING, PAGE = 1500, 5000, 12  # of the grammar, and so many to a document
WORDS = 15_000  # of its stories
PAIRS = 800  # sentences whose verb has to agree


class Texts(NamedTuple):
    """A vocabulary, and the documents it cuts: those to learn from and those held out."""

    tokenizer: WordPieceTokenizer
    train: PackedCorpus
    held_out: PackedCorpus


def pack_texts(documents: Sequence[list[str]], pieces: int) -> Texts:
    """A vocabulary learned from these documents but every eighth, which is held out; both parts packed.

    They lie in a temporary folder that goes when Python does.
    """
    folder = Path(tempfile.mkdtemp(prefix="bert-course-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    train = [document for number, document in enumerate(documents) if number % HELD_OUT != HELD_OUT - 1]
    tokenizer = learn_vocabulary(train, pieces)
    held_out = pack(documents[HELD_OUT - 1 :: HELD_OUT], tokenizer, folder / "held_out")
    return Texts(tokenizer, pack(train, tokenizer, folder / "train"), held_out)


def home() -> list[list[str]]:
    """The reader's documents from the town and the valley."""
    return [document for name in ("town", "valley") for document in documents(reader_folder / f"{name}.txt")]


def away() -> list[list[str]]:
    """The reader's documents from the coast: another domain, with words of its own."""
    return list(documents(reader_folder / "coast.txt"))


@cache
def grammar_texts() -> Texts:
    """Sentences and stories of the grammar, and two thirds of the reader; made once in a process.

    Many of the grammar's sentences are like those of `verbs`, with the right form; none of them is one.
    """
    asked = {pair.text for pair in verbs()}
    pairs = [pair for pair in grammar.agreement_pairs(AGREEING, seed=1) if pair.text not in asked]
    agreeing = [pair.text.replace("[MASK]", pair.right) for pair in pairs]
    lines = [sentence.text for sentence in grammar.sentences(SENTENCES, seed=0)] + agreeing
    random.Random(0).shuffle(lines)
    pages = [[" ".join(lines[start : start + PAGE])] for start in range(0, len(lines), PAGE)]
    return pack_texts([*pages, *grammar.corpus(WORDS, seed=0), *home()], PIECES)


@cache
def verbs() -> list[AgreementPair]:
    """The sentences on which agreement is scored."""
    return grammar.agreement_pairs(PAIRS, seed=0)


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
        initializer_range=0.1,  # near 1 / sqrt(64); BERT's 0.02 suits a width of 768
    )
    return BertForPreTraining(config)


@dataclass(frozen=True)
class ByTheClock(Schedule):
    """The rate rises and falls with the time that has passed, so that it ends at 0 on any machine."""

    seconds: float = 60.0
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "started", self.clock())

    @property
    def passed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

    def rate(self, step: int) -> float:
        """The learning rate now; the step does not matter."""
        return super().rate(min(int(self.steps * self.passed / self.seconds), self.steps - 1))


class Moment(NamedTuple):
    """How far a run is: seconds passed, steps made, pieces read."""

    seconds: float
    step: int
    tokens: int


def film(
    model: BertForPreTraining, batches: PairBatches, moments: Sequence[float], learning_rate: float = 2e-3
) -> Iterator[Moment]:
    """Pretrain to the last of these moments, in seconds; at each the caller may look at the model.

    The model is in eval() while the caller looks, and the clock goes on. A bar goes to stdout.
    """
    run = Run(model, batches, Schedule(1, learning_rate=learning_rate), folder="nowhere")  # nothing is saved
    run.schedule = clock = ByTheClock(steps=1000, learning_rate=learning_rate, seconds=moments[-1])
    shown = 0.0
    with tqdm(total=moments[-1], unit="s", file=sys.stdout, bar_format=BAR) as bar:
        for moment in moments:
            while (passed := clock.passed) < moment:
                bar.update(passed - shown)
                shown = passed
                run.one_step()
            model.eval()
            yield Moment(clock.passed, run.step, run.step * batches.batch_size * batches.length)
            model.train()
        bar.update(moments[-1] - shown)
    model.eval()


def global_mean(sums: Tensor, counts: Tensor) -> Tensor:
    """The mean loss of a batch that several processes share: each gives the sum over its chosen places, and
    how many those are. sums and counts [R], a number for each process; returns one number []."""
    return sums.sum() / counts.sum()


def documents_in_pieces(corpus: PackedCorpus, tokenizer: WordPieceTokenizer) -> list[list[str]]:
    """A packed corpus as n-grams count it: the pieces of each document."""
    pieces = list(tokenizer.vocab)
    return [
        [pieces[number] for number in corpus.tokens[start:end]]
        for start, end in pairwise(corpus.starts.tolist())
    ]


def score_ngrams(filler: BlankFiller, batches: PairBatches, count: int) -> dict[str, float]:
    """`loss` and `pieces`, as `lib.training.held_out.score` names them, of n-grams on the same blanks."""
    pieces, losses, right = list(batches.tokenizer.vocab), [], []
    for number in range(count):
        batch = batches(number)
        for row, labels in zip(batch["input_ids"].tolist(), batch["labels"].tolist(), strict=True):
            text = [pieces[place] for place in row]
            for blank, label in enumerate(labels):
                if label != IGNORED:
                    found = filler.probabilities(text, blank)
                    losses.append(-math.log(found[filler.forward.numbers[pieces[label]]]))
                    right.append(filler.forward.words[int(found.argmax())] == pieces[label])
    return {"loss": sum(losses) / len(losses), "pieces": sum(right) / len(right)}
