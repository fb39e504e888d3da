"""Text to learn from, read one document at a time, so that its size does not matter.

A corpus is a text file, plain or compressed (.txt, .txt.gz), or a folder of them: one paragraph a line,
a blank line between documents.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

SUFFIXES = (".txt", ".txt.gz")


def documents(place: str | Path) -> Iterator[list[str]]:
    """The documents of a text file or of all text files in a folder, each the list of its paragraphs."""
    for path in text_files(place):
        document: list[str] = []
        with _opened(path) as lines:
            for line in lines:
                if paragraph := line.strip():
                    document.append(paragraph)
                elif document:
                    yield document
                    document = []
        if document:
            yield document


def text_files(place: str | Path) -> list[Path]:
    """The file itself, or the text files of a folder in the order of their names."""
    place = Path(place)
    if place.is_file():
        return [place]
    found = sorted(path for path in place.glob("*") if path.name.endswith(SUFFIXES))
    if not found:
        raise ValueError(
            f"There is no text at {place}: name a .txt or .txt.gz file, or a folder that holds some."
        )
    return found


def _opened(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
