"""What an explorer asks: its question and options, without the answer."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from pathlib import Path

from nbformat import NotebookNode

import lib

STORED = re.compile(
    r'<div class="explorer"><p><b>(?P<question>.*?)</b></p><ul>(?P<options>.*?)</ul>', re.DOTALL
)
NAMES = ("question", "options")  # the first arguments of `explore`
OPTION = re.compile(r"<li>(.*?)</li>", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """The question of an explorer and the options to choose from."""

    question: str
    options: tuple[str, ...]

    @property
    def html(self) -> str:
        options = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        return f'<p class="asked">{escape(self.question)}</p><ul class="options">{options}</ul>'


def is_explorer(cell: NotebookNode) -> bool:
    """Whether a cell of code makes an explorer."""
    return cell.cell_type == "code" and bool(re.search(r"\bexplore\(", cell.source))


def asked_by(cell: NotebookNode, notebook: str) -> Asked | None:
    """What the explorer of a cell asks, as it is stored or else as its source says; None if neither tells.

    notebook: its number, by which its chapter is found, where a function there makes the question.
    """
    for output in cell.outputs:
        if stored := STORED.search(output.get("data", {}).get("text/html", "")):
            options = [unescape(option) for option in OPTION.findall(stored["options"])]
            return Asked(unescape(stored["question"]), tuple(options))
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("explore"):
            return _asked_in(node.args, {word.arg: word.value for word in node.keywords}, notebook)
    return None


def _asked_in(values: list[ast.expr], named: dict[str | None, ast.expr], notebook: str) -> Asked | None:
    match values:
        case [ast.Starred(value=ast.Call(func=ast.Attribute(attr=name)))]:
            return _asked_by_chapter(name, notebook)
    question, options, *_ = [*values, *filter(None, map(named.get, NAMES[len(values) :])), None, None]
    if question is None or options is None:
        return None
    try:
        return Asked(ast.literal_eval(question), tuple(ast.literal_eval(options)))
    except ValueError:  # made by code, and known when it has run
        return None


@cache
def _asked_by_chapter(name: str, notebook: str) -> Asked | None:
    """What a function of a notebook's chapter gives to an explorer, which it returns as one tuple."""
    for path in sorted(Path(lib.root, "chapters", f"nb{notebook}").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Tuple):
                        return _asked_in(inner.value.elts, {}, notebook)
    return None
