"""One answer out of a hand-in, from its source alone.

An answer is found by the name that the learner's code binds, wherever in the notebook; if several
cells bind it, the last does, and that cell is run whole. Of the other cells only what the answer
needs is run: the statements that bind the names it refers to, those that these refer to, and so on,
in the order of the notebook. A cell that is slow, broken, or was never meant to be run hurts only
the answers that lean on it.

Code is run as IPython runs it: what a cell imports from `__future__` holds for those below, a cell may
`await`, and magics, `!` and `?` are no Python, but for `%run`. `input` gives "", as whoever presses Enter
does. What lay beside the notebook, and what `%%writefile` writes, can be imported and opened.
"""

from __future__ import annotations
import __future__

import ast
import asyncio
import functools
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import FrameType, ModuleType
from typing import Any, ClassVar

from lib.exercises import traces
from lib.exercises.report import Report
from lib.exercises.running import call
from lib.exercises.solutions import solution_source
from lib.exercises.spec import Exercise
from lib.exercises.trials import Trials
from tools.beside import MAX_BYTES, MAX_FILES, Files, inside, lay_out, with_written
from tools.statements import (
    Statement,
    analyzed,
    bound_in_files,
    helpers_first,
    is_left_out,
    last,
    needed,
    seems_to_bind,
)

RUNS_PYTHON = {"time", "capture", "prun"}  # magics that run the code below, or beside, where they stand
THERE = (
    "Answers have the packages of the course, and the Python files in the learner's own folder"
    f" ({MAX_FILES} at most, of {MAX_BYTES // 1000} kB, no links)."
)
TELLING = 7  # lines: two who write as few may well write the same
#: what is in a cell that is no Python, and what to say of it
PASTED = {
    r"^(<{7}|>{7})( |$)": "it holds both sides of a merge conflict: settle that first",
    r"^[ \t]*```": "it holds ``` of Markdown: take those lines out",
}


@dataclass
class HandedIn:
    """The answer called `name` in a hand-in, of which these are the code cells by number.

    whole: all is run that stands above the answer, needed or not. files: what lay beside the notebook; with
    what its cells write they come into the folder that the answer is run in.
    """

    cells: list[tuple[int, str]]
    name: str
    whole: bool = False
    files: Files = field(default_factory=dict)
    needed: list[Statement] = field(default_factory=list)
    broken: str = ""  # why a cell that seems to hold the answer cannot be parsed
    missed: list[str] = field(default_factory=list)  # why what it imports could not be
    stopped: str = ""  # what the first statement that failed above it in its cell raised

    def prepare(self) -> None:
        """Find what the answer needs and run the imports among it, which are not timed.

        The learner's own files are not there yet: what is imported from them is timed, and judged.
        """
        self.files = with_written(self.files, self.cells)
        statements = self._statements()
        if not any(self.name in statement.binds for statement in statements):
            for statement in statements:
                if "*" in statement.binds:  # of a module that we have not read: it may bind all names
                    statement.binds.add(self.name)
        self.needed = needed(statements, self.name)
        if self.whole and self.needed:
            above = statements[: last(statements, self.name) + 1]
            self.needed = [statement for statement in above if not is_left_out(statement.node)]
        elif self.needed:
            self.needed = helpers_first(self.needed, self.name)
        for statement in self.needed:
            if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
                with suppress(BaseException):  # it will raise again when it counts
                    statement.run({})

    def judged(self, exercise: Exercise, trials: Trials) -> Report:
        """Run what the answer needs, then judge what its name is bound to."""
        report = self._judged(exercise, trials)
        lacks = report.status == "error" and "NameError" in report.message
        if lacks and self.stopped:
            return replace(report, message=self.stopped)
        missed = "; ".join(self.missed) if lacks else ""
        absent = dict.fromkeys(re.findall(r"No module named '([\w.]+)'", f"{missed} {report.message}"))
        if report.status != "error" or not (missed or absent):
            return report
        why = f"An import failed: {missed}."
        if absent:
            why = f"No such module here: {', '.join(absent)}. {THERE}"
        return replace(report, message=f"{why} {report.message}")

    def _judged(self, exercise: Exercise, trials: Trials) -> Report:
        missing = Report(False, f"No cell defines {self.name}.", status="missing")
        if self.broken:
            missing = Report(False, self.broken, status="error")
        if not self.needed:
            return missing
        if exercise.kind == "function" and _is_copy(self.needed, self.name, solution_source(exercise)):
            return Report(False, f"{self.name} is the course's own, line for line.", status="copied")
        tripwire = Tripwire(exercise)
        with tripwire.set():
            space, error = asyncio.new_event_loop().run_until_complete(self._run())
        tripwire.calls = 0  # a learner may well compare with the course's own below the answer
        if isinstance(error, SyntaxError) and self.broken:
            return Report(False, self.broken, status="error")
        if error is not None:
            return Report(False, traces.in_words(error)[0], status="error")
        if self.name not in space:
            return missing
        candidate = space[self.name]
        if tripwire.is_it(candidate) or (tripwire.runs_its_code(candidate) and not self._wrote(candidate)):
            return Report(False, f"{self.name} is the course's own, imported.", status="copied")
        report = exercise.judge(candidate, trials, tripwire.set)
        if tripwire.calls:
            return Report(False, f"{self.name} calls the course's own version.", status="copied")
        return report

    async def _run(self) -> tuple[dict[str, Any], BaseException | None]:
        """What the names are bound to in the end, and the exception of the statement that binds the answer.

        What others raise is let pass, as they may need a learner's disk, GPU or keyboard: if the answer
        misses a name, it will say so.
        """
        lay_out(self.files)
        main = ModuleType("__main__")
        sys.modules["__main__"] = main
        space = vars(main)
        shell = ZMQInteractiveShell()
        space["display"] = shell  # IPython has it everywhere, as `get_ipython`
        space["input"] = enter = lambda *_: ""  # while cells are run, not while the answer is judged
        at = last(self.needed, self.name)
        for number, statement in enumerate(self.needed):
            space["get_ipython"] = lambda: shell  # if imported, it would give None
            try:
                if (waiting := statement.run(space)) is not None:
                    await waiting
            except BaseException as error:  # the learner's: SystemExit too
                if isinstance(error, (ImportError, SyntaxError)):
                    self.missed.append(str(error))
                if number == at:
                    return space, error
                own = number < at and statement.file == self.needed[at].file
                if own and not isinstance(error, (NameError, ImportError)):
                    self.stopped = self.stopped or traces.in_words(error)[0]
        if space.get("input") is enter:
            del space["input"]
        return space, None

    def _wrote(self, function: Any) -> bool:
        """Whether a function's code stands in a cell, or in a file of the learner's."""
        brought = self.needed[last(self.needed, self.name)].brings.get(self.name)
        return isinstance(brought, ast.FunctionDef) or traces.is_theirs(function.__code__.co_filename)

    def _statements(self) -> list[Statement]:
        trees = {
            path: self._parsed(path, content.decode("utf-8", "replace"))
            for path, content in self.files.items()
            if path.endswith(".py")
        }
        cells = [(f"cell {number}", source) for number, source in self.cells]
        nodes = [(file, node) for file, source in cells for node in self._parsed(file, source)]
        statements = list(analyzed(nodes, bound_in_files(trees)))
        flags = 0
        for statement in statements:
            if isinstance(statement.node, ast.ImportFrom) and statement.node.module == "__future__":
                for name in statement.binds & set(__future__.all_feature_names):
                    flags |= getattr(__future__, name).compiler_flag
            statement.flags = flags
        return statements

    def _parsed(self, file: str, source: str) -> list[ast.stmt]:
        """The statements of a cell or file; none if Python cannot read it, which is noted of the answer's."""
        try:
            code = plain_python(source)
            traces.remember({file: code.splitlines(keepends=True)})
            body: list[ast.stmt] = _Magics().visit(ast.parse(code)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if seems_to_bind(source, self.name):
                line = getattr(error, "lineno", None)
                where = f"{file}, line {line}" if line else file
                python = ".".join(map(str, sys.version_info[:2]))
                pasted = (says for mark, says in PASTED.items() if re.search(mark, source, re.MULTILINE))
                self.broken = f"Python {python} cannot read {where}: {next(pasted, error)}"
            return []
        return body


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
        return candidate is self.reference or candidate is self.stand_in

    def runs_its_code(self, candidate: Any) -> bool:
        """Whether a function is the reference's code, executed once more."""
        code, reference = (getattr(function, "__code__", None) for function in (candidate, self.reference))
        if code is None or reference is None or self.stand_in is None:
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


def _is_copy(statements: list[Statement], name: str, reference: str) -> bool:
    """Whether what binds a name is the reference's source, line for line, documentation aside.

    What can be said in TELLING lines is no sign: a signature and a hint lead to the same. Nor is an
    `__init__`, whose names are prescribed.
    """
    lines = _bare(reference)
    is_class = isinstance(ast.parse(reference).body[0], ast.ClassDef)
    telling = _bare(reference, "__init__") if is_class else lines
    number = last(statements, name)
    node = statements[number].brings.get(name, statements[number].node)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):  # it goes by another name
        other = node.value.id
        if any(other in statement.binds for statement in statements[:number]):
            return _is_copy(statements[:number], other, re.sub(rf"\b{name}\b", other, reference))
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
    return [line for line in ast.unparse(tree).splitlines() if line]


class ZMQInteractiveShell:
    """What `get_ipython()` gives: its name is that of a notebook's, and it does nothing that it is told."""

    __module__ = "ipykernel.zmqshell"
    config: ClassVar[dict[str, Any]] = {"IPKernelApp": {}}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **options: Any) -> list[str]:
        """The lines that a command prints, which is not run: none."""
        return []


class _Magics(ast.NodeTransformer):
    """Puts the code of `%time x = f()` in the place of the call that IPython makes of it.

    `import a, b` becomes two statements: if one cannot be imported, the other can.
    """

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return [ast.copy_location(ast.Import([alias]), node) for alias in node.names]

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
        ) if name in RUNS_PYTHON | {"run"}:
            code = re.sub(r"^(-\w+\s+)+", "", code)
            tree = ast.parse(_execution(code) if name == "run" else code)
            return ast.increment_lineno(tree, call.lineno - 1).body
    return []


def _execution(arguments: str) -> str:
    """What `%run` with these arguments does, in Python."""
    file = PurePosixPath(inside(next(iter(shlex.split(arguments)), "")))
    path = str(file if file.suffix else file.with_suffix(".py"))
    return f"exec(compile(open({path!r}).read(), {path!r}, 'exec'))"
