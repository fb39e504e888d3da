"""The glossary: built from the notebooks, its links resolve, and no term is used before it is explained."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from notebook_file import committed
from notebook_form import prose_of

from lib import root
from tools.copies import every_notebook
from tools.glossary import CORE, Term, glossary, page, terms_in

NOTEBOOKS = every_notebook()
TERMS = glossary(NOTEBOOKS)
# Terms that are everyday words as well: a reader meets them in that sense before the field's.
EVERYDAY = {
    "mask",
    "object",
    "control",
    "key",
    "value",
    "query",
    "step",
    "mean",
    "bias",
    "head",
    "layer",
    "seed",
    "merge",
    "batch",
    "probe",
    "norm",  # of a layer, long before that of a vector
    "label",  # what somebody has attached
    "design",  # of an experiment, long before that of a network
    "kernel",  # a program for one product, before that of a convolution
    "rank",  # in a list of results, long before that of a matrix
    "merging",  # of pieces, long before that of weights
    "feature",  # a number of a vector, long before what a frozen model gives
    "agreement",  # of a verb with its subject, long before that of two models
    "compression",  # in the title of a lecture, long before that of a model
    "view",  # a way to look at attention, long before that of a tensor
}


@cache
def explained_in(path: Path) -> dict[str, int]:
    """The terms that a notebook explains, in lower case, and the cell that does so first."""
    return {term.name.lower(): term.cell for term in reversed(list(terms_in(path)))}


@cache
def prose_in(path: Path) -> dict[int, str]:
    """The text of the core's cells by number, without headings, up to what comes next.

    The first cell is left out: it says what the reader will learn.
    """
    prose = {}
    for cell in committed(path).core[1:]:
        if cell.source.startswith("## Read on"):
            break
        if cell.is_text:
            prose[cell.number] = re.sub(r"^#.*$", "", prose_of(cell), flags=re.MULTILINE)
    return prose


def route_to(path: Path) -> set[str]:
    """The numbers of the notebooks that a reader of this one has read: a core reader only the core."""
    before = {other.name[:2] for other in NOTEBOOKS if other.name <= path.name}
    return before & {*CORE} if path.name[:2] in CORE else before


def used_before_explained(path: Path) -> list[str]:
    """The terms that a notebook's core uses before anything on the way to it explains them."""
    here = explained_in(path)
    route = route_to(path) - {path.name[:2]}
    earlier = set[str]().union(*(explained_in(other) for other in NOTEBOOKS if other.name[:2] in route))
    found = []
    for name in TERMS.keys() - earlier - EVERYDAY:
        word = re.compile(rf"(?<![#\w-]){re.escape(name)}s?\b", re.IGNORECASE)
        for number, prose in prose_in(path).items():
            if number < here.get(name, 10**6) and word.search(prose):
                found.append(f"cell {number}: {name!r} (explained: {TERMS[name].notebook.name[:2]})")
                break
    return sorted(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_term_is_used_before_it_is_explained(path: Path) -> None:
    assert not used_before_explained(path)


def test_the_page_is_what_the_notebooks_say() -> None:
    written = (root / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert written == page(TERMS), "run `python course.py glossary`"


@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS.keys())
def test_the_link_of_a_term_resolves_and_its_sentence_stands_alone(term: Term) -> None:
    file, _, anchor = term.link.partition("#")
    cells = committed((root / "docs" / file).resolve()).cells
    headings = re.findall(r"^#+ (.+)$", "\n".join(cell.source for cell in cells), re.MULTILINE)
    assert unquote(anchor) in {heading.strip().replace(" ", "-") for heading in headings}
    assert len(term.sentence.split()) >= 6 and term.sentence.endswith((".", "?", ")")), term.sentence


def test_a_term_is_taken_with_its_sentence_and_heading(tmp_path: Path) -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# A\n\nA <dfn>token</dfn> is a word or\na part of one. It is cut."),
        nbformat.v4.new_markdown_cell(
            "## 1. Sums (3 min)\n\n- The **<dfn>sum</dfn>** of [Ada et al.](x) adds $a$."
        ),
        nbformat.v4.new_markdown_cell("A <dfn>Token</dfn> again."),
        nbformat.v4.new_markdown_cell("A <dfn>secret</dfn>.", metadata={"tags": ["notes"]}),
    ]
    path = tmp_path / "01_a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    first, second = glossary([path]).values()
    assert (first.name, first.sentence, first.heading) == (
        "sum",
        "The sum of [Ada et al.](x) adds $a$.",
        "1. Sums (3 min)",
    )
    assert (second.name, second.sentence, second.heading) == (
        "token",
        "A token is a word or a part of one.",
        "A",
    )
    assert first.link == "../notebooks/01_a.ipynb#1.-Sums-%283-min%29"
