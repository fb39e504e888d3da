"""Batches for pretraining: those that recorded runs have read, and a fingerprint of all they depend on."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from lib.bert import WordPieceTokenizer
from lib.text.masking import IGNORED, Masking, SpanMasking
from lib.text.packing import PackedCorpus, pack
from lib.text.pair_rows import PairRows
from lib.text.pair_tasks import NEXT_SENTENCE, NO_PAIRS, SENTENCE_ORDER, THREE_WAY
from lib.text.pretraining_batches import Corruption, NextPieces, PretrainingBatches, RowSource
from lib.text.sentence_rows import SentenceRows

PIECES = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "##s", "##ed",
    *(f"{a}{b}" for a in "abcdefgh" for b in "klmnop"),
]  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(PIECES)


@pytest.fixture(scope="module")
def corpus(tokenizer, tmp_path_factory) -> PackedCorpus:
    """Twelve documents of words that are drawn, so that no text of the course's decides what is in them."""
    rng = np.random.default_rng(5)

    def word() -> str:
        return "abcdefgh"[rng.integers(8)] + "klmnop"[rng.integers(6)] + ["", "", "s", "ed"][rng.integers(4)]

    def sentence() -> str:
        return " ".join(word() for _ in range(rng.integers(4, 12))) + " ."

    documents = [[" ".join(sentence() for _ in range(rng.integers(3, 30)))] for _ in range(12)]
    return pack(documents, tokenizer, tmp_path_factory.mktemp("packed") / "drawn")


def digest(batches: PretrainingBatches) -> str:
    found = hashlib.sha256()
    for number in (0, 1, 7, 40):  # the last is of another epoch
        for name, tensor in sorted(batches(number).items()):
            found.update(f"{name}{tuple(tensor.shape)}".encode() + tensor.numpy().astype("<i8").tobytes())
    return found.hexdigest()[:16]


@pytest.mark.parametrize(
    ("rows", "corruption", "expected"),
    [
        ({"task": NO_PAIRS}, Masking(), "07ae23b932ae6360"),
        ({"task": NEXT_SENTENCE}, Masking(), "957067417de702df"),
        ({"task": SENTENCE_ORDER}, Masking(), "91e41f857648cbd9"),
        ({"task": THREE_WAY}, Masking(), "519b869de5bac70a"),
        ({"seed": 3}, Masking(0.3, whole_words=True), "e7c691dc26e29b48"),
        ({"seed": 3}, SpanMasking(), "b583077aa105c988"),
    ],
)
def test_pairs_are_those_that_recorded_runs_read(rows, corruption, expected, corpus, tokenizer) -> None:
    assert digest(PretrainingBatches(PairRows(corpus, tokenizer, 40, 6, **rows), corruption)) == expected


@pytest.mark.parametrize(
    ("seed", "corruption", "expected"),
    [
        (0, Masking(), "b2c63086ec43ad0a"),
        (2, SpanMasking(0.2), "730d3d7da63c55e7"),
        (1, NextPieces(), "1d1ae43817fa5f55"),
        (1, NextPieces(among=Masking()), "cd76555ba93c2532"),
    ],
)
def test_sentences_are_those_that_recorded_runs_read(seed, corruption, expected, corpus, tokenizer) -> None:
    rows = SentenceRows(corpus, tokenizer, 20, 4, seed)
    assert digest(PretrainingBatches(rows, corruption)) == expected


def test_whatever_changes_a_batch_changes_the_fingerprint(corpus, tokenizer, tmp_path) -> None:
    pairs = PairRows(corpus, tokenizer, 40, 6)
    other = pack([["ak bl ."] * 40, ["cm dn ."] * 40], tokenizer, tmp_path / "other")
    sources: list[RowSource] = [
        pairs,
        *(replace(pairs, length=41), replace(pairs, batch_size=7), replace(pairs, seed=1)),
        *(replace(pairs, task=task) for task in (NO_PAIRS, SENTENCE_ORDER, THREE_WAY)),
        replace(pairs, corpus=other),
        SentenceRows(corpus, tokenizer, 40, 6),
    ]
    corruptions: list[Corruption] = [
        *(Masking(0.2), Masking(mask=0.7), Masking(random=0.2), Masking(whole_words=True)),
        *(SpanMasking(), SpanMasking(p=0.3), SpanMasking(longest=5)),
        *(NextPieces(), NextPieces(Masking()), NextPieces(Masking(0.2))),
    ]
    every = [
        *map(PretrainingBatches, sources),
        *(PretrainingBatches(pairs, corruption) for corruption in corruptions),
    ]
    fingerprints = [json.dumps(batches.fingerprint, sort_keys=True) for batches in every]
    assert len(set(fingerprints)) == len(every)
    assert fingerprints[0] == json.dumps(
        PretrainingBatches(PairRows(corpus, tokenizer, 40, 6)).fingerprint, sort_keys=True
    )
    assert json.loads(fingerprints[0]) == every[0].fingerprint  # nothing in it that JSON does not keep


def test_whole_words_are_hidden_as_much_and_behind_the_same() -> None:
    assert SpanMasking(0.2, 0.7, 0.2).with_whole_words() == Masking(0.2, 0.7, 0.2, whole_words=True)
    assert NextPieces().with_whole_words() == NextPieces()
    assert NextPieces(Masking(0.2)).with_whole_words() == NextPieces(Masking(0.2, whole_words=True))


def test_next_pieces_leave_nothing_out_but_the_end(corpus, tokenizer) -> None:
    batch = PretrainingBatches(PairRows(corpus, tokenizer, 40, 6), NextPieces())(0)
    assert torch.equal(batch["labels"][:, :-1], batch["input_ids"][:, 1:])
    assert (batch["labels"][:, -1] == IGNORED).all()


@pytest.mark.parametrize(
    ("source", "wrong", "message"),
    [
        (PairRows, {"length": 18}, "leaves no room for two texts: use at least 19"),
        (PairRows, {"length": 10**4}, "use a smaller length"),
        (PairRows, {"batch_size": 0}, "give at least 1"),
        (SentenceRows, {"batch_size": -1}, "give at least 1"),
        (SentenceRows, {"batch_size": 10**6}, "use a smaller batch"),
    ],
)
def test_rows_that_cannot_be_are_refused(source, wrong, message, corpus, tokenizer) -> None:
    with pytest.raises(ValueError, match=message):
        source(corpus, tokenizer, **wrong)
    with pytest.raises(ValueError, match="pieces of another tokenizer"):
        source(corpus, WordPieceTokenizer([*PIECES, "zz"]))
