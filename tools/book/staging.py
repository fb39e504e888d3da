"""A notebook of the course as a page: nothing of it for lecturers, nothing told before it is asked."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from PIL import Image, UnidentifiedImageError

from tools.book import explorers
from tools.book.links import within_the_book
from tools.copies import LEARNER
from tools.folded import Prediction, predictions
from tools.glossary import TERM
from tools.live_views import WIDGET
from tools.notebook_files import has_tag, read_notebook

IMAGE = re.compile(
    r'<img alt="(?P<alt>[^"]*)" src="data:image/png;base64,(?P<data>[^"]+)"'
    r' style="width:(?P<width>\d+)px[^"]*">'
)
LIVE = "Run this cell for the live view."
#: what is untrue on a page, at the end of a prediction
RUN = re.compile(
    r"\s+(?:Then\s+r|R)un\s+(?:it|(?:(?:the|next|these|this|both|two|three|four)\s+)+cells?)(?:\s+below)?"
    r"(?:\s+\([^)]*\)|,\s+which\s+takes?\s[^.]*|:\s+half\s+a\s+minute)?\.\s*\Z"
)
#: a fold within a line, whose text Markdown would leave as it is, or put into a paragraph
IN_LINE = re.compile(
    r"^(?P<before>(?P<indent> *)(?P<marker>\d+\. |- )?[^\n]*?)[ ]*"
    r"<details><summary>(?P<summary>[^<]*)</summary>(?P<text>\S.*?)</details>",
    re.DOTALL | re.MULTILINE,
)
NAMELESS = re.compile(r"<th scope=\"col\"[^>]*></th>")
SAW = re.compile(r"<summary>What you saw: [^<]*</summary>")


@dataclass(frozen=True)
class Book:
    """What a page has to know of the others."""

    pages: Collection[Path]  # the files of the repository that become pages
    terms: Mapping[str, str]  # the anchor in the glossary of each term in lower case
    pictures: Path  # the folder to write pictures to


def staged(path: Path, book: Book) -> NotebookNode:
    """The notebook in a file as a page of the book. ValueError, in a sentence, for what can't be one."""
    notebook = read_notebook(path)
    left_out = LEARNER.left_out
    notebook.cells = [cell for cell in notebook.cells if not any(has_tag(cell, tag) for tag in left_out)]
    asked = list(predictions(notebook.cells))
    for prediction in asked:
        _lock(prediction)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            _stage_code(cell, path, book)
        else:
            cell.source = _text(cell.source, path, book)
    for prediction in asked:
        source = RUN.sub("", prediction.asked["source"])
        prediction.asked["source"] = f"{source}\n\n{_form(prediction.asked['id'])}"
    first, *rest = notebook.cells
    shown = [labeled for cell in rest for labeled in _labeled(cell)]
    notebook.cells = [first, nbformat.v4.new_markdown_cell(_run_this_page(path), id="run-this-page"), *shown]
    return notebook


def _lock(prediction: Prediction) -> None:
    """Mark what the script of the page keeps away until there is a prediction.

    An explorer's still picture stays: it shows where the controls start, and gives nothing away.
    """
    name = prediction.asked["id"]
    for cell in prediction.answers:
        if not explorers.is_explorer(cell):
            _add_tags(cell, "hide-output", f"answers-{name}")
    if prediction.told is not None:
        source = prediction.told["source"]
        prediction.told["source"] = source.replace("<details", f'<details data-answers="{name}"', 1)


def _add_tags(cell: NotebookNode, *tags: str) -> None:
    cell.metadata["tags"] = [*cell.metadata.get("tags", []), *tags]


def _form(name: str) -> str:
    """Where a reader writes a prediction down; without a script there is none, and folds do the rest."""
    return (
        f'<form class="prediction" data-asks="{name}" hidden>'
        f'<label for="says-{name}">Your prediction</label>'
        f'<input id="says-{name}" maxlength="300" autocomplete="off" required>'
        '<button type="submit">Commit</button><button type="button">Show me without</button></form>'
    )


def _run_this_page(path: Path) -> str:
    number = path.name[:2]
    return (
        f'<details class="run"><summary>Run this page</summary>\n\n'
        f"On these pages nothing runs. Where a text says *run*, open what is folded. To run and change the"
        f" code, write the exercises and have them checked, install [the course](../index.md) and type\n\n"
        f"```text\npython course.py lab {number}\n```\n\n"
        f'Or take <a href="../downloads/{path.name}" download>this notebook alone</a>: its first cell says'
        f" what to type where the course is not installed.\n\n</details>"
    )


# ---------------------------------------------------------------------------------------------
# Text


def _text(source: str, path: Path, book: Book) -> str:
    """A text cell: its links, its terms linked to the glossary, its folds called by what they hold."""
    source = IN_LINE.sub(_on_lines_of_its_own, SAW.sub("<summary>What you saw</summary>", source))
    return TERM.sub(lambda term: _term(term[1], book.terms), within_the_book(source, path, book.pages))


def _on_lines_of_its_own(fold: re.Match[str]) -> str:
    """A fold within a line, with its text as a paragraph."""
    indent = fold["indent"] + " " * len(fold["marker"] or "")
    lines = [f"<details><summary>{fold['summary']}</summary>", fold["text"], "</details>"]
    return fold["before"].rstrip() + "".join(f"\n\n{indent}{line}" for line in lines)


def _term(words: str, terms: Mapping[str, str]) -> str:
    anchor = terms.get(" ".join(words.split()).lower())
    if anchor is None:
        raise ValueError(f"the term {words} is not in the glossary.")
    return f'<dfn><a href="../docs/glossary.html#{anchor}">{words}</a></dfn>'


# ---------------------------------------------------------------------------------------------
# Code


LABELS = {
    "exercise": "Exercise: the dots are yours to fill in, in the course",
    "check": "What checks it",
    "explorer": "Explorer",
}


def _labeled(cell: NotebookNode) -> Iterator[NotebookNode]:
    """A cell, and before it a line of text that says what kind it is, where that isn't plain."""
    for tag, words in LABELS.items():
        if has_tag(cell, tag):
            yield nbformat.v4.new_markdown_cell(f'<p class="label">{words}</p>', id=f"{cell.id[:56]}-label")
    yield cell


def _stage_code(cell: NotebookNode, path: Path, book: Book) -> None:
    """Prepare a cell of code: what is folded in the notebook is folded here, and no verdict is told.

    The first cell, which imports what is needed and draws the map, is folded, too.
    """
    if cell.metadata.get("jupyter", {}).get("source_hidden") or "draw_map(" in cell.source:
        _add_tags(cell, "hide-input")
    if has_tag(cell, "reveal"):
        _add_tags(cell, "hide-output")
    if explorers.is_explorer(cell):
        _stage_explorer(cell, path.name[:2])
    if has_tag(cell, "exercise") or has_tag(cell, "check"):
        cell.outputs = []
    elif has_tag(cell, "use"):
        cell.outputs = [output for output in cell.outputs if "image/png" in output.get("data", {})]
    cell.outputs = [shown for output in cell.outputs if (shown := _output(output, path.name[:2], book))]
    cell.execution_count = None
    cell.metadata.pop("jupyter", None)
    cell.metadata["tags"] = sorted(set(cell.metadata.get("tags", [])))


def _stage_explorer(cell: NotebookNode, number: str) -> None:
    """Leave of an explorer its still picture, its question and its options: its source names the answer."""
    asked = explorers.asked_by(cell)
    cell.source = "# an explorer"
    _add_tags(cell, "remove-input", "explorer")
    stills = [output for output in cell.outputs if "image/png" in output.get("data", {})]
    more = _in_the_course(number, "controls move this picture once you have answered")
    cell.outputs = [*stills, _html_output(asked + more)]


def _in_the_course(number: str, said: str) -> str:
    return f'<p class="kernel">In the course {said}: <code>python course.py lab {number}</code></p>'


def _html_output(html: str) -> NotebookNode:
    return nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": ""})


def _output(output: NotebookNode, number: str, book: Book) -> NotebookNode | None:
    """An output as the page shows it; None for one that is empty."""
    if output.output_type == "stream":
        return output if output.text.strip() else None
    data = output.get("data", {})
    data.pop(WIDGET, None)
    if "text/html" not in data and data.get("text/plain", "").strip() == LIVE:
        return _html_output(_in_the_course(number, "a live view follows"))
    if "text/html" in data:
        html = IMAGE.sub(lambda image: _picture(image, book.pictures), data["text/html"])
        if "<table" in html:
            html = f'<div class="wide">{NAMELESS.sub("<td></td>", html)}</div>'
        data["text/html"] = html
        data.pop("image/png", None)  # the same picture once more
    return output


def _picture(image: re.Match[str], folder: Path) -> str:
    """An `<img>` whose picture is a file of its own, named by its digest."""
    content = base64.b64decode(image["data"])
    try:
        across, down = Image.open(io.BytesIO(content)).size
    except UnidentifiedImageError:
        raise ValueError("a picture that it stores is damaged: refresh the notebook.") from None
    name = f"{hashlib.sha256(content).hexdigest()[:16]}.png"
    (folder / name).write_bytes(content)
    width = int(image["width"])
    return (
        f'<img class="drawn" alt="{image["alt"]}" src="../pictures/{name}" width="{width}"'
        f' height="{round(width * down / across)}" loading="lazy">'
    )
