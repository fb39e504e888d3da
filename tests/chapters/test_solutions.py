"""What `solution(name)` prints is a lesson: it runs on Python, torch and what earlier exercises asked for."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from types import ModuleType
from typing import Any

import pytest
from judged import EVERY, name_of
from notebook_file import Notebook
from notebook_plain import PLAIN

from lib import exercises, root
from lib.exercises import registry
from lib.exercises.solutions import free_names, solution_source
from lib.exercises.spec import Exercise

WRITTEN = [exercise for exercise in EVERY if exercise.by_code and exercise.notebook[:2] in PLAIN]


class Unannotated(ast.NodeTransformer):
    """Code without its type hints, which need not exist where it runs."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        return ast.Assign([node.target], node.value or ast.Constant(None), lineno=node.lineno)


def is_at_hand(value: Any) -> bool:
    """Whether it is of Python's own library or of torch."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    root = str(module).partition(".")[0]
    return root == "torch" or root in sys.stdlib_module_names


@pytest.mark.parametrize("exercise", WRITTEN, ids=name_of)
def test_a_solution_stands_alone(exercise: Exercise) -> None:
    tree = Unannotated().visit(ast.parse(solution_source(exercise)))
    needed = free_names(ast.fix_missing_locations(tree).body[0]) - vars(builtins).keys() - {exercise.name}
    around = vars(inspect.getmodule(exercise.reference))
    strange = {name for name in needed if not is_at_hand(around[name])}
    earlier = {name for name in strange & registry.names().keys() if is_earlier(name, exercise)}
    lacking = strange - earlier - given_names(exercise)
    assert not lacking, f"the reader has no {', '.join(sorted(lacking))}"


def given_names(exercise: Exercise) -> set[str]:
    """What the cell that the reader completes uses already, such as a part of BERT that is given."""
    book = Notebook(root / "notebooks" / f"{exercise.notebook}.ipynb")
    found: set[str] = set()
    for cell in book.code:
        if "exercise" in cell.tags and f" {exercise.name}(" in cell.source:
            for statement in cell.tree.body:
                found |= free_names(statement)
    return found


def is_earlier(name: str, exercise: Exercise) -> bool:
    """Whether another exercise has asked for a function before."""
    return exercises.get(name).notebook <= exercise.notebook
