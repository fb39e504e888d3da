"""Who needs what: lib has no module that one notebook alone needs, unless it is a method of the field."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterable

from lib import figures, root
from lib.provenance import imported, modules_among, modules_of_the_course

KNOWN = modules_of_the_course()
GRAPH = {name: modules_among(imported(path), KNOWN) for name, path in KNOWN.items()}
#: methods of the field, and how they are measured: there for whoever uses the library
METHODS = ("lib.bert.", "lib.compression.", "lib.training.", "lib.records.")
#: others that fewer than two notebooks need, and why they are in lib
EXCEPTIONS = {
    "lib.analysis.attention.head_ablation": "heads closed by a gate; two studies run it beside its notebook",
    "lib.analysis.landscape.curvature": "the top eigenvalue, a method; bits by curvature stand on it",
    "lib.analysis.landscape.losses": "what curvature is of",
    "lib.exercises.predictions": "the kind of exercise that asks for a number, in any chapter",
    "lib.exercises.steps": "how a training step is judged, in any chapter that asks for one",
    "lib.exercises.walls": "what a grader asks for",
    "lib.text.wikitext": "WikiText's format, for whoever pretrains",
}


def needed_by(starts: Iterable[str]) -> set[str]:
    """Modules and all that they import."""
    found, waiting = set[str](), list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += GRAPH[name]
    return found


def names_in(source: str) -> set[str]:
    """What a cell imports, and the modules of the drawings that it asks `figures` for."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            drawn = figures._modules().get(node.attr) if node.value.id == "figures" else None
            names |= {f"lib.figures.{drawn}"} if drawn else set()
    return names


def notebooks_of() -> dict[str, set[str]]:
    """The numbers of the notebooks that need each module."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in (root / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        asked = modules_among(set().union(*map(names_in, sources)), KNOWN)
        chapter = {name for name in KNOWN if name.startswith(f"chapters.nb{path.name[:2]}")}
        for name in needed_by(asked | chapter):
            found[name].add(path.name[:2])
    return found


def test_lib_has_no_module_for_one_notebook() -> None:
    notebooks = notebooks_of()
    lonely = {
        name
        for name in KNOWN
        if name.startswith("lib.") and len(notebooks[name]) < 2 and not name.startswith(METHODS)
    }
    assert lonely == EXCEPTIONS.keys(), lonely ^ EXCEPTIONS.keys()


#: studies that are not yet a file of their own; the list only gets shorter
SHARING = {"ledger", "registry"}


def test_a_study_reads_rows_of_another_and_never_its_functions() -> None:
    for name in KNOWN:
        if name.startswith("studies.") and name.removeprefix("studies.") not in SHARING:
            used = {module for module in GRAPH[name] if module.startswith("studies.")}
            assert all(module.startswith("studies.methods") for module in used), name


def test_notebooks_import_no_study() -> None:
    for path in (root / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        assert "studies" not in sources, path.name
