"""The statements of a hand-in: what each binds, changes and needs, and which of them an answer needs.

Names come out of a learner's own files too, by `import` and by `exec`.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from lib.exercises.solutions import free_names
from tools.beside import named

NOT_RUN = frozenset(["check", "hint", "solution", "use", "run_line_magic", "run_cell_magic", "system"])

Sources = Mapping[str, dict[str, ast.stmt]]  # by the path of a learner's file: the names that it binds


@dataclass
class Statement:
    """A top-level statement: the names it binds, those it refers to, what it is compiled from."""

    file: str  # "cell 7"
    node: ast.stmt
    binds: set[str]
    changes: set[str]
    needs: set[str]
    brings: dict[str, ast.stmt] = field(default_factory=dict)  # out of a file, by what binds each there
    flags: int = 0  # of the compiler, for what was imported from `__future__` above

    def run(self, space: dict[str, Any]) -> Any:
        """Run it, or return the coroutine that does, if it awaits; tracebacks will name the cell."""
        flags = self.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        return eval(compile(ast.Module([self.node], []), self.file, "exec", flags, dont_inherit=True), space)


def needed(statements: list[Statement], name: str) -> list[Statement]:
    """The statements that `name` needs, and all of the cell that binds it last, in order."""
    if not any(name in statement.binds for statement in statements):
        return []
    imported: set[str] = set()
    for statement in statements:
        if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            imported |= statement.binds
    cell = statements[last(statements, name)].file
    imported_beside: set[str] = set()  # by the answer's own cell: what cells above call so is not meant
    for statement in statements:
        if statement.file == cell and isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            imported_beside |= statement.binds
    wanted, chosen = {name, "*"}, set()
    growing = True
    while growing:
        growing = False
        for number, statement in enumerate(statements):
            # A call such as torch.manual_seed(0) or os.remove(...) does not make a name.
            made = statement.binds | (statement.changes - imported)
            if number not in chosen and made & wanted:
                chosen.add(number)
                wanted |= statement.needs - (imported_beside if statement.file == cell else set())
                growing = True
    return [
        statement
        for number, statement in enumerate(statements)
        if number in chosen or (statement.file == cell and not is_left_out(statement.node))
    ]


def helpers_first(statements: list[Statement], name: str) -> list[Statement]:
    """The statements with what stands below `name` and alone imports or defines something put above it.

    The kernel had it, whatever the order in which cells were run.
    """
    at = last(statements, name)
    above = set().union(*(statement.binds for statement in statements[:at]))
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    below = statements[at + 1 :]
    helpers = [one for one in below if isinstance(one.node, kinds) and not one.binds & above]
    rest = [one for one in below if one not in helpers]
    return [*statements[:at], *helpers, statements[at], *rest]


def last(statements: list[Statement], name: str) -> int:
    """The number of the last statement that binds a name."""
    return max(number for number, statement in enumerate(statements) if name in statement.binds)


def is_left_out(node: ast.stmt) -> bool:
    """Whether a statement is a call of check, hint, solution or use, or a magic."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return called in NOT_RUN


def seems_to_bind(source: str, name: str) -> bool:
    """Whether a source that Python cannot read looks as if it bound a name."""
    pattern = rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^[ \t]*{name}[ \t]*(?::[^=\n]*)?=[^=]"
    return re.search(pattern, source, re.MULTILINE) is not None


def bound_in_files(trees: Mapping[str, list[ast.stmt]]) -> Sources:
    """The names that each of a learner's files binds, with the last statement that does."""
    bound: dict[str, dict[str, ast.stmt]] = {path: {} for path in trees}
    for path, body in trees.items():
        for statement in analyzed(zip(repeat(path), body), {}):
            bound[path] |= dict.fromkeys(statement.binds, statement.node)
    return bound


def analyzed(nodes: Iterable[tuple[str, ast.stmt]], sources: Sources) -> Iterator[Statement]:
    """Statements, each with its cell or file, which may import from `sources` and execute what they hold."""
    executed: dict[str, ast.stmt] = {}  # by exec(code), with code = open("a.py").read() above
    for file, node in nodes:
        names = _Names()
        names.visit(node)
        needs = _needs(node)
        there: dict[str, ast.stmt] = {}
        for path in named(ast.unparse(node), sources):
            there |= sources[path]
        executed = there or executed
        brings: dict[str, ast.stmt] = {}
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):  # in there they stay
            brings = _imported(node, there)
            if "exec" in needs:
                brings |= executed
                needs = needs.union(*map(_needs, brings.values()))
        binds = names.binds | brings.keys()
        yield Statement(file, node, binds, names.changes, needs - vars(builtins).keys(), brings)


def _needs(node: ast.stmt) -> set[str]:
    """The names that a statement takes from around it: those that it binds first itself are no need."""
    if not isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.If, ast.While)):
        return _free_names(node)
    head: Any = copy.copy(node)
    head.body, head.orelse = [ast.Pass()], []
    needs = _free_names(head)
    for block in (node.body, getattr(node, "orelse", [])):
        bound = _stored(head)
        for statement in block:
            needs |= _needs(statement) - bound
            if isinstance(statement, ast.Assign):
                bound = bound.union(*map(_stored, statement.targets))
    return needs


def _stored(node: ast.AST) -> set[str]:
    return {p.id for p in ast.walk(node) if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}


def _free_names(node: ast.stmt) -> set[str]:
    try:
        return free_names(node)
    except SyntaxError:  # a comprehension that awaits
        return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _imported(node: ast.stmt, there: dict[str, ast.stmt]) -> dict[str, ast.stmt]:
    """The names that a statement imports of those that are `there`, each with the statement that binds it."""
    brings: dict[str, ast.stmt] = {}
    for part in ast.walk(node):
        if not isinstance(part, ast.ImportFrom):
            continue
        for alias in part.names:
            if alias.name == "*":
                brings |= there
            elif alias.name in there:
                brings[alias.asname or alias.name] = there[alias.name]
    return brings


class _Names(ast.NodeVisitor):
    """Collects the names that a statement binds and those whose objects it changes."""

    def __init__(self) -> None:
        self.binds: set[str] = set()
        self.changes: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.binds.add(node.name)  # and not what its body binds

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_ClassDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Its names are its own."""

    def visit_ListComp(self, node: ast.expr) -> None:
        """Its names are its own, but for those that := binds."""
        self.binds |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        if name := node.rest if isinstance(node, ast.MatchMapping) else node.name:
            self.binds.add(name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs
    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.binds |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    visit_ImportFrom = visit_Import

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.binds.add(node.id)

    def visit_Attribute(self, node: ast.Attribute | ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store):
            self._change(node)
        self.generic_visit(node)

    visit_Subscript = visit_Attribute

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            self._change(node.value.func)  # rows.append("b")
        self.generic_visit(node)

    def _change(self, node: ast.expr) -> None:
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if isinstance(node, ast.Name):
            self.changes.add(node.id)
