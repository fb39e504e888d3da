"""What answers a prediction is out of sight until the reader has committed to an answer.

The text "What you saw" under it is folded, in JupyterLab and on GitHub alike, and the reader's own copy has
no outputs between the two (`tools.copies`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

PREDICT = "**Predict"
SAW = "**What you saw"
FOLDED = re.compile(
    r'\A<details class="saw">\n<summary>[^\n]*</summary>\n\n(?P<text>.*?)\n\n</details>', re.DOTALL
)


def unfolded(source: str) -> str:
    """The source of a text cell without its fold."""
    return FOLDED.sub(lambda fold: fold["text"], source)


def predicted_results(cells: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The cells of code from each prediction to the folded text or the heading that ends it."""
    predicted = False
    for cell in cells:
        source = "".join(cell["source"])  # of a file, it is a list of lines
        if cell["cell_type"] == "code" and predicted:
            yield cell
        elif cell["cell_type"] == "markdown":
            ended = FOLDED.match(source) or source.startswith("#")
            predicted = PREDICT in source or (predicted and not ended)
