"""What notebook 33 alone draws: the readers that one file may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

READERS = (("BERT", "order and context"), ("bag of pieces", "which pieces"), ("bag of runs", "which letters"))


def draw_readers(title: str) -> tuple[Figure, str]:
    """A headline, the three readers that a file may hold, and the sum of what they say."""
    page = Schematic(11.0, 3.3)
    page.text(5.5, 3.05, title)
    headline = page.box(0.2, 1.2, 1.7, 0.6, "headline", "a text")
    pieces = page.box(2.5, 1.65, 1.7, 0.6, "pieces", "vocab.txt")
    page.arrow(headline.east, pieces.west)
    total = page.box(8.0, 1.2, 1.5, 0.6, "sum", "of log-probabilities", look="tint")
    for place, (name, reads) in enumerate(READERS):
        reader = page.box(
            4.9, 2.1 - 0.9 * place, 2.3, 0.62, name, reads, look="lit" if place == 0 else "plain"
        )
        page.arrow(headline.east if place == 2 else pieces.east, reader.west)
        page.arrow(reader.east, total.west)
    category = page.box(9.8, 1.2, 1.1, 0.6, "category", "labels.txt")
    page.arrow(total.east, category.west)
    alt = "A headline is cut into pieces, which " + " and ".join(f"a {name}" for name, _ in READERS[:2])
    return page.figure, f"{alt} read; a bag of runs reads its letters. Their log-probabilities are added up."
