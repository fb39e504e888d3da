"""The models whose landscapes are drawn: MiniLM with the headlines' tokens alone."""

from __future__ import annotations

import pytest
import torch

from chapters.nb18 import landscapes, other_offices, paths, recorded
from chapters.nb18.earlier import batches_of
from lib.bert import BertModel, WordPieceTokenizer
from lib.training.known_tasks import load_task


def test_the_small_vocabulary_cuts_as_the_whole_one_and_the_model_has_its_vectors() -> None:
    task = load_task(landscapes.TASK)
    small, whole = landscapes.small_tokenizer(task), WordPieceTokenizer.from_pretrained("minilm")
    for example in (*task.train[:50], *task.test[:50]):
        assert small.tokenize(example.first) == whole.tokenize(example.first)
    model, published = landscapes.new_model(), BertModel.from_pretrained("minilm")
    assert model.config.num_hidden_layers == published.config.num_hidden_layers
    table = published.embeddings.word_embeddings.weight
    word = model.bert.embeddings.word_embeddings.weight[small.vocab["phone"]]
    torch.testing.assert_close(word, table[whole.vocab["phone"]])


def test_batches_hold_every_text_once_with_those_of_like_length() -> None:
    task = load_task(landscapes.TASK)
    batches = batches_of(task.test[:50], landscapes.small_tokenizer(task), 20)
    assert [len(batch["labels"]) for batch in batches] == [20, 20, 10]
    labels = torch.cat([batch["labels"] for batch in batches]).tolist()
    assert sorted(labels) == sorted(example.label for example in task.test[:50])
    assert batches[0]["input_ids"].size(1) < batches[-1]["input_ids"].size(1)


def test_recorded_soups_are_those_of_both_threes() -> None:
    assert recorded.RIGHT.keys() == other_offices.OFFICES.keys() == other_offices.SEEDS.keys()
    for three, names in other_offices.OFFICES.items():
        scores = recorded.scores_of(three)
        assert {*names, names, "answers averaged", "one model"} < scores.keys()
        assert all(11 < percent < 100 for percent in scores.values())
        assert recorded.gains_of(scores).keys() == {names[:2], names[::2], names[1:]}


def test_a_gain_is_counted_from_the_better_parent() -> None:
    assert recorded.gains_of({"A": 60.0, "B": 70.0, "AB": 75.0, "all": 80.0}) == {"AB": 5.0}


def test_angles_are_in_degrees() -> None:
    across, steep = {"w": torch.tensor([2.0, 0.0])}, {"w": torch.tensor([3.0, 3.0])}
    assert paths.angle(across, steep) == pytest.approx(45, abs=1e-3)


def test_a_random_walk_shrinks_its_steps() -> None:
    places = torch.stack([snapshot["w"] for snapshot in paths.random_walk(seed=0, size=50_000)])
    lengths = places.diff(dim=0).norm(dim=1) / 50_000**0.5
    torch.testing.assert_close(lengths, torch.tensor([1.0, 0.8, 0.6, 0.4, 0.2]), atol=0.02, rtol=0)
    assert places[0].norm() == 0
