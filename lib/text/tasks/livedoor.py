"""The livedoor news corpus: Japanese articles of nine categories, read where it lies, packed or not."""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from lib.text.tasks.glue import TextExample
from lib.text.tasks.reading import Broken, Examples, whole_examples

#: a label is a place in this row
LIVEDOOR = (
    "dokujo-tsushin", "it-life-hack", "kaden-channel", "livedoor-homme", "movie-enter", "peachy", "smax",
    "sports-watch", "topic-news",
)  # fmt: skip
ARTICLE = re.compile(rf"(?:^|/)({'|'.join(LIVEDOOR)})/\1-\d+\.txt$")
LONGEST = 1_000_000  # bytes; the longest article has 30 thousand


def read_livedoor(place: str | Path) -> Examples[TextExample]:
    """The articles: `first` is the title, `second` the body, the label a place in `LIVEDOOR`.

    place: the published archive (ldcc-20140209.tar.gz), of which nothing is unpacked to disk, or the folder
    that it unpacks to. An article without an address, a date, a title and a body is left out, which a warning
    says. Raises ValueError where there are none.
    """
    place, what = Path(place), "the livedoor corpus, ldcc-20140209.tar.gz or the folder it unpacks to"
    if not place.exists():
        raise ValueError(f"There is nothing at {place}: name {what}.")
    try:
        files = _in_folder(place) if place.is_dir() else _in_archive(place)
        return whole_examples(place, (_article(name, content) for name, content in files), what)
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{place} cannot be unpacked ({error}): give {what}, whole.") from None


def _in_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            # a link or a device is no file, and where a name leads to does not matter: nothing is written
            file = archive.extractfile(member) if member.isfile() and ARTICLE.search(member.name) else None
            if file:
                yield member.name, file.read(LONGEST + 1)


def _in_folder(place: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(place.rglob("*.txt")):
        name = path.relative_to(place.parent).as_posix()
        if ARTICLE.search(name):
            with path.open("rb") as file:
                yield name, file.read(LONGEST + 1)


def _article(name: str, content: bytes) -> TextExample | Broken:
    """An article's file: its address, its date and its title, a line each, then its body."""
    if len(content) > LONGEST:
        return Broken(name, f"it is longer than {LONGEST} bytes")
    try:
        address, _, title, *body = content.decode().split("\n")
    except (UnicodeDecodeError, ValueError):
        return Broken(name, "it lacks a line for its address, date or title, or is not in UTF-8")
    text = "\n".join(body).strip()
    if not (address.startswith("http") and title.strip() and text):
        return Broken(name, "it lacks an address, a title or a body")
    match = ARTICLE.search(name)
    assert match is not None  # it was found by it
    return TextExample(title.strip(), text, LIVEDOOR.index(match[1]))
