"""The reader's own copies of the notebooks, in `my/`: made once, never overwritten."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

import lib
from lib.exercises.notebook import home

CLEARED = {"exercise", "check", "use", "reveal"}


def find(notebook: str) -> Path:
    """The course's notebook of that number ("05", "5"), name or path."""
    if Path(notebook).is_file():
        return Path(notebook)
    number = notebook.zfill(2) if notebook.isdigit() else Path(notebook).stem
    found = sorted((lib.root / "notebooks").glob(f"{number}*.ipynb"))
    if not found:
        there = ", ".join(path.stem[:2] for path in every_notebook())
        raise ValueError(f"There is no notebook {notebook!r}; there are {there or 'none'}.")
    return found[0]


def every_notebook() -> list[Path]:
    """The notebooks of the course, in order."""
    return sorted(path for path in (lib.root / "notebooks").glob("*.ipynb") if re.match(r"\d\d_", path.name))


def own_copy(notebook: str | Path, overwrite: bool = False) -> Path:
    """The reader's own copy of a notebook, made if need be, the answers to its questions cleared.

    With `overwrite` a fresh copy is made, and what was written is kept beside it.
    """
    original = find(str(notebook))
    copy = home() / original.name
    if copy.exists():
        if not overwrite:
            return copy
        os.replace(copy, _free(copy))
    book = nbformat.read(original, as_version=4)
    for cell in book.cells:
        if cell.cell_type == "code" and CLEARED & set(cell.metadata.get("tags", [])):
            cell.outputs, cell.execution_count = [], None
    NotebookNotary().sign(book)  # as the reader's own, or JupyterLab shows no stored picture
    write(book, copy)
    return copy


def make_own_copies() -> Path:
    """Copy what the reader has no copy of yet; return the folder of the copies."""
    for path in every_notebook():
        put_out_live_views(own_copy(path))
    return home()


def put_out_live_views(copy: Path) -> None:
    """Replace the controls and views of yesterday's kernel, which are dead, by the words for them."""
    try:
        book = nbformat.read(copy, as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        return  # not ours to mend: JupyterLab says what is wrong with it
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    if any(map(is_live, outputs)):
        trusted = NotebookNotary().check_signature(book)
        for output in filter(is_live, outputs):
            as_words(output)
        if trusted:
            NotebookNotary().sign(book)
        write(book, copy)


def is_live(output: nbformat.NotebookNode) -> bool:
    """Whether an output only lives with a kernel or a script."""
    return bool(output.get("metadata", {}).get("course", {}).get("live"))


def as_words(output: nbformat.NotebookNode) -> None:
    """Leave of a live output what it says to those who cannot see it."""
    output.data = {"text/plain": output.data["text/plain"]}
    output.metadata = {}


def reset(notebook: str) -> Path:
    """Start over with one notebook; return the fresh copy."""
    return own_copy(notebook, overwrite=True)


def write(book: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook beside its place, then move it there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    nbformat.write(book, beside)
    os.replace(beside, path)


def _free(copy: Path) -> Path:
    """A name beside `copy` that nothing has yet: `05_attention (before 1).ipynb`."""
    number = 1
    while (old := copy.with_name(f"{copy.stem} (before {number}).ipynb")).exists():
        number += 1
    return old
