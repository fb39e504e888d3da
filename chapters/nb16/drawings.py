"""The drawings of notebook 16: a script mended, how far a gradient goes back, and ways to train.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_ways(...))`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chapters.nb16 import step_memory
from lib import stats
from lib.figures.panels import draw_panels
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style
from lib.records.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: of the record: what is mended, line after line
FIXES = (
    "as it was", "AdamW", "an attention mask", "eval() before the test", "batches at once",
    "padding to the longest",
)  # fmt: skip
#: of the record: what learns, and at which rate
WAYS = {"head": "0.003", "top 1": "0.0005", "top 2": "0.0005", "all": "0.0002"}
#: the same where labels are few
FEW = {"head": "0.003", "top 1": "0.0005", "top 2": "0.0005", "top 4": "0.0005", "all": "0.0002"}
#: of the record: how fast all layers learn
GENTLE = {
    "one rate\n0.0001": "all, half the rate",
    "one rate\n0.0002": "all",
    "one rate\n0.0003": "all, 1.5 times the rate",
    "layer rates\nfrom 0.0003": "layer rates",
    "gradual\n0.0003": "gradual",
}
#: what a reader calls an arm: the arm of the record
ARMS = {
    "all at 0.0001": "all, half the rate",
    "all at 0.0002": "all",
    "all at 0.0003": "all, 1.5 times the rate",
    "AdamW, mask and eval()": "eval() before the test",
    "AdamW alone": "AdamW",
}


def losses_by_step(runs: Mapping[str, Sequence[float]]) -> dict[str, list[Any]]:
    """The losses of some steps of each run, as a table."""
    table: dict[str, list[Any]] = {"optimizer": [*runs]}
    for name, step in {"first step": 0, "third": 2, "sixth": 5, "twelfth": 11}.items():
        table[name] = [losses[step] for losses in runs.values()]
    return table


def draw_fixes(script: Table, words: float) -> tuple["Figure", str]:
    """Accuracy and processor seconds of the script after each fix; words: the share of a count of words."""
    whole = [script.values("headlines", fix, "processor_seconds") for fix in FIXES]
    testing = [script.values("headlines", fix, "testing_seconds") for fix in FIXES]
    training = [
        [seconds - tested for seconds, tested in zip(*both, strict=True)]
        for both in zip(whole, testing, strict=True)
    ]
    panels = {
        "accuracy, %": [percent(script, fix) for fix in FIXES],
        "seconds of training": training,
        "seconds of the test": testing,
    }
    gained = sum(panels["accuracy, %"][-1]) / 3 - sum(panels["accuracy, %"][0]) / 3
    title = f"A script of 2020, mended line by line: {gained:.0f} points"
    baseline = {"accuracy, %": ("counting words", 100 * words)}
    labels = [FIXES[0], *(f"+ {fix}" for fix in FIXES[1:])]
    figure, alt = draw_panels(labels, panels, title, {"accuracy, %": 1}, baseline)
    return figure, f"{alt} Counting words: {100 * words:.1f}%."


def draw_ways(ways: Table) -> tuple["Figure", str]:
    """What four ways to train reach, and what they take: accuracy, seconds, memory."""
    labels = [f"{way}, rate {rate}" for way, rate in WAYS.items()]
    panels = {
        "accuracy, %": [percent(ways, way) for way in WAYS],
        "processor seconds": [ways.values("headlines", way, "processor_seconds") for way in WAYS],
        "memory, MB": [[size / 1e6 for size in ways.values("headlines", way, "memory")] for way in WAYS],
    }
    words = 100 * ways.values("headlines", "baseline")[0]
    title = "Accuracy, time and memory of four ways to train"
    baseline = {"accuracy, %": ("counting words", words)}
    figure, alt = draw_panels(labels, panels, title, {"accuracy, %": 1}, baseline)
    return figure, f"{alt} Counting words: {words:.1f}%."


def draw_stacks(
    models: Mapping[str, Any], cuts: Sequence[int], inputs: dict[str, Any], labels: Any
) -> tuple["Figure", str]:
    """How far the gradient goes back where something learns, and what a step holds, measured."""
    parts = ["words", *(f"layer {number}" for number in range(6)), "head"]
    stacks = []
    for (name, model), cut in zip(models.items(), cuts, strict=True):
        weights = sum(weight.nbytes for weight in model.parameters()) / 1e6
        held = step_memory.step_megabytes(model, inputs, labels)
        stacks.append(FrozenStack(name, parts, cut, weights, *held))
    return draw_freezing(stacks, "How far the gradient goes back, and what a step holds for it")


def draw_few(few: Table, own_layers: int, own_share: float, words: float) -> tuple["Figure", str]:
    """What training more or fewer layers reaches on few labels, and the reader's own run."""
    places = {"head": 0, "top 1": 1, "top 2": 2, "top 4": 4, "all": 7}
    found = {way: percent(few, way) for way in FEW}
    with style():
        figure = canvas(8.0, 3.7, "Ninety labels: how much of MiniLM to train")
        axes = figure.subplots()
        means = [sum(shares) / len(shares) for shares in found.values()]
        axes.plot([*places.values()], means, color=LIT, marker="_", markersize=14)
        for way, shares in found.items():
            axes.plot([places[way]] * len(shares), shares, "o", color=SERIES[2], markersize=5)
        beside = own_layers + 0.22  # no recorded dot is hidden
        axes.plot([beside], [100 * own_share], "*", color=INK, markersize=15)
        axes.annotate(
            f"your run {100 * own_share:.0f}", (beside, 100 * own_share), (0, -19), ha="center",
            textcoords="offset points", fontweight="bold",
        )  # fmt: skip
        axes.axhline(100 * words, color=QUIET, linewidth=1.3, linestyle=(0, (4, 3)))
        axes.text(7.4, 100 * words + 1, f"counting words {100 * words:.0f}", ha="right", fontsize=10)
        axes.set_xticks([*places.values()], [f"{way}\nrate {rate}" for way, rate in FEW.items()])
        low = min(100 * words, 100 * own_share, *(min(shares) for shares in found.values()))
        axes.set(xlim=(-0.5, 7.5), ylim=(max(0, low - 8), 80), ylabel="right of 720 headlines, %")
        axes.set_xlabel("what learns (blue dot: one seed; line: mean of three)")
        axes.grid(axis="y")
    told = "; ".join(f"{way} {mean:.1f}" for way, mean in zip(found, means, strict=True))
    alt = (
        f"Right of 720 test headlines in percent after 90 labels, means of three seeds: {told}. Your run,"
        f" with the top {own_layers}: {100 * own_share:.1f}. Counting words: {100 * words:.1f}."
    )
    return figure, alt


def percent(table: Table, arm: str) -> list[float]:
    """The accuracies of an arm on headlines, one a seed."""
    return [100 * share for share in table.values("headlines", arm)]


def leads(table: Table, way: str, others: Sequence[str]) -> str:
    """By how much a way leads others, seed by seed, a line for each: points, and what the seeds differ by."""
    ours = percent(table, ARMS.get(way, way))
    lines = []
    for other in others:
        lead = stats.paired_difference(percent(table, ARMS.get(other, other)), ours)
        verdict = "resolved" if lead.is_resolved else "not resolved"
        told = f"{lead.of_means:+.1f} points, the seeds differ by {lead.spread:.1f}: {verdict}"
        lines.append(f"{way} against {other}: {told}")
    return "\n".join(lines)


def gentle_ways(ways: Table) -> dict[str, list[float]]:
    """The accuracies of five ways in which all layers learn."""
    return {name: percent(ways, arm) for name, arm in GENTLE.items()}


@dataclass(frozen=True)
class FrozenStack:
    """A model of which the parts from `cut` on learn, and the megabytes that a training step holds.

    parts: from the embeddings to the head. cut: how many of them, from the bottom, are frozen.
    """

    name: str
    parts: Sequence[str]
    cut: int
    weights: float
    gradients: float
    optimizer: float
    activations: float

    def __post_init__(self) -> None:
        if not 0 <= self.cut < len(self.parts):
            raise ValueError(
                f"{self.cut} of {len(self.parts)} parts are frozen: give a number from 0 to"
                f" {len(self.parts) - 1}, so that something learns."
            )

    @property
    def rounded(self) -> tuple[float, float, float]:
        """Gradients, optimizer and activations as they are written: with one decimal."""
        return round(self.gradients, 1), round(self.optimizer, 1), round(self.activations, 1)

    @property
    def total(self) -> float:
        """Megabytes of all three as they are written, so that a reader can add them up."""
        return sum(self.rounded)


def draw_freezing(stacks: Sequence[FrozenStack], title: str) -> tuple["Figure", str]:
    """Draw the stacks under one another: dark what learns, pale what is frozen, the cut and the way back."""
    row, width = 1.75, 9.6
    page = Schematic(width, 0.45 + row * len(stacks))
    page.text(width / 2, 0.22 + row * len(stacks), title, weight="bold", fontsize=12)
    for number, stack in enumerate(stacks):
        bottom = row * (len(stacks) - 1 - number)
        _draw_stack(page, stack, bottom)
    alt = " ".join(
        f"{stack.name}: frozen are {', '.join(stack.parts[: stack.cut]) or 'none'}; learning are"
        f" {', '.join(stack.parts[stack.cut :])}, down to where the gradient goes back. A step holds"
        f" {stack.rounded[0]:.1f} MB of gradients, {stack.rounded[1]:.1f} MB of AdamW's numbers and"
        f" {stack.rounded[2]:.1f} MB of activations, {stack.total:.1f} MB together, beside"
        f" {stack.weights:.1f} MB of weights."
        for stack in stacks
    )
    return page.figure, alt


def _draw_stack(page: Schematic, stack: FrozenStack, bottom: float) -> None:
    """One stack in its row: name, boxes, the way forward above them and the way back below."""
    page.text(0.1, bottom + 1.58, stack.name, ha="left", weight="bold")
    room, gap = 6.9, 0.14
    size = (room - gap * (len(stack.parts) - 1)) / len(stack.parts)
    boxes = [
        page.box(
            0.1 + place * (size + gap), bottom + 0.62, size, 0.58, part,
            "learns" if place >= stack.cut else "frozen", "lit" if place >= stack.cut else "plain",
        )
        for place, part in enumerate(stack.parts)
    ]  # fmt: skip
    ahead, back = bottom + 1.34, bottom + 0.42
    left, right = boxes[0].left, boxes[-1].left + boxes[-1].width
    page.arrow((left, ahead), (right, ahead))
    page.text(right, ahead + 0.16, "forward, through all parts", ha="right", fontsize=10)
    ends = boxes[stack.cut].left
    page.arrow((boxes[-1].below[0], bottom + 0.62), (boxes[-1].below[0], back), (ends, back))
    way = "backward, down to the cut" if stack.cut else "backward, through all parts"
    page.text(ends, back - 0.18, way, ha="left", fontsize=10)
    if stack.cut:
        border = ends - gap / 2
        page.axes.plot([border, border], [bottom + 0.2, ahead + 0.1], color=INK, linewidth=2, linestyle=":")
        page.text(border - 0.08, back - 0.1, "cut", ha="right", weight="bold")
    gradients, optimizer, activations = stack.rounded
    costs = f"gradients {gradients:.1f} MB\nAdamW {optimizer:.1f} MB\nactivations {activations:.1f} MB"
    page.text(7.25, bottom + 1.12, costs, ha="left", fontsize=10, linespacing=1.35)
    page.text(7.25, bottom + 0.62, f"together {stack.total:.1f} MB", ha="left", weight="bold", color=LIT)
    page.text(7.25, bottom + 0.38, f"beside {stack.weights:.1f} MB of weights", ha="left", fontsize=10)


def draw_gentle(
    parts: Sequence[str],
    rates: Sequence[float],
    starts: Sequence[int],
    steps: int,
    accuracies: Mapping[str, Sequence[float]],
    title: str,
) -> tuple["Figure", str]:
    """Draw how fast each part learns, from when on, and what both bring.

    parts: from the bottom to the top. rates: of each its learning rate, where each layer has its own. starts:
    the step from which each part learns, where one more thaws at a time. accuracies: in %, one a seed.
    """
    with style():
        figure = canvas(11.6, 3.9, title)
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 0.8, 2.0))
        places = range(len(parts))
        for axes, begins, name in ((left, [0] * len(parts), "layer rates"), (middle, starts, "gradual")):
            for place, begin in zip(places, begins, strict=True):
                strength = rates[place] / max(rates) if axes is left else 1.0
                axes.barh(place, begin, 0.8, color="white", edgecolor=FAINT, linewidth=0.8)
                axes.barh(place, steps - begin, 0.8, left=begin, color=LIT, alpha=strength, linewidth=0)
            axes.set(xlim=(0, steps), ylim=(-0.6, len(parts) - 0.4), xlabel="step", title=name)
            axes.set_yticks(places, parts if axes is left else [""] * len(parts))
            axes.tick_params(axis="y", length=0)
        for place, rate in zip(places, rates, strict=True):
            color = "white" if rate > 0.55 * max(rates) else INK
            left.text(steps / 2, place, f"{rate:.5f}", ha="center", va="center", color=color, fontsize=10)
        for place, begin in zip(places, starts, strict=True):
            if begin > steps / 4:
                middle.text(begin / 2, place, "frozen", ha="center", va="center", color=QUIET, fontsize=9.5)
        _draw_dots(right, accuracies)
    description = "; ".join(
        f"{part}: rate {rate:.5f}, or frozen until step {begin}"
        for part, rate, begin in zip(parts, rates, starts, strict=True)
    )
    dots = "; ".join(
        f"{' '.join(name.split())} {sum(values) / len(values):.1f} ({min(values):.1f} to {max(values):.1f})"
        for name, values in accuracies.items()
    )
    return (
        figure,
        f"Two ways, over {steps} steps. {description}. Accuracy in %, mean (lowest to highest seed): {dots}.",
    )


def _draw_dots(axes: "Axes", accuracies: Mapping[str, Sequence[float]]) -> None:
    """A column of dots for each way, its mean as a line with its number."""
    for place, values in enumerate(accuracies.values()):
        mean = sum(values) / len(values)
        axes.scatter(
            [place] * len(values),
            values,
            color=SERIES[place],
            marker=MARKERS[place],
            s=28,
            linewidth=0,
        )
        axes.plot([place - 0.28, place + 0.28], [mean, mean], color=INK, linewidth=1.6)
        axes.text(place + 0.34, mean, f"{mean:.1f}", va="center", ha="left", fontsize=10, weight="bold")
    axes.set_xticks(range(len(accuracies)), list(accuracies))
    axes.set(xlim=(-0.5, len(accuracies) - 0.1), title="accuracy, %")
