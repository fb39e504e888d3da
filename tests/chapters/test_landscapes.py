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


def test_recorded_soups_are_those_that_the_module_makes() -> None:
    assert [*recorded.SOUPS] == [*other_offices.OTHERS, *other_offices.SAME]
    for name, soup in recorded.SOUPS.items():
        assert soup.right > recorded.TESTED / 2
        assert (soup.pooled is not None) == (name in other_offices.POOLED)
        if soup.pooled:
            better = soup.right - (soup.over_better_parent.won - soup.over_better_parent.lost)
            assert soup.pooled.right - soup.right == soup.pooled.over_soup.won - soup.pooled.over_soup.lost
            over = soup.pooled.over_better_parent
            assert soup.pooled.right - better == over.won - over.lost


def test_a_lead_is_resolved_if_it_is_larger_than_luck() -> None:
    lead = recorded.Lead(40, 18)
    assert lead.points == pytest.approx(100 * 22 / 360)
    assert lead.luck == pytest.approx(200 * 58**0.5 / 360)
    assert lead.is_resolved and not recorded.Lead(37, 22).is_resolved


def test_the_cells_of_the_page_that_make_the_record_run_by_themselves() -> None:
    names = other_offices.names_of_the_page()
    start = names["copy_of"](names["visitor"])
    [first, *_] = names["new"]
    names["new"], names["truth"] = [first], first["labels"]
    answers = names["answers_of"](start)
    assert answers.shape == (40, 9)
    assert names["percent"](answers) == 100 * names["is_right"](answers).float().mean()
    assert names["loss_of"](answers) == pytest.approx(2.2, abs=0.2)
    [before, after] = names["train"](landscapes.new_model(), [first], passes=1)
    assert before.keys() == after.keys() == start.keys()


def test_angles_are_in_degrees() -> None:
    across, steep = {"w": torch.tensor([2.0, 0.0])}, {"w": torch.tensor([3.0, 3.0])}
    assert paths.angle(across, steep) == pytest.approx(45, abs=1e-3)


def test_a_random_walk_shrinks_its_steps() -> None:
    places = torch.stack([snapshot["w"] for snapshot in paths.random_walk(seed=0, size=50_000)])
    lengths = places.diff(dim=0).norm(dim=1) / 50_000**0.5
    torch.testing.assert_close(lengths, torch.tensor([1.0, 0.8, 0.6, 0.4, 0.2]), atol=0.02, rtol=0)
    assert places[0].norm() == 0
