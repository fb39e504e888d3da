"""The files of notebooks, as they come: read, or refused in a sentence that says what they are instead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

MAX_BYTES = 100_000_000
#: how files begin that are called notebooks and are none
BEGINNINGS = {
    b"version https://git-lfs": "it is a pointer of Git LFS, and `git lfs pull` brings what it points to",
    b"<": "it is a page of HTML: save the notebook itself",
    b"PK": "it is an archive: unpack it first",
    b"\x1f\x8b": "it is an archive: unpack it first",
}
#: what files are, by their ending, that people hand in for a notebook
KINDS = {
    ".md": "a page in Markdown", ".rmd": "a page in R Markdown", ".qmd": "a page for Quarto",
    ".doc": "a document of Word", ".docx": "a document of Word", ".odt": "a document of LibreOffice",
    ".rtf": "a document", ".pdf": "a page in PDF", ".py": "a program in Python", ".r": "a program in R",
    ".dib": "a notebook of Polyglot", ".png": "a picture", ".jpg": "a picture", ".jpeg": "a picture",
    ".gif": "a picture", ".heic": "a picture", ".webp": "a picture", ".csv": "a table", ".xlsx": "a table",
}  # fmt: skip


def beginning(path: Path) -> bytes:
    """The first bytes of a file without a mark of byte order; none of a link, and of what cannot be read."""
    if path.is_symlink() or not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return b""


def is_notebook(path: Path) -> bool:
    """Whether a file holds a notebook of any version, whatever it is called."""
    if not beginning(path).startswith(b"{") or path.stat().st_size > MAX_BYTES:
        return False
    content = path.read_bytes()
    return b'"cells"' in content and b'"nbformat"' in content


def notebook_text(path: Path) -> str:
    """The text of a notebook's file, in UTF-8 with or without a mark of byte order.

    Raises ValueError, without its subject, for a file that is empty, too large, not in UTF-8, in the middle
    of a merge, or of another kind; OSError where it cannot be read at all.
    """
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("it is larger than 100 MB")
    content = path.read_bytes()
    bare = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not bare:
        raise ValueError("it is empty")
    if re.search(rb"^(<<<<<<<|>>>>>>>) ", content, re.MULTILINE):  # of no cell, in which a line end is "\n"
        raise ValueError("it holds both sides of a merge conflict: settle that first")
    for beginning, trouble in BEGINNINGS.items():
        if bare.startswith(beginning):
            raise ValueError(trouble)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not in UTF-8 ({error})") from None


def read_notebook(path: Path) -> NotebookNode:
    """A notebook of any version, as version 4. ValueError, in a sentence with its path, for what is none."""
    import nbformat  # not above: with it comes the grammar of addresses, in more than a second

    try:
        book = nbformat.convert(nbformat.reader.reads(notebook_text(path)), 4)
        nbformat.validate(book, relax_add_props=True)
    except nbformat.reader.NotJSONError:
        why = "it is not JSON"
    except (nbformat.ValidationError, AttributeError, KeyError, TypeError) as error:
        why = "it is JSON, but not a notebook ({})".format(str(error).partition("\n")[0])
    except (ValueError, RecursionError) as error:
        why = str(error)
    else:
        if book.cells:
            return book
        why = "it has no cells"
    raise ValueError(f"{path} cannot be read as a notebook: {why}.")


def has_tag(cell: NotebookNode, tag: str) -> bool:
    """Whether a cell carries a tag."""
    return tag in cell.metadata.get("tags", [])
