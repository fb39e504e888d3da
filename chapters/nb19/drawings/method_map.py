"""The field's methods as a table: what is changed in a model, and when."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST, COLUMN, ROW, GAP = 2.15, 2.62, 0.68, 0.1  # inches


class MethodRow(NamedTuple):
    """One thing that can be changed: its name, what that means, and the methods of each column."""

    changed: str
    means: str
    methods: Sequence[str]  # "" where there are none; two lines fit


TIMES = ("after training", "while fine-tuning", "while pretraining")
METHODS = (
    MethodRow(
        "bits of each weight", "rougher numbers",
        ("8 bits (20), GOBO (25)", "Q8BERT (20), Q-BERT (25),\nternary (29), binary (30)", ""),
    ),
    MethodRow(
        "weights set to zero", "anywhere in a matrix",
        ("by magnitude (26)", "movement pruning (26),\nSparseBERT (26)", "lottery tickets (26)"),
    ),
    MethodRow(
        "heads and neurons", "parts of a layer", ("heads off (27)", "DynaBERT (28)", "AutoTinyBERT (32)")
    ),
    MethodRow(
        "layers", "fewer of them",
        ("layers dropped (27)", "PKD (21), ALP-KD (23)", "DistilBERT (21),\nLayerDrop (28)"),
    ),
    MethodRow(
        "width", "features of a token",
        ("hidden width (27)", "a student 2 x 128 (21)", "TinyBERT, MiniLM,\nMobileBERT (22)"),
    ),
    MethodRow(
        "sharing, factorizing", "matrices shared or split", ("tables in two factors (31)", "", "ALBERT (31)")
    ),
)  # fmt: skip


def draw_methods() -> tuple["Figure", str]:
    """The map of part 4 of the course."""
    title = "The map of part 4: what can be changed in a BERT, and when (numbers are notebooks)"
    return draw_method_map(METHODS, TIMES, title)


def draw_method_map(rows: Sequence[MethodRow], columns: Sequence[str], title: str) -> tuple["Figure", str]:
    """Draw a row for each thing that is changed and a column for each time when; empty cells stay pale."""
    _check(rows, columns)
    width, top = FIRST + COLUMN * len(columns) + 0.2, 0.15 + (ROW + GAP) * len(rows)
    page = Schematic(width, top + 0.85)
    page.text(0.15, top + 0.66, title, ha="left", fontsize=12, weight="bold")
    page.text(0.15, top + 0.2, "what is changed", ha="left", color=QUIET)
    lefts = [FIRST + 0.1 + COLUMN * number for number in range(len(columns))]
    for left, column in zip(lefts, columns, strict=True):
        page.text(left + (COLUMN - GAP) / 2, top + 0.2, column, weight="bold", color=LIT)
    for number, row in enumerate(rows):
        bottom = top - (ROW + GAP) * (number + 1)
        page.box(0.1, bottom, FIRST - GAP, ROW, row.changed, row.means, look="tint")
        for left, methods in zip(lefts, row.methods, strict=True):
            page.box(left, bottom, COLUMN - GAP, ROW, "", look="plain" if methods else "quiet")
            page.text(left + (COLUMN - GAP) / 2, bottom + ROW / 2, methods or "–", fontsize=10.5)
    sentences = []
    for row in rows:
        cells = [
            f"{column}: {' '.join(methods.split())}"
            for column, methods in zip(columns, row.methods, strict=True)
            if methods
        ]
        sentences.append(f"{row.changed} ({row.means}): {'; '.join(cells) or 'nothing'}.")
    return page.figure, "What is changed, and when. Numbers are notebooks. " + " ".join(sentences)


def _check(rows: Sequence[MethodRow], columns: Sequence[str]) -> None:
    for row in rows:
        if len(row.methods) != len(columns):
            raise ValueError(
                f"{row.changed!r} has {len(row.methods)} cells and the table {len(columns)} columns: give one"
                " for each, an empty text where there is no method."
            )
    if not rows:
        raise ValueError("The table has no rows: give one or more.")
