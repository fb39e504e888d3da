"""What an explorer asks: its question and options, without the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape, unescape

from nbformat import NotebookNode

#: what `figures.explore` stores in the place of its controls
STORED = re.compile(
    r'<div class="explorer"><p><b>(?P<question>.*?)</b></p><ul>(?P<options>.*?)</ul>', re.DOTALL
)
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


def asked_by(cell: NotebookNode) -> Asked:
    """What the explorer of a cell asks, as it is stored. ValueError, in a sentence, where it isn't."""
    for output in cell.outputs:
        if stored := STORED.search(output.get("data", {}).get("text/html", "")):
            options = [unescape(option) for option in OPTION.findall(stored["options"])]
            return Asked(unescape(stored["question"]), tuple(options))
    raise ValueError(f"The explorer in cell {cell.id} stores no question: refresh its notebook.")
