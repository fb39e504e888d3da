"""The glossary: each term of the field, in the sentence that explains it first.

A notebook explains a term in a sentence that holds it between `<dfn>` and `</dfn>`; `docs/glossary.md` is
built from these sentences, in the notebooks' order, and is never edited by hand.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import lib
from lib.files import write_whole
from tools.notebook_files import read_notebook

# The core route: what a whole course needs.
CORE = ("00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "12", "14", "16", "19", "20",
        "21", "26", "27", "33")  # fmt: skip
TERM = re.compile(r"<dfn>(.+?)</dfn>", re.DOTALL)
SENTENCE_END = re.compile(
    r"(?<=[.?!])(?<!\bal\.)(?<!\be\.g\.)(?<!\bi\.e\.)\s+(?=[A-Z*`<(\[$])|\n\n|\n(?=[-#|>] )"
)


@dataclass(frozen=True)
class Term:
    """A term, the sentence that explains it, and where that stands."""

    name: str
    sentence: str
    notebook: Path
    heading: str  # the heading above, as written, without its marks
    cell: int

    @property
    def link(self) -> str:
        """The target of a link from `docs/`: the notebook and the heading, as JupyterLab names it."""
        return f"../notebooks/{self.notebook.name}#{quote(self.heading.replace(' ', '-'))}"


def terms_in(path: Path) -> Iterator[Term]:
    """Every term that a notebook explains, in its order; lecturer's notes are left out."""
    heading = ""
    for number, cell in enumerate(read_notebook(path).cells):
        if cell.cell_type != "markdown" or "notes" in cell.metadata.get("tags", []):
            continue
        for sentence in _sentences(cell.source):
            if sentence.startswith("#"):
                heading = sentence.lstrip("# ").strip()
            for name in TERM.findall(sentence):
                yield Term(" ".join(name.split()), _plain(sentence), path, heading, number)


def glossary(paths: Iterable[Path]) -> dict[str, Term]:
    """The first explanation of each term, by its name in lower case, in alphabetical order."""
    first: dict[str, Term] = {}
    for path in paths:
        for term in terms_in(path):
            first.setdefault(term.name.lower(), term)
    return dict(sorted(first.items()))


def page(terms: dict[str, Term]) -> str:
    """The glossary as a page of Markdown."""
    entries = [
        f"**[{term.name}]({term.link})** · {term.sentence} *(notebook {term.notebook.name[:2]})*"
        for term in terms.values()
    ]
    head = (
        "# Glossary\n\nEvery term of the field that the course uses, in the sentence that explains it first."
        " The link leads to that place.\n\n"
        "<!-- Built by `python course.py glossary`; edit the notebooks. -->"
    )
    return "\n\n".join([head, *entries]) + "\n"


def write(paths: Iterable[Path]) -> Path:
    """Write `docs/glossary.md` from the notebooks; return its path."""
    target = lib.root / "docs" / "glossary.md"
    write_whole(target, page(glossary(paths)))
    return target


def _sentences(source: str) -> Iterator[str]:
    """The headings and the sentences of a text cell, without its blocks of code."""
    for block in re.split(r"\n\n|^(?=#)|(?<=\n)(?=#)", re.sub(r"```.*?```", "", source, flags=re.DOTALL)):
        if block.startswith("#"):
            yield block
        else:
            yield from SENTENCE_END.split(block)


def _plain(sentence: str) -> str:
    """A sentence without its marks of terms and of emphasis, in one line."""
    words = re.sub(r"</?dfn>|\*\*", "", sentence)
    plain = " ".join(re.sub(r"^(?:[-*>]|\d\.) ", "", words.strip()).split())
    return re.sub(":$", ".", plain)  # before a formula, which stays in the notebook
