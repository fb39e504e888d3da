"""Fine-tuning: five kinds of task on one loop, early stopping, what a result holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.text.tasks import (
    Answer,
    ChoiceExample,
    QuestionExample,
    TaggedSentence,
    TaskBatches,
    TextExample,
)
from lib.training.checkpoints import Checkpoints
from lib.training.finetuning import (
    Recipe,
    evaluate,
    fine_tune,
)
from lib.training.known_tasks import OWN, load_task
from lib.training.step_memory import longest_batch
from lib.training.task_kinds import (
    Classification,
    MultipleChoice,
    Regression,
    SpanExtraction,
    Tagging,
    Task,
    row_logits,
)

WORDS = ["red", "blue", "green", "dog", "cat", "bird", "runs", "sleeps", "sings"]
SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}
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
    colors, some = set(WORDS[:3]), texts(48)
    has = [int(bool(colors & set(text.split()))) for text in some]
    examples: dict[str, tuple[Any, list[Any]]] = {
        "class": (
            Classification(("no", "yes")),
            [TextExample(text, None, label) for text, label in zip(some, has, strict=True)],
        ),
        "grade": (
            Regression(),
            [TextExample(text, "is it red?", 4.0 * label) for text, label in zip(some, has, strict=True)],
        ),
        "tags": (
            Tagging(("O", "B-COLOR", "I-COLOR")),
            [
                TaggedSentence(text.split(), ["B-COLOR" if word in colors else "O" for word in text.split()])
                for text in some
            ],
        ),
        "span": (
            SpanExtraction(),
            [
                QuestionExample(
                    str(number),
                    "which color?",
                    text,
                    tuple(Answer(word, text.index(word)) for word in text.split() if word in colors)[:1],
                )
                for number, text in enumerate(some)
            ],
        ),
        "choice": (
            MultipleChoice(),
            [
                ChoiceExample("it is", ("dog " + text, "red") if label else ("red", "dog " + text), label)
                for label, text in enumerate(t for t in some if not colors & set(t.split()))
                for label in (label % 2,)
            ],
        ),
    }
    kind, rows = examples[name]
    return Task(name, kind, rows, rows)


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
    both = [QuestionExample("q", "who?", text, (Answer(text, 0),)) for text in ("red", "blue")]
    assert SpanExtraction().score(["red", "blue"], both) == {"exact": 1, "f1": 1}
    assert SpanExtraction().score(["red", "red"], both) == {"exact": 0.5, "f1": 0.5}


def test_same_seed_same_result(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    recipe = replace(RECIPE, epochs=1)
    first, second, other = (
        fine_tune(small_model(task), tokenizer, task, recipe, seed=seed) for seed in (1, 1, 2)
    )
    assert first.losses == second.losses != other.losses


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


def test_patience_needs_validation_rows(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    with pytest.raises(ValueError, match="no validation rows"):
        fine_tune(small_model(task), tokenizer, task, replace(RECIPE, patience=1))


def test_labels_are_needed(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    unlabeled = [example._replace(label=None) for example in task.train]
    for train in (unlabeled, [*task.train, *unlabeled]):
        with pytest.raises(ValueError, match="have no label"):
            fine_tune(small_model(task), tokenizer, replace(task, train=train), RECIPE)


def test_a_run_with_validation_rows_is_not_taken_up_again(
    tokenizer: WordPieceTokenizer, tmp_path: Path
) -> None:
    task = learnable("class")
    task = replace(task, validation=task.test)
    with pytest.raises(ValueError, match="begin the run anew"):
        fine_tune(small_model(task), tokenizer, task, RECIPE, checkpoints=Checkpoints(tmp_path, resume=True))


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


def test_logits_come_in_the_order_of_the_rows(tokenizer: WordPieceTokenizer) -> None:
    task = learnable("class")
    model = small_model(task)
    rows = task.kind.rows(task.test, tokenizer, 32)
    alone = torch.cat([torch.stack(row_logits(model, [row])) for row in rows])
    torch.testing.assert_close(torch.stack(row_logits(model, rows, batch_size=5)), alone)


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
