"""A classifier in one file, down to the last byte: weights, vocabulary and the names of the classes.

    write_floppy(Floppy(labels, tokenizer, model=small), "small.zip")
    sizes("small.zip")  # bytes of each part, and of the file
    read_floppy("small.zip").predict(["Senate passes the budget"])

It is a zip file whose members are compressed by LZMA and bear no date, so equal parts give equal bytes:

    labels.txt  vocab.txt  model.safetensors  bag.safetensors  runs.safetensors

The last three are a BERT (`save_packed`), a bag of pieces and a bag of runs of characters (`bags`): one of
them at least, and where there are several, their log-probabilities are added. Reading runs no code that the
file brings: it holds numbers, pieces, names, and a list of alterations out of `ALLOWED`.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from lzma import LZMAError
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, BadZipFile, ZipFile, ZipInfo

import torch
from torch import Tensor, nn

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.bags import Bag, piece_features, run_features
from lib.compression.packed import described_in, load_packed, read_packed, save_packed
from lib.files import replacing
from lib.text.tasks import TextExample, encode_texts
from lib.training.task_kinds import row_logits

MODEL, BAG, RUNS = "model.safetensors", "bag.safetensors", "runs.safetensors"
VOCAB, LABELS = "vocab.txt", "labels.txt"
MEMBERS = (LABELS, VOCAB, MODEL, BAG, RUNS)  # in the order in which they are written
MOST_UNPACKED = 64_000_000  # bytes of all members together
LONGEST_LINE = 40  # characters of a piece; a class may have as many
ALLOWED = frozenset({"prune_heads", "prune_neurons", "factorize", "share_layers", "cut_positions"})
CHUNK = 4096  # compressed bytes unpacked at once


@dataclass(frozen=True)
class Floppy:
    """What a file holds. The tokenizer lowercases, and is there if something reads pieces."""

    labels: tuple[str, ...]
    tokenizer: WordPieceTokenizer | None = None
    model: BertForSequenceClassification | None = None
    bag: Bag | None = None
    runs: Bag | None = None

    def __post_init__(self) -> None:
        parts = [part for part in (self.model, self.bag, self.runs) if part is not None]
        classes = {part.classifier.out_features for part in parts}
        if classes != {len(self.labels)}:
            raise ValueError(
                f"{len(self.labels)} labels, and parts for {sorted(classes)} classes: give a model, a bag or "
                "runs, each for as many classes as there are labels."
            )
        vectors = {len(word_table(part)) for part in (self.model, self.bag) if part is not None}
        if vectors != (set() if self.tokenizer is None else {len(self.tokenizer)}):
            raise ValueError(
                f"{len(self.tokenizer or ())} pieces, and vectors for {sorted(vectors)}: give the tokenizer "
                "whose pieces the model and the bag read (lib.compression.distillation.students."
                "with_vocabulary), and none with runs alone."
            )

    @torch.inference_mode()
    def log_probabilities(self, texts: Sequence[str]) -> Tensor:
        """Of each text and class, [N, C]: those of all parts added, and made to sum to 1 again."""
        logits = []
        if self.model is not None and self.tokenizer is not None:
            room = self.model.config.max_position_embeddings
            rows = encode_texts([TextExample(text, None, None) for text in texts], self.tokenizer, room)
            logits.append(torch.stack(row_logits(self.model, rows, self.tokenizer.pad_token_id)))
        if self.bag is not None and self.tokenizer is not None:
            logits.append(self.bag([piece_features(text, self.tokenizer) for text in texts]))
        if self.runs is not None:
            buckets = self.runs.table.num_embeddings
            logits.append(self.runs([run_features(text, buckets) for text in texts]))
        return torch.stack([scores.log_softmax(dim=1) for scores in logits]).sum(dim=0).log_softmax(dim=1)

    def predict(self, texts: Sequence[str]) -> list[int]:
        """The place of each text's class among the labels."""
        return self.log_probabilities(texts).argmax(dim=1).tolist()


def word_table(part: Any) -> Tensor:
    """The table [V, D] of a model or bag, with a row for each piece; of one in two factors, the first."""
    table: Any = part.table if isinstance(part, Bag) else part.bert.embeddings.word_embeddings
    first: Any = table[0] if isinstance(table, nn.Sequential) else table
    weight: Tensor = first.weight
    return weight


def write_floppy(floppy: Floppy, path: str | Path) -> int:
    """Write the file, and return its bytes. ValueError for what `read_floppy` would refuse."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / LABELS).write_bytes("\n".join(floppy.labels).encode())
        if floppy.tokenizer is not None:
            if not floppy.tokenizer.lowercase:
                raise ValueError("The tokenizer keeps capitals, and a floppy's lowercases: give such a one.")
            (place / VOCAB).write_bytes("\n".join(floppy.tokenizer.vocab).encode())
        for name, part in ((MODEL, floppy.model), (BAG, floppy.bag), (RUNS, floppy.runs)):
            if part is not None:
                save_packed(part, place / name)
        _read_parts(place)
        with replacing(path) as beside, ZipFile(beside, "w") as archive:
            for name in MEMBERS:
                if (place / name).exists():
                    archive.writestr(_member(name), (place / name).read_bytes())
    return Path(path).stat().st_size


def _member(name: str) -> ZipInfo:
    """A member without a date or an owner, the same on every system."""
    member = ZipInfo(name)  # of 1980
    member.compress_type, member.create_system, member.external_attr = ZIP_LZMA, 3, 0o644 << 16
    return member


def sizes(path: str | Path) -> dict[str, int]:
    """The bytes of each member as it is compressed, those of the zip format itself, and of the file."""
    with ZipFile(path) as archive:
        parts = {member.filename: member.compress_size for member in archive.infolist()}
    whole = Path(path).stat().st_size
    return parts | {"zip": whole - sum(parts.values()), "file": whole}


def read_floppy(path: str | Path) -> Floppy:
    """What a file holds, read as numbers and names alone. ValueError, in one sentence, for any other file."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            _unpack(Path(path), Path(folder))
            return _read_parts(Path(folder))
        except (BadZipFile, LZMAError, EOFError, OSError, NotImplementedError, struct.error) as error:
            raise ValueError(
                f"{path} is no zip file that holds what it says ({error}): write it with write_floppy."
            ) from None


def _unpack(path: Path, folder: Path) -> None:
    """Write the members of a file into a folder, never more than they are said to hold."""
    with ZipFile(path) as archive:
        members = archive.infolist()
        names = [member.filename for member in members]
        again = [name for name in names if _is_zipped_again(name)]
        if again and LABELS not in names:
            found = f"{path} was zipped again, around {again[0][:60]!r}"
            raise ValueError(f"{found}: hand in the file that write_floppy wrote.")
        if unknown := [name for name in names if name not in MEMBERS]:
            raise ValueError(
                f"{path} holds {unknown[0][:60]!r}: a floppy brings no code, and "
                f"{', '.join(MEMBERS)} alone may be in it."
            )
        if len(set(names)) < len(names) or LABELS not in names:
            raise ValueError(f"{path} holds no {LABELS}, or a member twice: write it with write_floppy.")
        if any(member.compress_type != ZIP_LZMA for member in members):
            raise ValueError(f"{path} is compressed otherwise than by LZMA: write it with write_floppy.")
        if (total := sum(member.file_size for member in members)) > MOST_UNPACKED:
            raise ValueError(
                f"{path} unpacks to {total:,} bytes, more than {MOST_UNPACKED:,}: no model as small as its "
                "file does."
            )
        for member in members:
            with archive.open(member) as packed, (folder / member.filename).open("wb") as unpacked:
                read: Any = packed
                while chunk := read.read1(CHUNK):  # at once, LZMA could make gigabytes of a small file
                    unpacked.write(chunk)


def _is_zipped_again(name: str) -> bool:
    """Whether a member is a whole disk, or one of a disk's in a folder."""
    return name.endswith(".zip") or ("/" in name and name.split("/")[-1] in MEMBERS)


def _read_parts(folder: Path) -> Floppy:
    """What the members hold. A ValueError names the member, and not the folder that it was unpacked into."""
    try:
        labels = _lines(folder / LABELS, spaces=True)
        tokenizer = None
        if (folder / VOCAB).exists():
            tokenizer = WordPieceTokenizer(_lines(folder / VOCAB))
        model = _read_model(folder / MODEL) if (folder / MODEL).exists() else None
        bag, runs = (_read_bag(folder / name) if (folder / name).exists() else None for name in (BAG, RUNS))
        return Floppy(tuple(labels), tokenizer, model, bag, runs)
    except ValueError as error:
        raise ValueError(str(error).replace(f"{folder}{os.sep}", "")) from None


def _lines(path: Path, spaces: bool = False) -> list[str]:
    """The lines of a file: pieces or classes, and nothing that could hold a text."""
    try:
        lines = path.read_bytes().decode().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 ({error.reason}).") from None
    for line in lines:
        if not 1 <= len(line) <= LONGEST_LINE or (not spaces and any(map(str.isspace, line))):
            raise ValueError(
                f"{path.name} holds {line[:60]!r}: a piece has 1 to {LONGEST_LINE} characters and no space, "
                "for a list of pieces is no place for texts."
            )
    return lines


def _read_model(path: Path) -> BertForSequenceClassification:
    described = described_in(path)
    if described is None or described.kind != BertForSequenceClassification.__name__:
        raise ValueError(f"{path.name} holds no BertForSequenceClassification: give one.")
    for change in described.changes:
        if change.get("name") not in ALLOWED:
            raise ValueError(
                f"{path.name} asks for {str(change.get('name'))[:40]!r}, which is none of the "
                f"alterations that may be in a floppy: {', '.join(sorted(ALLOWED))}."
            )
    try:
        model = load_packed(path)
    except (TypeError, KeyError, AttributeError, RuntimeError) as error:
        raise ValueError(
            f"{path.name} lists alterations or sizes that cannot be built in this order ({error})."
        ) from None
    assert isinstance(model, BertForSequenceClassification)  # its kind says so
    return model


def _read_bag(path: Path) -> Bag:
    tensors = read_packed(path)
    shapes = {name: tensor.dim() for name, tensor in tensors.items()}
    if shapes != {name: tensor.dim() for name, tensor in Bag(1, 1, 1, 1).state_dict().items()}:
        raise ValueError(f"{path.name} holds {', '.join(map(str, shapes))[:80]}, which is no bag of vectors.")
    features, size = tensors["table.weight"].shape
    bag = Bag(features, size, len(tensors["dense.bias"]), len(tensors["classifier.bias"]))
    try:
        bag.load_state_dict(tensors)
    except RuntimeError:
        raise ValueError(f"{path.name} holds a table and dense layers that do not fit together.") from None
    return bag.eval()
