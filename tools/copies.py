"""The reader's own copies of the notebooks, in `my/`: made once, never overwritten."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lib
from lib.files import home, replacing, write_whole
from tools.folded import predicted_results
from tools.notebook_files import notebook_text, read_notebook

CLEARED = {"exercise", "check", "use", "reveal"}


@dataclass(frozen=True)
class Audience:
    """Whose copies: their folder inside the reader's home, and the tags of the cells they leave out.

    `desk` is the address of their workspace inside JupyterLab, which keeps the tabs that were open.
    """

    folder: str
    left_out: frozenset[str]
    desk: str


LEARNER = Audience("", frozenset({"notes"}), "lab")
LECTURER = Audience("lecturer", frozenset(), "lab/workspaces/lecturer")


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


@contextmanager
def own_copies(audience: Audience = LEARNER) -> Iterator[None]:
    """Copy what the reader has no copy of yet. The new copies are signed at the end of the context.

    Signing needs nbformat, which takes longer than all of the rest: a reader is told before it where to look.
    What is interrupted before it is signed goes again, for of it JupyterLab would show no picture.
    """
    new: list[Path] = []
    try:
        for original in every_notebook():
            copy = _place_of(original, audience)
            if not copy.exists():
                new.append(copy)
                _write(nothing_spoiled(original, audience), copy)
        yield
        if new:
            from tools.live_views import sign

            for copy in new:
                sign(read_notebook(copy))
    except BaseException:
        for copy in new:
            copy.unlink(missing_ok=True)
        raise


def folder_of(audience: Audience) -> Path:
    """Where the copies of an audience are."""
    return home() / audience.folder


def reset(notebook: str) -> Path:
    """Start over with one notebook; return the fresh copy. What was written is kept beside it.

    The answers that its explorers keep are forgotten.
    """
    from lib.exercises import predictions  # not above: with it comes torch
    from tools.live_views import sign

    original = find(notebook)
    copy = _place_of(original, LEARNER)
    with replacing(copy) as beside:
        _write(nothing_spoiled(original, LEARNER), beside)
        fresh = read_notebook(beside)
        sign(fresh)
        if copy.exists():  # moved last: where the disk is full, the answers stay where they are
            os.replace(copy, _free(copy))
    predictions.forget(fresh)
    return copy


def _place_of(original: Path, audience: Audience) -> Path:
    """Where the reader's copy of a notebook belongs."""
    copy = folder_of(audience) / original.name
    if copy.is_dir():
        raise ValueError(f"{copy} is a folder, where your copy of the notebook belongs: move it elsewhere.")
    return copy


def nothing_spoiled(original: Path, audience: Audience) -> dict[str, Any]:
    """A notebook of the course as its audience first sees it: the answers to its questions cleared.

    Its cells have no numbers, by which JupyterLab says what was run here. Read as the JSON that it is: to
    open JupyterLab takes long enough without the module nbformat.
    """
    try:
        book: dict[str, Any] = json.loads(notebook_text(original))
    except ValueError as error:
        raise ValueError(f"{original} cannot be read as a notebook: {error}.") from None
    book["cells"] = [cell for cell in book["cells"] if not audience.left_out & _tags(cell)]
    for cell in book["cells"]:
        for counted in [cell, *cell.get("outputs", [])]:
            if "execution_count" in counted:
                counted["execution_count"] = None
    asked = [cell for cell in book["cells"] if CLEARED & _tags(cell)]
    for cell in [*asked, *predicted_results(book["cells"])]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["metadata"].get("jupyter", {}).pop("outputs_hidden", None)  # there is nothing to open yet
    return book


def _tags(cell: dict[str, Any]) -> set[str]:
    return set(cell["metadata"].get("tags", []))


def _write(book: dict[str, Any], path: Path) -> None:
    """Write a notebook whole or not at all, as Jupyter lays it out."""
    write_whole(path, json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


def _free(copy: Path) -> Path:
    """A name beside `copy` that nothing has yet: `05_attention (before 1).ipynb`."""
    number = 1
    while (old := copy.with_name(f"{copy.stem} (before {number}).ipynb")).exists():
        number += 1
    return old
