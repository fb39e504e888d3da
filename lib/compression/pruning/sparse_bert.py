"""SparseBERT: the pretrained model is pruned while it learns from a fine-tuned teacher (Xu et al., 2021).

    student = fresh_model(task)                    # pretrained: not the teacher's copy
    add_masks(student)
    objective = Distillation(student, teacher, sparse_bert(num_layers=6))
    distill(objective, batches, callbacks=[GradualPruning(student, sparse_bert_ramp(steps))])

The official code multiplies the weights by their masks after each update. Here the mask stands in the forward
pass, which gives the same numbers: what it hides never comes back. The one difference is the norm that the
gradient is cut to, which here leaves out the weights that are pruned.
"""

from __future__ import annotations

from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.losses import Distance, score_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import tinybert_answers, tinybert_layers
from lib.compression.pruning.schedule import CubicRamp

#: the share of the encoder's matrices that is 0 in the end, and how often masks are chosen on the way
TARGET, UPDATES = 0.95, 100


def sparse_bert(num_layers: int, scores: Distance = score_error) -> list[Match]:
    """All that is matched in every step: embeddings, hidden states, attention scores, answers.

    Teacher and student are of one shape, so that layer l learns from layer l and nothing is projected. The
    official code counts padding as well: `over_all_tokens(sparse_bert(n, score_error_of_all_keys))`.
    """
    same = LayerPairs(tuple((layer, layer) for layer in range(num_layers + 1)))
    return [*tinybert_layers(num_layers, num_layers, same, scores), *tinybert_answers()]


def sparse_bert_ramp(steps: int, final: float = TARGET) -> CubicRamp:
    """From 0 to `final` in a hundred updates; in the code the last one is missing: `WithoutLastUpdate`."""
    return CubicRamp(final, last=steps, every=max(1, steps // UPDATES))
