"""What notebook 33 alone draws and tells in tables: roundings, a stack line by line, three disks."""

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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DISKS = {102_400: "100 kB", 368_640: "360 kB", 1_474_560: "1.44 MB"}
FLOPPY = max(DISKS)
LOOKS = (("o", LIT), ("^", LIT), ("s", "white"))  # markers: a BERT and bags, a BERT alone, bags alone
YOURS = "your disk"
#: the lines of a stack in their order, and the notebook that teaches each
LINES = (
    ("MiniLM", "fine-tuned (14)"), ("own pieces", "section 1"), ("sort", "importance (27)"),
    ("cut", "layers, shares (27)"), ("teach", "answers (21)"), ("round", "few bits (20)"),
    ("teach on", "rounded (20)"),
)  # fmt: skip
COUNTING, MINILM = ("counting words", 643_485, 52.9), ("MiniLM", 90_879_604)

Table = tuple[dict[str, list[str]], str]


def bag_table(
    size: int, right: float, of_minilm: float, own_pieces: tuple[int, float] | None = None
) -> Table:
    """The bag of section 1 between MiniLM and counting words: columns, and the caption.

    own_pieces: bytes and percent of MiniLM with a smaller table of words.
    """
    cut = [("MiniLM, own pieces", *own_pieces)] if own_pieces else []
    rows = [(*MINILM, of_minilm), *cut, ("bag of vectors", size, right), COUNTING]
    columns = {
        "": [name for name, _, _ in rows],
        "bytes": [f"{count:,}" for _, count, _ in rows],
        "right, %": [f"{percent:.1f}" for _, _, percent in rows],
    }
    return columns, "The 720 test headlines, and the bytes of each file"


def roundings_table(unrounded: float, results: Mapping[str, tuple[float, float]]) -> Table:
    """What roundings take and keep: of each the bits of a weight in the file, and percent right."""
    columns = {
        "MiniLM's matrices": ["not rounded", *results],
        "bits of a weight in the file": ["32", *(f"{bits:.1f}" for bits, _ in results.values())],
        "right, %": [f"{right:.1f}" for right in (unrounded, *(right for _, right in results.values()))],
    }
    return columns, "Rounded and not trained on: every third of the test headlines"


def draw_stack(title: str) -> tuple[Figure, str]:
    """The lines of a stack in their order, and the two readers whose log-probabilities a file adds up."""
    page = Schematic(12.2, 2.9)
    page.text(6.1, 2.68, title)
    before = None
    for place, (name, says) in enumerate(LINES):
        look = "plain" if place == 0 else "tint"
        box = page.box(0.1 + 1.75 * place, 1.55, 1.55, 0.62, name, says, look=look)
        if before is not None:
            page.arrow(before.east, box.west)
        before = box
    bag = page.box(5.35, 0.35, 1.55, 0.62, "bag of vectors", "section 1")
    disk = page.box(8.85, 0.35, 3.2, 0.62, "one file, compressed", "adds up log-probabilities", look="lit")
    page.arrow(bag.east, disk.west)
    if before is not None:
        page.arrow(before.below, (before.below[0], disk.top[1]))
    names = ", ".join(name for name, _ in LINES)
    return (
        page.figure,
        f"A stack in its order: {names}, then one file, in which a bag of vectors lies as well.",
    )


def stack_table(lines: Mapping[str, tuple[int, float]]) -> Table:
    """A stack line by line: its bytes, and what it sorts: columns, and the caption."""
    columns = {
        "after": [*lines],
        "bytes": [f"{size:,}" for size, _ in lines.values()],
        "right, %": [f"{right:.1f}" for _, right in lines.values()],
    }
    caption = "Your stack, line by line, on the 720 test headlines; the last two files are compressed"
    return columns, caption


def show_rounded_after(recorded: Mapping[int, tuple[float, float, float]]) -> None:
    """Print what is recorded by the steps before the rounding: mean, lowest and highest, in percent."""
    print("3 layers, a quarter, 2 bits, three orders of the batches: mean, lowest and highest")
    for steps, (middle, lowest, highest) in recorded.items():
        print(f"  {steps:3} steps before: {middle:.1f}%, from {lowest:.1f} to {highest:.1f}")


def show_parts(sizes: Mapping[str, int]) -> None:
    """Print the bytes of each part of a file, and how many are left on the floppy disk."""
    for name, count in sizes.items():
        print(f"{name:18}{count:>10,}")
    print(f"{'left on the disk':18}{FLOPPY - sizes['file']:>10,}")


def draw_files(
    kinds: Mapping[str, Mapping[int, Sequence[float]]],
    whole: float,
    title: str,
    yours: tuple[int, float] | None = None,
    stacks: Mapping[str, Sequence[tuple[int, float]]] | None = None,
) -> tuple[Figure, str]:
    """Accuracy over bytes: the kinds of file, of each its bytes and accuracies.

    Accuracies and `whole`, that of the whole model, are in percent; a mark is the mean of the seeds, and a
    line goes from the lowest to the highest. yours: bytes and percent of the reader's own file, a black
    diamond. stacks: names of BERTs, each with its place alone and beside bags, which a line joins.
    """
    with style():
        figure = canvas(11.0, 4.8, title)
        axes = figure.subplots()
        for (marker, color), (kind, files) in zip(LOOKS, kinds.items(), strict=True):
            for size, right in files.items():
                axes.plot([size, size], [min(right), max(right)], color=INK, linewidth=1.2, zorder=2)
            axes.plot(
                [*files], [mean(right) for right in files.values()], marker, color=color, markersize=10,
                markeredgecolor=INK, label=kind, zorder=3,
            )  # fmt: skip
        _join_stacks(axes, stacks or {})
        if yours:
            axes.plot([yours[0]], [yours[1]], "D", color="black", markersize=10, label=YOURS, zorder=4)
        axes.axhline(whole, color=QUIET, linestyle=":")
        axes.text(5.4e4, whole + 0.15, f"MiniLM whole, {whole:.1f}%", color=QUIET, fontsize=11, va="bottom")
        bottom, top = axes.get_ylim()
        axes.set_ylim(bottom - 0.08 * (top - bottom), top + 0.08 * (top - bottom))
        for size, name in DISKS.items():
            axes.axvline(size, color=QUIET, linewidth=0.8, linestyle="--")
            axes.text(size, axes.get_ylim()[0], f" {name}", color=QUIET, fontsize=11, va="bottom")
        axes.set(xscale="log", xlabel="bytes of the whole file", ylabel="right, %", xlim=(5e4, 2.4e6))
        axes.set_xticks([1e5, 1e6], ["100,000", "1,000,000"])
        axes.legend(loc="lower right", bbox_to_anchor=(0.83, 0.1), edgecolor="white", framealpha=1.0)
    description = [
        f"{kind}: "
        + ", ".join(f"{mean(right):.1f}% in {size:,} bytes" for size, right in sorted(files.items()))
        for kind, files in kinds.items()
    ]
    if yours:
        description.append(f"{YOURS}: {yours[1]:.1f}% in {yours[0]:,} bytes")
    return figure, f"{'; '.join(description)}. MiniLM whole: {whole:.1f}%."


def _join_stacks(axes: Axes, stacks: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    """Join what a BERT reaches alone to what it reaches with bags, and write its name above or below."""
    highest = max((places[-1][1] for places in stacks.values()), default=0.0)
    for name, (alone, beside) in stacks.items():
        axes.plot([alone[0], beside[0]], [alone[1], beside[1]], color=LIT, linewidth=1.2, zorder=2)
        is_above = beside[1] == highest
        axes.annotate(
            name, beside if is_above else alone, (0, 19 if is_above else -15), textcoords="offset points",
            ha="center", va="center", fontsize=10.5, color=INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip


def show_place(path: Path) -> None:
    """Say where the file lies that is handed in. A stored notebook keeps no path, which is of one machine."""
    from IPython.display import display

    words = f"{path.name} is in the folder my/ of the course, beside your copies of the notebooks."
    place = f"<p>Your file to hand in is <code>{escape(str(path.resolve()))}</code></p>"
    display({"text/html": place, "text/plain": words}, raw=True, metadata=LIVE)
