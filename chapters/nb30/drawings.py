"""The drawings of notebook 30: a weight as two, and a dot product of signs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 2.1  # inches


def draw_rows(
    rows: Mapping[str, Sequence[str]], looks: Mapping[str, str], title: str
) -> tuple["Figure", str]:
    """Draw rows of boxes under each other, a column for each weight; and say in words what they hold.

    rows: by name, equally long. looks: of a row by its name, or of an entry, those of `Schematic.box`.
    """
    height = 0.62 * len(rows)
    page = Schematic(WIDTH, height + 0.6)
    page.text(0.15, height + 0.38, title, ha="left", fontsize=12, weight="bold")
    side = (WIDTH - LEFT - 0.2) / max(map(len, rows.values()))
    for number, (name, entries) in enumerate(rows.items()):
        y = height - 0.62 * number - 0.52
        page.text(0.15, y + 0.22, name, ha="left", color=QUIET, fontsize=10.5)
        for place, entry in enumerate(entries):
            look = looks.get(name, looks.get(entry, "plain"))
            page.box(LEFT + side * place + 0.04, y, side - 0.08, 0.44, entry, look=look)
    description = "; ".join(f"{name}: {', '.join(entries)}" for name, entries in rows.items())
    return page.figure, f"{description}."
