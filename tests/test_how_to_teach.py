"""The record of ways to teach: every arm runs on tiny models, and does what its name says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TASK, tiny_model, tiny_teacher

from lib.bert import BertConfig, BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.answers import row_answers
from lib.records.results import RESULT, result_in
from lib.text.masking import IGNORED
from studies import how_to_teach, registry, teaching_runs
from studies.teaching_runs import Room

FURTHER = [f"{word} {number} dogs" for number in range(5) for word in ("red", "two")]
TINY = {"num_hidden_layers": 1, "hidden_size": 12, "num_attention_heads": 2, "intermediate_size": 8}


def tiny_masked_lm(_name: str) -> BertForMaskedLM:
    torch.manual_seed(1)
    return BertForMaskedLM(BertConfig(**SIZES, vocab_size=9000)).eval()


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """A tiny task, in the real vocabulary, and every number of steps a small one."""
    monkeypatch.setattr(teaching_runs.BertForMaskedLM, "from_pretrained", tiny_masked_lm)
    monkeypatch.setattr(teaching_runs, "SMALL", TINY)
    monkeypatch.setattr(teaching_runs, "ASSISTANT", TINY | {"hidden_size": 16})
    monkeypatch.setattr(teaching_runs, "NEIGHBORS", 3)
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    labeled, further = teaching_runs.rows_of(TASK, EXAMPLES, FURTHER, tokenizer)
    teacher = teaching_runs.cut_teacher(tiny_model())
    answers = row_answers(teacher, [*labeled, *teaching_runs.unlabeled(further)])
    found = Room(replace(TASK, name="headlines"), tokenizer, teacher, labeled, further, answers, 0)
    monkeypatch.setattr(how_to_teach, "room_of", lambda *_, **__: (found, tiny_teacher()))
    states = torch.randn(len(answers), 24)
    monkeypatch.setattr(how_to_teach, "answers_of", lambda *_: {"logits": answers, "states": states})
    written = {"rows": teaching_runs.random_texts(found), "processor_seconds": 1.0, "share_left": 0.1}
    monkeypatch.setattr(how_to_teach, "kept_result", lambda _entry: written)
    return found


def shortened(teach: Any) -> Any:
    """The same arm with few steps."""
    few = {"steps": 2, "label_steps": 2, "cycles": 1, "turns": (1, 2)}
    if hasattr(teach, "keywords"):
        known = {name: value for name, value in few.items() if name in teach.keywords}
        if teach.keywords.get("label_steps") == 0:
            known["label_steps"] = 0
        if "temperatures" in teach.keywords:
            known["steps"] = 6
        return type(teach)(teach.func, *teach.args, **(teach.keywords | known))
    return teach


@pytest.mark.parametrize("name", how_to_teach.ARMS)
def test_every_arm_gives_what_the_record_holds(
    name: str, room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arm = how_to_teach.ARMS[name]
    monkeypatch.setitem(how_to_teach.ARMS, name, replace(arm, teach=shortened(arm.teach)))
    monkeypatch.setattr(how_to_teach, "STEPS", 2)
    monkeypatch.setattr(how_to_teach, "BACKWARD_ROWS", 72)
    before = {key: tensor.clone() for key, tensor in room.teacher.state_dict().items()}
    task = (arm.tasks or how_to_teach.TASKS)[0]
    how_to_teach.run_arm(tmp_path, task, name, 0)
    found = result_in(tmp_path)
    assert {"scores", "agreement", "processor_seconds", "steps", "parameters"} <= found.keys()
    assert all(torch.equal(tensor, before[key]) for key, tensor in room.teacher.state_dict().items())
    assert found.get("assistant_seconds", 0) >= 0 and found["steps"] >= 1
    if arm.family == "neighbors" and not name.startswith(("no neighbors", "the pool")):
        assert found["backward_passes"] <= (136 if name == "2 at random, as costly" else 72)
        assert (found["forward_passes"] > found["backward_passes"]) == (name == "2 hardest")
    if name.startswith("MATE-KD"):
        assert [turn for turn, _ in found["turns"]] == ["divergence", *2 * ["rewritten_logits"]]


def test_neighbors_cost_the_same_backward() -> None:
    choosing = how_to_teach.ARMS["no neighbors"].teach.keywords  # type: ignore[attr-defined]
    assert choosing["steps"] * choosing["size"] == how_to_teach.BACKWARD_ROWS
    texts = teaching_runs.TEXTS_A_STEP
    for chosen in (how_to_teach.CHOSEN, teaching_runs.NEIGHBORS):
        a_step = texts * (1 + chosen)
        left = how_to_teach.BACKWARD_ROWS - a_step * (how_to_teach.BACKWARD_ROWS // a_step)
        assert left < a_step


def test_random_neighbors_get_the_passes_of_the_hardest() -> None:
    """Of 8 texts with 8 neighbors each: forward 88 and twice 24 backward, against 24 and twice 24."""
    assert pytest.approx((88 + 2 * 24) / (24 + 2 * 24)) == how_to_teach.AS_COSTLY


def test_the_ramp_has_as_many_steps_as_what_it_is_compared_with() -> None:
    for name in ("annealing", "annealing backward", "logits, then labels", "annealing, no labels"):
        how = how_to_teach.ARMS[name].teach.keywords  # type: ignore[attr-defined]
        assert how["steps"] + how["label_steps"] == how_to_teach.STEPS
    for name in ("labels", "answers and labels"):
        assert how_to_teach.ARMS[name].teach.keywords["steps"] == how_to_teach.STEPS  # type: ignore[attr-defined]


def test_texts_by_lot_are_as_long_and_have_no_label(room: Room) -> None:
    found = teaching_runs.random_texts(room)
    for row, other in zip(room.labeled, found, strict=True):
        assert len(row["input_ids"]) == len(other["input_ids"]) and other["labels"] == IGNORED
        assert row["input_ids"][0] == other["input_ids"][0] and row["input_ids"] != other["input_ids"]


def test_gibbs_texts_say_what_they_took(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teaching_runs, "ROUNDS", 2)
    for from_blanks in (False, True):
        found = teaching_runs.gibbs_texts(room, from_blanks)
        assert len(found["rows"]) == room.count and 0 <= found["share_left"] <= 1


def test_what_the_teacher_said_is_kept(room: Room, tmp_path: Path) -> None:
    # the very texts of the room's answers: what stands beside a text in a batch changes its last digits
    everything = [*room.labeled, *teaching_runs.unlabeled(room.further)]
    teaching_runs.write_answers(tmp_path, room.teacher, everything)
    found = teaching_runs.read_answers(tmp_path)
    assert torch.equal(found["logits"], room.answers)
    assert found["states"].shape == (len(everything), 24)


def test_what_stands_beside(room: Room, tmp_path: Path) -> None:
    how_to_teach.run_beside(tmp_path, "reviews", 0)
    assert result_in(tmp_path).keys() == {"teacher", "teacher, cut"}
    how_to_teach.run_written(tmp_path, "reviews", "texts", 0)
    assert (tmp_path / RESULT).exists() and "rows" in result_in(tmp_path)


def test_the_experiments_are_registered() -> None:
    for name in ("how_to_teach", "how_to_teach_public"):
        experiment = registry.EXPERIMENTS[name]
        assert experiment.config() == how_to_teach.config() and len(experiment.seeds) == 3
    entries = [how_to_teach.run_of(task, "MATE-KD", 0).name for task in ("reviews", "SST-2")]
    assert entries == ["taught_reviews_0", "taught_sst2_0"]
