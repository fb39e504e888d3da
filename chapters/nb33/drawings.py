"""What notebook 33 alone draws: the readers that one file may hold, and what files of all sizes reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from lib.figures.display import LIVE
from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DISKS = {102_400: "100 kB", 368_640: "360 kB", 1_474_560: "1.44 MB"}
LOOKS = (("o", LIT), ("s", "white"))  # a marker and its filling, of files with a BERT and without attention
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


def draw_files(
    panels: Mapping[str, Mapping[str, Mapping[int, Sequence[float]]]],
    wholes: Mapping[str, float],
    title: str,
) -> tuple[Figure, str]:
    """Accuracy over bytes: a panel for each task, in it two kinds of file, of each its bytes and accuracies.

    Accuracies and `wholes`, that of the whole model on each task, are in percent; a mark is the mean of the
    seeds, and a line goes from the lowest to the highest.
    """
    with style():
        figure = canvas(11.0, 4.2, title)
        every = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (task, kinds) in zip(every, panels.items(), strict=True):
            for (marker, color), (kind, files) in zip(LOOKS, kinds.items(), strict=True):
                for size, right in files.items():
                    axes.plot([size, size], [min(right), max(right)], color=INK, linewidth=1.2, zorder=2)
                axes.plot(
                    [*files], [mean(right) for right in files.values()], marker, color=color, markersize=9,
                    markeredgecolor=INK, label=kind, zorder=3,
                )  # fmt: skip
            axes.axhline(wholes[task], color=QUIET, linestyle=":")
            whole = f"MiniLM whole, {wholes[task]:.1f}%"
            axes.text(6e4, wholes[task] - 0.15, whole, color=QUIET, fontsize=10, va="top")
            for size, name in DISKS.items():
                axes.axvline(size, color=QUIET, linewidth=0.8, linestyle="--")
                axes.text(size, axes.get_ylim()[0], f" {name}", color=QUIET, fontsize=10, va="bottom")
            axes.set(xscale="log", xlabel="bytes of the whole file", title=task, xlim=(5e4, 3e6))
            axes.set_xticks([1e5, 1e6], ["100,000", "1,000,000"])
        every[0].set(ylabel="right, %")
        every[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.08), frameon=True, edgecolor="white")
    description = [
        f"{task}, {kind}: "
        + ", ".join(f"{mean(right):.1f}% in {size:,} bytes" for size, right in sorted(files.items()))
        for task, kinds in panels.items()
        for kind, files in kinds.items()
    ]
    whole = ", ".join(f"{task} {one:.1f}%" for task, one in wholes.items())
    return figure, f"{'; '.join(description)}. MiniLM whole: {whole}."


def show_place(path: Path) -> None:
    """Say where the file lies that is handed in. A stored notebook keeps no path, which is of one machine."""
    from IPython.display import display

    words = f"{path.name} is in the folder my/ of the course, beside your copies of the notebooks."
    place = f"<p>Your file to hand in is <code>{escape(str(path.resolve()))}</code></p>"
    display({"text/html": place, "text/plain": words}, raw=True, metadata=LIVE)
