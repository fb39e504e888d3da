"""Text to learn from, read one document at a time, so that its size does not matter.

A corpus is a text file, plain or compressed (.txt, .txt.gz), or a folder of them: one paragraph a line,
a blank line between documents. Or it is a data set on the hub, each row a document, by its name:
"hub:wikimedia/wikipedia:20231101.en".
"""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

SUFFIXES = (".txt", ".txt.gz")
HUB = "hub:"

HELD_OUT = 50  # one document in so many is never trained on


def documents(place: str | Path) -> Iterator[list[str]]:
    """The documents of a corpus, each the list of its paragraphs.

    place: a text file, a folder of text files, or "hub:NAME" or "hub:NAME:CONFIGURATION", a data set whose
    training part is streamed from the hub, never stored: each row's "text" is a document.
    """
    if str(place).startswith(HUB):
        yield from _streamed(*str(place).removeprefix(HUB).split(":", 1))
        return
    for path in text_files(place):
        with opened(path) as lines:
            yield from _cut(lines)


def training_documents(
    places: Iterable[Path], held_out: list[list[str]] | None = None
) -> Iterator[list[str]]:
    """All documents but every fiftieth, which is added to `held_out`; one in fifty fits into memory."""
    held_out = [] if held_out is None else held_out
    for number, document in enumerate(chain.from_iterable(documents(place) for place in places)):
        if number % HELD_OUT == HELD_OUT - 1:
            held_out.append(document)
        else:
            yield document


def held_out_documents(places: Iterable[Path]) -> list[list[str]]:
    """Every fiftieth document."""
    held_out: list[list[str]] = []
    for _ in training_documents(places, held_out):
        pass
    return held_out


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """A text file to read, in UTF-8 with or without a mark of byte order, which is no part of a word.

    It may be packed by gzip where its name ends in .gz. ValueError where it cannot be read to its end.
    """
    try:
        open_text: Callable[..., TextIO] = gzip.open if path.suffix.lower() == ".gz" else open
        with open_text(path, "rt", encoding="utf-8-sig") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}): give a whole file of UTF-8, packed by gzip where its name "
            "ends in .gz."
        ) from None


def text_files(place: str | Path) -> list[Path]:
    """The file itself, or the text files of a folder in the order of their names; ValueError without any."""
    if place == "":
        raise ValueError("A corpus without a name: give a file, a folder, or a data set on the hub.")
    place = Path(place)
    if place.is_file():
        if not _is_text(place):
            raise ValueError(
                f"{place} is no text file ({', '.join(SUFFIXES)}): save its text as one; pretrain reads a "
                "table with a column 'text', too (CSV, JSON lines, Parquet)."
            )
        return [place]
    paths = sorted(path for path in place.glob("*") if _is_text(path))
    if not paths:
        raise ValueError(
            f"There is no text at {place}: name a .txt or .txt.gz file, a folder that holds some itself "
            f"(those below it are not read), or a data set on the hub as {HUB}NAME."
        )
    return paths


def passed_over(place: str | Path) -> list[str]:
    """The names of what lies beside the text files of a folder."""
    inside = sorted(Path(place).glob("[!.]*"))
    return [path.name for path in inside if not _is_text(path)]


def _is_text(path: Path) -> bool:
    return path.name.lower().endswith(SUFFIXES)


def paragraphs(text: Any, where: str) -> list[str]:
    """Those of a row's text, which may be None; ValueError, naming where, for what is no text."""
    if not isinstance(text, str | None):
        raise ValueError(f"{where}: 'text' holds no text but {str(text)[:40]!r}: take the row out.")
    return [paragraph.strip() for paragraph in (text or "").splitlines() if paragraph.strip()]


def _cut(lines: Iterable[str]) -> Iterator[list[str]]:
    """Documents, which blank lines part."""
    document: list[str] = []
    for line in lines:
        if paragraph := line.strip():
            document.append(paragraph)
        elif document:
            yield document
            document = []
    if document:
        yield document


def _streamed(name: str, configuration: str | None = None) -> Iterator[list[str]]:
    from datasets import load_dataset
    from datasets.exceptions import DatasetNotFoundError

    try:
        rows = load_dataset(name, configuration, split="train", streaming=True)
    except (DatasetNotFoundError, ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(
            f"The data set {name!r} could not be opened ({type(error).__name__}: {error}): check its name, "
            f"its configuration ({HUB}NAME:CONFIGURATION) and the network."
        ) from None
    for row in rows:
        if "text" not in row:
            raise ValueError(
                f"The data set {name!r} has no column 'text', only {', '.join(row)}: use one that has."
            )
        if document := paragraphs(row["text"], f"The data set {name!r}"):
            yield document
