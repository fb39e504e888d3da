"""The records of pruned weights: every arm, on a task of two words and models of a few weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, TASK, tiny_model, tiny_teacher

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.compression.packed import load_packed
from lib.compression.pruning.masks import add_masks, masked_weights, remaining
from lib.records.results import PACKED, RESULT
from lib.records.seeded_teachers import SeededTeacher
from studies import pruned_at_length, pruned_weights, pruned_weights_public, pruning_runs, registry
from studies.pruning_runs import Arm

NEW = ("pruned_weights", "pruned_weights_public", "pruned_at_length")
PUBLIC = pruned_weights_public.ARMS | pruned_weights_public.FURTHER
ARMS = [
    arm for arms in (*pruned_weights.ARMS.values(), pruned_weights.FURTHER, PUBLIC) for arm in arms.values()
]
#: one of each kind, whatever its level and its steps
KINDS = list(dict.fromkeys(replace(arm, sparsity=0.9, steps=10) for arm in ARMS))


def rows() -> list[Any]:
    return TASK.kind.rows(EXAMPLES, WordPieceTokenizer.from_pretrained("minilm"), 16)


def short(arm: Arm) -> Arm:
    return replace(arm, steps=10)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pruned_weights, pruning_runs):
        monkeypatch.setattr(module, "fresh_model", tiny_model)
    monkeypatch.setattr(pruned_weights, "load_task", lambda _name: TASK)
    monkeypatch.setattr(pruned_weights, "teacher_of", tiny_teacher)
    monkeypatch.setattr(pruned_weights, "_rows", lambda *_: rows())
    monkeypatch.setattr(pruned_weights, "TICKET_STEPS", 1)
    monkeypatch.setattr(pruned_weights, "KNOWLEDGE_STEPS", 1)
    monkeypatch.setattr(pruned_weights, "BLANK_BATCHES", 1)


def teacher() -> SeededTeacher:
    return tiny_teacher()


@pytest.mark.parametrize("arm", KINDS, ids=str)
def test_every_kind_of_arm_gives_what_the_record_holds(arm: Arm, tiny: None) -> None:
    found, model = pruning_runs.trained(arm, TASK, rows(), teacher(), seed=0)
    assert found.keys() == {
        "scores", "agreement", "sparsity", "of_matrices", "of_model", "steps", "processor_seconds", "watched",
    }  # fmt: skip
    weights = masked_weights(model)
    assert len(weights) == 36 and not model.training
    if arm.rule != "soft movement":
        assert found["sparsity"] == pytest.approx(0.9, abs=0.002)
    before, after, kept = found["watched"]
    assert len(before) == len(after) == len(kept) and {0, 1} >= set(kept)
    assert json.dumps(found)


def test_tables_stay_as_they_are_and_the_teacher_too(tiny: None) -> None:
    of = teacher()
    before = {name: tensor.clone() for name, tensor in of.model.state_dict().items()}
    _, model = pruning_runs.trained(
        short(pruned_weights.TAUGHT["fine-tuned, inside"]), TASK, rows(), of, seed=0
    )
    assert all(torch.equal(tensor, before[name]) for name, tensor in of.model.state_dict().items())
    table = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(model.state_dict()[table], before[table])
    assert not torch.equal(model.state_dict()["classifier.weight"], before["classifier.weight"])


@pytest.mark.parametrize("keep", [False, True])
def test_a_kept_model_stays_sparse_when_the_ledger_packs_it_again(
    keep: bool, tiny: None, tmp_path: Path
) -> None:
    arm = short(pruned_weights.ARMS["headlines"]["magnitude 0.95"])
    pruning_runs.run_arm(tmp_path, arm, TASK, rows(), teacher(), 0, keep)
    found = json.loads((tmp_path / RESULT).read_text())
    assert (tmp_path / PACKED).exists() == keep
    if keep:
        model = load_packed(tmp_path / PACKED)
        add_masks(model)
        pruned = sum(float((weight == 0).float().mean()) for weight in masked_weights(model).values()) / 36
        assert pruned == pytest.approx(0.95, abs=0.002)
        assert found["file_bytes"] == (tmp_path / PACKED).stat().st_size


def test_curves_begin_anew_with_every_rule(tiny: None) -> None:
    found = pruned_weights.curves(TASK, teacher(), {"magnitude": (0.5, 1.0), "random": (0.0, 0.5)})
    assert list(found["random"]) == ["0.0", "0.5"]
    assert found["random"]["0.0"]["agreement"] == 1.0
    assert found["magnitude"]["1.0"].keys() == {"scores", "agreement"}


def test_a_ticket_is_trained_beside_its_controls(tiny: None) -> None:
    found, ticket = pruned_weights.tickets(TASK, rows(), teacher(), seed=0, steps=1)
    scored = ["dense", "ticket", "random mask", "shuffled weights"]
    assert [name for name, one in found.items() if isinstance(one, dict)] == scored
    assert found["sparsity"] == pytest.approx(1 - 0.7**3) and found["processor_seconds"] > 0
    left = remaining(ticket)
    assert 1 - left.kept / left.masked == pytest.approx(found["sparsity"], abs=0.01)


def test_knowledge_is_asked_for_at_every_level(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model()
    blanks = BertForMaskedLM(model.config)
    monkeypatch.setattr(BertForMaskedLM, "from_pretrained", lambda _name: blanks)
    ids = torch.tensor([[2, 5, 6, 3]])
    monkeypatch.setattr(pruned_weights, "hidden_batches", lambda *_: [(ids, ids)])
    found = pruned_weights.knowledge(TASK, seed=0)
    assert {len(values) for values in found.values()} == {len(pruned_weights.KNOWLEDGE_LEVELS)}
    assert found["pruned, then tuned"][0] == found["tuned, then pruned"][0]


def test_families_have_equal_steps() -> None:
    assert {arm.steps for arm in pruned_weights.RECOVERED.values()} == {pruned_weights.SHORT}
    assert {arm.steps for arm in pruned_weights.MOVED.values()} == {pruned_weights.LONG}
    for arm in pruned_weights.TAUGHT.values():
        cost = pruned_weights.INSIDE_STEP if arm.inside else pruned_weights.LABEL_STEP
        assert arm.steps * cost == pytest.approx(pruned_weights.SECONDS, rel=0.01)
    assert set(pruned_weights.KEPT) <= {
        part for task in pruned_weights.ARMS for part in pruned_weights.parts_of(task)
    }


def test_every_family_has_a_model_that_learned_as_long_and_was_not_pruned(tiny: None) -> None:
    for name in ("dense", "long, dense"):
        arm = pruned_weights.ARMS["headlines"][name]
        found, _ = pruning_runs.trained(short(arm), TASK, rows(), teacher(), seed=0)
        assert arm.sparsity == found["sparsity"] == 0.0


def test_at_length_nothing_is_pruned_before_scores_have_learned(tiny: None) -> None:
    arm = replace(pruned_at_length.ARMS["movement 0.9"], steps=20)
    found = {}
    for first in (0.0, 0.7):
        training = replace(pruned_at_length.TRAINING, first=first)
        _, callbacks = pruning_runs._objective(arm, tiny_model(), teacher(), training)
        ramp = callbacks[0].ramp  # type: ignore[attr-defined]
        found[first] = [ramp(step) for step in range(21)]
    assert found[0.0][10] > 0 and set(found[0.7][:15]) == {0.0}
    assert found[0.0][-1] == found[0.7][-1] == 0.9


@pytest.mark.parametrize("part", ["soft movement, 25.0", "soft movement, 400.0", "movement 0.9", "tickets"])
def test_a_part_at_length_goes_into_its_folder(
    part: str, tiny: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruned_at_length, "public_task", lambda _name: TASK)
    monkeypatch.setattr(pruned_at_length, "public_teacher", lambda _name, _seed: teacher())
    monkeypatch.setattr(pruned_at_length, "TICKET_STEPS", 1)
    monkeypatch.setattr(
        pruned_at_length, "ARMS", {name: short(arm) for name, arm in pruned_at_length.ARMS.items()}
    )
    monkeypatch.setattr(pruned_at_length, "SOFT", short(pruned_at_length.SOFT))
    pruned_at_length.run_part(tmp_path, part, seed=0)
    found = json.loads((tmp_path / RESULT).read_text())
    assert "sparsity" in found and not (tmp_path / PACKED).exists()


@pytest.mark.parametrize("name", NEW)
def test_records_are_registered_with_a_config_of_json(name: str) -> None:
    experiment = registry.EXPERIMENTS[name]
    assert json.loads(json.dumps(experiment.config())) == experiment.config()
    assert experiment.seeds == (0, 1, 2)


def test_every_run_can_be_told_apart() -> None:
    entries = [
        pruned_weights.run_of(task, part, 0)
        for task in pruned_weights.ARMS
        for part in pruned_weights.parts_of(task)
    ]
    entries += [
        pruned_weights_public.run_of(part, 0) for part in (*pruned_weights_public.ARMS, "curves", "tickets")
    ]
    entries += [pruned_at_length.run_of(part, 0) for part in pruned_at_length.PARTS]
    assert len({(entry.name, entry.about) for entry in entries}) == len(entries)
