"""DynaBERT: one set of weights learns to work at every width and depth, from the widest (Hou et al., 2020).

    rewire(student, head_importance, neuron_importance)
    DynaBert(student, teacher, width_stage(6))                  # a fine-tuned model teaches every width
    DynaBert(student, copy.deepcopy(student), depth_stage(6))   # what came of it teaches every depth

All sizes learn from the same batch in one step: their gradients are added before the weights move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from lib.compression.distillation.knowledge import HIDDEN_STATES, LOGITS, Observation, observe
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs
from lib.compression.distillation.losses import SoftCrossEntropy, squared_error
from lib.compression.distillation.matches import Match, named, parts_of, terms_of
from lib.compression.distillation.objective import Distillation
from lib.compression.elastic.depth import LayerRule, layers_kept, only_layers
from lib.compression.elastic.sizes import Size, sizes_of
from lib.compression.elastic.width import at_width
from lib.training.loop import Batch, Term

WIDTHS = (1.0, 0.75, 0.5, 0.25)
#: the paper's 0.75 of twelve layers makes no whole number of six, so it is two thirds here
DEPTHS = (1.0, 2 / 3, 0.5)


@dataclass(frozen=True)
class Lesson:
    """What a network learns at one size, and how wide the teacher runs meanwhile, at its full depth."""

    size: Size
    layers: tuple[int, ...]
    matches: tuple[Match, ...]
    teacher_width: float = 1.0


def width_stage(num_layers: int, widths: Sequence[float] = WIDTHS) -> list[Lesson]:
    """The first stage: all layers at every width learn the answers and all hidden states of the teacher."""
    layers = tuple(range(num_layers))
    matches = _matches(layers, num_layers, states=0.1)
    return [Lesson(Size(width), layers, matches) for width in widths]


def same_width(width: float) -> float:
    """The teacher of the second stage runs as wide as its student: what the paper means."""
    return width


def full_width(width: float) -> float:
    """It runs at full width always: what the released code does, since it never sets the teacher's width."""
    return 1.0


def depth_stage(
    num_layers: int,
    widths: Sequence[float] = WIDTHS,
    depths: Sequence[float] = DEPTHS,
    keep: LayerRule = layers_kept,
    taught_at: Callable[[float], float] = same_width,
) -> list[Lesson]:
    """The second stage: every width at every depth learns from what the first stage made.

    What enters a layer that runs is compared with what enters the same layer of the teacher, and what leaves
    the last that runs with what leaves the teacher's last.
    """
    lessons = []
    for size in sizes_of(widths, depths):
        layers = tuple(keep(num_layers, size.depth))
        matches = _matches(layers, num_layers, states=1.0)
        lessons.append(Lesson(size, layers, matches, taught_at(size.width)))
    return lessons


def _matches(layers: Sequence[int], num_layers: int, states: float) -> tuple[Match, ...]:
    """State j of the student is what enters the layer that runs as number j, or what leaves the last."""
    pairs = LayerPairs(tuple(enumerate((*layers, num_layers))))
    return (
        Match(LOGITS, ANSWER, SoftCrossEntropy()),
        Match(HIDDEN_STATES, pairs, squared_error, states),
    )


class DynaBert(Distillation):
    """A student that learns at many sizes in each step; its teacher is asked once for each of its widths."""

    def __init__(self, student: nn.Module, teacher: nn.Module | None, lessons: Sequence[Lesson]) -> None:
        super().__init__(student, teacher, [match for lesson in lessons for match in lesson.matches])
        self.lessons = tuple(lessons)

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        taught: dict[float, Observation | None] = {}
        terms: dict[str, Term] = {}
        for lesson in self.lessons:
            if lesson.teacher_width not in taught:
                taught[lesson.teacher_width] = self._taught(lesson.teacher_width, batch)
            with only_layers(self.student, lesson.layers), at_width(self.student, lesson.size.width):
                seen = observe(self.student, batch, parts_of(lesson.matches))
            lesson_terms = terms_of(named(lesson.matches), seen, taught[lesson.teacher_width], batch)
            terms |= {f"{name} at {lesson.size}": term for name, term in lesson_terms.items()}
        return terms

    def _taught(self, width: float, batch: Batch) -> Observation | None:
        if self.teacher is None:
            return None
        matches = [match for lesson in self.lessons for match in lesson.matches]
        with torch.no_grad(), at_width(self.teacher, width):
            return observe(self.teacher, batch, parts_of(matches))

    @property
    def fingerprint(self) -> Any:
        sizes = [[str(lesson.size), list(lesson.layers), lesson.teacher_width] for lesson in self.lessons]
        return {**super().fingerprint, "lessons": sizes}
