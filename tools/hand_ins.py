"""One answer out of a hand-in, from its source alone.

An answer is found by the name that the learner's code binds, wherever in the notebook; if several
cells bind it, the last does, and that cell is run whole. Of the other cells only what the answer
needs is run: the statements that bind the names it refers to, those that these refer to, and so on,
in the order of the notebook. A cell that is slow, broken, or was never meant to be run hurts only
the answers that lean on it.

Code is run as IPython runs it: what a cell imports from `__future__` holds for those below, a cell may
`await`, and magics, `!` and `?` are no Python. `input` gives "", as whoever presses Enter does.
"""

from __future__ import annotations
import __future__

import ast
import asyncio
import builtins
import functools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any

from lib.exercises import traces
from lib.exercises.report import Report
from lib.exercises.running import call
from lib.exercises.solutions import free_names, solution_source
from lib.exercises.spec import Exercise
from lib.exercises.trials import Trials

RUNS_PYTHON = {"time", "capture", "prun"}  # magics that run the code below, or beside, where they stand
NOT_RUN = frozenset(["check", "hint", "solution", "use", "run_line_magic", "run_cell_magic", "system"])
TELLING = 6  # lines: two who write as few may well write the same


@dataclass
class Statement:
    """A top-level statement: the names it binds, those it refers to, what it is compiled from."""

    file: str  # "cell 7"
    node: ast.stmt
    binds: set[str]
    changes: set[str]
    needs: set[str]
    flags: int = 0  # of the compiler, for what was imported from `__future__` above

    def run(self, space: dict[str, Any]) -> Any:
        """Run it, or return the coroutine that does, if it awaits; tracebacks will name the cell."""
        flags = self.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        return eval(compile(ast.Module([self.node], []), self.file, "exec", flags, dont_inherit=True), space)


@dataclass
class HandedIn:
    """The answer called `name` in a hand-in, of which these are the code cells by number.

    whole: all is run that stands above the answer, needed or not.
    """

    cells: list[tuple[int, str]]
    name: str
    whole: bool = False
    needed: list[Statement] = field(default_factory=list)
    broken: str = ""  # why a cell that seems to hold the answer cannot be parsed

    def prepare(self) -> None:
        """Find what the answer needs and run the imports among it, which are not timed."""
        statements = self._statements()
        self.needed = needed(statements, self.name)
        if self.whole and self.needed:
            above = statements[: _last(statements, self.name) + 1]
            self.needed = [statement for statement in above if not _is_left_out(statement.node)]
        for statement in self.needed:
            if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
                with suppress(BaseException):  # it will raise again when it counts
                    statement.run({})

    def judged(self, exercise: Exercise, trials: Trials) -> Report:
        """Run what the answer needs, then judge what its name is bound to."""
        if not any(self.name in statement.binds for statement in self.needed):
            if self.broken:
                return Report(False, self.broken, status="error")
            return Report(False, f"No cell defines {self.name}.", status="missing")
        if exercise.kind == "function" and _is_copy(self.needed, self.name, solution_source(exercise)):
            return Report(False, f"{self.name} is the course's own, line for line.", status="copied")
        tripwire = Tripwire(exercise)
        with tripwire.set():
            candidate, error = asyncio.new_event_loop().run_until_complete(self._run())
        tripwire.calls = 0  # a learner may well compare with the course's own below the answer
        if error is not None:
            return Report(False, traces.in_words(error)[0], status="error")
        if tripwire.is_it(candidate):
            return Report(False, f"{self.name} is the course's own, imported.", status="copied")
        report = exercise.judge(candidate, trials, tripwire.set)
        if tripwire.calls:
            return Report(False, f"{self.name} calls the course's own version.", status="copied")
        return report

    async def _run(self) -> tuple[Any, BaseException | None]:
        """What the name is bound to in the end, or the exception that its cell stops with before.

        What other cells raise is let pass: if the answer misses a name, it will say so. So is a
        NameError in the answer's own cell, whose other lines may show what we have not run.
        """
        main = ModuleType("__main__")
        sys.modules["__main__"] = main
        space = vars(main)
        space["display"] = lambda *objects, **options: None  # IPython has it everywhere
        space["input"] = enter = lambda *_: ""  # while cells are run, not while the answer is judged
        last = _last(self.needed, self.name)
        for number, statement in enumerate(self.needed):
            try:
                if (waiting := statement.run(space)) is not None:
                    await waiting
            except BaseException as error:  # the learner's: SystemExit too
                before = number < last and statement.file == self.needed[last].file
                if number == last or (before and not isinstance(error, NameError)):
                    return None, error
        if space.get("input") is enter:
            del space["input"]
        return space.get(self.name), None

    def _statements(self) -> list[Statement]:
        statements: list[Statement] = []
        flags = 0
        for number, source in self.cells:
            file = f"cell {number}"
            try:
                code = plain_python(source)
                body = [_analyzed(file, node) for node in _Magics().visit(ast.parse(code)).body]
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                if _seems_to_bind(source, self.name):
                    line = getattr(error, "lineno", None)
                    where = f"{file}, line {line}" if line else file
                    python = ".".join(map(str, sys.version_info[:2]))
                    self.broken = f"Python {python} cannot read {where}: {error}"
                continue
            for statement in body:
                if isinstance(statement.node, ast.ImportFrom) and statement.node.module == "__future__":
                    for name in statement.binds & set(__future__.all_feature_names):
                        flags |= getattr(__future__, name).compiler_flag
                statement.flags = flags
            traces.remember({file: code.splitlines(keepends=True)})
            statements += body
        return statements


class Tripwire:
    """Notices whether the learner's code calls the reference, wherever `lib` offers it."""

    def __init__(self, exercise: Exercise) -> None:
        self.calls = 0
        self.reference = exercise.reference
        # Calls from the exercise's own definition, to set up or to compare, are not the learner's.
        parts = (exercise.run, *(invariant.holds for invariant in exercise.invariants))
        self.ours = {part.__module__ for part in parts if part is not call}
        self.stand_in = self._make() if exercise.by_code else None

    def _make(self) -> Any:
        reference: Any = self.reference

        def count(caller: FrameType) -> None:
            self.calls += caller.f_globals.get("__name__") not in self.ours

        @functools.wraps(reference, updated=())
        def counted(*arguments: Any, **options: Any) -> Any:
            count(sys._getframe(1))
            return reference(*arguments, **options)

        if not isinstance(reference, type):
            return counted

        def start(this: Any, *arguments: Any, **options: Any) -> None:
            count(sys._getframe(1))
            super(stand_in, this).__init__(*arguments, **options)

        stand_in: Any = type(reference.__name__, (reference,), {"__init__": start})
        return stand_in

    @contextmanager
    def set(self) -> Iterator[None]:
        """Put the stand-in wherever a module has the reference, exercises left out, and take it out again."""
        bindings = [
            (module, name)
            for key, module in list(sys.modules.items())
            if key.startswith(("lib.", "chapters.")) and not key.startswith("lib.exercises")
            if not hasattr(module, "EXERCISE")
            for name, value in list(vars(module).items())
            if self.stand_in is not None and value is self.reference
        ]
        for module, name in bindings:
            setattr(module, name, self.stand_in)
        try:
            yield
        finally:
            for module, name in bindings:
                setattr(module, name, self.reference)

    def is_it(self, candidate: Any) -> bool:
        """Whether a candidate is the reference, or a class that inherits from it."""
        if self.stand_in is None:
            return False
        if isinstance(candidate, type) and isinstance(self.reference, type):
            return issubclass(candidate, self.reference)
        return candidate is self.reference or candidate is self.stand_in or self._runs_its_code(candidate)

    def _runs_its_code(self, candidate: Any) -> bool:
        """Whether a function that stands in no cell is the reference's code, executed once more."""
        code, reference = (getattr(function, "__code__", None) for function in (candidate, self.reference))
        if code is None or reference is None or code.co_filename.startswith("cell "):
            return False
        return bool((code.co_code, code.co_names) == (reference.co_code, reference.co_names))


def plain_python(source: str) -> str:
    """A cell as Python alone: magics become calls, a cell in another language becomes nothing."""
    first = source.lstrip().split("\n", 1)[0]
    if first.startswith("%%"):
        if re.split(r"\W", first[2:])[0] not in RUNS_PYTHON:
            return ""
        return plain_python(source.replace(first, "", 1))  # the empty line stays: numbers remain right
    try:
        ast.parse(source)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        return TransformerManager().transform_cell(source)
    return source


def needed(statements: list[Statement], name: str) -> list[Statement]:
    """The statements that `name` needs, and all of the cell that binds it last, in order."""
    if not any(name in statement.binds for statement in statements):
        return []
    imported: set[str] = set()
    for statement in statements:
        if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            imported |= statement.binds
    cell = statements[_last(statements, name)].file
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
        if number in chosen or (statement.file == cell and not _is_left_out(statement.node))
    ]


def _last(statements: list[Statement], name: str) -> int:
    return max(number for number, statement in enumerate(statements) if name in statement.binds)


def _is_copy(statements: list[Statement], name: str, reference: str) -> bool:
    """Whether what binds a name is the reference's source, line for line, documentation aside.

    What can be said in TELLING lines is no sign: a signature and a hint lead to the same. Nor is an
    `__init__`, whose names are prescribed.
    """
    lines = _bare(reference)
    is_class = isinstance(ast.parse(reference).body[0], ast.ClassDef)
    telling = _bare(reference, "__init__") if is_class else lines
    node = statements[_last(statements, name)].node
    return len(telling) > TELLING and _bare(ast.unparse(node)) == lines


def _bare(source: str, without: str = "") -> list[str]:
    """The lines of a definition as Python writes them: no comments, documentation, annotations, nor the
    function called `without`."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            has_docstring = ast.get_docstring(node) is not None and len(node.body) > 1
            node.body = [part for part in node.body[has_docstring:] if getattr(part, "name", None) != without]
    return ast.unparse(tree).splitlines()


def _is_left_out(node: ast.stmt) -> bool:
    """Whether a statement is a call of check, hint, solution or use, or a magic."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return called in NOT_RUN


def _analyzed(file: str, node: ast.stmt) -> Statement:
    names = _Names()
    names.visit(node)
    try:
        needs = free_names(node)
    except SyntaxError:  # a comprehension that awaits
        needs = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return Statement(file, node, names.binds, names.changes, needs - vars(builtins).keys())


class _Magics(ast.NodeTransformer):
    """Puts the code of `%time x = f()` in the place of the call that IPython makes of it."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        return body if (body := _beside_magic(node.value)) else node

    def visit_Call(self, node: ast.Call) -> Any:
        body = _beside_magic(node)
        return body[0].value if body and isinstance(body[0], ast.Expr) else self.generic_visit(node)


def _beside_magic(call: ast.expr) -> list[ast.stmt]:
    """The code beside a magic that runs it where it stands; none for all else."""
    match call:
        case ast.Call(
            func=ast.Attribute(attr="run_line_magic"),
            args=[ast.Constant(value=name), ast.Constant(value=str(code))],
        ) if name in RUNS_PYTHON:
            tree = ast.parse(re.sub(r"^(-\w+\s+)+", "", code))
            return ast.increment_lineno(tree, call.lineno - 1).body
    return []


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


def _seems_to_bind(source: str, name: str) -> bool:
    pattern = rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^[ \t]*{name}[ \t]*(?::[^=\n]*)?=[^=]"
    return re.search(pattern, source, re.MULTILINE) is not None
