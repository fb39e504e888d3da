"""What a layer remembers of a segment for the next one."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb35 import transformer_xl
from lib.exercises.spec import Exercise, Mistake, edit

LAST = "together[:, start:].detach()"
START = "max(0, together.shape[1] - length)"
JOINED = "torch.cat([memory, hidden], dim=1)"


def cases(seed: int) -> Iterator[tuple[Tensor | None, Tensor, int]]:
    """The one of the text; nothing remembered yet; shorter, longer and equal lengths; length 0."""
    small = torch.arange(1.0, 7.0).view(1, 6, 1)
    yield small[:, :2], small[:, 2:], 3
    yield None, small[:, 2:4], 2
    yield None, small[:, 1:4], 5
    generator = torch.Generator().manual_seed(seed)
    shapes = [(3, 4, 3), (4, 2, 5), (2, 3, 5), (2, 2, 9), (3, 3, 7), (0, 3, 2), (5, 1, 4), (3, 2, 0)]
    for before, rows, length in shapes:
        both = torch.randn(2, before + rows, 3, generator=generator)
        yield both[:, :before], both[:, before:], length
    yield None, torch.randn(2, 3, 2, generator=generator, dtype=torch.float64), 0
    yield None, torch.randn(3, 5, 2, generator=generator, dtype=torch.float64), 3


def run(candidate: Callable[..., Any], memory: Tensor | None, hidden: Tensor, length: int) -> Any:
    """The memory, and whether it, and still the hidden states, carry gradients: both come with theirs."""
    attached = hidden.clone().requires_grad_() * 1.0
    before = None if memory is None else memory.clone().requires_grad_() * 1.0
    kept = candidate(before, attached, length)
    if not isinstance(kept, Tensor):
        return kept
    return kept.detach(), kept.requires_grad, attached.requires_grad


def detach_hidden(memory: Tensor | None, hidden: Tensor, length: int) -> Tensor:
    """A wrong version: the segment itself loses its gradient."""
    return transformer_xl.remember(memory, hidden.detach_(), length)


# fmt: off
EXERCISE = Exercise(
    name="remember", minutes=6, difficulty=2, reference=transformer_xl.remember, cases=cases, run=run,
    gradients=False, returns=("the memory", "its requires_grad", "requires_grad of hidden"),
    alike=[edit(JOINED, "torch.cat((memory, hidden), 1)")],
    mistakes=[
        Mistake("attached", "The rows are right, but they carry gradients, so the next backward pass would go"
            " on into this segment. Detach what you return.",
            edit(".detach()", "")),
        Mistake("hidden_detached", "You detach `hidden` itself, and this segment still has to learn through"
            " it. Detach only what you return: detach() without an underscore makes a new tensor.",
            detach_hidden),
        Mistake("negative_slice", "With a length of 0 you keep everything: a slice that begins at -0 begins"
            " at the front. Compute the place where it starts.",
            edit(LAST, "together[:, -length:].detach()")),
        Mistake("start_below_zero", "Where there are fewer rows than `length`, your slice starts at a"
            " negative place, so rows are lost. It should start at 0 at the least.",
            edit(START, "together.shape[1] - length")),
        Mistake("oldest_kept", "You keep the oldest rows. The last ones are nearest to the next segment.",
            edit(LAST, "together[:, :length].detach()")),
        Mistake("newest_first", "The order is wrong: first what was remembered, then `hidden`. The text goes"
            " on from the one to the other.", edit(JOINED, "torch.cat([hidden, memory], dim=1)")),
        Mistake("old_memory_dropped", "You leave out what was remembered before. Where `hidden` has fewer"
            " rows than `length`, older ones stay.",
            edit(JOINED, "hidden")),
        Mistake("hidden_left_out", "You keep the old memory and not the new segment.",
            edit(JOINED, "memory")),
        Mistake("other_dimension", "You count along the wrong dimension. The places of the text are dimension"
            " 1, [batch, places, features]: the last rows of each sequence stay.",
            (edit("together[:, start:]", "together[start:]"),
             edit("together[:, start:]", "together[:, :, start:]"))),
        Mistake("whole_memory", "You keep all rows. At most `length` of them stay.",
            edit(LAST, "together.detach()")),
        Mistake("one_too_many", "You keep a row too many or too few. Print the shape for a length of 3.",
            (edit(START, "max(0, together.shape[1] - length - 1)"),
             edit(START, "max(0, together.shape[1] - length + 1)"))),
    ],
    hints=("Put the old rows and the new ones into one tensor. Which of them are nearest to the next"
           " segment?",
           "together: [B, M + T, D]. Start at place M + T - length, or at 0 where that is negative.",
           "together[:, start:].detach(), with start = max(0, together.shape[1] - length)"),
    why="The memory is a copy without a past: the next segment reads it, and no gradient enters it.",
)
# fmt: on
