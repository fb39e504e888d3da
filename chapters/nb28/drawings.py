"""The drawings of notebook 28: one step at several sizes, a grid of sizes, and what the record holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from lib import stats
from lib.bert.heads import BertForSequenceClassification
from lib.compression.elastic import depth, sizes
from lib.compression.ledger import counting, timing
from lib.figures import draw_maps, draw_panels
from lib.figures.arrays import Array
from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET, TINT, canvas, style
from lib.records import frontier

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One step of a network that learns at several sizes: who reads, who teaches, and what is added up.

WIDTH, SIZE_ROW = 10.4, 1.1  # inches
BAR, BAR_HEIGHT = 3.5, 0.72  # inches of a whole network
MOST_SIZES = 4


@dataclass(frozen=True)
class SizeNow:
    """A size in this step: its share of the width, the layers that run, its name, and its loss."""

    width: float
    layers: Sequence[int]
    name: str
    loss: float


def draw_elastic_step(sizes: Sequence[SizeNow], num_layers: int, title: str) -> tuple["Figure", str]:
    """Draw the teacher on top, the same student at each size below it, and the losses at the right.

    Each student has a strip for each layer, the first at the foot; what is dark runs. All bars are the same
    weights. The losses are those of a real batch.
    """
    _check_sizes(sizes, num_layers)
    height = SIZE_ROW * (len(sizes) + 1) + 0.75
    page = Schematic(WIDTH, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    top = height - 1.25
    middle = (top + 0.3 + 0.5) / 2
    batch = page.box(0.2, middle - 0.3, 1.2, 0.6, "one batch", "of texts")
    teacher = page.box(2.1, top, BAR, 0.6, "teacher", "whole, nothing learns", look="plain")
    page.arrow(batch.east, teacher.west)
    update = page.box(WIDTH - 1.75, middle - 0.35, 1.6, 0.7, "one update", "of all gradients", look="lit")
    bus = 5.95  # from the teacher down to every loss
    for number, size in enumerate(sizes):
        bottom = top - SIZE_ROW * (number + 1)
        center = bottom + BAR_HEIGHT / 2
        _draw_layers(page, bottom, size, num_layers)
        page.text(2.1, bottom + BAR_HEIGHT + 0.13, size.name, ha="left", weight="bold", fontsize=10)
        page.arrow(batch.east, (2.1, center))
        loss = page.box(6.35, center - 0.22, 1.5, 0.44, f"loss {size.loss:.2f}", look="edge")
        page.arrow((2.1 + BAR, center - 0.11), (loss.west[0], center - 0.11))
        page.arrow(
            (2.1 + BAR, top + 0.3), (bus, top + 0.3), (bus, center + 0.11), (loss.west[0], center + 0.11)
        )
        page.arrow(loss.east, update.west)
    page.text(bus + 0.12, top + 0.3, "is compared with each", ha="left", color=QUIET, fontsize=10)
    losses = "; ".join(f"{size.name}: {size.loss:.2f}" for size in sizes)
    description = (
        "One batch is read by the whole teacher, in which nothing learns, and by one student at"
        f" {len(sizes)} sizes with the same weights. Losses against the teacher: {losses}. All gradients are"
        " added before one update."
    )
    return page.figure, description


def _draw_layers(page: Schematic, bottom: float, size: SizeNow, num_layers: int) -> None:
    """A strip for each layer, and in those that run the part that does."""
    from matplotlib.patches import Rectangle

    high = BAR_HEIGHT / num_layers
    for layer in range(num_layers):
        corner = (2.1, bottom + layer * high)
        page.axes.add_patch(Rectangle(corner, BAR, high, facecolor="white", edgecolor=QUIET, linewidth=0.6))
        if layer in size.layers:
            runs: dict[str, Any] = {"facecolor": TINT, "edgecolor": LIT, "linewidth": 1.0, "zorder": 3}
            page.axes.add_patch(Rectangle(corner, BAR * size.width, high, **runs))


def _check_sizes(sizes: Sequence[SizeNow], num_layers: int) -> None:
    layers = {layer for size in sizes for layer in size.layers}
    if not 1 <= len(sizes) <= MOST_SIZES or not all(0 < size.width <= 1 for size in sizes):
        raise ValueError(f"Give one to {MOST_SIZES} sizes, each of a width above 0.")
    if not layers <= set(range(num_layers)):
        raise ValueError(f"A layer that runs is not there: they are 0 to {num_layers - 1}.")


# ---------------------------------------------------------------------------------------------
# What each size of one network reaches and costs: a table of widths and depths for each measure.

MOST_PANELS = 3


def draw_size_grid(
    widths: Sequence[float],
    depths: Sequence[str],
    panels: Mapping[str, Any],
    formats: Mapping[str, str],
    title: str,
) -> tuple["Figure", str]:
    """Draw up to three tables side by side, a row for each depth and a column for each width.

    panels[measure] is [depths, widths]; the darker, the larger, each panel on its own scale. formats[measure]
    is how its numbers are written, such as ".1%".
    """
    tables = _tables(widths, depths, panels)
    with style():
        figure = canvas(3.5 * len(tables) + 0.8, 0.62 * len(depths) + 1.5, title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (measure, table) in zip(every, tables.items(), strict=True):
            low, high = float(table.min()), float(table.max())
            spread = max(high - low, 1e-9)
            axes.imshow(
                table, cmap="Blues", vmin=low - 0.25 * spread, vmax=high + 0.25 * spread, aspect="auto"
            )
            for (row, column), value in np.ndenumerate(table):
                ink = "white" if (value - low) / spread > 0.6 else "black"
                axes.text(column, row, format(value, formats[measure]), ha="center", va="center", color=ink)
            axes.set_title(measure, loc="center", fontsize=11)
            axes.set_xticks(range(len(widths)), [f"{width:g}" for width in widths])
            axes.set_xlabel("width")
            axes.tick_params(length=0)
            axes.spines[["left", "bottom"]].set_visible(False)
        every[0].set_yticks(range(len(depths)), list(depths))
        every[0].set_ylabel("depth")
    phrases = [
        f"{measure}, depth {depth}: "
        + ", ".join(
            f"width {width:g} {format(float(value), formats[measure])}"
            for width, value in zip(widths, row, strict=True)
        )
        for measure, table in tables.items()
        for depth, row in zip(depths, table, strict=True)
    ]
    return figure, "; ".join(phrases) + "."


def _tables(widths: Sequence[float], depths: Sequence[str], panels: Mapping[str, Any]) -> dict[str, Array]:
    """The panels as arrays [depths, widths]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    tables: dict[str, Array] = {name: np.asarray(values, dtype=float) for name, values in panels.items()}
    for name, table in tables.items():
        if table.shape != (len(depths), len(widths)):
            raise ValueError(
                f"{name!r} has the shape {list(table.shape)}: give a row for each of {len(depths)} depths and"
                f" a column for each of {len(widths)} widths."
            )
    return tables


# ---------------------------------------------------------------------------------------------
# The notebook's own: a first step, the ledger of twelve sizes, one size alone, LayerDrop.


@dataclass(frozen=True)
class Ledger:
    """What each size reaches (recorded) and costs (bytes counted, milliseconds measured)."""

    right: Mapping[sizes.Size, float]
    megabytes: Mapping[sizes.Size, float]
    milliseconds: Mapping[sizes.Size, float]


def draw_first_step(shown: Sequence[sizes.Size], losses: Sequence[float]) -> tuple["Figure", str]:
    """Draw one step of MiniLM at these sizes, the last layer of each group kept."""
    now = []
    for size, loss in zip(shown, losses, strict=True):
        name = f"{round(12 * size.width)} heads, {round(6 * size.depth)} layers"
        now.append(SizeNow(size.width, depth.layers_kept_with_last(6, size.depth), name, loss))
    return draw_elastic_step(now, 6, "One step: several sizes of one network learn from the whole teacher")


def sizes_in_numbers(
    record: Any, network: BertForSequenceClassification, every: Sequence[sizes.Size]
) -> Ledger:
    """Each size cut out of the network: its bytes at eight bits, its time, and its recorded accuracy.

    The milliseconds are the recorded ones of MiniLM times the share of the whole network's time that a size
    took here, in turns (notebook 19).
    """
    cut = {size: sizes.extracted(network, size, depth.layers_kept_with_last).eval() for size in every}
    for small in cut.values():
        small.bert.embeddings = network.bert.embeddings  # twelve models, one table of words in memory
    nine = timing.example_batch(30_522, (1, 9))
    with torch.inference_mode():
        took = timing.in_turns({str(size): partial(small, **nine) for size, small in cut.items()})
    whole = took[str(every[0])]
    minilm = next(dot for dot in frontier.dots_until("19") if dot.name == "MiniLM")
    milliseconds = {}
    for size in every:
        shares = sorted(own / other for own, other in zip(took[str(size)], whole, strict=True))
        milliseconds[size] = minilm.milliseconds * shares[len(shares) // 2]
    right = {size: mean(record.values("headlines", f"sizes, last layer kept, {size}")) for size in every}
    megabytes = {size: counting.unique_parameters(small) / 1e6 for size, small in cut.items()}
    return Ledger(right, megabytes, milliseconds)


def draw_ledger(ledger: Ledger) -> tuple["Figure", str]:
    """Draw the twelve sizes: accuracy, megabytes and milliseconds."""
    widths, depths = (1.0, 0.75, 0.5, 0.25), {"6 layers": 1.0, "4 layers": 2 / 3, "3 layers": 0.5}
    measured = {
        "accuracy": ledger.right,
        "MB at eight bits": ledger.megabytes,
        "ms for one text": ledger.milliseconds,
    }
    panels = {}
    for name, values in measured.items():
        panels[name] = [[values[sizes.Size(width, share)] for width in widths] for share in depths.values()]
    formats = dict(zip(panels, (".1%", ".1f", ".1f"), strict=True))
    title = "Twelve sizes of one network: what each reaches and costs"
    return draw_size_grid(widths, list(depths), panels, formats, title)


INSIDE = "sizes, important first, 0.25 x 0.5"
ALONE = {
    "alone, as many steps": "0.25 x 0.5 alone",
    "alone, as much arithmetic": "0.25 x 0.5 alone, equal compute",
}


def draw_alone(record: Any) -> tuple["Figure", str]:
    """Draw the smallest size inside the shared network and alone, and the whole inside it."""
    arms = {"inside": INSIDE, **ALONE, "inside, the whole": "sizes, important first, 1 x 1"}
    panels = {"accuracy on headlines, %": [_percent(record, arm) for arm in arms.values()]}
    return draw_panels(list(arms), panels, "The smallest size, inside and alone", dict.fromkeys(panels, 1))


def gains_alone(record: Any) -> str:
    """What the smallest size gains when it is trained alone, and in how many steps."""
    lines = []
    for name, arm in ALONE.items():
        gap = stats.paired_difference(_percent(record, INSIDE), _percent(record, arm))
        verdict = "resolved" if gap.is_resolved else "not resolved"
        steps = record.values("headlines", arm, "steps")[0]
        lines.append(f"{name} less inside: {gap.of_means:+.1f} points, {verdict}; {steps:,.0f} steps alone")
    return "\n".join(lines)


def smallest_alone(record: Any, ledger: Ledger) -> tuple[float, float, float]:
    """Megabytes, milliseconds and accuracy of the smallest size, trained alone with as much arithmetic."""
    smallest = list(ledger.right)[-1]
    right = mean(_percent(record, ALONE["alone, as much arithmetic"]))
    return ledger.megabytes[smallest], ledger.milliseconds[smallest], right


def draw_layerdrop(record: Any) -> tuple["Figure", str]:
    """Draw LayerDrop with and without, six layers and three, recorded."""
    arms = {}
    for count in (3, 6):
        for rate in ("0", "0.2"):
            arms[f"{count} layers, p = {rate}"] = f"LayerDrop {rate}, {count} layers, last kept"
    arms["3 layers alone"] = "3 layers alone"
    panels = {
        f"{task}, accuracy, %": [_percent(record, arm, task) for arm in arms.values()] for task in TASKS
    }
    title = "LayerDrop at two depths, and three layers trained alone"
    return draw_panels(list(arms), panels, title, dict.fromkeys(panels, 1))


TASKS = ("headlines", "SST-2")


def _percent(record: Any, arm: str, task: str = "headlines") -> list[float]:
    return [100 * value for value in record.values(task, arm)]


def draw_fused(maps: Mapping[str, torch.Tensor], tokens: Sequence[str]) -> tuple["Figure", str]:
    """Draw maps [T, T] of one text side by side, and say where the second token looks in each."""
    looks = []
    for name, weights in maps.items():
        most = int(weights[1].argmax())
        looks.append(f"{name}: {tokens[1]} looks most at {tokens[most]} ({weights[1, most]:.2f})")
    figure = draw_maps(maps, tokens, "A head at a quarter of the width, beside two of the teacher's")
    return figure, f"Attention maps. {'; '.join(looks)}."
