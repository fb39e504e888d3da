"""The editions of a notebook: blank (as committed), solved, and the committed outputs of the solved.

The committed notebook has stubs in its exercise cells. The solved edition imports the answers from
`lib` instead. `refresh` runs the solved edition in a fresh kernel and stores its outputs in the
committed notebook, with two exceptions, so that nothing is spoiled: an exercise cell stores nothing,
a check cell what it prints before anything is written. The output of a reveal cell is stored folded.
"""

from __future__ import annotations

import ast
import copy
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lib.exercises.solutions import solution_source
from lib.exercises.spec import Exercise
from tools.kernel import QUIET
from tools.live_views import keep_what_stands_still, needs_kernel, write
from tools.notebook_files import has_tag, read_notebook

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_SECONDS = 600


class RefreshFailed(Exception):
    """A notebook that did not run cleanly; its file was left as it was."""


def solve(book: NotebookNode, exercises: Mapping[str, Exercise]) -> NotebookNode:
    """The solved edition: each exercise cell gives the reference, its source shown below."""
    solved = copy.deepcopy(book)
    solved.cells = []
    for cell in book.cells:
        cell = copy.deepcopy(cell)
        solved.cells.append(cell)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        if not has_tag(cell, "exercise"):
            continue
        try:
            statements = ast.parse(cell.source).body
        except SyntaxError as error:
            where = f"line {error.lineno} of this exercise cell: {error.msg}"
            raise ValueError(f"Python cannot read {where}. Fix it first.\n\n{cell.source}") from None
        bound = [name for statement in statements for name in bound_names(statement)]
        names = [name for name in bound if name in exercises]
        if not names:
            raise ValueError(f"No exercise is called what this exercise cell binds:\n{cell.source}")
        cell.source = _solved_source(cell.source, exercises)
        shown = [solution_source(exercises[name]) for name in names if exercises[name].by_code]
        if shown:
            text = "The answer, as `lib` has it:\n\n```python\n" + "\n\n\n".join(shown) + "\n```"
            solved.cells.append(nbformat.v4.new_markdown_cell(text, id=f"{cell.id}-answer"[-64:]))
    return solved


def solve_file(path: Path, folder: Path, exercises: Mapping[str, Exercise]) -> Path:
    """Write the solved edition of a notebook into `folder`."""
    target = folder / path.name
    if target.resolve() == path.resolve():
        raise ValueError(f"{folder} is where the notebook itself is. Choose another folder with -o.")
    write(solve(read_notebook(path), exercises), target)
    return target


def blank(book: NotebookNode) -> NotebookNode:
    """The imports, exercise and check cells of a notebook, the rest emptied of what it does."""
    edition = copy.deepcopy(book)
    for cell in edition.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if not (has_tag(cell, "exercise") or has_tag(cell, "check")):
                cell.source = "\n".join(imports(cell.source))
    return edition


def refresh(path: Path, exercises: Mapping[str, Exercise]) -> None:
    """Run a notebook's solved edition and store its outputs in the file.

    Raises RefreshFailed, and leaves the file as it was, if a cell raises or writes to stderr.
    """
    book = read_notebook(path)
    solved = run(solve(book, exercises), path.name, strict=True)
    unsolved = run(blank(book), path.name, strict=False)
    ran, ran_blank = ({cell.id: cell for cell in edition.cells} for edition in (solved, unsolved))
    count = 0
    for cell in book.cells:
        if cell.cell_type != "code":
            continue
        if not cell.source.strip():
            cell.outputs, cell.execution_count = [], None
            continue
        count += 1
        cell.execution_count = count
        source = ran_blank if has_tag(cell, "check") else ran
        outputs = [] if has_tag(cell, "exercise") else source[cell.id].outputs
        cell.outputs = [_stored(output, count) for output in _merged(outputs)]
        cell.metadata.pop("execution", None)
        if has_tag(cell, "reveal"):
            cell.metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    book.metadata.pop("widgets", None)
    book.metadata["kernelspec"] = KERNEL
    book.metadata["language_info"] = {"name": "python"}
    write(book, path)


def run(book: NotebookNode, name: str, strict: bool) -> NotebookNode:
    """Run a notebook in a fresh kernel and an empty folder; RefreshFailed if it is not clean."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    book = copy.deepcopy(book)
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, **QUIET, "BERT_COURSE_HOME": str(Path(folder, "my"))}
        environment["BERT_COURSE_STRICT"] = "1" if strict else "0"
        client = NotebookClient(
            book,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            record_timing=False,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute(env=environment)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # tracebacks come colored
            raise RefreshFailed(f"{name}: a cell did not run.\n{plain}") from None
    for number, cell in enumerate(book.cells):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                raise RefreshFailed(f"{name}, cell {number}: {output.ename}: {output.evalue}")
            if output.output_type == "stream" and output.name == "stderr":
                raise RefreshFailed(f"{name}, cell {number} wrote to stderr:\n{output.text}")
    return book


def bound_names(statement: ast.stmt) -> list[str]:
    """The names that a statement of an exercise cell defines or assigns."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def imports(source: str) -> list[str]:
    """The import statements of a cell, which may hold magics."""
    from IPython.core.inputtransformer2 import TransformerManager

    tree = ast.parse(TransformerManager().transform_cell(source))
    return [ast.unparse(s) for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]


def _solved_source(stub: str, exercises: Mapping[str, Exercise]) -> str:
    """What stands in an exercise cell of the solved edition: answers for stubs, the rest as it was."""
    lines = stub.splitlines()
    for statement in reversed(ast.parse(stub).body):
        names = [name for name in bound_names(statement) if name in exercises]
        if names:
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
            lines[first - 1 : statement.end_lineno] = _answer(exercises[names[0]]).splitlines()
    return "\n".join(lines)


def _answer(exercise: Exercise) -> str:
    """The code that gives the right answer: for a function, its import."""
    if not exercise.by_code:
        return solution_source(exercise)
    module = exercise.reference.__module__
    path = module.replace(".", "/") + ".py"
    return f"# The course's own version, from {path}\nfrom {module} import {exercise.name}"


def _stored(output: NotebookNode, count: int) -> NotebookNode:
    """An output as it is committed: what only lives with a kernel or a script becomes its text."""
    if output.output_type == "execute_result":
        output.execution_count = count
    if needs_kernel(output):
        keep_what_stands_still(output)
    return output


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what was printed in several pieces, which differ from run to run."""
    merged: list[NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        is_stream = last is not None and last.output_type == output.output_type == "stream"
        if is_stream and last is not None and last.name == output.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged
