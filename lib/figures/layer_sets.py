"""Which layers of a teacher, put side by side, teach each layer of a student."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL, GAP = 2.3, 0.2  # inches
STEP, BOX = 0.46, 0.32
BOTTOM, MOST = 0.5, 5


def draw_layer_sets(
    panels: Mapping[str, Sequence[Sequence[int]]], teacher_layers: int, title: str
) -> "Figure":
    """Draw for each name the teacher at the left, the student at the right, and a line for each that teaches.

    A panel has for each of the student's layers, from the first, the teacher's layers that teach it, from 1,
    or none. Layers that teach nobody are gray, and so are those that nobody teaches.
    """
    _check(panels, teacher_layers)
    page = Schematic(
        0.3 + len(panels) * PANEL + (len(panels) - 1) * GAP, BOTTOM + STEP * teacher_layers + 0.75
    )
    height = BOTTOM + STEP * teacher_layers
    page.text(0.15, height + 0.55, title, ha="left", weight="bold", fontsize=13)
    for number, (name, sets) in enumerate(panels.items()):
        left = 0.15 + number * (PANEL + GAP)
        page.text(left + PANEL / 2, height + 0.16, name, weight="bold", fontsize=11)
        teaching = {layer for layers in sets for layer in layers}
        boxes = {
            layer: page.box(
                left, BOTTOM + STEP * (layer - 1), 0.72, BOX, str(layer),
                look="tint" if layer in teaching else "quiet",
            )
            for layer in range(1, teacher_layers + 1)
        }  # fmt: skip
        share = STEP * teacher_layers / len(sets)
        for own, layers in enumerate(sets, start=1):
            middle = BOTTOM + share * (own - 0.5)
            look = "lit" if layers else "quiet"
            student = page.box(left + 1.55, middle - 0.2, 0.72, 0.4, str(own), look=look)
            for place, layer in enumerate(sorted(layers), start=1):
                x, y = student.west
                page.arrow(boxes[layer].east, (x, y + 0.3 * (place / (len(layers) + 1) - 0.5)))
        page.text(left + 0.36, 0.24, "teacher", color=QUIET, fontsize=10)
        page.text(left + 1.91, 0.24, "student", color=QUIET, fontsize=10)
    return page.figure


def describe_layer_sets(panels: Mapping[str, Sequence[Sequence[int]]], teacher_layers: int) -> str:
    """Say in words what `draw_layer_sets` shows."""
    _check(panels, teacher_layers)
    told = []
    for name, sets in panels.items():
        pairs = "; ".join(
            f"{', '.join(map(str, layers)) or 'none'} teach layer {own}"
            for own, layers in enumerate(sets, start=1)
        )
        idle = sorted(set(range(1, teacher_layers + 1)) - {layer for layers in sets for layer in layers})
        nobody = f" ({', '.join(map(str, idle))} teach nobody)" if idle else ""
        told.append(f"{name}: {pairs}{nobody}")
    return f"A teacher of {teacher_layers} layers. {'. '.join(told)}."


def _check(panels: Mapping[str, Sequence[Sequence[int]]], teacher_layers: int) -> None:
    named = [layer for sets in panels.values() for layers in sets for layer in layers]
    if not 1 <= len(panels) <= MOST or not named or not 1 <= min(named) <= max(named) <= teacher_layers:
        raise ValueError(f"Give 1 to {MOST} names with sets of layers from 1 to {teacher_layers}.")
