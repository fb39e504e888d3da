"""The map of BERT: what the course builds, bottom to top, with the reader's place in it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .schematic import flow, rounded
from .style import INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 9.0, 4.5  # inches, which are also the units of every place below
DONE = "#e3f1e6"
DONE_MARK = "#1f6b3a"

Place = tuple[float, float, float, float]  # left, bottom, width, height


@dataclass(frozen=True)
class MapBox:
    """A part of BERT: its name, the notebook that builds it, and where the map shows it."""

    label: str
    notebook: str
    places: tuple[Place, ...]
    labels: tuple[str, ...] = ()  # one for each place, where they differ from `label`
    is_frame: bool = False  # drawn around other boxes

    def text(self, number: int) -> str:
        """Return what stands in the box at place `number`."""
        return self.labels[number] if self.labels else self.label


# From the bottom to the top; frames come before what they hold.
BOXES: dict[str, MapBox] = {
    "pieces": MapBox("pieces", "01", ((1.6, 0.12, 1.8, 0.36),)),
    "tensors": MapBox("tensors", "02", ((3.7, 0.12, 1.8, 0.36),)),
    "word_vectors": MapBox("word vectors", "03", ((1.6, 0.82, 1.8, 0.36),)),
    "positions": MapBox(
        "token types and positions",
        "04",
        ((3.7, 0.82, 1.8, 0.36), (5.8, 0.82, 1.8, 0.36)),
        ("token types", "positions"),
    ),
    "encoder": MapBox("encoder", "09", ((1.6, 1.42, 6.0, 2.22),), is_frame=True),
    "multi_head": MapBox("multi-head", "06", ((2.35, 1.6, 4.5, 0.5),), is_frame=True),
    "attention": MapBox("attention", "05", ((3.95, 1.67, 1.9, 0.34),)),
    "layer_norm": MapBox("add and layer norm", "07", ((3.25, 2.25, 2.7, 0.32), (3.25, 3.21, 2.7, 0.32))),
    "feed_forward": MapBox("feed-forward", "08", ((3.25, 2.73, 2.7, 0.32),)),
    "mlm_head": MapBox("masked words", "10", ((1.6, 3.99, 1.9, 0.38),)),
    "nsp_head": MapBox("sentence pairs", "11", ((3.65, 3.99, 1.9, 0.38),)),
    "task_head": MapBox("your task", "14", ((5.7, 3.99, 1.9, 0.38),)),
}

CENTER = 4.6

# Lines along which the numbers flow; an arrow's head stands at the last point.
ARROWS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((1.35, 0.3), (1.6, 0.3)),
    ((3.4, 0.3), (3.7, 0.3)),
    ((CENTER, 0.48), (CENTER, 0.82)),
    ((CENTER, 0.65), (2.5, 0.65), (2.5, 0.82)),
    ((CENTER, 0.65), (6.7, 0.65), (6.7, 0.82)),
    ((CENTER, 1.18), (CENTER, 1.6)),
    ((CENTER, 2.1), (CENTER, 2.25)),
    ((CENTER, 2.57), (CENTER, 2.73)),
    ((CENTER, 3.05), (CENTER, 3.21)),
    ((CENTER, 3.53), (CENTER, 3.99)),
    ((CENTER, 3.81), (2.55, 3.81), (2.55, 3.99)),
    ((CENTER, 3.81), (6.65, 3.81), (6.65, 3.99)),
    # the residual connections, around attention and around the feed-forward network
    ((CENTER, 1.51), (7.1, 1.51), (7.1, 2.41), (5.95, 2.41)),
    ((CENTER, 2.65), (6.4, 2.65), (6.4, 3.37), (5.95, 3.37)),
)

# What flows, beside the row where it flows.
FLOWS = (
    (0.3, "token ids\n[B, T]"),
    (1.0, "embeddings\n[B, T, D]"),
    (2.53, "hidden states\n[B, T, D]"),
    (4.18, "answers"),
)


def draw_map(here: str | None = None, done: Collection[str] = ()) -> "Figure":
    """Draw the map of BERT, with the box `here` lit and the boxes in `done` checked off.

    `here` and `done` are keys of `BOXES`; another one raises a ValueError.
    """
    _check_keys(here, done)
    with style():
        figure = canvas(WIDTH, HEIGHT)
        figure.set_layout_engine("none")  # the places say where everything stands
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
        axes.axis("off")
        _draw_flow(axes)
        for key, box in BOXES.items():
            for number, place in enumerate(box.places):
                state = "here" if key == here else "done" if key in done else "open"
                draw = _draw_frame if box.is_frame else _draw_box
                draw(axes, box, box.text(number), place, state)
                if key in done:
                    _draw_check(axes, place, "white" if state == "here" and not box.is_frame else DONE_MARK)
    return figure


def describe_map(here: str | None = None, done: Collection[str] = ()) -> str:
    """Say in words what `draw_map(here, done)` shows."""
    _check_keys(here, done)
    words = [
        "The map of BERT, bottom to top: text is cut into pieces (notebook 01) and becomes tensors "
        "(02); word vectors (03), token types and positions (04) are added; the encoder (09) repeats "
        "12 times (six in MiniLM) a layer of multi-head (06) attention (05), add and layer norm (07), "
        "feed-forward (08), add and layer norm; on top are heads for masked words (10), sentence pairs "
        "(11) and your task (14)."
    ]
    if here is not None:
        words.append(f"You are here: {BOXES[here].label} (notebook {BOXES[here].notebook}).")
    names = [box.label for key, box in BOXES.items() if key in done]
    if names:
        words.append(f"Checked off: {', '.join(names)}.")
    return " ".join(words)


def _check_keys(here: str | None, done: Collection[str]) -> None:
    if isinstance(done, str):
        raise ValueError(f"done is one string; give a collection of keys, such as [{done!r}].")
    for key in [*done, *([] if here is None else [here])]:
        if key not in BOXES:
            raise ValueError(f"The map has no box {key!r}; its boxes are {', '.join(BOXES)}.")


def _draw_box(axes: Any, box: MapBox, label: str, place: Place, state: str) -> None:
    left, bottom, width, height = place
    fill, edge, text, line = {
        "here": (LIT, LIT, "white", 2.6),
        "done": (DONE, QUIET, INK, 1.0),
        "open": ("white", QUIET, INK, 1.0),
    }[state]
    middle = bottom + height / 2
    rounded(axes, place, facecolor=fill, edgecolor=edge, linewidth=line, zorder=4)
    weight = "bold" if state == "here" else "normal"
    quiet = text if state == "here" else QUIET
    axes.text(left + 0.1, middle, box.notebook, color=quiet, fontsize=9.5, va="center", zorder=5)
    center = left + width / 2 + 0.1
    axes.text(center, middle, label, color=text, ha="center", va="center", weight=weight, zorder=5)


def _draw_frame(axes: Any, box: MapBox, label: str, place: Place, state: str) -> None:
    left, bottom, _, height = place
    fill, edge, line = {
        "here": (TINT, LIT, 2.6),
        "done": (DONE, QUIET, 1.2),
        "open": ("white", QUIET, 1.2),
    }[state]
    repeated = (0, (5, 3)) if label == "encoder" else "-"
    rounded(axes, place, facecolor=fill, edgecolor=edge, linewidth=line, linestyle=repeated, zorder=2)
    weight = "bold" if state == "here" else "normal"
    quiet = LIT if state == "here" else QUIET
    middle = bottom + height / 2
    axes.text(left + 0.1, middle, box.notebook, color=quiet, fontsize=9.5, va="center", zorder=5)
    axes.text(left + 0.36, middle, label, va="center", weight=weight, zorder=5)


def _draw_check(axes: Any, place: Place, color: str) -> None:
    left, bottom, width, height = place
    right, middle = left + width - 0.16, bottom + height / 2
    axes.text(right, middle, "✓", color=color, ha="center", va="center", weight="bold", fontsize=12, zorder=6)


def _draw_flow(axes: Any) -> None:
    for corners in ARROWS:
        flow(axes, *corners)
    for x in (3.55, 5.65):
        axes.text(x, 1.0, "+", ha="center", va="center", fontsize=14, color=QUIET)
    axes.text(1.28, 0.3, "i love this class", ha="right", va="center", style="italic")
    axes.text(1.96, 2.25, "× 12 (or 6)", va="center", color=QUIET, zorder=5)
    axes.text(6.0, 1.84, "× 12", va="center", color=QUIET, zorder=5)
    for y, text in FLOWS:
        axes.text(7.8, y, text, va="center", color=QUIET, fontsize=10, linespacing=1.35)
