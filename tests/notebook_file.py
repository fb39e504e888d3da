"""A notebook file, read for the rules that it keeps."""

import ast
import json
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tools.folded import FOLDED, unfolded

PICTURES = ("image/png", "image/jpeg", "image/svg+xml")

Found = Iterator[tuple[int | None, str]]  # what a rule finds: the cell's number (None: the whole file), why


def text_of(value: str | list[str] | None) -> str:
    """The format keeps a text whole or as a list of lines."""
    return "".join(value) if isinstance(value, list) else value or ""


class Cell:
    """One cell, with what the rules ask of it."""

    def __init__(self, number: int, raw: dict[str, Any]) -> None:
        self.number = number
        self.kind: str = raw["cell_type"]
        fold = FOLDED.match(text_of(raw["source"]))
        self.folded = fold["text"] if fold else ""
        self.source = unfolded(text_of(raw["source"]))
        self.metadata: dict[str, Any] = raw.get("metadata", {})
        self.tags: list[str] = self.metadata.get("tags", [])
        self.outputs: list[dict[str, Any]] = raw.get("outputs", [])
        self.execution_count: int | None = raw.get("execution_count")
        self.slide: str = self.metadata.get("slideshow", {}).get("slide_type", "")

    @property
    def is_text(self) -> bool:
        return self.kind == "markdown"

    @property
    def is_code(self) -> bool:
        return self.kind == "code" and bool(self.source.strip())

    @property
    def lines(self) -> int:
        """Lines of code that hold something."""
        return sum(bool(line.strip()) for line in self.source.splitlines())

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed code. Lines for IPython alone (`%...`, `!...`, `...?`) are left out."""
        kept = (
            "" if line.lstrip().startswith(("%", "!")) or line.rstrip().endswith("?") else line
            for line in self.source.splitlines()
        )
        return ast.parse("\n".join(kept))

    def calls(self, name: str) -> list[ast.Call]:
        """The calls of a function by its name, as `name(...)` or `something.name(...)`."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        return [call for call in found if ast.unparse(call.func).split(".")[-1] == name]

    def imports(self) -> set[str]:
        """Every module that the cell imports, as written, such as `torch.nn`."""
        names: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module or "")
        return names

    def has_picture(self) -> bool:
        return any(kind in output.get("data", {}) for output in self.outputs for kind in PICTURES)


class Notebook:
    """A notebook file, read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes = path.stat().st_size
        raw = json.loads(path.read_text(encoding="utf-8"))
        self.metadata: dict[str, Any] = raw.get("metadata", {})
        self.cells = [Cell(number, cell) for number, cell in enumerate(raw["cells"])]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.is_code]

    @property
    def text(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.is_text]

    @property
    def core(self) -> list[Cell]:
        """What everybody reads: neither what goes further nor what is for the lecturer."""
        return [cell for cell in self.cells if not {"stretch", "notes"} & set(cell.tags)]


@cache
def committed(path: Path) -> Notebook:
    """A notebook that no test writes, read once."""
    return Notebook(path)
