"""What an explorer asks: its question and options, without the answer."""

from __future__ import annotations

import re

from nbformat import NotebookNode

#: what `figures.explore` stores in the place of its controls: a question, options, and what to do in a kernel
STORED = re.compile(r'(?P<asked><div class="explorer"><p>.*?</p><ul>.*?</ul>).*</div>', re.DOTALL)


def is_explorer(cell: NotebookNode) -> bool:
    """Whether a cell of code makes an explorer."""
    return cell.cell_type == "code" and bool(re.search(r"\bexplore\(", cell.source))


def asked_by(cell: NotebookNode) -> str:
    """The question of an explorer with a list of its options, in HTML. ValueError where none is stored."""
    for output in cell.outputs:
        if stored := STORED.search(output.get("data", {}).get("text/html", "")):
            return f"{stored['asked']}</div>"
    raise ValueError(f"the explorer in cell {cell.id} stores no question: refresh the notebook.")
