"""What notebook 29 shows: where three values lie, lessons on record, a product of sums, bytes of a file."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from lib.analysis.cost.timing import processor_seconds_of
from lib.bert.heads import BertForSequenceClassification
from lib.compression.ledger.onnx import int8_layer
from lib.compression.quantizers.integers import integer_matmul
from lib.compression.quantizers.linear import quantize_symmetric
from lib.compression.quantizers.ternary import ternarize
from lib.figures.arrays import to_array
from lib.figures.charts import draw_bars
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style
from lib.records.table import Table
from lib.stats import luck, paired_difference
from lib.text.tasks import TextExample
from lib.training.labeled_texts import batches_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 1.75  # inches
LESSONS = {
    "rounded only": "TWN, paper's layout",
    "labels": "ternary, labels",
    "answers": "ternary, answers",
    "answers, states, scores": "ternary, answers, states and scores",
    "whole model, 32 bits": "teacher",
}
ALL_THREE = LESSONS["answers, states, scores"]


def shares(found: Mapping[str, float]) -> dict[str, list[str]]:
    """Two columns: names, and shares of right answers, 0 to 1, in percent."""
    return {"weights": [*found], "right": [f"{share:.1%}" for share in found.values()]}


# ---------------------------------------------------------------------------------------------
# Three values of a row


def draw_middle_row(matrix: Tensor) -> tuple["Figure", str]:
    """Draw the row of a matrix [out, in] whose largest weight is the middle one, with both ways."""
    largest = matrix.abs().amax(dim=1)
    row = matrix[int((largest - largest.median()).abs().argmin())]
    top, threshold = row.abs().max().item(), 0.7 * row.abs().mean().item()
    ways = {"first way": (top / 2, top), "second way": (threshold, ternarize(row)[1].item())}
    return draw_three_values(row, ways, "Two ways to choose three values for one row of MiniLM")


def draw_three_values(
    weights: Any, ways: Mapping[str, tuple[float, float]], title: str
) -> tuple["Figure", str]:
    """Draw the histogram of a row's weights once for each way, what becomes 0 in gray; and say it in words.

    weights: [N]. ways: by name, the size beyond which a weight is kept, and the scale that it then gets.
    """
    numbers = to_array(weights, "weights", "N")
    edge = 1.1 * float(abs(numbers).max())
    description = []
    with style():
        figure = canvas(9.6, 1.0 + 1.6 * len(ways), title)
        every = figure.subplots(len(ways), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, (beyond, scale)) in zip(every, ways.items(), strict=True):
            counts, edges = _histogram(numbers, edge)
            middle = (edges[1:] + edges[:-1]) / 2
            for kept, color in ((False, FAINT), (True, LIT)):
                part = (abs(middle) > beyond) == kept
                axes.bar(middle[part], counts[part], edges[1] - edges[0], color=color, edgecolor="white")
            axes.vlines(
                [-scale, 0, scale], 0, 1, INK, linewidth=1.6, linestyle=(0, (4, 2)),
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            axes.vlines(
                [-beyond, beyond], 0, 1, INK, linewidth=1.6, linestyle="dotted",
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            share = float((abs(numbers) <= beyond).mean())
            axes.set_title(f"{name}: {share:.0%} become 0", fontsize=11)
            axes.set(xlim=(-edge, edge), ylabel="weights")
            description.append(
                f"{name}: beyond {beyond:.3f} a weight becomes ±{scale:.3f}, {share:.0%} become 0"
            )
        every[-1].set_xlabel("weight; gray: becomes 0; dotted: the threshold; dashed: the three values")
    return figure, f"{len(numbers)} weights of a row. {'; '.join(description)}."


def _histogram(numbers: Any, edge: float) -> tuple[Any, Any]:
    import numpy as np

    return np.histogram(numbers, bins=61, range=(-edge, edge))


# ---------------------------------------------------------------------------------------------
# Records


def gain(record: Table, task: str, arm: str, rival: str, metric: str = "accuracy") -> tuple[float, bool]:
    """By how many points an arm is ahead of its rival, and whether that is resolved."""
    difference = paired_difference(record.values(task, rival, metric), record.values(task, arm, metric))
    return 100 * difference.of_means, difference.is_resolved


def less(record: Table, name: str, way: str, rival: str, other: str) -> str:
    """What one way to three values changes against another, all headlines, without training."""
    arms = [f"{one}, paper's layout" for one in (way, other)]
    points, is_resolved = gain(record, "headlines", *arms)
    return f"{name} less {rival}: {points:+.1f} points, {'' if is_resolved else 'not '}resolved"


def draw_lessons(record: Table) -> tuple["Figure", str]:
    """Draw what three lessons bring back on two tasks."""
    right = {
        task: [100 * mean(record.values(task, arm)) for arm in LESSONS.values()] for task in record.tasks()
    }
    title = "What three hundred steps bring back, by lesson"
    said = [
        f"{task}: {', '.join(f'{name} {share:.1f}%' for name, share in zip(LESSONS, values, strict=True))}"
        for task, values in right.items()
    ]
    return draw_bars([*LESSONS], right, "right, %", title, digits=1), f"{title}. {'; '.join(said)}."


def verdicts_on_lessons(record: Table) -> str:
    """How many of the differences between all three lessons and either alone are resolved, and their cost."""
    lines = []
    for metric in ("accuracy", "agreement"):
        gains = [
            gain(record, task, ALL_THREE, LESSONS[rival], metric)
            for task in record.tasks()
            for rival in ("labels", "answers")
        ]
        points = [points for points, _ in gains]
        resolved = sum(is_resolved for _, is_resolved in gains)
        ahead = f"{min(points):+.1f} to {max(points):+.1f} points"
        lines.append(
            f"{metric}, all three less either alone: {ahead}, resolved in {resolved} of {len(gains)}"
        )
    seconds = [
        mean(record.values("headlines", arm, "processor_seconds")) for arm in (ALL_THREE, LESSONS["answers"])
    ]
    lines.append(
        f"all three take {seconds[0] / seconds[1]:.1f} times as long as answers alone, at equal steps"
    )
    return "\n".join(lines)


@torch.no_grad()
def is_right(model: BertForSequenceClassification, examples: Sequence[TextExample]) -> Tensor:
    """Which examples a model gets right, [N] of True and False."""
    batches = [model(**inputs).logits.argmax(dim=-1) == labels for inputs, labels in batches_of(examples, 40)]
    return torch.cat(batches)


def lead(found: Mapping[str, Tensor], first: str, second: str) -> str:
    """How many examples only one of two models gets right, and the lead that would count (notebook 02)."""
    ahead = int((found[first] & ~found[second]).sum())
    behind = int((found[second] & ~found[first]).sum())
    may = f"luck alone may bring a lead of {luck(ahead + behind):.1f}"
    return f"right: only {first} {ahead}, only {second} {behind}; {may}"


def changed_codes(before: nn.Module, after: nn.Module) -> float:
    """The share of codes that a training with latent weights has changed, 0 to 1."""
    changed = total = 0
    for path, part in after.named_modules():
        if parametrize.is_parametrized(part):
            latent: Any = part.parametrizations
            codes, _ = ternarize(latent.weight.original)
            first: Any = before.get_submodule(path)
            changed += int((codes != ternarize(first.weight)[0]).sum())
            total += codes.numel()
    return changed / total


# ---------------------------------------------------------------------------------------------
# A layer, and its file


def draw_sums(features: Sequence[float], codes: Sequence[int], scale: float) -> tuple["Figure", str]:
    """Draw one output of a ternary layer: what is added, what is taken away, and the scale at the end."""
    page = Schematic(WIDTH, 3.5)
    title = f"One output: {list(codes).count(1)} features added, {list(codes).count(-1)} taken away"
    page.text(0.15, 3.28, title, ha="left", fontsize=12, weight="bold")
    for y, words in ((2.6, "features"), (1.75, "codes"), (0.85, "added, taken away")):
        page.text(0.15, y, words, ha="left", color=QUIET, fontsize=10.5)
    side = (WIDTH - LEFT - 0.2) / len(features)
    for place, (feature, code) in enumerate(zip(features, codes, strict=True)):
        left = LEFT + side * place
        look = {1: "lit", -1: "tint", 0: "quiet"}[code]
        first = page.box(left + 0.04, 2.37, side - 0.08, 0.46, f"{feature:g}")
        second = page.box(left + 0.04, 1.52, side - 0.08, 0.46, f"{code:+d}" if code else "0", look=look)
        page.arrow(first.below, second.top)
        if code:
            last = page.box(left + 0.04, 0.62, side - 0.08, 0.46, f"{code * feature:+g}", look=look)
            page.arrow(second.below, last.top)
    total = sum(code * feature for feature, code in zip(features, codes, strict=True))
    result = f"sum {total:g}, times the scale {scale:g}: {scale * total:.4g}"
    page.text(LEFT, 0.25, result, ha="left", fontsize=11, weight="bold")
    named = ", ".join(f"{code:+d} for {feature:g}" for feature, code in zip(features, codes, strict=True))
    return page.figure, f"Codes {named}. The {result}."


def draw_clock(x: Tensor, weight: Tensor, codes: Tensor, scale: Tensor) -> tuple["Figure", str]:
    """Draw the microseconds of one dense layer, weight [out, in], on x [N, in] by five routes."""
    plus, minus = (codes == 1).float(), (codes == -1).float()
    eight, of_eight = quantize_symmetric(weight.reshape(1, -1), 8)  # one scale, as the three values have

    def in_integers(whole_numbers: Tensor, their_scale: Tensor) -> Tensor:
        rounded, of_input = quantize_symmetric(x, 8)
        return integer_matmul(rounded, whole_numbers) * (of_input * their_scale)

    routes: dict[str, Callable[[], Tensor]] = {
        "float32": lambda: x @ weight.T,
        "three values, two masks": lambda: scale * (x @ plus.T - x @ minus.T),
        "three values as int8": partial(in_integers, codes, scale),
        "8 bits as int8": partial(in_integers, eight.view_as(weight), of_eight.squeeze()),
        "8 bits, onnxruntime": partial(int8_layer(weight), x),
    }
    spent = {name: 1e6 * min(processor_seconds_of(call) for _ in range(3)) for name, call in routes.items()}
    title = f"Microseconds of one dense layer for {len(x)} tokens"
    said = ", ".join(f"{name} {value:,.0f}" for name, value in spent.items())
    return draw_bars([*spent], [*spent.values()], "microseconds", title, digits=0), f"{title}: {said}."


def table_of_bytes(whole: Path, small: Path, model: Any) -> tuple[dict[str, list[str]], str]:
    """What the bytes of a ternary file are, and how many times smaller it is than the whole one."""
    tables = model.bert.embeddings
    matrices = [part for part in model.bert.modules() if isinstance(part, nn.Linear)]
    held = {
        "matrices, 2 bits": sum(part.weight.numel() for part in matrices) / 4,
        "words, 2 bits": tables.word_embeddings.weight.numel() / 4,
        "a scale for each word": 4 * model.config.vocab_size,
        "positions and token types, 32 bits": 4
        * (tables.position_embeddings.weight.numel() + tables.token_type_embeddings.weight.numel()),
    }
    size = small.stat().st_size
    held["all else"] = size - sum(held.values())
    columns = {
        "part": [*held],
        "kB": [f"{part / 1e3:,.0f}" for part in held.values()],
        "share": [f"{part / size:.1%}" for part in held.values()],
    }
    times = whole.stat().st_size / size
    return columns, f"The ternary file: {size / 1e6:.2f} MB, {times:.1f} times smaller than 32 bits"
