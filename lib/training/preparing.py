"""What a run needs before it begins: checked first, made once, and shared by all its processes."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.files import digest, locked, write_json
from lib.text.corpus import HUB, documents, paragraphs, text_files
from lib.text.packing import PackedCorpus, pack
from lib.text.tasks.tables import SUFFIXES, read_tables
from lib.training.checkpoints import Checkpoints, validate_same
from lib.training.devices import processes, validate_even


def validate_early(
    corpus: Iterable[str | Path],
    gradient_accumulation: int,
    length: int,
    start: str | Path,
    checkpoints: Checkpoints,
) -> None:
    """Refuse what can be refused before a corpus is packed, which takes hours if it is large.

    start: the model to start from, which says how long a row can be; "" for a new one.
    """
    for place in corpus:
        if not str(place).startswith(HUB):
            corpus_files(place)
    validate_even(gradient_accumulation)
    checkpoints.validate_start()
    config = BertConfig.from_pretrained(resolve_checkpoint(start)) if start else BertConfig()
    if length > config.max_position_embeddings:
        raise ValueError(
            f"A length of {length} is beyond the {config.max_position_embeddings} positions of the model: "
            "use a smaller one."
        )


def corpus_files(place: str | Path) -> list[Path]:
    """A table of texts, or the `text_files` of a corpus."""
    return [Path(place)] if _is_table(place) else text_files(place)


def corpus_documents(place: str | Path) -> Iterator[list[str]]:
    """The documents of a corpus, or of a table, each row's "text" one; all of a table is held in memory."""
    if not _is_table(place):
        yield from documents(place)
        return
    table = read_tables(place, ("text",), encoding="utf-8")[""]  # as text files are: nothing is guessed
    for row, where in zip(table.rows, table.where, strict=True):
        if document := paragraphs(row["text"], f"{place}, {where}"):
            yield document


def _is_table(place: str | Path) -> bool:
    suffix = Path(place).suffix.lower()
    return suffix in SUFFIXES and suffix != ".txt" and Path(place).is_file()


def validate_pieces(start: str | Path, tokenizer: WordPieceTokenizer) -> None:
    """ValueError if the model in `start` was trained on other pieces: its vectors would be mixed up."""
    if WordPieceTokenizer.from_pretrained(start).vocab != tokenizer.vocab:
        raise ValueError(f"{start} knows other pieces than this run: use the vocabulary of that model.")


def read_json(path: Path) -> dict[str, Any]:
    """A small file that a run wrote beside its own; ValueError if it is gone or damaged."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}): remove its folder, or name another one."
        ) from None


def pack_once(
    read: Iterable[list[str]],
    tokenizer: WordPieceTokenizer,
    folder: Path,
    corpus: Sequence[str | Path],
    **cut: Any,
) -> PackedCorpus:
    """The documents packed into `folder`, or what was packed there before, in every process.

    corpus: where the documents are from; cut (JSON): which part of it they are. A folder that was packed from
    anything else is refused, and so is one whose texts, or whose own bytes, are others now. Runs that share
    it wait for the one that packs.
    """
    source = {**source_of(corpus), **cut}
    with processes().main_process_first():
        if not folder.exists():
            _pack_alone(read, tokenizer, folder, source)
        packed = PackedCorpus(folder)
        validate_same(folder, packed.card["source"], source)
        packed.validate(tokenizer)
    return packed


def _pack_alone(
    read: Iterable[list[str]], tokenizer: WordPieceTokenizer, folder: Path, source: dict[str, Any]
) -> None:
    with locked(folder.parent / f".{folder.name}.lock"):
        for left in folder.parent.glob(f".{folder.name}.*.part"):  # of one that was killed
            shutil.rmtree(left)
        if not folder.exists():
            pack(read, tokenizer, folder, source)


def tokenizer_once(
    folder: Path, source: dict[str, Any], make: Callable[[], WordPieceTokenizer]
) -> WordPieceTokenizer:
    """The tokenizer in `folder`, in every process; the first one makes it if there is none.

    source (JSON): what it is made from, among it `pieces`, their number; a folder made from anything else is
    refused.
    """
    path = folder / "made_from.json"
    with processes().main_process_first():
        if not (folder / "vocab.txt").is_file():
            made = make()
            write_json(path, source)
            made.save_pretrained(folder)
        tokenizer = WordPieceTokenizer.from_pretrained(folder)
    validate_same(folder, read_json(path), source)
    return tokenizer


def source_of(corpus: Iterable[str | Path]) -> dict[str, Any]:
    """What corpora are called, files by their whole paths, and what is in them (JSON)."""
    places = [place if str(place).startswith(HUB) else Path(place).resolve() for place in corpus]
    return {"corpus": [str(place) for place in places], "sha256": [_content(place) for place in places]}


def _content(place: str | Path) -> str | None:
    """A digest of the names and the bytes of a corpus's files; None on the hub, whose data sets have none."""
    if isinstance(place, str):
        return None
    files = hashlib.sha256()
    for path in corpus_files(place):
        files.update(f"{path.relative_to(place)} {digest(path)}\n".encode())
    return files.hexdigest()
