"""Layer norm on one token: the vector after each of its steps, with its numbers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .arrays import to_array
from .schematic import Schematic
from .style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .arrays import Array

WIDE, TALL = 0.85, 0.42  # of a box with one number, in inches
COLUMN = 2.35  # from one step to the next
LEFT, BOTTOM = 1.2, 0.5


def draw_layer_norm(steps: Mapping[str, Any], title: str) -> "Figure":
    """Draw one token's vector after each step, left to right, a box for each number.

    `steps` maps what was done to the vector [D] that came of it, in order: the token's own vector first.
    """
    vectors = _vectors(steps)
    size = len(next(iter(vectors.values())))
    height = BOTTOM + size * 0.55 + 1.05
    page = Schematic(LEFT + COLUMN * len(vectors) - 0.55, height)
    page.text(0.15, height - 0.24, title, ha="left", fontsize=13, weight="bold")
    for feature in range(size):
        page.text(
            LEFT - 0.15, _bottom(feature, size) + TALL / 2, f"feature {feature}", ha="right", color=QUIET
        )
    for column, (done, vector) in enumerate(vectors.items()):
        left = LEFT + COLUMN * column
        page.text(left + WIDE / 2, height - 0.72, done, color=LIT, weight="bold")
        for feature, number in enumerate(vector):
            look = "plain" if column == 0 else "lit" if column == len(vectors) - 1 else "tint"
            box = page.box(left, _bottom(feature, size), WIDE, TALL, _written(number), look=look)
            if column:
                page.arrow((left - COLUMN + WIDE, box.west[1]), box.west)
        about = f"mean {_written(vector.mean())}, spread {_written(vector.std())}"
        page.text(left + WIDE / 2, 0.25, about, color=QUIET, fontsize=10.5)
    return page.figure


def describe_layer_norm(steps: Mapping[str, Any]) -> str:
    """Say in words what `draw_layer_norm` shows."""
    said = [
        f"{done}: {', '.join(map(_written, vector))} (mean {_written(vector.mean())},"
        f" spread {_written(vector.std())})"
        for done, vector in _vectors(steps).items()
    ]
    return f"One token's vector, step by step. {'; '.join(said)}."


def _vectors(steps: Mapping[str, Any]) -> "dict[str, Array]":
    vectors = {done: to_array(vector, repr(done), "D") for done, vector in steps.items()}
    if len(vectors) < 2 or len({len(vector) for vector in vectors.values()}) != 1:
        raise ValueError("Give the token's vector and what came of it: two or more vectors of one length.")
    return vectors


def _bottom(feature: int, size: int) -> float:
    """The lower edge of a feature's boxes; feature 0 stands on top."""
    return BOTTOM + (size - 1 - feature) * 0.55


def _written(number: float) -> str:
    """A number with at most two decimals, no zero behind them, and a real minus."""
    return f"{round(float(number), 2) + 0.0:g}".replace("-", "−")
