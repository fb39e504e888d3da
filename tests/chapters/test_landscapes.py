"""The two runs whose landscapes are drawn: their small BERT."""

from __future__ import annotations

import torch

from chapters.nb18 import landscapes
from lib.bert import BertModel, WordPieceTokenizer
from lib.training.known_tasks import load_task


def test_the_small_vocabulary_cuts_as_the_whole_one_and_the_model_has_its_vectors() -> None:
    task = load_task(landscapes.TASK)
    small, whole = landscapes.small_tokenizer(task), WordPieceTokenizer.from_pretrained("minilm")
    for example in (*task.train[:50], *task.test[:50]):
        assert small.tokenize(example.first) == whole.tokenize(example.first)
    pretrained, random = (landscapes.new_model("pretrained"), landscapes.new_model("random"))
    assert {name: t.shape for name, t in pretrained.state_dict().items()} == {
        name: t.shape for name, t in random.state_dict().items()
    }
    table = BertModel.from_pretrained("minilm").embeddings.word_embeddings.weight
    word = pretrained.bert.embeddings.word_embeddings.weight[small.vocab["phone"]]
    torch.testing.assert_close(word, table[whole.vocab["phone"]])
