"""The designs among which notebook 32 and its study search: those that lie inside one classifier."""

from __future__ import annotations

from lib.bert.model import PreTrainedBert
from lib.compression.designs.search import Space
from lib.compression.designs.super_network import design_of
from lib.compression.elastic.depth import layers_kept_with_last

#: which layers a shallower design runs: evenly spread ones up to the last, which the classifier reads
KEEP = layers_kept_with_last
EIGHTHS = (1, 2, 4, 6, 8)  # of the neurons


def space_of(model: PreTrainedBert) -> Space:
    """Two layers and more, every second number of heads, five numbers of neurons; hidden states stay whole.

    150 designs in MiniLM, whose features no search has sorted: a part of them would have to be learned anew.
    """
    whole = design_of(model)
    return Space(
        layers=tuple(range(2, whole.layers + 1)),
        hidden_size=(whole.hidden_size,),
        neurons=tuple(whole.neurons * share // 8 for share in EIGHTHS),
        heads=tuple(range(2, whole.heads + 1, 2)),
        head_size=(whole.head_size,),
    )
