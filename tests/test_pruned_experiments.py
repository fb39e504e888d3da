"""Records of pruning: what is removed from which model, judged by what, and what each part holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, TASK, tiny_teacher

from lib.bert import BertConfig, BertForQuestionAnswering, WordPieceTokenizer
from lib.compression.packed import load_packed
from lib.compression.pruning import importance
from lib.experiments import pruned_questions, pruned_structure, pruning_subject, registry
from lib.experiments.bits import Exam
from lib.experiments.cache import Entry
from lib.experiments.kept import PACKED, RESULT
from lib.experiments.pruning_subject import Subject
from lib.text.tasks import QuestionExample
from lib.text.tasks.squad import Answer
from lib.training.task_kinds import SpanExtraction, Task
from tools.bench import compression as bench


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Subject:
    """Six layers of twelve heads and 24 neurons, 24 wide; two steps make a training."""
    tokenizer, teacher = WordPieceTokenizer.from_pretrained("minilm"), tiny_teacher()
    rows = TASK.kind.rows(EXAMPLES, tokenizer, 16)
    made = Subject(teacher, Exam(TASK, tokenizer, rows[:4], teacher.predictions), rows, seed=0)
    for name, value in {"STEPS": 2, "NEW_STEPS": 2, "WIDTHS": (18, 12), "subject": lambda *_: made}.items():
        monkeypatch.setattr(pruned_structure, name, value)
    return made


def test_every_part_of_the_record_has_every_order(given: Subject) -> None:
    single = pruned_structure.single_heads(given)
    assert {len(row) for row in single["without"]} == {12} and len(single["without"]) == 6
    assert set(single["scores"]) == {
        "token", "text", "batch", "running totals", "all texts at once", "token, last layer by text",
        "token, layers alike",
    }  # fmt: skip
    for part, counts in (
        ("heads", pruned_structure.HEADS_OFF),
        ("neurons", pruned_structure.NEURON_SHARES),
        ("width", (18, 12)),
    ):
        found = pruned_structure.PARTS[part](given)
        assert {"importance", "random", "reversed"} <= set(found)
        for of_order in found.values():
            assert list(of_order) == list(map(str, counts))
            assert all(set(one) == {"accuracy", "agreement"} for one in of_order.values())
    layers = pruned_structure.fewer_layers(given)
    assert len(layers["cosines"]) == 6 and set(layers["rules"]) == set(pruned_structure.RULES)


def test_without_heads_gone_the_model_answers_as_its_teacher(given: Subject) -> None:
    scores = importance.importance_of_heads(given.gates)
    assert given.exam(pruning_subject.without_heads(given, scores, 0))["agreement"] == 1
    assert given.exam(given.model)["agreement"] == 1


def test_the_loss_without_a_head_is_that_of_a_model_that_lost_it(given: Subject) -> None:
    found = pruned_structure.single_heads(given)
    model = pruning_subject.without_heads(given, [torch.zeros(12)] * 6, 0)
    from lib.compression.pruning.heads import remove_heads

    remove_heads(model, {2: [5]})
    assert pruned_structure.mean_loss(model, given.batches) == pytest.approx(found["without"][2][5], abs=1e-5)


@pytest.mark.parametrize("arm", pruned_structure.ARMS)
def test_every_arm_is_judged_before_and_after(arm: str, given: Subject) -> None:
    found, model = pruned_structure.tuned(given, arm)
    assert set(found) == {"before", "after", "parameters", "processor_seconds"}
    assert not model.training
    whole = sum(parameter.numel() for parameter in given.model.parameters())
    assert (found["parameters"] == whole) == (arm == "dense")
    assert given.exam(given.model)["agreement"] == 1  # the teacher stays as it is


def test_half_of_heads_and_neurons_is_half(given: Subject) -> None:
    for which in ("importance", "random", "reversed"):
        model: Any = pruning_subject.halved(given, which)
        layers = model.bert.encoder.layer
        assert sum(layer.attention.self.num_heads for layer in layers) == 36
        assert {layer.intermediate.dense.out_features for layer in layers} == {12}


def test_the_smaller_bert_is_a_plain_one(given: Subject) -> None:
    model = pruning_subject.small_bert(given, "importance")
    assert model.changes == () and model.config.attention_head_size is None
    assert (model.config.hidden_size, model.config.num_attention_heads) == (12, 6)


def test_new_weights_have_nothing_of_the_teacher(given: Subject) -> None:
    new, old = pruning_subject.with_new_weights(given), pruning_subject.halved(given, "importance")
    assert {name: tensor.shape for name, tensor in new.state_dict().items()} == {
        name: tensor.shape for name, tensor in old.state_dict().items()
    }
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(new.state_dict()[query], old.state_dict()[query])


@pytest.mark.parametrize(
    ("part", "files"),
    [("teacher", {RESULT}), ("layers", {RESULT}), (pruned_structure.HALVED, {RESULT, PACKED})],
)
def test_runs_are_kept(part: str, files: set[str], given: Subject, tmp_path: Path) -> None:
    pruned_structure.run_part(tmp_path, "reviews", part, 0)
    assert {path.name for path in tmp_path.iterdir()} == files
    assert json.loads((tmp_path / RESULT).read_text())
    if PACKED in files:
        load_packed(tmp_path / PACKED)


def test_each_task_has_a_run_for_each_part_and_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def ask(entry: Entry) -> dict[str, Any]:
        asked.append(dict(entry.config))
        return {}

    monkeypatch.setattr(pruned_structure, "kept_result", ask)
    found = pruned_structure.pruned_structure(3) | pruned_structure.pruned_structure_public(3)
    assert set(found) == {"reviews", "SST-2"} and all(config["seed"] == 3 for config in asked)
    for name, of_task in found.items():
        assert set(of_task) == {"teacher", *pruned_structure.PARTS_OF[name], "tuned"}
        assert set(of_task["tuned"]) == set(pruned_structure.ARMS_OF[name])
    assert set(pruned_structure.KEPT) <= set(pruned_structure.ARMS)


# --- questions ------------------------------------------------------------------------------------

TEXT = "Ada Brown opened a bakery in Leeds in 1921 ."
QUESTIONS = [
    QuestionExample(f"{number}", "Who opened the bakery?", TEXT, (Answer("Ada Brown", 0),))
    for number in range(4)
]


def tiny_questions() -> BertForQuestionAnswering:
    torch.manual_seed(0)
    return BertForQuestionAnswering(BertConfig(30522, 24, 2, 4, 24, max_position_embeddings=64)).eval()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("questions", SpanExtraction(), QUESTIONS, QUESTIONS)
    changes: dict[str, Any] = {
        "question_model": tiny_questions, "task_of": lambda _name: task, "STEPS": {"passages": 2},
        "MAX_LENGTH": 32, "TIMED": {"2 x 8": (2, 8)},
    }  # fmt: skip
    for name, value in changes.items():
        monkeypatch.setattr(pruned_questions, name, value)


@pytest.mark.parametrize("arm", pruned_questions.ARMS)
def test_a_question_model_is_halved_and_asked_twice(arm: str, asked: None, tmp_path: Path) -> None:
    pruned_questions.run_arm(tmp_path, "passages", arm, 0)
    found = json.loads((tmp_path / RESULT).read_text())
    assert {"before", "after", "processor_seconds"} <= set(found) and set(found["after"]) == {"exact", "f1"}
    if arm == "dense":
        assert "costs" not in found
        return
    dense, pruned = found["costs"]["dense"], found["costs"]["pruned"]
    assert pruned["parameters"] < dense["parameters"]
    assert pruned["multiply_adds"]["2 x 8"] < dense["multiply_adds"]["2 x 8"]
    if arm == "importance":
        model: Any = load_packed(tmp_path / PACKED)
        assert sum(layer.attention.self.num_heads for layer in model.bert.encoder.layer) == 4
        assert {layer.intermediate.dense.out_features for layer in model.bert.encoder.layer} == {12}


def test_tables_stay_as_they_are(asked: None) -> None:
    _, model = pruned_questions.trained("passages", "random", 0)
    name = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(model.get_parameter(name), tiny_questions().get_parameter(name))


def test_registered_with_what_they_read() -> None:
    for name, module in (("pruned_structure", pruned_structure), ("pruned_questions", pruned_questions)):
        experiment = registry.EXPERIMENTS[name]
        run: Callable[..., Any] = experiment.run.resolved  # type: ignore[attr-defined]
        assert run is getattr(module, name) and json.dumps(experiment.config())


def test_what_is_timed_is_smaller_by_what_it_says() -> None:
    built: dict[str, Any] = {name: prune(tiny_minilm()) for name, prune in bench.PRUNED.items()}
    sizes = {
        name: [layer.attention.self.num_heads for layer in model.bert.encoder.layer]
        for name, model in built.items()
    }
    assert sum(sizes["dense"]) == 72 and sum(sizes[bench.HALF]) == 36 == sum(sizes["three layers"])


def tiny_minilm() -> Any:
    from lib.bert import BertForSequenceClassification

    torch.manual_seed(0)
    return BertForSequenceClassification(BertConfig(20, 384, 6, 12, 1536, max_position_embeddings=8)).eval()
