"""Where a layer stands in what a model returns, which is not the same place in every tuple."""

from __future__ import annotations

from lib.compression.distillation.layer_maps import uniform_layer_map

Pairs = list[tuple[int, int]]


def places_in_outputs(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    """Where TinyBERT's pairs stand in what a model returns: of `hidden_states`, and of `attentions`.

    Each pair is a place of the student's, and one of the teacher's. `hidden_states` begins with the
    embeddings, so that layer l stands at place l; `attentions` begins with layer 1, which stands at place 0.
    """
    pairs = list(enumerate(uniform_layer_map(student_layers, teacher_layers)))
    return pairs, [(own - 1, taught - 1) for own, taught in pairs[1:]]
