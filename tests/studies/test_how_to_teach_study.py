"""Ways to teach: every arm runs on tiny models, and does what its name says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TINY_POCKET, tiny_teacher

from lib.compression.distillation import students
from lib.records import subject as subjects
from lib.records.students import without_labels
from lib.records.study import Measured
from lib.records.subject import Subject
from lib.text.masking import IGNORED
from lib.text.tasks import TextExample
from studies import how_to_teach
from studies.how_to_teach import NEIGHBORS, STUDY, TransferSet

FURTHER = [f"{word} {number} dogs" for number in range(5) for word in ("red", "two")]
TINY = {"num_hidden_layers": 1, "hidden_size": 12, "num_attention_heads": 2, "intermediate_size": 8}
ONCE = {arm: task for task, arms in STUDY.arms.items() for arm in arms}
#: arms that are others with more steps, another rate or another loss
ALIKE = {
    "answers and labels", "logits, then labels", "annealing backward", "direct, as long", "no rewriting",
    "no rewriting, as long", "MATE-KD, a faster generator", "FreeLB, a tenth as far",
    "no neighbors, as costly", "2 nearest", "labeled texts",
}  # fmt: skip


def tiny_texts(kind: str, _task: str, _seed: int) -> list[TextExample]:
    if kind == "labeled":
        return list(EXAMPLES)
    return without_labels([example.first for example in EXAMPLES] + FURTHER)


@pytest.fixture
def subject(tiny: Callable[..., Subject], monkeypatch: pytest.MonkeyPatch) -> Subject:
    """Students, assistant and masked LM are tiny, and every training is two steps."""
    monkeypatch.setattr(subjects, "texts_for", tiny_texts)
    monkeypatch.setattr(how_to_teach, "BertForMaskedLM", TINY_POCKET)
    monkeypatch.setattr(how_to_teach, "precision_here", lambda: "no")
    monkeypatch.setattr(how_to_teach, "ROUNDS", 2)
    monkeypatch.setattr(how_to_teach, "ASSISTANT", TINY | {"hidden_size": 16})
    monkeypatch.setattr(students, "SMALL", TINY)
    return tiny("headlines", most_steps=2)


# --- arms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(ONCE.keys() - ALIKE - {"teacher", "teacher, cut"}))
def test_every_kind_of_arm_gives_what_the_record_holds(
    name: str, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = tiny_teacher()
    monkeypatch.setattr(subjects, "load_teacher", lambda *_: teacher)
    before = {key: tensor.clone() for key, tensor in teacher.model.state_dict().items()}
    measured = STUDY.arms[ONCE[name]][name](subject)
    rows: dict[str, Measured] = measured if isinstance(measured, dict) else {name: measured}
    assert name in rows
    for found in rows.values():
        assert {"accuracy", "agreement"} <= found.scores.keys()
        assert {"processor_seconds", "steps", "parameters"} <= found.costs.keys()
        assert found.costs["steps"] >= 1
        assert found.model is not None and not found.model.training
    assert all(torch.equal(tensor, before[key]) for key, tensor in teacher.model.state_dict().items())
    costs, scores = rows[name].costs, rows[name].scores
    assert ("assistant_seconds" in costs) == (name == "through an assistant")
    assert ("share_left" in scores) == ("writing_seconds" in costs) == name.startswith("written from")
    if name in NEIGHBORS and not name.startswith(("no neighbors", "the pool")):
        most = how_to_teach.BACKWARD_ROWS
        assert costs["backward_passes"] <= (18_134 if name == "2 at random, as costly" else most)
        assert (costs["forward_passes"] > costs["backward_passes"]) == (name == "2 hardest")
    assert len(scores.get("divergence", [])) == (10 if name.startswith("MATE-KD") else 0)  # of one turn


def test_adversary_and_student_take_turns(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many steps of both as the arm says, the adversary's first."""
    order: list[str] = []
    after = how_to_teach.Climbs.after_step

    def note(self: Any, trainer: Any, measured: Any) -> None:
        order.append("adversary")
        after(self, trainer, measured)

    class Notes(how_to_teach.TakesTurns):
        def after_step(self, trainer: Any, measured: dict[str, float]) -> None:
            assert "rewritten_logits" in measured
            order.append("student")

    monkeypatch.setattr(how_to_teach.Climbs, "after_step", note)
    monkeypatch.setattr(how_to_teach, "TakesTurns", Notes)
    given = TransferSet(Subject("headlines", 0))
    found = how_to_teach.against(1e-3, 2, (1, 2), given, given.student())
    assert order == 2 * ["adversary", "student", "student"]
    assert len(found.scores["divergence"]) == 2 and found.costs["steps"] == 4


def test_the_shortest_steps_stand_beside_none(subject: Subject) -> None:
    found: Any = how_to_teach.SHORTEST["FreeLB, a hundredth as far"](subject)
    assert [*found] == ["FreeLB, a hundredth as far", "no rewriting, beside it"]


def test_the_cut_teacher_knows_fewer_pieces(subject: Subject) -> None:
    found = how_to_teach.measure_cut_teacher(subject)
    assert found.scores.keys() == {"accuracy", "agreement"}
    whole = sum(parameter.numel() for parameter in subject.teacher.model.parameters())
    assert found.costs["parameters"] == whole - (30_522 - 9_000) * SIZES["hidden_size"]
    assert len(TransferSet(subject).tokenizer.vocab) == 9_000


# --- texts ----------------------------------------------------------------------------------------


def test_texts_with_labels_and_without(subject: Subject) -> None:
    given = TransferSet(subject)
    assert [row["labels"] for row in given.labeled] == [example.label for example in EXAMPLES]
    assert len(given.further) == len(FURTHER) and {row["labels"] for row in given.further} == {IGNORED}
    texts = [given.tokenizer.decode(row["input_ids"], skip_special_tokens=True) for row in given.further]
    assert texts == FURTHER
    assert given.all_texts == [*given.labeled, *given.further]
    assert len(given.answers) == len(given.states) == len(given.all_texts)
    assert given.states.shape[1] == SIZES["hidden_size"]


def test_half_of_the_rows_of_a_public_set_lose_their_label(subject: Subject) -> None:
    given = TransferSet(Subject("SST-2", 0))
    assert [row["labels"] for row in given.labeled] == [example.label for example in EXAMPLES[::2]]
    assert [row["labels"] for row in given.further] == [IGNORED] * len(EXAMPLES[1::2])
    read = [given.tokenizer.decode(row["input_ids"], skip_special_tokens=True) for row in given.further]
    assert read == [example.first for example in EXAMPLES[1::2]]


def test_texts_by_lot_are_as_long_and_have_no_label(subject: Subject) -> None:
    given = TransferSet(subject)
    for row, other in zip(given.labeled, how_to_teach.random_texts(given), strict=True):
        assert len(row["input_ids"]) == len(other["input_ids"]) and other["labels"] == IGNORED
        assert row["input_ids"][0] == other["input_ids"][0] and row["input_ids"] != other["input_ids"]


# --- the study ------------------------------------------------------------------------------------


def test_the_teacher_alone_does_not_read_the_pocket_bert() -> None:
    assert STUDY.data_of("SST-2", "teacher") == ("minilm", "public/glue/SST-2")
    others = {arm for arms in STUDY.arms.values() for arm in arms} - {"teacher"}
    written = {arm for arm in others if "pocket" in STUDY.data_of("reviews", arm)}
    assert written == {*how_to_teach.WITH_MASKED_LM}
    assert all("data/pocket-bert/vocab.txt" in STUDY.data_of("reviews", arm) for arm in others - written)
    assert {arm for arms in STUDY.arms.values() for arm in arms} >= STUDY.keep
