"""Outputs that live only with a kernel or a script, in notebooks that Jupyter trusts."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

from lib.files import replacing
from tools.notebook_files import read_notebook

WIDGET = "application/vnd.jupyter.widget-view+json"


def put_out(copy: Path) -> None:
    """Replace the controls and views of yesterday's kernel, which are dead, by words or the still picture.

    Of a copy that cannot be read a sentence is printed, and it stays as it is. Only where no JupyterLab is
    open on its folder: it would find its file changed.
    """
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


def sign(book: nbformat.NotebookNode) -> None:
    """Sign a notebook as the reader's own, or JupyterLab shows no stored picture."""
    notary = NotebookNotary()
    try:
        notary.sign(book)
    except sqlite3.Error as error:
        raise OSError(f"Jupyter cannot write to {notary.db_file} ({error}): is the disk full?") from None


def write(book: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook whole or not at all."""
    with replacing(path) as beside:
        nbformat.write(book, beside)
