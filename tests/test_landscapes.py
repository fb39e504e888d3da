"""The two runs whose landscapes are drawn: their small BERT, and the snapshots of a run."""

from __future__ import annotations

from dataclasses import replace

import torch

from chapters.nb18 import landscapes
from lib.bert import BertConfig, BertForSequenceClassification, BertModel, WordPieceTokenizer
from lib.training.finetuning import Recipe, fine_tune
from lib.training.known_tasks import load_task
from lib.training.snapshots import Snapshots


def test_snapshots_are_kept_of_their_steps_and_stay_what_they_were() -> None:
    task = load_task(landscapes.TASK)
    task = replace(task, train=task.train[:12], test=task.test[:2])
    tokenizer = landscapes.small_tokenizer(load_task(landscapes.TASK))
    torch.manual_seed(0)
    config = BertConfig(
        len(tokenizer), 8, 1, 2, 16, max_position_embeddings=16, id2label=task.kind.config["id2label"]
    )
    model = BertForSequenceClassification(config)
    start = model.classifier.weight.detach().clone()
    snapshots = Snapshots(model, [0, 2, 3])
    fine_tune(model, tokenizer, task, Recipe(epochs=1, batch_size=4, max_length=16), callbacks=[snapshots])
    kept = [taken["classifier.weight"] for taken in snapshots.kept.values()]
    assert list(snapshots.kept) == [0, 2, 3]
    torch.testing.assert_close(kept[0], start.half())
    torch.testing.assert_close(kept[2], model.classifier.weight.detach().half())
    assert not torch.equal(kept[1], kept[2])
    copy = Snapshots(model, [])
    copy.load_state_dict(snapshots.state_dict())
    assert list(copy.kept) == [0, 2, 3] and torch.equal(copy.kept[2]["classifier.weight"], kept[1])


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
