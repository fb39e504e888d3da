"""What a result was made from, known again by digests: files of the course, models at hand, public data sets.

An input is named by "minilm" or "pocket" (a model), "public/NAME" (a public data set, or a file of it), or a
path within the course, such as "data/reader/town.txt" or "data/reader".
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from lib import root
from lib.files import digest

VARIABLE = "BERT_COURSE_DATA"  # of the environment
PUBLIC = "public/"
MODELS = ("minilm", "pocket")
POCKET_VOCABULARY = "data/pocket-bert/vocab.txt"  # of a student that reads its pieces and nothing else of it
MODEL_FILES = ("config.json", "model.safetensors", "tokenizer_config.json", "vocab.txt")


def public(name: str) -> Path:
    """A public data set, or a file of it, in the folder that the environment's BERT_COURSE_DATA names.

    A file may be there compressed, with .gz at the end of its name.
    """
    place = _public_place(name)
    if place is None:
        raise ValueError(
            f"This experiment needs the public data set {name}: set the environment variable {VARIABLE}"
            f" to the folder in which {name} lies."
        )
    return place


def _public_place(name: str) -> Path | None:
    if not (folder := os.environ.get(VARIABLE)):
        return None
    places = (Path(folder, name), Path(folder, f"{name}.gz"))
    return next((place for place in places if place.exists()), None)


def is_at_hand(name: str) -> bool:
    """Whether this input can be looked at: all can but public data sets, which not every machine has."""
    return not name.startswith(PUBLIC) or _public_place(name.removeprefix(PUBLIC)) is not None


def digests(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each of these inputs. ValueError where one is not there."""
    return {name: _digest_of(name) for name in names}


def _digest_of(name: str) -> str:
    if name in MODELS:
        from lib.bert.checkpoint import resolve_checkpoint  # not above: a record is read without torch

        return digest_of_model(resolve_checkpoint(name))
    place = public(name.removeprefix(PUBLIC)) if name.startswith(PUBLIC) else root / name
    if place.is_file():
        return _digest_of_content(place)
    files = [path for path in place.rglob("*") if path.is_file() and _is_data(path)]
    if not files:
        raise ValueError(f"There is no input {name!r}: {place} is no file, and no folder that holds any.")
    return _digest_of_files(place, files)


def digest_of_model(folder: Path) -> str:
    """The SHA-256 of a model's folder, whatever lies beside its weights, configuration and vocabulary."""
    return _digest_of_files(folder, [folder / file for file in MODEL_FILES])


def _is_data(path: Path) -> bool:
    """A card tells of data and is none; a hidden file is somebody's editor's."""
    return path.suffix != ".md" and not path.name.startswith(".")


def _digest_of_files(folder: Path, files: Iterable[Path]) -> str:
    lines = sorted(
        f"{path.relative_to(folder).as_posix().removesuffix('.gz')} {_digest_of_content(path)}"
        for path in files
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _digest_of_content(path: Path) -> str:
    """A compressed file is what it holds, however well it was compressed."""
    if path.suffix != ".gz":
        return digest(path)
    with gzip.open(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
