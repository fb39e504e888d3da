"""The pages around the notebooks: the first one, the glossary, and what stands in `docs`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import lib
from tools.book.links import within_the_book
from tools.glossary import CORE, Term

#: the pages of `docs` that the book has, in its order
DOCS = ("glossary", "lectures", "your_own", "lab_book", "benchmarks", "elsewhere")
#: the parts of the course by their first and last notebook
PARTS = {
    "Build it": (0, 9),
    "Pretrain it and read it": (10, 13),
    "Use it": (14, 18),
    "Make it small": (19, 33),
    "Look beyond": (34, 40),
}
ROW = re.compile(
    r"^\| \[(?P<number>\d\d) (?P<title>[^\]]+)\]\(\.\./notebooks/(?P<name>\w+)\.ipynb\)(?: \(elective\))?"
    r" \| (?P<gist>.+) \| (?P<minutes>\d+) \|$",
    re.MULTILINE,
)
FIRST_PAGE = Path(__file__).with_name("first_page.md")
MAP = (
    "The map of BERT. From the bottom up: text, pieces (notebook 01), tensors (02), word vectors (03) plus"
    " token types and positions (04), the encoder (09) with multi-head (06) attention (05), layer norm (07)"
    " and feed-forward (08), and on top the heads for masked words (10), sentence"
    " pairs (11) and your task (14)."
)
COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """A notebook in the table of contents."""

    number: str
    title: str
    name: str
    gist: str
    minutes: str

    @property
    def item(self) -> str:
        kind = "" if self.number in CORE else " · elective"
        return (
            f"- **[{self.number} {self.title}](notebooks/{self.name}.ipynb)** "
            f'<span class="minutes">{self.minutes} min{kind}</span><br>{self.gist}'
        )


def rows(table: str) -> list[Row]:
    """The rows of the table in docs/notebooks.md."""
    return [Row(**row.groupdict()) for row in ROW.finditer(table)]


def first_page(table: str, notebooks: Sequence[str]) -> str:
    """The book's first page: what the course is, how to run it, and its notebooks in parts.

    ValueError where the table and the notebooks (their names) are not the same.
    """
    listed = rows(table)
    if [row.name for row in listed] != list(notebooks):
        missing = sorted(set(notebooks) ^ {row.name for row in listed})
        raise ValueError(f"The table of docs/notebooks.md and the notebooks differ in {', '.join(missing)}.")
    parts, trees = [], []
    for title, (first, last) in PARTS.items():
        own = [row for row in listed if first <= int(row.number) <= last]
        parts.append(f"### {title}\n\n" + "\n".join(row.item for row in own))
        trees.append(_tree(title, [f"notebooks/{row.name}" for row in own]))
    trees.append(_tree("Look up", [f"docs/{name}" for name in DOCS]))
    return FIRST_PAGE.read_text(encoding="utf-8").format(
        count=len(listed), map=escape(MAP), parts="\n\n".join(parts), trees="\n".join(trees)
    )


def _tree(title: str, pages: Iterable[str]) -> str:
    return f"```{{toctree}}\n:hidden:\n:caption: {title}\n:maxdepth: 1\n\n" + "\n".join(pages) + "\n```\n"


def anchors(terms: Mapping[str, Term]) -> dict[str, str]:
    """The anchor in the glossary of each term in lower case, no two alike."""
    found: dict[str, str] = {}
    for name in terms:
        plain = re.sub(r"\W+", "-", re.sub(r"</?[^>]+>|[$`\\]", "", name)).strip("-") or "term"
        anchor, number = f"term-{plain}", 2
        while anchor in found.values():
            anchor, number = f"term-{plain}-{number}", number + 1
        found[name] = anchor
    return found


def glossary_page(terms: Mapping[str, Term], pages: Collection[Path]) -> str:
    """The glossary as a list of definitions with an anchor each."""
    entries = []
    named = anchors(terms)
    for key, term in terms.items():
        sentence = within_the_book(term.sentence, term.notebook, pages)
        number = term.notebook.name[:2]
        link = f"[{number}](<../notebooks/{term.notebook.name}#{term.heading.replace(' ', '-')}>)"
        entries.append(f'<span id="{named[key]}"></span>**{term.name}**\n: {sentence} *Notebook* {link}')
    head = (
        "# Glossary\n\nEvery term of the field that the course uses, in the sentence that explains it first."
    )
    return "\n\n".join([head, *entries]) + "\n"


def page(path: Path, pages: Collection[Path]) -> str:
    """A page of `docs` as the book has it."""
    return COMMENT.sub("", within_the_book(path.read_text(encoding="utf-8"), path, pages))


def of_docs() -> dict[str, Path]:
    """The files of the pages of `docs` that the book has, by name."""
    return {name: lib.root / "docs" / f"{name}.md" for name in DOCS}
