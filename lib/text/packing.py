"""A corpus as one long row of piece ids in a file, read through a memory map and never whole.

A packed corpus is a folder: `tokens.bin` (the ids of all documents, one after the other, no special tokens),
`documents.npy` (where each document starts, and the end of the last), `packed.json` (what it was made from).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import AddedToken
from tokenizers.implementations import BertWordPieceTokenizer

from lib.bert import WordPieceTokenizer

TOKENS, DOCUMENTS, CARD = "tokens.bin", "documents.npy", "packed.json"
AT_ONCE = 256  # documents tokenized together
REPEATED = 10_000  # words of a text from which a vocabulary is learned
ALPHABET = 1000  # characters that a learned vocabulary keeps
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def fast_tokenizer(tokenizer: WordPieceTokenizer) -> BertWordPieceTokenizer:
    """The same pieces from the library that `transformers` uses, in Rust and on all cores."""
    fast = BertWordPieceTokenizer(
        vocab=dict(tokenizer.pieces),
        lowercase=tokenizer.lowercase,
        strip_accents=tokenizer.strip_accents,
        handle_chinese_chars=tokenizer.tokenize_chinese_chars,
    )
    fast.add_tokens([AddedToken(**token._asdict()) for token in tokenizer.added_tokens])
    return fast


def train_tokenizer(documents: Iterable[list[str]], size: int, lowercase: bool = True) -> WordPieceTokenizer:
    """A vocabulary of `size` pieces at corpus scale, by `tokenizers`; saved and read as any of ours.

    The same text gives the same pieces. Left alone, the library numbers the characters inside words as its
    hash table happens to be ordered, and pairs that are equally frequent are merged in the order of those
    numbers; so it is told all characters beforehand, and words come in the order of the alphabet. Raises
    ValueError where `size` has no room for the characters.
    """
    learner = BertWordPieceTokenizer(lowercase=lowercase)
    words: Counter[str] = Counter()
    for document in documents:
        for paragraph in document:
            text = learner.normalizer.normalize_str(paragraph)
            words.update(word for word, _ in learner.pre_tokenizer.pre_tokenize_str(text))
    characters: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    frequent = sorted(sorted(characters), key=characters.__getitem__, reverse=True)[:ALPHABET]
    inside = {character for word in words for character in word[1:]} & set(frequent)
    always = [*SPECIAL, *(f"##{character}" for character in sorted(inside))]
    if size < (least := len(always) + len(frequent)):
        raise ValueError(
            f"{size:,} pieces have no room for the special tokens and the characters of the text: ask for at "
            f"least {least:,}."
        )
    learner.train_from_iterator(
        _repeated(words),
        vocab_size=size,
        limit_alphabet=ALPHABET,
        initial_alphabet=frequent,  # left alone, it drops rare characters in the order of its hash table
        special_tokens=always,
        show_progress=False,
    )
    return WordPieceTokenizer(learner.get_vocab(), lowercase=lowercase)


def _repeated(words: Counter[str]) -> Iterator[str]:
    """Each word as often as it was counted, in texts of bounded length."""
    for word, count in sorted(words.items()):
        for start in range(0, count, REPEATED):
            yield " ".join([word] * min(REPEATED, count - start))


@dataclass(frozen=True)
class PackedCorpus:
    """A packed corpus in `folder`, opened without reading it."""

    folder: Path

    def __post_init__(self) -> None:
        if not (self.folder / CARD).is_file():
            raise ValueError(
                f"There is no packed corpus in {self.folder}: make one with lib.text.packing.pack."
            )
        stored = (self.folder / TOKENS).stat().st_size // self.dtype.itemsize
        if stored != self.starts[-1]:
            raise ValueError(
                f"{self.folder / TOKENS} holds {stored:,} ids where {self.starts[-1]:,} are expected: it was "
                "cut short, so remove the folder and pack again."
            )

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the corpus was made from, and its `fingerprint`."""
        return dict(json.loads((self.folder / CARD).read_text(encoding="utf-8")))

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.card["dtype"])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """[N + 1]: document n is `tokens[starts[n]:starts[n + 1]]`."""
        return np.load(self.folder / DOCUMENTS)

    @cached_property
    def tokens(self) -> NDArray[Any]:
        """All ids, in a memory map."""
        return np.memmap(self.folder / TOKENS, dtype=self.dtype, mode="r")

    def is_cut_by(self, tokenizer: WordPieceTokenizer) -> bool:
        """Whether the ids are those of this tokenizer's pieces."""
        return bool(self.card["vocabulary"] == _digest(tokenizer).hexdigest())

    def validate(self, tokenizer: WordPieceTokenizer) -> None:
        """ValueError if the ids are others than were packed with this tokenizer; reads them all."""
        fingerprint = _digest(tokenizer)
        for start, end in pairwise(self.starts.tolist()):
            _add_row(fingerprint, self.tokens[start:end].tobytes())
        if fingerprint.hexdigest() != self.card["fingerprint"]:
            raise ValueError(
                f"{self.folder} holds other bytes than were written, or the pieces of another tokenizer: "
                "remove the folder and pack again."
            )

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.starts) - 1


def pack(
    documents: Iterable[list[str]], tokenizer: WordPieceTokenizer, folder: str | Path, source: Any = None
) -> PackedCorpus:
    """Write the pieces of all documents to `folder`, one batch of documents in memory at a time.

    A folder that exists already is refused. Documents without a single piece are left out. `source` (JSON) is
    kept on the card. If another process packs the same into `folder` meanwhile, its work is as good.
    """
    folder = Path(folder)
    there_already = ValueError(f"{folder} exists: remove it to pack again, or name another folder.")
    if folder.exists():
        raise there_already
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.", suffix=".part") as staging:
        beside = Path(staging, folder.name)
        fingerprint = _write(documents, tokenizer, beside, source)
        try:
            os.replace(beside, folder)
        except OSError:
            if not folder.exists():
                raise
    packed = PackedCorpus(folder)
    if packed.card["fingerprint"] != fingerprint:
        raise there_already
    return packed


def _write(documents: Iterable[list[str]], tokenizer: WordPieceTokenizer, folder: Path, source: Any) -> str:
    """The files of a packed corpus, in a new folder. Returns the fingerprint."""
    folder.mkdir()
    dtype = np.dtype("uint16" if len(tokenizer) <= 2**16 else "uint32")
    fingerprint = _digest(tokenizer)
    starts = array("q", [0])
    with (folder / TOKENS).open("wb") as file:
        for ids in _tokenized(documents, tokenizer):
            if ids:
                row = np.asarray(ids, dtype=dtype).tobytes()
                file.write(row)
                _add_row(fingerprint, row)
                starts.append(starts[-1] + len(ids))
    np.save(folder / DOCUMENTS, np.asarray(starts, dtype=np.int64))
    card = {
        "dtype": dtype.name,
        "documents": len(starts) - 1,
        "tokens": starts[-1],
        "source": source,
        "vocabulary": _digest(tokenizer).hexdigest(),
        "fingerprint": fingerprint.hexdigest(),
    }
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return fingerprint.hexdigest()


def _add_row(fingerprint: hashlib._Hash, row: bytes) -> None:
    fingerprint.update(len(row).to_bytes(8, "little") + row)


def _digest(tokenizer: WordPieceTokenizer) -> hashlib._Hash:
    return hashlib.sha256("\n".join(tokenizer.vocab).encode())


def _tokenized(documents: Iterable[list[str]], tokenizer: WordPieceTokenizer) -> Iterator[list[int]]:
    fast = fast_tokenizer(tokenizer)
    waiting = iter(documents)
    while batch := list(islice(waiting, AT_ONCE)):
        paragraphs = [paragraph for document in batch for paragraph in document]
        encoded = iter(fast.encode_batch(paragraphs, add_special_tokens=False))
        for document in batch:
            yield [number for _ in document for number in next(encoded).ids]
