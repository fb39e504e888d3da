"""How notebook 35 trains and tests a reader of segments, for its record; on the page stands the same loop.

One step reads one segment of all streams. They go on from step to step, and so does the memory; where the
text ends, they begin again with nothing remembered.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from chapters.nb35.stories import segments, story_ids, streams_of, vocabulary
from chapters.nb35.transformer_xl import TransformerXL, remember
from lib.training.schedules import learning_rate

SEGMENT, STREAMS, TEST_STREAMS = 16, 32, 16  # tokens of a segment; streams that are read side by side
RATE, WARM = 3e-3, 30  # the highest learning rate, and the steps up to it


def new_reader(seed: int, relative: bool = True) -> TransformerXL:
    """A Transformer-XL of random weights for the stories."""
    torch.manual_seed(seed)
    return TransformerXL(len(vocabulary()), relative=relative)


def train(reader: TransformerXL, length: int, steps: int, segment: int = SEGMENT) -> None:
    """So many steps, with a memory of so many rows in each layer (0: none).

    segment: tokens of a segment; longer ones are read in fewer streams, so that a step reads as many tokens.
    """
    optimizer = torch.optim.AdamW(reader.parameters())
    streams = streams_of(story_ids("to learn"), STREAMS * SEGMENT // segment)
    reader.train()
    step = 0
    while step < steps:
        memories = None
        for ids, following in segments(streams, segment):
            optimizer.param_groups[0]["lr"] = learning_rate(step, steps, WARM, RATE)
            logits, inputs = reader(ids, memories)
            loss = cross_entropy(logits.flatten(0, 1), following.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            memories = remember_all(memories, inputs, length)
            step += 1
            if step == steps:
                break


def remember_all(
    memories: Sequence[Tensor | None] | None, inputs: Sequence[Tensor], length: int
) -> list[Tensor]:
    """The memory of each layer after a segment whose inputs, layer by layer, are given."""
    if length < 0:
        raise ValueError(f"A memory can't have {length} rows: choose 0, which keeps none, or more.")
    before = memories or [None] * len(inputs)
    return [remember(memory, hidden, length) for memory, hidden in zip(before, inputs, strict=True)]


@torch.no_grad()
def losses_by_place(reader: TransformerXL, length: int, segment: int = SEGMENT) -> list[float]:
    """The loss in nats at each place of a segment, a mean over the stories to test."""
    reader.eval()
    memories = None
    losses = []
    streams = streams_of(story_ids("to test"), TEST_STREAMS * SEGMENT // segment)
    for ids, following in segments(streams, segment):
        logits, inputs = reader(ids, memories)
        losses.append(cross_entropy(logits.transpose(1, 2), following, reduction="none"))  # [B, T]
        memories = remember_all(memories, inputs, length)
    return torch.cat(losses).mean(dim=0).tolist()
