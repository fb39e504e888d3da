"""Records of compression: what students learn from what, and few bits."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TASK, tiny_model, tiny_teacher

from lib.bert import BertConfig, BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.losses import SoftenedKL, cosine_distance, cross_entropy
from lib.compression.packed import load_packed
from lib.compression.quantizers.activations import MovingRange
from lib.compression.quantizers.model import prepare_q8bert
from lib.records import augmented, students
from lib.records.results import PACKED, RESULT
from lib.records.teachers import Teacher
from lib.text.masking import IGNORED
from lib.text.tasks import TaskBatches, TextExample, own
from lib.training import baselines
from lib.training.finetuning import Recipe
from studies import (
    bits,
    distilled_answers,
    distilled_blanks,
    distilled_inside,
    ledger,
    registry,
    unseen_class,
)
from tools.bench.compression import soft_loss

FURTHER = students.without_labels(["red dog", "a red", "two dogs"])


def tiny_texts(kind: str, _task: str, _seed: int) -> list[TextExample]:
    if kind == "labeled":
        return list(EXAMPLES)
    return [*students.without_labels([example.first for example in EXAMPLES]), *FURTHER]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task is a tiny one, every model a tiny one, and every run a step."""
    for module in (distilled_answers, distilled_inside):
        monkeypatch.setattr(module, "load_task", lambda _name: TASK)
        monkeypatch.setattr(module, "load_teacher", tiny_teacher)
        monkeypatch.setattr(module, "texts_for", tiny_texts)
    monkeypatch.setattr(distilled_answers, "SMALL", SMALL)
    monkeypatch.setattr(distilled_inside, "SIZES", {"narrow": SMALL, "wide": SMALL | {"hidden_size": 24}})
    monkeypatch.setattr(distilled_inside, "fresh_model", tiny_model)
    monkeypatch.setattr(distilled_inside, "general_texts", lambda: ["red", "a dog"])
    monkeypatch.setattr(distilled_inside, "steps_of", lambda *_: 2)


TINY_POCKET = SimpleNamespace(  # in place of BertForMaskedLM
    from_pretrained=lambda _name: BertForMaskedLM(
        BertConfig(**SIZES | {"max_position_embeddings": 64}, vocab_size=9000)
    )
)
SMALL = {"num_hidden_layers": 2, "hidden_size": 12, "num_attention_heads": 12, "intermediate_size": 8}


# --- texts and steps ------------------------------------------------------------------------------


def test_labels_go_with_labeled_texts_alone() -> None:
    labeled = students.texts_for("labeled", "headlines", 0)
    assert all(example.label is not None for example in labeled)
    more = students.texts_for("unlabeled", "headlines", 0)
    assert [example.first for example in more] == [
        *(example.first for example in labeled),
        *own.unlabeled("headlines"),
    ]
    assert all(example.label is None for example in more)


def test_augmented_texts_have_no_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(students, "augmented", lambda _task, _seed: {"texts": ["one", "other"]})
    assert students.texts_for("augmented", "reviews", 0) == students.without_labels(["one", "other"])


def test_variants_are_written_with_their_texts_and_seconds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(augmented, "load_task", lambda _name: replace(TASK, train=EXAMPLES[:2]))
    monkeypatch.setattr(augmented, "BertForMaskedLM", TINY_POCKET)
    augmented.write_variants(tmp_path, "reviews", seed=0, rounds=2)
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert found.keys() == {"texts", "processor_seconds"}
    assert {"red 0", "dog 0"} <= set(found["texts"]) and len(found["texts"]) <= 2 * (1 + 2)


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", distilled_answers.ARMS)
def test_every_arm_gives_what_the_record_holds(name: str, tiny: None) -> None:
    arm = replace(distilled_answers.ARMS[name], steps=2)
    found, student = distilled_answers.trained("reviews", arm, seed=0)
    assert found.keys() == {
        "scores", "agreement", "processor_seconds", "rows", "steps", "parameters",
    }  # fmt: skip
    assert found["rows"] == len(EXAMPLES) + (0 if arm.texts == "labeled" else len(FURTHER))
    assert student.config.num_hidden_layers == (3 if arm.is_cut else 2)
    assert not student.training


SOFT = {temperature: [SoftenedKL(temperature)] for temperature in (1.0, 2.0, 4.0, 8.0)}


@pytest.mark.parametrize(
    ("name", "distances", "texts"),
    [
        ("labels", [cross_entropy], "labeled"),
        ("answers", SOFT[2.0], "labeled"),
        ("answers and labels", [*SOFT[2.0], cross_entropy], "labeled"),
        ("hard answers on unlabeled", [cross_entropy], "unlabeled"),
        ("answers on unlabeled", SOFT[2.0], "unlabeled"),
        ("answers on augmented", SOFT[2.0], "augmented"),
        ("temperature 1", SOFT[1.0], "unlabeled"),
        ("temperature 4", SOFT[4.0], "unlabeled"),
        ("temperature 8", SOFT[8.0], "unlabeled"),
        ("cut, answers and cosine", [*SOFT[2.0], cross_entropy, cosine_distance], "labeled"),
        ("cut, answers on unlabeled", SOFT[2.0], "unlabeled"),
    ],
)
def test_an_arm_learns_what_its_name_promises(name: str, distances: list[Any], texts: str) -> None:
    arm = distilled_answers.ARMS[name]
    assert [match.distance for match in arm.matches()] == distances and arm.texts == texts
    assert arm.guessed == name.startswith("hard") and arm.is_cut == name.startswith("cut")


def test_the_arms_of_pkd_are_its_two_maps() -> None:
    maps = [distilled_answers.ARMS[f"cut, PKD {name}"].matches()[-1].map for name in ("skip", "last")]
    assert maps == [LayerPairs(((1, 2), (2, 4))), LayerPairs(((1, 4), (2, 5)))]


@pytest.mark.parametrize(("name", "kept"), [("labels", {RESULT, PACKED}), ("answers", {RESULT})])
def test_a_student_is_kept_where_the_ledger_asks_for_it(
    name: str, kept: set[str], tiny: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(distilled_answers.ARMS, name, replace(distilled_answers.ARMS[name], steps=1))
    distilled_answers.run_arm(tmp_path, "reviews", name, seed=0)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_student_moves_and_its_teacher_does_not(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher = tiny_teacher()
    before = {name: tensor.clone() for name, tensor in teacher.model.state_dict().items()}
    monkeypatch.setattr(distilled_answers, "load_teacher", lambda *_: teacher)
    arm = replace(distilled_answers.ARMS["cut, PKD skip"], steps=2)
    _, student = distilled_answers.trained("reviews", arm, seed=0)
    assert all(torch.equal(tensor, before[name]) for name, tensor in teacher.model.state_dict().items())
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(student.state_dict()[query], before[query])


def test_hard_answers_are_the_teachers_first_guesses(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def note(_objective: Any, batches: Any, *_: Any) -> float:
        read.append(batches)
        return 0.0

    monkeypatch.setattr(distilled_answers, "train_steps", note)
    arm = distilled_answers.ARMS["hard answers on unlabeled"]
    distilled_answers.trained("reviews", arm, seed=0)
    teacher = tiny_teacher()
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")  # the student reads other pieces
    texts = tiny_texts("unlabeled", "", 0)
    assert [row["labels"] for row in read[0].batches.rows] == TASK.kind.predict(
        teacher.model, texts, tokenizer, 16
    )


def test_what_stands_beside(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    # a tiny teacher may guess one class everywhere, which a regression cannot learn
    monkeypatch.setattr(baselines, "classify_texts", lambda _train, test: [0] * len(test))
    found = distilled_answers.beside_students("reviews", seed=0)
    assert found.keys() == {"teacher", "cut", "baseline", "baseline on unlabeled"}
    assert all(
        0 <= found["teacher"]["entropy"][kind] <= math.log(2) + 1e-6
        for kind in ("labeled", "unlabeled", "test")
    )


def test_entropy_of_answers() -> None:
    assert distilled_answers.entropy(torch.zeros(3, 4)) == pytest.approx(math.log(4))
    assert distilled_answers.entropy(torch.tensor([[100.0, 0.0]])) == pytest.approx(0, abs=1e-6)


# --- a class that was never seen ------------------------------------------------------------------

LOGITS = torch.tensor([[2.0, 1.0, 0.0], [2.0, 0.0, 1.9], [0.0, 3.0, 2.5], [0.0, 2.0, -3.0]])


def test_a_bias_gives_a_class_its_share() -> None:
    for share, count in ((0.25, 1), (0.5, 2), (1.0, 4)):
        raised = LOGITS.clone()
        raised[:, 2] += unseen_class.bias_for(LOGITS, 2, share)
        assert int((raised.argmax(-1) == 2).sum()) == count


def test_what_a_bias_recognizes() -> None:
    right = torch.tensor([0, 2, 2, 1])
    assert unseen_class.recognized(LOGITS, right, 2, 0.0) == {
        "recognized": 0, "accuracy": 0.5, "of_others": 1,
    }  # fmt: skip
    assert unseen_class.recognized(LOGITS, right, 2, 0.6) == {
        "recognized": 1, "accuracy": 1, "of_others": 1,
    }  # fmt: skip
    assert unseen_class.recognized(LOGITS, right, 2, 9.0)["of_others"] == 0


@pytest.mark.parametrize("arm", unseen_class.ARMS)
def test_no_text_of_the_class_is_read(arm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def note(objective: Any, batches: Any, *_: Any) -> float:
        objective(**batches(0))  # it can be learned from
        read.append(batches)
        return 0.0

    monkeypatch.setattr(unseen_class, "load_task", lambda _name: TASK)
    monkeypatch.setattr(unseen_class, "load_teacher", tiny_teacher)
    monkeypatch.setattr(unseen_class, "texts_for", tiny_texts)
    monkeypatch.setattr(unseen_class, "fresh_model", tiny_model)
    monkeypatch.setattr(unseen_class, "train_steps", note)
    found = unseen_class.without_class(1, arm, seed=0)
    labels = [row["labels"] for row in read[0].batches.rows]
    assert set(labels) == {0} and len(labels) >= 4
    assert len(found["sweep"]) == len(unseen_class.BIASES)
    assert found["corrected"]["recognized"] >= found["recognized"]


# --- masked words ---------------------------------------------------------------------------------


def test_blanks_are_scored_where_they_are() -> None:
    torch.manual_seed(0)
    model = BertForMaskedLM(BertConfig(**SIZES | {"vocab_size": 50})).eval()
    ids = torch.randint(5, 50, (2, 6))
    labels = torch.full_like(ids, IGNORED)
    labels[0, 2], labels[1, 4] = 7, 9
    found = distilled_blanks.filled(
        model, model, [{"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "labels": labels}]
    )
    log_probs = model(ids).logits.detach().log_softmax(-1)
    right = (log_probs[0, 2, 7] + log_probs[1, 4, 9]) / 2
    assert found["agreement"] == 1
    assert found["perplexity"] == pytest.approx(math.exp(-float(right)), rel=1e-4)


@pytest.mark.parametrize("arm", ["teacher", "cut", *distilled_blanks.ARMS])
def test_every_arm_fills_blanks(arm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(distilled_blanks, "BertForMaskedLM", TINY_POCKET)
    monkeypatch.setattr(distilled_blanks, "STEPS", 1)
    monkeypatch.setattr(distilled_blanks, "SCORED", 1)
    distilled_blanks.run_blanks(tmp_path, arm, seed=0)
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert found.keys() == {"perplexity", "accuracy", "agreement", "processor_seconds"}
    assert (found["agreement"] == 1) == (arm == "teacher")
    assert (found["processor_seconds"] > 0) == (arm in distilled_blanks.ARMS)


def test_distilberts_losses_come_one_after_the_other() -> None:
    counts = [len(matches(6)) for matches in distilled_blanks.ARMS.values()]
    assert counts == [1, 2, 3]
    names = [match.knowledge.name for match in distilled_blanks.ARMS["DistilBERT"](6)]
    assert names == ["token_logits", "label_loss", "hidden_states"]


# --- the inside -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", distilled_inside.ARMS)
def test_every_arm_of_the_inside_can_be_learned(name: str, tiny: None) -> None:
    arm = distilled_inside.ARMS[name]
    found, student = distilled_inside.trained("headlines", arm, seed=0)
    assert found["steps"] == 2 * len(arm.phases)
    assert student.config.hidden_size == (24 if arm.width == "wide" else 12)


@pytest.mark.parametrize(("name", "kept"), [("TinyBERT", {RESULT, PACKED}), ("states", {RESULT})])
def test_a_student_of_the_inside_is_kept_where_the_ledger_asks_for_it(
    name: str, kept: set[str], tiny: None, tmp_path: Path
) -> None:
    distilled_inside.run_arm(tmp_path, "reviews", name, seed=0)
    assert {path.name for path in tmp_path.iterdir()} == kept


@pytest.mark.parametrize("name", ["labels", "TinyBERT", "TinyBERT, both stages"])
def test_seconds_are_counted_by_stage(name: str, tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distilled_inside, "time", SimpleNamespace(process_time=lambda: 0.0))
    monkeypatch.setattr(distilled_inside, "train_steps", lambda *_: 1.5)
    arm = distilled_inside.ARMS[name]
    found, _ = distilled_inside.trained("headlines", arm, seed=0)
    stages = [phase.stage for phase in arm.phases]
    assert found["seconds_of"].keys() >= set(stages)
    assert all(spent == 1.5 * stages.count(stage) for stage, spent in found["seconds_of"].items())
    assert found["processor_seconds"] == 1.5 * len(stages)


def test_the_seconds_of_a_run_are_shared_out_whole() -> None:
    for arm in distilled_inside.ARMS.values():
        assert sum(phase.share for phase in arm.phases) == pytest.approx(1)
        assert arm.phases[-1].stage == "answers"


def test_steps_cost_what_the_share_pays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {"narrow": {"answers": 0.1, "layers": 0.5}}
    monkeypatch.setattr(distilled_inside, "STEP_SECONDS", {"headlines": steps})
    monkeypatch.setattr(distilled_inside, "SECONDS", {"headlines": 90.0})
    monkeypatch.setattr(distilled_inside, "ASKING_SECONDS", {"headlines": 5.0})
    arm = distilled_inside.ARMS["TinyBERT"]
    found = [distilled_inside.steps_of("headlines", arm, phase) for phase in arm.phases]
    assert found == [90, 400]


def test_every_phase_has_its_seconds_and_its_rate() -> None:
    for task in students.TASKS:
        for name in distilled_inside.arms_of(task):
            arm = distilled_inside.ARMS[name]
            for phase in arm.phases:
                assert phase.learned in distilled_inside.RATES
                assert distilled_inside.STEP_SECONDS[task][arm.width][phase.learned] > 0


def test_one_dense_layer_goes_through_both_stages(tiny: None) -> None:
    teacher = tiny_teacher().model
    lessons = distilled_inside.Lessons(tiny_model(), teacher)
    first, second = (lessons.matches("layers")[0].map for _ in range(2))
    assert first is second is lessons.projection


def test_general_text_is_of_many_sentences() -> None:
    texts = distilled_inside.general_texts()
    assert len(texts) > 7000 + 1000 and all(texts)


# --- bits -----------------------------------------------------------------------------------------


def tiny_exam() -> tuple[Teacher, bits.Exam]:
    teacher, tokenizer = tiny_teacher(), WordPieceTokenizer.from_pretrained("minilm")
    rows = TASK.kind.rows(TASK.test, tokenizer, 16)
    return teacher, bits.Exam(TASK, tokenizer, rows, teacher.predictions)


def test_a_teacher_agrees_with_itself() -> None:
    teacher, exam = tiny_exam()
    assert exam(teacher.model) == {"accuracy": teacher.scores["accuracy"], "agreement": 1}


def test_rounded_weights_have_the_layout_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "BITS", (8, 2))
    teacher, exam = tiny_exam()
    found = bits.rounded_weights(teacher, exam)
    assert found["weights"].keys() == bits.PARTS.keys()
    assert found["weights"]["all"].keys() == {"tensor", "row"}
    assert found["weights"]["attention"].keys() == {"tensor", "group", "row"}
    assert found["layers"].keys() == {f"layer {number}" for number in range(6)}
    assert found["weights"]["all"]["row"]["8"]["agreement"] == 1
    assert exam(teacher.model)["agreement"] == 1  # left as it was


def test_rounded_activations_leave_nothing_behind() -> None:
    teacher, exam = tiny_exam()
    before = set(dict(teacher.model.named_modules()))
    found = bits.rounded_activations(teacher.model, exam)
    assert found.keys() == {"tensor", "token", "asymmetric tensor"}
    assert set(dict(teacher.model.named_modules())) == before


def test_blanks_are_filled_with_every_number_of_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "BertForMaskedLM", TINY_POCKET)
    monkeypatch.setattr(bits, "BLANK_BATCHES", 1)
    found = bits.on_blanks(seed=0)
    assert found.keys() == {"float32", "tensor", "row"}
    for per in ("tensor", "row"):
        assert found[per].keys() == {str(number) for number in bits.BITS}
        assert found[per]["8"]["perplexity"] == pytest.approx(found["float32"]["perplexity"], rel=0.01)
        assert found[per]["2"] != found["float32"]


@pytest.mark.parametrize("name", bits.TRAINED)
def test_what_is_trained_is_measured_before_and_after(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "RECIPE", Recipe(epochs=1, batch_size=4, max_length=16))
    teacher, exam = tiny_exam()
    found = bits.trained(teacher.model, name, exam, seed=0)
    assert found.keys() == {"before", "after", "processor_seconds"}
    if name == "float32":
        assert found["before"]["agreement"] == 1


def test_a_training_with_rounding_is_kept_with_its_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bits, "RECIPE", Recipe(epochs=1, batch_size=4, max_length=16))
    monkeypatch.setattr(bits, "_prepared", lambda _seed: tiny_exam())
    bits.run_part(tmp_path, "4 bits per row", seed=0)
    assert {path.name for path in tmp_path.iterdir()} == {RESULT, PACKED}
    model: Any = load_packed(tmp_path / PACKED)
    assert len(model.bert.encoder.layer[0].output.dense.weight[0].unique()) <= 15  # values of a row


def test_ranges_are_seen_and_no_weight_moves() -> None:
    model, tokenizer = tiny_model(), WordPieceTokenizer.from_pretrained("minilm")
    prepare_q8bert(model, decay=0.9)
    before = {name: tensor.clone() for name, tensor in model.named_parameters()}
    rows = TASK.kind.rows(TASK.train, tokenizer, 16)
    bits.see_ranges(model, TaskBatches(rows, tokenizer.pad_token_id, 4))
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.named_parameters())
    ranges = [module for module in model.modules() if isinstance(module, MovingRange)]
    assert ranges and all(module.threshold > 0 and not module.training for module in ranges)


# --- all of them ----------------------------------------------------------------------------------

NEW = (
    "bits",
    "distilled_answers",
    "distilled_inside",
    "ledger",
    "ledger_mrpc",
    "ledger_squad",
    "ledger_sst2",
)


@pytest.mark.parametrize("name", NEW)
def test_records_are_registered_with_a_config_of_json(name: str) -> None:
    experiment = registry.EXPERIMENTS[name]
    found = experiment.config()
    assert json.loads(json.dumps(found)) == found
    assert experiment.seeds == ((0,) if name == "ledger_squad" else (0, 1, 2))


def test_every_run_can_be_told_apart() -> None:
    entries = [bits.run_of(part, seed) for part in ("weights", *bits.TRAINED) for seed in (0, 1)]
    entries += [distilled_answers.run_of("reviews", arm, 0) for arm in distilled_answers.ARMS]
    entries += [distilled_inside.run_of("reviews", arm, 0) for arm in distilled_inside.ARMS]
    entries += [ledger.run_of("passages", method, 0) for method in ledger.METHODS["passages"]]
    told = [(entry.name, json.dumps(entry.config)) for entry in sorted(entries, key=lambda one: one.name)]
    assert all(one != other for one, other in pairwise(sorted(told)))


def test_the_loop_that_is_compared_has_the_same_loss() -> None:
    student, teacher = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(soft_loss(student, teacher), SoftenedKL(2.0)(student, teacher).mean())
