"""The right answers as source: to read, and to run as they stand."""

from __future__ import annotations

import ast
import builtins
import inspect
import symtable
import textwrap

from lib.exercises.spec import Exercise


def solution_source(exercise: Exercise) -> str:
    """The source of the right answer: the reference's, or an assignment of the value."""
    if exercise.by_code:
        return textwrap.dedent(inspect.getsource(exercise.reference)).rstrip()
    return f"{exercise.name} = {exercise.answer or repr(exercise.expected())}"


def runnable_source(exercise: Exercise) -> str:
    """The right answer with the imports that it needs above it."""
    source = solution_source(exercise)
    if not exercise.by_code:
        return source
    needed = free_names(ast.parse(source).body[0]) - vars(builtins).keys() - {exercise.name}
    module = inspect.getmodule(exercise.reference)
    assert module is not None
    lines = []
    for node in ast.parse(inspect.getsource(module)).body:
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                used = [alias for alias in aliases if (alias.asname or alias.name) in needed]
                if used:
                    node.names = used
                    lines.append(ast.unparse(node))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in needed:
                lines.append(f"from {module.__name__} import {name}")
            case ast.Assign(targets=targets):
                made = [
                    part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
                ]
                lines += [f"from {module.__name__} import {name}" for name in made if name in needed]
    return "\n".join([*lines, "", "", source]) if lines else source


def free_names(node: ast.stmt) -> set[str]:
    """The names that a statement takes from around it, those in the functions it makes included."""
    top = symtable.symtable(ast.unparse(node), "cell", "exec")
    names, tables = set(), [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                names.add(symbol.get_name())
    return names
