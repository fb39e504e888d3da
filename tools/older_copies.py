"""Copies of notebooks that were made before an update: what they ask of the course and is there no more."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lib import figures, root
from tools.notebook_files import notebook_text

HOUSES = ("lib", "chapters")  # what notebooks import


def names_in(sources: Iterable[str]) -> set[str]:
    """What code takes from the course, as full names: the imports, and the attributes of these.

    Cells that are no Python, such as a learner's half-written one, are left out.
    """
    nodes = [node for source in sources for node in _nodes(source)]
    places: dict[str, str] = {}  # what a name of the notebook stands for
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in HOUSES:
            places |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    rebound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    rebound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    ours = places.keys() - rebound  # a notebook may take a module's name for something of its own
    used = {
        f"{places[node.value.id]}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ours
    }
    return set(places.values()) | used


def gone(copy: Path) -> list[str]:
    """What a copy takes from the course and the course has no more, read off the files alone."""
    try:
        cells = json.loads(notebook_text(copy))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # what is wrong with a damaged file is said where it is read
    return sorted(name for name in names_in(sources) if not _is_there(name))


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []


def _is_there(name: str) -> bool:
    """Whether a module or a name of a module; what is an attribute of anything else is not looked into."""
    module, _, last = name.rpartition(".")
    if _file_of(name) or module == "lib.figures":
        return bool(_file_of(name)) or last in dir(figures)
    if _file_of(module) is None:
        above = module.rpartition(".")[0]
        return _file_of(above) is not None and _is_there(module)
    return last in _names_of_module(module)


def _file_of(module: str) -> Path | None:
    place = root.joinpath(*module.split("."))
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _names_of_module(module: str) -> frozenset[str]:
    """What a module binds, wherever in it."""
    file = _file_of(module)
    assert file is not None  # whoever asks has looked
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return frozenset(names)
