"""The model whose heads and neurons stand in the order of their importance."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.elastic.width import rewire
from lib.compression.pruning.importance import (
    gate_gradients,
    importance_of_heads,
    importance_of_neurons,
    per_example,
)
from lib.text.tasks import TaskBatches, TextExample, encode_texts


def rewired(
    model: BertForSequenceClassification, examples: Sequence[TextExample], tokenizer: WordPieceTokenizer
) -> BertForSequenceClassification:
    """A copy that answers the same, the most important heads and neurons of every layer first.

    Importance is that of notebook 28: how much the loss on each of these labeled examples minds a gate.
    """
    sorted_model = copy.deepcopy(model)
    batches = TaskBatches(encode_texts(examples, tokenizer), batch_size=16, seed=None, group_by_length=True)
    gradients = gate_gradients(sorted_model, [batches(number) for number in range(batches.size)])
    heads = importance_of_heads(gradients, per_example)
    rewire(sorted_model, heads, importance_of_neurons(gradients, per_example))
    return sorted_model
