"""What the reader committed to in the explorers, which keep it in `my/predictions.json`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from lib.files import home, write_json

FILE = "predictions.json"  # lib.figures writes it, and imports nothing of lib


def forget(book: NotebookNode) -> None:
    """Forget the answers to the questions that the explorers of a notebook ask."""
    try:
        answers = json.loads((home() / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return  # none yet, or a damaged file
    patterns = list(questions(book))
    left = {text: answer for text, answer in answers.items() if not any(p.fullmatch(text) for p in patterns)}
    if left != answers:
        write_json(home() / FILE, left)


def questions(book: NotebookNode) -> Iterator[re.Pattern[str]]:
    """A pattern for each question of a notebook's explorers; what an f-string fills in may be anything."""
    for cell in book.cells:
        if cell.cell_type != "code" or "explore(" not in cell.source:
            continue
        try:
            calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
        except SyntaxError:  # a magic, or what the reader left unfinished
            continue
        for call in calls:
            if ast.unparse(call.func).endswith("explore") and call.args:
                yield re.compile(_pattern(call.args[0]), re.DOTALL)


def _pattern(question: ast.expr) -> str:
    match question:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=parts):
            return "".join(_pattern(part) if isinstance(part, ast.Constant) else ".*" for part in parts)
    return r"(?!)"  # a variable: no telling, so nothing is forgotten
