"""What answers a prediction is out of sight until the reader has committed to an answer.

The text "What you saw" under it is folded, in JupyterLab and on GitHub alike, and the reader's own copy has
no outputs between the two (`tools.copies`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

PREDICT = "**Predict"
SAW = "**What you saw"
FOLDED = re.compile(
    r'\A<details class="saw">\n<summary>[^\n]*</summary>\n\n(?P<text>.*?)\n\n</details>', re.DOTALL
)


@dataclass
class Prediction:
    """A text cell that asks for one, the cells of code that answer it, and the folded text that ends it."""

    asked: Any  # cells, of a file's JSON or of nbformat
    answers: list[Any] = field(default_factory=list)
    told: Any = None  # none where a heading or the next prediction comes first


def unfolded(source: str) -> str:
    """The source of a text cell without its fold."""
    return FOLDED.sub(lambda fold: fold["text"], source)


def predictions(cells: Sequence[dict[str, Any]]) -> Iterator[Prediction]:
    """Each prediction of a notebook, in order, with the cells from it to the folded text or the heading."""
    current: Prediction | None = None
    for cell in cells:
        source = "".join(cell["source"])  # of a file, it is a list of lines
        if cell["cell_type"] == "code" and current:
            current.answers.append(cell)
        elif cell["cell_type"] == "markdown" and PREDICT in source:
            if current:
                yield current
            current = Prediction(cell)
        elif cell["cell_type"] == "markdown" and current:
            if FOLDED.match(source):
                current.told = cell
            if current.told or source.startswith("#"):
                yield current
                current = None
    if current:
        yield current


def predicted_results(cells: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The cells of code from each prediction to the folded text or the heading that ends it."""
    for prediction in predictions(cells):
        yield from prediction.answers
