"""The model whose heads and neurons stand in the order of their importance."""

from __future__ import annotations

from collections.abc import Sequence

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.elastic import width
from lib.text.tasks import TaskBatches, TextExample, encode_texts


def rewired(
    model: BertForSequenceClassification, examples: Sequence[TextExample], tokenizer: WordPieceTokenizer
) -> BertForSequenceClassification:
    """A copy that answers the same, the most important heads and neurons of every layer first.

    Importance is that of notebook 28: how much the loss on each of these labeled examples minds a gate.
    """
    batches = TaskBatches(encode_texts(examples, tokenizer), batch_size=16, seed=None, group_by_length=True)
    return width.rewired(model, [batches(number) for number in range(batches.size)])
