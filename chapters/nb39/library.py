"""A library to search: the paragraphs that open the sections of this course, each with its source."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from lib import root
from lib.analysis.vectors.similarity import embed
from lib.bert import BertModel, WordPieceTokenizer

FOLDER = root / "notebooks"
HEADING = re.compile(r"## (\d)\. (.+?)(?: \(\d+ min\))?\n+(.+)", re.DOTALL)
ASIDE = {"stretch", "notes"}  # tags of cells that are not of the core
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
MARKUP = re.compile(r"</?\w+>|\*\*|[$`]")  # what else Markdown adds to a text


class Paragraph(NamedTuple):
    """A text, and where it stands."""

    text: str
    source: str  # such as "05, section 2: Query, key and value"


def opening_paragraphs(folder: Path = FOLDER, without: str = "39") -> list[Paragraph]:
    """The first paragraph of each numbered section of the notebooks in a folder, in their order.

    without: the number of a notebook that is left out, because it quotes what is searched.
    """
    found = []
    for path in sorted(folder.glob("[0-9][0-9]_*.ipynb")):
        number = path.name[:2]
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for cell in cells if number != without else []:
            section = HEADING.match("".join(cell["source"]))
            if (
                section
                and cell["cell_type"] == "markdown"
                and not ASIDE & {*cell["metadata"].get("tags", ())}
            ):
                place, title, text = section.groups()
                first = LINK.sub(r"\1", text.split("\n\n")[0])
                plain = MARKUP.sub("", first).replace("\n", " ")
                found.append(Paragraph(plain, f"{number}, section {place}: {title}"))
    return found


def vectors_of(model: BertModel, tokenizer: WordPieceTokenizer, paragraphs: Sequence[Paragraph]) -> Tensor:
    """A vector for each paragraph and its source, [N, D]; ValueError for a library without any."""
    if not paragraphs:
        raise ValueError("The library is empty: give it one paragraph at least, then search it.")
    return embed(
        model, tokenizer, [f"{paragraph.source}. {paragraph.text}" for paragraph in paragraphs], batch_size=8
    )
