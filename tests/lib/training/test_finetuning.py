"""Fine-tuning: five kinds of task on one loop, early stopping, what a result holds."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.text.tasks import Answer, ChoiceExample, QuestionExample, TaggedSentence, TaskBatches, TextExample
from lib.training.checkpoints import Checkpoints
from lib.training.finetuning import Recipe, evaluate, fine_tune
from lib.training.known_tasks import OWN, load_task
from lib.training.loop import Trainer
from lib.training.step_memory import longest_batch
from lib.training.task_kinds import (
    Classification,
    MultipleChoice,
    Regression,
    SpanExtraction,
    Tagging,
    Task,
    checked_examples,
)

WORDS = ["red", "blue", "green", "dog", "cat", "bird", "runs", "sleeps", "sings"]
SIZES: dict[str, Any] = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64,
    "max_position_embeddings": 128, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
}  # fmt: skip
RECIPE = Recipe(epochs=12, batch_size=8, learning_rate=5e-3, max_length=32)


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


def texts(count: int) -> list[str]:
    draw = torch.Generator().manual_seed(count)
    drawn = torch.randint(len(WORDS), (count, 3), generator=draw).tolist()
    return [" ".join(WORDS[number] for number in row) for row in drawn]


def learnable(name: str) -> Task:
    """A task of each kind that only depends on whether, or where, there is a color."""
    rows: list[Any] = []
    for number, text in enumerate(texts(48)):
        words = text.split()
        colors = [word for word in words if word in WORDS[:3]]
        if name == "class":
            rows.append(TextExample(text, None, int(bool(colors))))
        elif name == "grade":
            rows.append(TextExample(text, "is it red?", 4.0 * bool(colors)))
        elif name == "tags":
            rows.append(TaggedSentence(words, ["B-P" if word in colors else "O" for word in words]))
        elif name == "span":
            answers = tuple(Answer(word, text.index(word)) for word in colors[:1])
            rows.append(QuestionExample(str(number), "which color?", text, answers))
        elif not colors:
            choices, label = (f"dog {text}", "red"), len(rows) % 2
            rows.append(ChoiceExample("it is", choices if label else choices[::-1], label))
    return Task(name, KINDS[name][0], rows, rows)


def small_model(task: Task) -> PreTrainedBert:
    torch.manual_seed(0)
    return task.kind.model_class(BertConfig(**SIZES, **task.kind.config)).eval()


@pytest.mark.parametrize("name", ["class", "grade", "tags", "span", "choice"])
def test_each_kind_learns(name: str, tokenizer: WordPieceTokenizer) -> None:
    task = learnable(name)
    before, _ = evaluate(small_model(task), tokenizer, task.kind, task.test, 32)
    result = fine_tune(small_model(task), tokenizer, task, RECIPE)
    after = result.scores[task.kind.metric]
    assert after >= 0.9 > before[task.kind.metric]
    assert len(result.predictions) == len(task.test)
    assert len(result.losses) == RECIPE.epochs * -(-len(task.train) // RECIPE.batch_size)
    assert not result.model.training


def test_two_questions_with_one_id_are_both_scored() -> None:
    """The answers are both right, so the scores are 1 and not a half."""
    questions = [QuestionExample("q", "who?", text, (Answer(text, 0),)) for text in ("red", "blue")]
    assert SpanExtraction().score(["red", "blue"], questions) == {"exact": 1, "f1": 1}
    assert SpanExtraction().score(["red", "red"], questions) == {"exact": 0.5, "f1": 0.5}


def test_early_stopping_keeps_the_best_epoch(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    wrong = [example._replace(label=1 - int(example.label or 0)) for example in task.train]
    task = replace(task, validation=wrong)  # the more is learned, the worse it gets
    result = fine_tune(small_model(task), tokenizer, task, replace(RECIPE, patience=2))
    assert len(result.validation_scores) < RECIPE.epochs
    best = max(result.validation_scores)
    assert result.validation_scores.index(best) == len(result.validation_scores) - 3
    kept, _ = evaluate(result.model, tokenizer, task.kind, task.validation, 32)
    assert kept["accuracy"] == best


def test_what_cannot_be_stopped_early_is_refused(tokenizer: WordPieceTokenizer, tmp_path: Path) -> None:
    task, resumed = learnable("class"), Checkpoints(tmp_path, resume=True)
    with pytest.raises(ValueError, match="no validation rows"):
        fine_tune(small_model(task), tokenizer, task, replace(RECIPE, patience=1))
    with pytest.raises(ValueError, match="begin the run anew"):
        task = replace(task, validation=task.test)
        fine_tune(small_model(task), tokenizer, task, RECIPE, checkpoints=resumed)


def no_step(*_: Any) -> None:
    raise AssertionError("The first step was made.")


RAN = TaggedSentence(["Ann", "Lee", "ran"], ["B-P", "I-P", "O"])
COLOR = QuestionExample("q7", "which color?", "a red dog", (Answer("red", 2),))
CHOICE = ChoiceExample("it is", ("red", "blue"), 0)
KINDS: dict[str, tuple[Any, Any]] = {  # each with an example that is right
    "class": (Classification(("no", "yes")), TextExample("b", None, 1)),
    "grade": (Regression(), TextExample("b", "c", 1)),
    "tags": (Tagging(("O", "B-P", "I-P")), RAN),
    "span": (SpanExtraction(), COLOR),
    "choice": (MultipleChoice(), CHOICE),
}
FAULTS: list[tuple[str, Any, str]] = [
    ("class", None, r"There are no examples in .* rows of mine: give one TextExample\(first, second, lab"),
    ("class", TextExample("a", None, 2), "its label 2 is none of no, yes, nor one of their places from 0"),
    ("class", TextExample("a", None, -1), "its label -1 is none of"),
    ("class", TextExample("a", None, None), "its label None is none of"),
    ("class", TextExample("a", None, 0.5), "its label 0.5 is none of"),
    ("class", TextExample("a", None, math.nan), "its label nan is none of"),
    ("class", TextExample("a", None, "maybe"), "its label 'maybe' is none of"),  # type: ignore[arg-type]
    ("class", TextExample(math.nan, None, 1), "nan is no text"),  # type: ignore[arg-type]
    ("class", TextExample(" \u200b", None, 1), "has no words"),
    ("class", ("a", 1), r"\('a', 1\) is a tuple, make it a TextExample\(first, second, label\)"),
    ("grade", TextExample("a", "", 1), "its text '' has no words"),
    ("grade", {"text": "a", "label": 1}, "is a dict, make it a TextExample"),
    ("grade", TextExample("a", "b", math.inf), "inf is no decimal number"),
    ("grade", TextExample("a", "b", "3,5"), "'3,5' is no decimal number"),  # type: ignore[arg-type]
    ("tags", RAN._replace(tags=["B-P", "I-P", "B-L"]), "its label 'B-L' is none of O, B-P, I-P"),
    ("tags", RAN._replace(tags=[1, 2, 3]), "its label 3 is none of"),  # type: ignore[list-item]
    ("tags", RAN._replace(tags=["O"]), "it has 3 words and 1 tags"),
    ("tags", TaggedSentence([], []), "it has 0 words and 0 tags"),
    ("span", COLOR._replace(answers=(Answer("", 2),)), "in question q7, its answer '' does not stand"),
    ("span", COLOR._replace(answers=(Answer("red", 3),)), "'red' does not stand at character 3"),
    ("span", COLOR._replace(question=""), "in question q7, it has no words"),
    ("span", COLOR._replace(answers=({"text": "red"},)), r"is an Answer\(text, start\)"),  # type: ignore[arg-type]
    ("choice", CHOICE._replace(label=2), "its label 2 is none of red, blue"),
    ("choice", CHOICE._replace(label=None), "its label None is none of red, blue"),
    ("choice", CHOICE._replace(choices=("red", "")), "its text '' has no words"),
]


@pytest.mark.parametrize("split", ["train", "test", "validation"])
def test_a_fault_of_any_split_is_told_before_the_first_step(
    split: str, tokenizer: WordPieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Trainer, "step", no_step)
    where = {"train": "training"}.get(split, split)
    for name, example, message in FAULTS:
        kind, right = KINDS[name]
        if example is None and split == "validation":  # of these there may be none
            continue
        rows = {name: [right] for name in ("train", "test", "validation")}
        rows[split] = [right, example] if example is not None else []
        task = Task("mine", kind, **rows)
        with pytest.raises(ValueError, match=message) as error:
            fine_tune(small_model(task), tokenizer, task, RECIPE)
        assert f" {where} rows of mine" in str(error.value) and "\n" not in str(error.value)
        assert example is None or str(error.value).startswith("Example 1 of the ")


def test_what_only_shows_in_pieces_is_told_before_the_first_step(
    tokenizer: WordPieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Trainer, "step", no_step)
    wide = replace(RECIPE, max_length=200)
    faults: list[tuple[Task, Recipe, str]] = [
        (Task("a", MultipleChoice(), [CHOICE], [CHOICE, CHOICE._replace(choices=("a", "b", "c"))]), RECIPE,
         "Example 1 has 3 choices and the first has 2"),
        (Task("a", SpanExtraction(), [COLOR], [COLOR._replace(question="who " * 90)]), RECIPE,
         "leave no room beside a question"),
        (Task("a", Regression(), [TextExample("a", None, 1)], [TextExample("a " * 300, None, 1)]), wide,
         "A row of a has 200 pieces and the model 128 positions"),
    ]  # fmt: skip
    for task, recipe, message in faults:
        with pytest.raises(ValueError, match=message):
            fine_tune(small_model(task), tokenizer, task, recipe)


@pytest.mark.parametrize("name", KINDS)
def test_a_model_of_single_texts_is_told_of_pairs_before_the_first_step(
    name: str, tokenizer: WordPieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Trainer, "step", no_step)
    kind, right = KINDS[name]
    model = kind.model_class(BertConfig(**SIZES, **kind.config, type_vocab_size=1))
    says = "first step was made" if name in ("class", "tags") else "mine has pairs of texts, and the model"
    with pytest.raises((ValueError, AssertionError), match=says):
        fine_tune(model, tokenizer, Task("mine", kind, [right], [right]), RECIPE)


def test_a_model_for_something_else_is_told_before_the_first_step(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    three = small_model(replace(task, kind=Classification(("a", "b", "c"))))
    with pytest.raises(ValueError, match="class has 2 classes and the model's head 3"):
        fine_tune(three, tokenizer, task, RECIPE)
    for model, pieces in ((small_model(learnable("tags")), tokenizer), (small_model(task), object())):
        with pytest.raises(ValueError, match="a BertForSequenceClassification and a WordPieceTokenizer of"):
            fine_tune(model, pieces, task, RECIPE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Classification(("a", "b"), ("acuracy",)), "'acuracy' does not score 2 .* use accuracy, f1"),
        (lambda: Classification(("a", "b", "c"), ("f1",)), "'f1' does not score 3 .* use accuracy, macro"),
        (lambda: Classification(("a", "b"), ()), "'' does not score"),
        (lambda: Classification(("a",)), "give a tuple of two or more"),
        (lambda: Classification(("a", "a")), "give a tuple of two or more"),
        (lambda: Classification({"a", "b"}), "in the order of their numbers"),  # type: ignore[arg-type]
        (lambda: Classification(np.array(["a", "b"])), "give a tuple"),  # type: ignore[arg-type]
        (lambda: Tagging(("O", "B-P"), "F1"), "'F1' does not score tags: use f1 or accuracy"),  # type: ignore[arg-type]
        (lambda: Tagging(("NOUN", "VERB")), "'NOUN' marks no entity"),
    ],
)
def test_a_kind_that_cannot_be_scored_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


YES = ("yes", np.str_("yes"), 1, "1", 1.0, True, np.int64(1), np.uint8(1), np.float32(1), np.True_)


def test_a_label_is_a_name_or_a_number_whoever_writes_it(tokenizer: WordPieceTokenizer) -> None:
    task, recipe = learnable("class"), replace(RECIPE, epochs=1)
    labels: list[Any] = [
        YES[number % len(YES)] if one.label else "no" for number, one in enumerate(task.train)
    ]
    written = [one._replace(label=label) for one, label in zip(task.train, labels, strict=True)]
    usual, other = (fine_tune(small_model(task), tokenizer, task, recipe, seed=seed) for seed in (0, 1))
    assert usual.losses != other.losses
    found = fine_tune(small_model(task), tokenizer, replace(task, train=written, test=written), recipe)
    assert (found.losses, found.scores, found.predictions) == (usual.losses, usual.scores, usual.predictions)
    assert evaluate(found.model, tokenizer, task.kind, written, 32)[0] == usual.scores


def test_grades_and_choices_are_read_as_labels_are() -> None:
    graded = [TextExample("a", None, label) for label in (3, "2.5", np.float64(1.5), np.int64(4))]  # type: ignore[arg-type]
    assert [one.label for one in checked_examples(Regression(), graded, "")] == [3, 2.5, 1.5, 4]
    chosen = [CHOICE._replace(label=label) for label in ("blue", np.int64(1))]  # type: ignore[arg-type]
    assert [one.label for one in checked_examples(MultipleChoice(), chosen, "")] == [1, 1]


@pytest.mark.parametrize(
    ("tags", "given"),
    [
        (("O", "B-P", "I-P"), ["B-P", "E-P", "O", "S-P"]),
        (("O", "B-P", "I-P"), ["B-P", "L-P", "O", "U-P"]),
        (("O", "B-P", "I-P"), ["I-P", "I-P", "O", "I-P"]),
        (("O", "B-P", "I-P"), [1, np.int64(2), 0, 1]),
        (("O", "B-P", "I-P", "E-P", "S-P"), ["B-P", "E-P", "O", "S-P"]),
    ],
)
def test_tags_of_every_scheme_are_learned_and_scored(tags: tuple[str, ...], given: list[Any]) -> None:
    """By hand: of two entities one is found, with no other."""
    (sentence,) = checked_examples(Tagging(tags), [TaggedSentence(["Ann", "Lee", "met", "Bo"], given)], "")
    predicted = [tag if place < 3 else "O" for place, tag in enumerate(sentence.tags)]
    assert Tagging(tags).score([predicted], [sentence]) == {
        "precision": 1,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
    }
    assert set(sentence.tags) <= set(tags)


def test_a_class_that_no_training_row_has_is_warned_of(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    few = replace(task, train=[one for one in task.train if not one.label])
    with pytest.warns(UserWarning, match="No training row of class has yes, as test rows have"):
        fine_tune(small_model(task), tokenizer, few, replace(RECIPE, epochs=1))
    tags = replace(learnable("tags"), train=[TaggedSentence(["dog"], ["O"])])
    with pytest.warns(UserWarning, match="No training row of tags has B-P, as test rows have"):
        fine_tune(small_model(tags), tokenizer, tags, replace(RECIPE, epochs=1))


def test_a_model_is_saved_before_it_is_tested(
    tokenizer: WordPieceTokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, recipe = learnable("class"), replace(RECIPE, epochs=1)
    right = fine_tune(small_model(task), tokenizer, task, recipe)
    monkeypatch.setattr(Classification, "score", no_step)
    with pytest.raises(AssertionError):
        fine_tune(
            small_model(task), tokenizer, task, recipe,
            when_trained=lambda model: model.save_pretrained(tmp_path),
        )  # fmt: skip
    saved = task.kind.model_class.from_pretrained(tmp_path)
    assert task.kind.predict(saved, task.test, tokenizer, 32) == right.predictions


def test_what_is_frozen_neither_moves_nor_costs(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    model = small_model(task)
    whole = fine_tune(small_model(task), tokenizer, task, replace(RECIPE, epochs=1))
    encoder = model.get_submodule("bert").requires_grad_(False)
    before = {name: tensor.clone() for name, tensor in encoder.state_dict().items()}
    result = fine_tune(model, tokenizer, task, replace(RECIPE, epochs=1))
    assert all(torch.equal(tensor, before[name]) for name, tensor in encoder.state_dict().items())
    assert result.trained_weights == 2 * 32 + 2
    assert result.memory.weights == whole.memory.weights
    for part in ("gradients", "optimizer", "activations"):
        assert getattr(result.memory, part) < getattr(whole.memory, part) / 5


def test_the_longest_batch_is_the_longest() -> None:
    rows = [{"input_ids": [1] * length, "token_type_ids": [0] * length, "labels": 0} for length in (3, 9, 5)]
    batch = longest_batch(TaskBatches(rows, batch_size=2, seed=4))
    assert batch["attention_mask"].sum(dim=1).tolist() == [5, 9]  # not 3


@pytest.mark.parametrize("name", sorted(OWN))
def test_every_task_of_the_course_becomes_rows(name: str, tokenizer: WordPieceTokenizer) -> None:
    task = load_task(name)
    few = task.test[:4]
    batches = TaskBatches(task.kind.rows(few, tokenizer, 128), batch_size=4, seed=None)
    output = small_model(task)(**batches(0))
    assert output.loss.isfinite()


def test_unknown_task() -> None:
    with pytest.raises(ValueError, match="There is no task 'poems'"):
        load_task("poems")
