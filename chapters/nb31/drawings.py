"""What notebook 31 shows: cuts of a model, which layers run, what they take, and what the records hold."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from lib.bert.heads import BertForSequenceClassification
from lib.compression.ledger.counting import unique_parameters
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.panels import draw_panels
from lib.figures.style import HATCHES, INK, QUIET, SERIES, canvas, style
from lib.records.table import Table
from lib.stats import paired_difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: by what a reader calls them, the arms of the record that are taught for 600 steps
RUNS = {
    "3 layers, once": "3 layers, 600 steps",
    "3 layers, twice": "3 layers, each twice, 600 steps",
    "1 layer, once": "1 layer, 600 steps",
    "1 layer, six times": "1 layer, six times, 600 steps",
}
PROGRAMS = {
    "PyTorch, 32 bits": "float32",
    "PyTorch, 16 bits": "bfloat16",
    "onnxruntime, 32 bits": "onnxruntime float32",
    "onnxruntime, 8 bits": "onnxruntime int8",
}
#: arms of the ledger with six layers of their own, measured when the shared layer was
SIX_LAYERS = ("ternary", "binary")
SHAPES = {"one text of 9 pieces": "1 x 9", "32 texts of 32 pieces": "32 x 32"}
TRAILS = {
    "1 hop": "1 hops, price 0.01",
    "2 hops": "2 hops, price 0.01",
    "3 hops": "3 hops, price 0.01",
    "3 hops, ten times the price": "3 hops, price 0.1",
}


# ---------------------------------------------------------------------------------------------
# Cuts


def numbers_in_layers(model: BertForSequenceClassification) -> int:
    """How many weights the matrices of the layers hold."""
    return sum(part.weight.numel() for part in model.bert.encoder.modules() if isinstance(part, nn.Linear))


def lost_of_weights(whole: nn.Module, cut: nn.Module, paths: Iterable[str]) -> float:
    """The share of the squared weights at `paths` that the factors of a cut model don't hold, 0 to 1."""
    lost = total = 0.0
    for path in paths:
        weight: Any = whole.get_submodule(path).weight
        kept = weight
        if isinstance(pair := cut.get_submodule(path), nn.Sequential):
            first, second = (part.get_parameter("weight") for part in pair)
            kept = second @ first
        lost += (weight - kept).square().sum().item()
        total += weight.square().sum().item()
    return lost / total


def table_of_cuts(
    models: Mapping[str, Any], right: Mapping[str, float], paths: Iterable[str]
) -> dict[str, list[str]]:
    """Of the whole model, the first one, and its cuts: what is lost of the weights, and right answers."""
    whole = next(iter(models.values()))
    lost = [lost_of_weights(whole, model, paths) for model in models.values()]
    return {
        "model": [*models],
        "lost of the squared weights": [f"{share:.0%}" for share in lost],
        "headlines right": [f"{right[name]:.1%}" for name in models],
    }


def table_of_bytes(models: Mapping[str, nn.Module], right: Mapping[str, float]) -> dict[str, list[str]]:
    """Of each model its megabytes and its right answers."""
    return {
        "model": [*models],
        "MB in 32 bits": [f"{4 * unique_parameters(model) / 1e6:.1f}" for model in models.values()],
        "headlines right": [f"{right[name]:.1%}" for name in models],
    }


def draw_directions(weight: Tensor, outputs: Tensor) -> tuple["Figure", str]:
    """Draw what share of the squares the first directions hold, of weight [out, in] and outputs [N, out]."""
    shares = {}
    for name, matrix in {"the weights": weight, "the outputs": outputs}.items():
        squares = torch.linalg.svdvals(matrix.detach()).square()
        shares[name] = (100 * squares.cumsum(0) / squares.sum()).tolist()
    count = min(weight.shape)
    places = [count // 8, count // 4, count // 2]
    said = "; ".join(
        f"{name} {', '.join(f'{values[place - 1]:.0f}%' for place in places)}"
        for name, values in shares.items()
    )
    figure = draw_lines(
        range(1, count + 1),
        {name: values[:count] for name, values in shares.items()},
        f"directions kept, of {count}",
        "share of the squares, %",
        "What the first directions hold, of a matrix and of its outputs",
        marked=[count // 4],
    )
    listed = ", ".join(map(str, places))
    return figure, f"Share of the squares in the first {listed} directions: {said}."


# ---------------------------------------------------------------------------------------------
# Records


def verdict(record: Table, task: str, arm: str, rival: str) -> str:
    """By how many points an arm is ahead of its rival over the seeds of a record, and if it is resolved."""
    difference = paired_difference(record.values(task, rival), record.values(task, arm))
    word = "resolved" if difference.is_resolved else "not resolved"
    return f"{100 * difference.of_means:+.1f} points, {word}"


def verdicts_on_ranks(record: Table) -> str:
    """What factors for the inputs gain over those for the weights, all texts of two tasks, three models."""
    asked = {
        "rank 96": "rank 96",
        "rank 192": "rank 192",
        "rank 96, after 100 steps of teaching": "rank 96, 100 steps",
    }
    lines = [
        f"headlines, {name}: {verdict(record, 'headlines', f'inputs, {arm}', f'weights, {arm}')}"
        for name, arm in asked.items()
    ]
    ranks = (96, 128, 192)
    gains = [
        paired_difference(
            record.values("SST-2", f"weights, rank {rank}"), record.values("SST-2", f"inputs, rank {rank}")
        )
        for rank in ranks
    ]
    points = ", ".join(f"{100 * gain.of_means:+.1f}" for gain in gains)
    resolved = sum(gain.is_resolved for gain in gains)
    lines.append(
        f"SST-2, ranks {', '.join(map(str, ranks))}: {points} points, {resolved} of {len(gains)} resolved"
    )
    return "\n".join(lines)


def verdicts_on_words(record: Table) -> str:
    """What weighting rows by how often they are read gains at rank 64, on two tasks."""
    return "\n".join(
        f"rank 64, {task}: {verdict(record, task, 'words as read, rank 64', 'words, rank 64')}"
        for task in ("headlines", "SST-2")
    )


def draw_runs(record: Table) -> tuple["Figure", str]:
    """Draw what networks of equal weights answer that run them once and more often, three seeds."""
    right = [[100 * value for value in record.values("headlines", arm)] for arm in RUNS.values()]
    title = "Equal weights, run once or more often"
    return draw_panels([*RUNS], {"headlines right, %": right}, title, {"headlines right, %": 1})


def verdicts_on_runs(record: Table) -> str:
    """What further runs of the same weights gain, after short and after longer teaching."""
    once, twice, single, six = RUNS.values()
    early = [arm.replace("600", "100") for arm in (twice, once)]
    return (
        f"3 layers, twice less once, 100 steps: {verdict(record, 'headlines', *early)}\n"
        f"3 layers, twice less once, 600 steps: {verdict(record, 'headlines', twice, once)}\n"
        f"1 layer, six times less once, 600 steps: {verdict(record, 'headlines', six, single)}"
    )


def draw_trails(record: Table) -> tuple["Figure", str]:
    """Draw right answers and steps by the length of the trail and by the price, three seeds."""
    panels = {
        "right, %": [[100 * value for value in record.values("trails", arm)] for arm in TRAILS.values()],
        "steps": [record.values("trails", arm, "steps") for arm in TRAILS.values()],
    }
    return draw_panels([*TRAILS], panels, "Steps for trails of one to three hops", {"steps": 1})


# ---------------------------------------------------------------------------------------------
# Layers that share, and their time


def draw_stacks(stacks: Mapping[str, Sequence[int | str]], title: str | None = None) -> tuple["Figure", str]:
    """Draw networks side by side, the first layer at the bottom; equal names are one set of weights."""
    from matplotlib.patches import Rectangle

    most = max(map(len, stacks.values()))
    kinds = list(dict.fromkeys(layer for layers in stacks.values() for layer in layers))
    with style():
        figure = canvas(8.0, 0.8 + 0.42 * most, title)
        axes = figure.subplots()
        for place, (name, layers) in enumerate(stacks.items()):
            for row, layer in enumerate(layers):
                kind = kinds.index(layer)
                color, hatch = kind % len(SERIES), (kind + kind // len(SERIES)) % len(HATCHES)
                axes.add_patch(
                    Rectangle(
                        (place + 0.18, row + 0.1), 0.64, 0.8, facecolor=SERIES[color], alpha=0.35,
                        hatch=HATCHES[hatch], edgecolor="white",
                    )
                )  # fmt: skip
                axes.add_patch(Rectangle((place + 0.18, row + 0.1), 0.64, 0.8, fill=False, edgecolor=INK))
                label = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
                axes.text(place + 0.5, row + 0.5, f"{layer}", ha="center", va="center", bbox=label)
            sets = len(set(layers))
            description = (
                f"{name}\n{sets} set{'s' * (sets > 1)} of weights, {len(layers)} run{'s' * (len(layers) > 1)}"
            )
            axes.text(place + 0.5, -0.25, description, ha="center", va="top", fontsize=10, color=INK)
        axes.text(-0.02, most / 2, "input at the bottom", rotation=90, ha="right", va="center", color=QUIET)
        axes.set_xlim(-0.1, len(stacks))
        axes.set_ylim(-1.35, most + 0.1)
        axes.axis("off")
    alt = "; ".join(
        f"{name}: layers {', '.join(map(str, layers))} run, {len(set(layers))} with weights of their own"
        for name, layers in stacks.items()
    )
    return figure, alt + "."


def milliseconds(ledger: Table, arm: str) -> dict[str, dict[str, float]]:
    """The recorded milliseconds of a model by program and shape."""
    found: dict[str, dict[str, float]] = ledger.runs("headlines", arm)[0].costs["milliseconds"]
    return found


def draw_programs(ledger: Table) -> tuple["Figure", str]:
    """Draw the recorded time of one layer run six times beside six layers', by program and shape of a batch.

    The six layers are the mean of two models measured on the same day and at the same commit.
    """
    shared = milliseconds(ledger, "1 layer, six times")
    six = [milliseconds(ledger, arm) for arm in SIX_LAYERS]
    ratios = {
        name: [
            shared[program][shape] / mean(times[program][shape] for times in six)
            for program in PROGRAMS.values()
        ]
        for name, shape in SHAPES.items()
    }
    title = "Time of one layer, six times, as a share of six layers'"
    figure = draw_bars(
        [*PROGRAMS], ratios, "share of six layers' time", title, xlim=(0, 1.25), baseline=("six layers", 1.0)
    )
    said = "; ".join(
        f"{name}: {', '.join(f'{program} {ratio:.2f}' for program, ratio in zip(PROGRAMS, row, strict=True))}"
        for name, row in ratios.items()
    )
    return figure, f"{title}. {said}."


def beside_the_first(seconds: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median over rounds of each call's time as a share of the first one's in the same round."""
    (_, first), *others = seconds.items()
    return {
        name: median(own / whole for own, whole in zip(spent, first, strict=True)) for name, spent in others
    }


def draw_lengths(ratios: Mapping[int, Mapping[str, float]]) -> tuple["Figure", str]:
    """Draw each model's share of the whole model's time over the pieces of a text."""
    names = [*next(iter(ratios.values()))]
    lines = {name: [row[name] for row in ratios.values()] for name in names}
    title = "Time of one text, as a share of the whole model's"
    low = min(0.5, *map(min, lines.values()))
    high = max(1.2, *map(max, lines.values()))
    figure = draw_lines(
        [*ratios], lines, "pieces of the text", "share of the whole model's time", title,
        logx=True, ylim=(low, high), baseline=("whole", 1.0), marked=[*ratios],
    )  # fmt: skip
    said = "; ".join(
        f"{length} pieces: {', '.join(f'{name} {ratio:.2f}' for name, ratio in row.items())}"
        for length, row in ratios.items()
    )
    return figure, f"{title}. {said}."


def mean_right(record: Table, arm: str) -> float:
    """The mean over seeds of right headlines, in percent."""
    return 100 * mean(record.values("headlines", arm))
