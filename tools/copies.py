"""The reader's own copies of the notebooks, in `my/`: made once, never overwritten."""

from __future__ import annotations

import os
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

import lib
from lib.exercises import predictions
from lib.files import home, replacing
from tools.folded import predicted_results
from tools.notebook_files import read_notebook

CLEARED = {"exercise", "check", "use", "reveal"}
WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Audience:
    """Whose copies: their folder inside the reader's home, and the tags of the cells they leave out."""

    folder: str
    left_out: frozenset[str]


LEARNER = Audience("", frozenset({"notes"}))
LECTURER = Audience("lecturer", frozenset())


def find(notebook: str) -> Path:
    """The course's notebook of that number ("05", "5") or name ("05_attention", "05_attention.ipynb").

    Files where the caller stands do not count: what lies in `my/` is called the same.
    """
    name = notebook.removesuffix(".ipynb")
    number = name.zfill(2) if re.fullmatch("[0-9]{1,2}", name) else None
    for path in every_notebook():
        if path.stem == name or path.stem[:2] == number:
            return path
    there = ", ".join(path.stem[:2] for path in every_notebook())
    raise ValueError(f"There is no notebook {notebook!r}; there are {there or 'none'}.")


def find_file(notebook: str) -> Path:
    """The notebook at that path, where there is a file; else the course's of that number or name."""
    path = Path(notebook)
    return path if path.suffix.lower() == ".ipynb" and path.is_file() else find(notebook)


def every_notebook() -> list[Path]:
    """The notebooks of the course, in order."""
    return sorted(path for path in (lib.root / "notebooks").glob("*.ipynb") if re.match(r"\d\d_", path.name))


def own_copy(notebook: str, audience: Audience = LEARNER) -> Path:
    """The reader's own copy of a notebook, by number or name; made if there is none."""
    original = find(notebook)
    copy = _place_of(original, audience)
    if not copy.exists():
        write(_nothing_spoiled(original, audience), copy)
    return copy


def reset(notebook: str) -> Path:
    """Start over with one notebook; return the fresh copy. What was written is kept beside it.

    The answers that its explorers keep are forgotten.
    """
    original = find(notebook)
    copy = _place_of(original, LEARNER)
    fresh = _nothing_spoiled(original, LEARNER)
    with replacing(copy) as beside:
        nbformat.write(fresh, beside)
        if copy.exists():  # moved last: where the disk is full, the answers stay where they are
            os.replace(copy, _free(copy))
    predictions.forget(fresh)
    return copy


def _place_of(original: Path, audience: Audience) -> Path:
    """Where the reader's copy of a notebook belongs."""
    copy = home() / audience.folder / original.name
    if copy.is_dir():
        raise ValueError(f"{copy} is a folder, where your copy of the notebook belongs: move it elsewhere.")
    return copy


def _nothing_spoiled(original: Path, audience: Audience) -> nbformat.NotebookNode:
    """A notebook of the course as its audience first sees it: the answers to its questions cleared."""
    book = read_notebook(original)
    book.cells = [cell for cell in book.cells if not audience.left_out & set(cell.metadata.get("tags", []))]
    asked = [cell for cell in book.cells if CLEARED & set(cell.metadata.get("tags", []))]
    for cell in [*asked, *predicted_results(book.cells)]:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.metadata.get("jupyter", {}).pop("outputs_hidden", None)  # there is nothing to open yet
    sign(book)
    return book


def sign(book: nbformat.NotebookNode) -> None:
    """Sign a notebook as the reader's own, or JupyterLab shows no stored picture."""
    notary = NotebookNotary()
    try:
        notary.sign(book)
    except sqlite3.Error as error:
        raise OSError(f"Jupyter cannot write to {notary.db_file} ({error}): is the disk full?") from None


def make_own_copies(audience: Audience = LEARNER) -> Path:
    """Copy what the reader has no copy of yet; return the folder of the copies."""
    for path in every_notebook():
        own_copy(path.name, audience)
    return home() / audience.folder


def put_out_live_views(folder: Path) -> None:
    """Replace the controls and views of yesterday's kernel, which are dead, by words or the still picture.

    Of a copy that cannot be read a sentence is printed, and it stays as it is. Only where no JupyterLab is
    open on the folder: it would find its files changed.
    """
    for path in every_notebook():
        _put_out(folder / path.name)


def _put_out(copy: Path) -> None:
    try:
        book = read_notebook(copy)
    except (OSError, ValueError) as error:  # not ours to mend
        print(
            f"{error} `python course.py reset {copy.name[:2]}` makes a new copy and keeps this one beside it."
        )
        return
    if live := [output for cell in book.cells for output in cell.get("outputs", []) if needs_kernel(output)]:
        trusted = NotebookNotary().check_signature(book)
        for output in live:
            keep_what_stands_still(output)
        if trusted:
            sign(book)
        write(book, copy)


def needs_kernel(output: nbformat.NotebookNode) -> bool:
    """Whether an output, or the part of it that JupyterLab shows, only lives with a kernel or a script."""
    return _is_live(output) or WIDGET in output.get("data", {})


def keep_what_stands_still(output: nbformat.NotebookNode) -> None:
    """Leave of a live output its words, and of a widget what stands for it, such as a still picture."""
    if _is_live(output):
        output.data = {"text/plain": output.data["text/plain"]}
        output.metadata = {}
    else:
        del output.data[WIDGET]


def _is_live(output: nbformat.NotebookNode) -> bool:
    return bool(output.get("metadata", {}).get("course", {}).get("live"))


def write(book: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook whole or not at all."""
    with replacing(path) as beside:
        nbformat.write(book, beside)


def _free(copy: Path) -> Path:
    """A name beside `copy` that nothing has yet: `05_attention (before 1).ipynb`."""
    number = 1
    while (old := copy.with_name(f"{copy.stem} (before {number}).ipynb")).exists():
        number += 1
    return old
