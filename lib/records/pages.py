"""The cells of a notebook, run where a record is made: what a page shows is what is recorded."""

import json
from collections.abc import Iterable
from typing import Any

import lib


def sources(notebook: str) -> dict[str, str]:
    """The source of every cell of a notebook, such as "18_loss_landscapes", by the cell's id."""
    text = (lib.root / "notebooks" / f"{notebook}.ipynb").read_text("utf-8")
    return {cell["id"]: "".join(cell["source"]) for cell in json.loads(text)["cells"]}


def run_cells(notebook: str, cells: Iterable[str], names: dict[str, Any]) -> None:
    """Run these cells, by their ids and in this order, in a space that holds what they need. It then holds
    what they define as well. KeyError for an id that the notebook lacks.
    """
    source = sources(notebook)
    for cell in cells:
        exec(compile(source[cell], cell, "exec"), names)
