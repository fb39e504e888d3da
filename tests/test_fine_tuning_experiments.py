"""Teachers, ways of training, few rows, public sets: what is learned from what, and what is kept of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from lib import root
from lib.bert import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    WordPieceTokenizer,
)
from lib.records import teachers
from lib.text.tasks import TextExample, own
from lib.training import baselines
from lib.training.finetuning import Recipe, evaluate
from lib.training.freezing import GradualUnfreezing, trainable_parameters
from lib.training.known_tasks import OWN
from lib.training.task_kinds import Classification, Task
from studies import few_rows, public_sets, ways_of_training
from studies.public_sets import PublicRun
from studies.ways_of_training import WAYS

SIZES: dict[str, Any] = {
    "hidden_size": 8,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "max_position_embeddings": 32,
}
LABELS = ("no", "yes")
EXAMPLES = [
    TextExample(f"{word} {number}", None, int(word == "red"))
    for number in range(4)
    for word in ("red", "dog")
]
TASK = Task("colors", Classification(LABELS), EXAMPLES, EXAMPLES[:4])
RECIPE = Recipe(epochs=1, batch_size=4, max_length=16)
HEAD = {"pooler", "head"}
LAYERS = ["layer 0", "layer 1", "layer 2"]


def tiny_model(*_: Any) -> BertForSequenceClassification:
    torch.manual_seed(0)
    return BertForSequenceClassification(BertConfig(**SIZES, id2label=dict(enumerate(LABELS))))


def learning(model: Any) -> set[str]:
    """The parts of which something learns."""
    return {row.part for row in trainable_parameters(model) if row.trainable}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task is a tiny one, and every model a tiny one with a head drawn anew."""
    for module in (teachers, ways_of_training):
        monkeypatch.setattr(module, "load_task", lambda _name: TASK)
        monkeypatch.setattr(module, "fresh_model", tiny_model)


# --- ways of training -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "parts"),
    [
        ("head", HEAD),
        ("top 1", HEAD | {*LAYERS[2:]}),
        ("top 2", HEAD | {*LAYERS[1:]}),
        ("all", HEAD | {*LAYERS, "embeddings"}),
        ("low rank", HEAD | {*LAYERS}),
        ("adapters", HEAD | {*LAYERS, "embeddings"}),  # of the embeddings the norm alone
    ],
)
def test_a_way_decides_which_parts_learn(way: str, parts: set[str]) -> None:
    model = tiny_model()
    WAYS[way].prepare(model)
    assert learning(model) == parts


@pytest.mark.parametrize("way", ["adapters", "prefix", "prompt", "low rank"])
def test_with_new_weights_no_matrix_of_the_encoder_learns(way: str) -> None:
    model = tiny_model()
    before = dict(model.named_parameters())
    WAYS[way].prepare(model)
    old = [name for name in before if name.startswith("bert.") and "pooler" not in name]
    moving = {name for name in old if before[name].requires_grad}
    assert all(".LayerNorm." in name for name in moving) and bool(moving) == (way == "adapters")
    assert all(
        before[name].requires_grad
        for name in before
        if not name.startswith("bert.encoder.") and name not in old
    )
    new = [
        name for name, weight in model.named_parameters() if all(weight is not one for one in before.values())
    ]
    assert new and all(dict(model.named_parameters())[name].requires_grad for name in new)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_can_do_without_a_pooler(way: str) -> None:
    model = BertForQuestionAnswering(BertConfig(**SIZES))
    WAYS[way].prepare(model)
    assert "head" in learning(model)


def test_rates_fall_from_the_head_to_the_embeddings() -> None:
    model, way = tiny_model(), WAYS["layer rates"]
    rate_of = way.rate_of(model, 3e-4)
    weights = dict(model.named_parameters())
    names = [
        "classifier.weight",
        *(f"bert.encoder.layer.{layer}.output.dense.weight" for layer in (2, 1, 0)),
        "bert.embeddings.word_embeddings.weight",
    ]
    assert [rate_of(name, weights[name]) for name in names] == pytest.approx([1, 1, 0.8, 0.64, 0.512])


def test_a_way_is_trained_at_its_own_rate(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Recipe, Any]] = []

    def note(_model: Any, _tokenizer: Any, _task: Task, recipe: Recipe, **named: Any) -> None:
        asked.append((recipe, named["callbacks"]))

    monkeypatch.setattr(ways_of_training, "fine_tune", note)
    for way in WAYS.values():
        ways_of_training.train_by(way, TASK, RECIPE, seed=3)
    assert [recipe for recipe, _ in asked] == [
        replace(RECIPE, learning_rate=way.rate * RECIPE.learning_rate) for way in WAYS.values()
    ]
    (unfreezing,) = dict(zip(WAYS, asked, strict=True))["gradual"][1]
    assert isinstance(unfreezing, GradualUnfreezing) and unfreezing.every == 1


def test_what_is_recorded_of_a_run(tiny: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ways_of_training, "recipe_of", lambda _task: RECIPE)
    ways_of_training.run_way(tmp_path, "reviews", "low rank", seed=0)
    kept = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    width, rank = SIZES["hidden_size"], ways_of_training.RANK
    on_top = width * width + width + 2 * width + 2  # pooler and classifier
    assert kept["trained_weights"] == 3 * 2 * 2 * width * rank + on_top
    assert kept["stored_bytes"] == 4 * kept["trained_weights"] == kept["memory"]["gradients"]
    assert kept["scores"].keys() == {"accuracy"}


def test_configs_can_be_recorded() -> None:
    for config in (ways_of_training.config(), public_sets.config()):
        assert json.loads(json.dumps(config)) == config
    assert ways_of_training.config()["rates"].keys() == WAYS.keys()


# --- teachers -------------------------------------------------------------------------------------


def test_there_is_a_teacher_for_each_of_the_courses_tasks() -> None:
    assert OWN.keys() <= teachers.RECIPES.keys()
    assert len({teachers.teacher_entry(task).name for task in teachers.RECIPES}) == len(teachers.RECIPES)
    assert all((root / teachers.input_of(task)).is_dir() for task in OWN)


def test_a_teacher_comes_back_as_it_was_trained(
    tiny: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    teachers.train_teacher(tmp_path, "reviews", 0, asdict(RECIPE))
    monkeypatch.setattr(teachers, "cached", lambda _entry: SimpleNamespace(folder=tmp_path))
    teacher = teachers.load_teacher("reviews")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    scores, predictions = evaluate(teacher.model, tokenizer, TASK.kind, TASK.test, RECIPE.max_length)
    assert (teacher.scores, teacher.predictions) == (scores, predictions)
    assert len(teacher.losses) == 2
    assert not torch.equal(teacher.model.state_dict()["classifier.weight"], tiny_model().classifier.weight)


def test_a_teacher_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no teacher for 'weather': use reviews"):
        teachers.load_teacher("weather")


# --- few rows -------------------------------------------------------------------------------------


def test_few_rows_are_half_of_each_class_and_part_of_the_more(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[int, list[list[TextExample]]] = {0: [], 1: []}

    def note(_model: Any, _tokenizer: Any, task: Task, recipe: Recipe, *, seed: int) -> Any:
        assert recipe == few_rows.recipe_for(len(task.train))
        found[seed].append(list(task.train))
        return SimpleNamespace(scores={"accuracy": 0.5})

    monkeypatch.setattr(few_rows, "fine_tune", note)
    monkeypatch.setattr(few_rows, "fresh_model", tiny_model)
    monkeypatch.setattr(few_rows, "COUNTS", (20, 100))
    for seed in found:
        scores = few_rows.few_rows(seed)
        assert scores.keys() == {"20", "100"} and scores["100"]["tfidf"] > 0.5 == scores["100"]["minilm"]
        few, more = found[seed]
        assert Counter(one.label for one in few) == {0: 10, 1: 10}
        assert Counter(one.label for one in more) == {0: 50, 1: 50}
        assert set(few) < set(more) <= set(own.reviews("train"))
    assert found[0][0] != found[1][0]


def test_every_count_of_rows_gets_enough_steps() -> None:
    for count in few_rows.COUNTS:
        recipe, in_epoch = few_rows.recipe_for(count), -(-count // few_rows.BATCH)
        assert recipe.epochs * in_epoch >= few_rows.STEPS
        assert recipe.epochs == 3 or (recipe.epochs - 1) * in_epoch < few_rows.STEPS


# --- public sets ----------------------------------------------------------------------------------


def test_a_set_read_in_part_and_what_is_recorded_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[Task] = []

    def note(_model: Any, _tokenizer: Any, task: Task, recipe: Recipe, *, seed: int) -> Any:
        trained.append(task)
        assert (recipe, seed) == (replace(RECIPE, precision="bf16"), 5)
        return SimpleNamespace(scores={"accuracy": 0.75}, processor_seconds=1.234)

    train = [
        TextExample(f"{word} thing", None, label)
        for label, word in enumerate(("blue", "red"))
        for _ in range(5)
    ]
    run = PublicRun(
        "colors",
        baselines.classify_texts,
        RECIPE,
        rows=4,
        load=lambda name, place: Task(f"{name} in {place}", TASK.kind, train, train[3:7]),
    )
    monkeypatch.setattr(public_sets, "fine_tune", note)
    monkeypatch.setattr(public_sets, "fresh_model", tiny_model)
    assert public_sets.on_set("one", run, 5) == {
        "rows": 4,
        "tested": 4,
        "minilm": {"accuracy": 0.75},
        "baseline": {"accuracy": 1.0},
        "processor_seconds": 1.2,
    }
    assert trained[0].name == "one in colors"
    # rows that are sorted by class: some of each are read
    assert [one.label for one in trained[0].train] == [0, 0, 1, 1]
