"""Distillation on models: what is seen inside, the objective, other tasks, cached answers, other methods."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_berts import batch_of, loss, narrow, ours, rows, theirs, with_padding, without_labels
from torch import Tensor, nn

from lib.bert.heads import (
    BertForMaskedLM,
    BertForMultipleChoice,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForTokenClassification,
)
from lib.compression.distillation import methods
from lib.compression.distillation.answers import TaughtBatches, row_answers, row_cls_states, unlabeled
from lib.compression.distillation.knowledge import (
    ATTENTION_PROBS,
    CLS_STATES,
    HIDDEN,
    HIDDEN_STATES,
    KEY,
    LABELS,
    LOGITS,
    QUERY,
    TOKEN_LOGITS,
    observe,
)
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs
from lib.compression.distillation.losses import (
    SoftenedKL,
    Summed,
    cross_entropy,
    normalized_squared_error,
    squared_error,
)
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_student
from lib.compression.distillation.training import distill
from lib.text.tasks import TaskBatches
from lib.training.checkpoints import Checkpoints, read_log
from lib.training.finetuning import Recipe
from lib.training.loop import Batch, Callback, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant


def all_methods(student_size: int = 12) -> dict[str, list[Match]]:
    """For a student of 1 or 2 layers that a teacher of 2 layers has."""
    return {
        "hinton": methods.hinton(3.0, 0.5),
        "pkd": methods.pkd(2, 2, [1]),
        "tinybert": methods.tinybert_layers(2, 2, methods.tinybert_projection(2, 2, student_size, 16)),
        "answers": methods.tinybert_answers(),
        "minilm": methods.minilm(2, 2),
    }


METHODS = list(all_methods())


def student_for(method: str) -> Any:
    return ours(seed=1) if method == "pkd" else narrow()


# --- looking inside -------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", [0, 3])
def test_what_is_seen_inside_is_what_transformers_gives_out(padding: int) -> None:
    model, batch = theirs(), with_padding(batch_of(), padding)
    mine = ours()
    mine.load_state_dict(model.state_dict())
    with torch.no_grad():
        expected = model(**without_labels(batch), output_hidden_states=True, output_attentions=True)
        for observed in (model, mine):
            seen = observe(observed, batch, {HIDDEN, QUERY, KEY})
            real = batch["attention_mask"].bool()
            assert torch.allclose(LOGITS.read(seen, 0), expected.logits, atol=1e-5)
            for layer in range(3):
                found = HIDDEN_STATES.read(seen, layer)
                assert torch.allclose(found[real], expected.hidden_states[layer][real], atol=1e-5)
            for layer in (1, 2):
                probs = expected.attentions[layer - 1].transpose(1, 2)  # [B, T, H, T]
                assert torch.allclose(ATTENTION_PROBS.read(seen, layer)[real], probs[real], atol=1e-5)


def test_answers_alone_are_asked_of_anything_with_logits() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(40, 2)

        def forward(self, input_ids: Tensor, **_others: Tensor) -> Any:
            return type("Output", (), {"logits": self.table(input_ids).sum(1)})

    assert loss(Distillation(Counting(), ours(), methods.hinton()), batch_of()).requires_grad


def test_inv_no_dropout_touches_the_attention_that_is_matched() -> None:
    student = ours(attention_probs_dropout_prob=0.9).train()
    probs = ATTENTION_PROBS.read(observe(student, batch_of(), {QUERY, KEY}), 1)
    assert torch.allclose(probs.sum(-1), torch.ones(probs.shape[:-1]), atol=1e-6)


def test_a_layer_that_runs_twice_is_seen_twice() -> None:
    model = ours()
    model.bert.encoder.layer[1] = model.bert.encoder.layer[0]
    seen = observe(model, batch_of(), {QUERY})
    assert len(seen.projected[QUERY]) == 2 and not torch.equal(*seen.projected[QUERY])


# --- the objective --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [ours, theirs])
def test_inv_pad_columns_change_no_loss(method: str, kind: Any) -> None:
    size = 16 if method == "pkd" else 12
    student = kind(seed=1, hidden_size=size)
    objective = Distillation(student, kind(), all_methods()[method])
    batch, expected = batch_of(), loss(objective, batch_of()).item()
    assert loss(objective, with_padding(batch, 3)).item() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_inv_chunks_add_up(method: str) -> None:
    objective = Distillation(student_for(method), ours(), all_methods()[method])
    batches = TaskBatches(rows(9), batch_size=4, seed=None)
    whole = TaskBatches(rows(9), batch_size=9, seed=None)(0)
    expected = loss(objective, whole).item()
    assert loss(objective, *(batches(number) for number in range(3))).item() == pytest.approx(
        expected, rel=1e-5
    )


@pytest.mark.parametrize("method", METHODS)
def test_inv_the_teacher_is_in_eval_untouched_and_not_saved(method: str) -> None:
    teacher = ours(hidden_dropout_prob=0.5)
    before = copy.deepcopy(teacher.state_dict())
    objective = Distillation(student_for(method), teacher.train(), all_methods()[method])
    trainer = Trainer(objective, TaskBatches(rows()), adamw(objective), Constant(9, 1e-2))
    trainer.step()
    teacher.train()  # somebody does
    trainer.step()
    assert not teacher.training and all(part.grad is None for part in teacher.parameters())
    assert all(torch.equal(tensor, before[name]) for name, tensor in teacher.state_dict().items())
    first, second = (observe(teacher, batch_of()).output.logits for _ in range(2))
    assert torch.equal(first, second)
    names = {name.split(".")[0] for name in objective.state_dict()}
    assert names <= {"student", "maps"}
    own = {id(part) for part in objective.parameters()}
    assert not own & {id(part) for part in teacher.parameters()}


def test_rows_without_label_have_the_teachers_word_alone() -> None:
    student, teacher, batch = narrow(), ours(), batch_of(4)
    batch["labels"] = torch.tensor([1, -100, 0, -100])
    objective = Distillation(student, teacher, methods.hinton(3.0, 0.5))
    assert {name: int(count) for name, count in objective.counts(batch).items()} == {"rows": 4, "labels": 2}
    own, taught = (observe(model, batch).output.logits for model in (student, teacher))
    soft = SoftenedKL(3.0)(own, taught).mean()
    hard = cross_entropy(own[[0, 2]], batch["labels"][[0, 2]]).mean()
    assert loss(objective, batch).item() == pytest.approx(((soft + hard) / 2).item(), abs=1e-6)
    batch["labels"][:] = -100  # a batch without any: no 0 / 0
    terms = objective(**batch)
    assert float(terms["label_loss"].sum) == 0 and torch.isfinite(terms["logits"].sum)


def test_inv_the_projection_learns_in_tinyberts_first_stage_and_goes_on_to_the_next() -> None:
    projected = methods.tinybert_projection(2, 2, 12, 16)
    student, teacher = narrow(), ours()
    first = Distillation(student, teacher, methods.tinybert_layers(2, 2, projected))
    loss(first, batch_of()).backward()
    weight = projected.projection.weight
    assert weight.grad is not None and weight.grad.any()
    assert [name for name in first.state_dict() if name.startswith("maps")] == [
        "maps.0.projection.weight", "maps.0.projection.bias"
    ]  # fmt: skip
    weight.grad = None
    second = Distillation(student, teacher, methods.tinybert_answers())
    loss(second, batch_of()).backward()
    assert weight.grad is None and not any(name.startswith("maps") for name in second.state_dict())
    again = Distillation(student, teacher, methods.tinybert_layers(2, 2, projected))
    assert again.maps[0] is projected


def test_one_student_layer_learns_from_a_teacher_of_two() -> None:
    """The loss falls, and the student comes to say what the teacher says."""
    teacher = ours()
    student = new_student(teacher, num_hidden_layers=1, hidden_size=16, intermediate_size=32)
    batches = TaskBatches(rows(12), batch_size=6, seed=0)
    objective = Distillation(student, teacher, methods.hinton(2.0, 1.0)[:1])
    done = distill(objective, batches, Recipe(epochs=30, learning_rate=1e-2), seed=0)
    losses = [step["loss"] for step in done.history]
    assert len(losses) == 60 and sum(losses[-4:]) < 0.2 * sum(losses[:4])
    assert not student.training and done.history[0]["logits"] == losses[0]
    whole = TaskBatches(rows(12), batch_size=12, seed=None)(0)
    own, taught = (observe(model, whole).output.logits.argmax(-1) for model in (student, teacher))
    assert (own == taught).float().mean() >= 0.9


class Killed(Callback):
    """Ends a run before step `at`, counted from 0, as a machine does that is switched off."""

    def __init__(self, at: int) -> None:
        self.at = at

    def before_step(self, trainer: Trainer) -> None:
        if trainer.steps_done == self.at:
            raise KeyboardInterrupt


def tinybert_at_once(checkpoints: Checkpoints | None = None, killed_at: int = -1) -> Distillation:
    """Six steps of a student with dropout, its map, and answers that were asked for beforehand."""
    student = ours(seed=1, hidden_size=12, hidden_dropout_prob=0.1)
    layers = methods.tinybert_layers(2, 2, methods.tinybert_projection(2, 2, 12, 16))
    objective = Distillation(student, ours(), [*layers, *methods.tinybert_answers()])
    batches = TaskBatches(rows(12), batch_size=4, seed=3)
    taught = TaughtBatches(batches, {"logits": row_answers(ours(), rows(12))})
    recipe = Recipe(epochs=2, learning_rate=1e-2)
    distill(objective, taught, recipe, callbacks=[Killed(killed_at)], checkpoints=checkpoints)
    return objective


def test_inv_a_distillation_that_was_killed_goes_on_to_the_bit(tmp_path: Path) -> None:
    expected = tinybert_at_once().state_dict()
    assert any(name.startswith("maps.") for name in expected)
    with pytest.raises(KeyboardInterrupt):
        tinybert_at_once(Checkpoints(tmp_path, every=3), killed_at=3)
    assert [entry["step"] for entry in read_log(tmp_path)] == [1, 2, 3]
    found = tinybert_at_once(Checkpoints(tmp_path, every=3, resume=True)).state_dict()
    assert [entry["step"] for entry in read_log(tmp_path)] == [1, 2, 3, 4, 5, 6]
    assert found.keys() == expected.keys()
    assert all(torch.equal(tensor, expected[name]) for name, tensor in found.items())


def test_no_fingerprint_holds_an_address() -> None:
    """Addresses are others in the next process, which then would not know its checkpoints again."""
    layer = LayerPairs(((1, 1),))
    every = all_methods() | {"summed": [Match(CLS_STATES, layer, Summed(normalized_squared_error))]}
    for name, matches in every.items():
        assert "0x" not in json.dumps(Distillation(narrow(), None, matches).fingerprint), name


def test_two_objectives_of_unlike_making_are_told_apart() -> None:
    student, teacher = narrow(), ours()
    fingerprints = [
        Distillation(student, by, matches).fingerprint
        for by, matches in (
            (teacher, methods.hinton(2.0)),
            (teacher, methods.hinton(3.0)),
            (ours(seed=5), methods.hinton(2.0)),
            (teacher, methods.tinybert_answers()),
            (teacher, [Match(LOGITS, ANSWER, squared_error)]),
            (teacher, [Match(LOGITS, ANSWER, SoftenedKL(), 0.1)]),
        )
    ]
    assert len({json.dumps(fingerprint) for fingerprint in fingerprints}) == len(fingerprints)
    assert fingerprints[0] == Distillation(student, ours(), methods.hinton(2.0)).fingerprint


# --- other tasks ----------------------------------------------------------------------------------


def test_questions_and_padding() -> None:
    """INV: no column of padding can be the answer, so none changes the loss."""
    student = ours(BertForQuestionAnswering, seed=1)
    objective = Distillation(student, ours(BertForQuestionAnswering), methods.hinton_spans(2.0, 0.5))
    batch = batch_of()
    del batch["labels"]
    batch |= {"start_positions": torch.tensor([1, 0, 2, 3]), "end_positions": torch.tensor([2, 0, 3, 3])}
    expected = loss(objective, batch).item()
    assert loss(objective, with_padding(batch, 3)).item() == pytest.approx(expected, abs=1e-5)


def test_tags_and_masked_pieces_are_compared_where_they_count() -> None:
    batch = batch_of()
    batch["labels"] = torch.full_like(batch["input_ids"], -100)
    batch["labels"][:, 1] = 1
    tagging = [Match(TOKEN_LOGITS, ANSWER, SoftenedKL()), Match(LABELS, ANSWER, cross_entropy)]
    student = ours(BertForTokenClassification, seed=1)
    assert loss(Distillation(student, ours(BertForTokenClassification), tagging), batch) > 0
    student, teacher = ours(BertForMaskedLM, seed=1), ours(BertForPreTraining)
    at_labels = replace(TOKEN_LOGITS, unit="labels")  # at hidden pieces alone
    found = Distillation(student, teacher, [Match(at_labels, ANSWER, SoftenedKL())])
    first, second = (observe(model, batch).output for model in (student, teacher))
    expected = SoftenedKL()(first.logits[:, 1], second.prediction_logits[:, 1]).mean()
    assert loss(found, batch).item() == pytest.approx(float(expected), rel=1e-5)


def test_choices_and_grades() -> None:
    batch = batch_of(4)
    inputs = without_labels(batch).items()
    choices = {name: torch.stack([tensor, tensor.flip(0)], 1) for name, tensor in inputs}
    choices["labels"] = batch["labels"]
    objective = Distillation(ours(BertForMultipleChoice, 1), ours(BertForMultipleChoice), methods.hinton())
    assert torch.isfinite(loss(objective, choices))
    grades = batch | {"labels": torch.tensor([0.0, 2.5, 4.0, 1.0])}
    student, teacher = (ours(seed=seed, id2label={0: "grade"}) for seed in (1, 0))
    own, taught = (observe(model, batch).output.logits.squeeze(1) for model in (student, teacher))
    expected = ((own - taught).square().mean() + (own - grades["labels"]).square().mean()) / 2
    found = loss(Distillation(student, teacher, methods.hinton_grades()), grades)
    assert found.item() == pytest.approx(expected.item(), rel=1e-5)


# --- cached answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("grouped", [False, True])
def test_inv_cached_answers_belong_to_their_rows_however_these_are_shuffled(grouped: bool) -> None:
    teacher, student, matches = ours(), ours(seed=1), methods.pkd(2, 2, [1])
    batches = TaskBatches(rows(), batch_size=3, seed=4, group_by_length=grouped)
    answers = {"logits": row_answers(teacher, rows()), "cls_states": row_cls_states(teacher, rows())}
    taught = TaughtBatches(batches, answers)
    live, cached = Distillation(student, teacher, matches), Distillation(student, None, matches)
    for number in range(2 * taught.size):
        expected = loss(live, batches(number)).item()
        assert loss(cached, taught(number)).item() == pytest.approx(expected, rel=1e-4)


def test_a_teacher_whose_answers_are_cached_is_not_asked() -> None:
    teacher = ours()
    taught = TaughtBatches(TaskBatches(rows()), {"logits": row_answers(teacher, rows())})
    teacher.register_forward_hook(lambda *_: pytest.fail("the teacher has run"))
    student = narrow()
    objective = Distillation(student, teacher, methods.hinton())
    trainer = Trainer(objective, taught, adamw(objective), Constant(9, 1e-3))
    assert np.isfinite(trainer.step()["loss"])


def test_rows_of_two_kinds_share_batches() -> None:
    mixed = [*rows(6), *unlabeled(rows(4))]
    taught = TaughtBatches(TaskBatches(mixed, batch_size=10, seed=None), {"logits": torch.zeros(10, 2)})
    assert taught(0)["labels"].tolist() == [0, 1, 0, 1, 0, 1, *[-100] * 4]
    assert torch.isfinite(loss(Distillation(narrow(), None, methods.hinton()), taught(0)))


def test_answers_are_part_of_the_fingerprint() -> None:
    batches = TaskBatches(rows())
    zeros, ones = (TaughtBatches(batches, {"logits": torch.full((10, 2), value)}) for value in (0.0, 1.0))
    assert zeros.fingerprint != ones.fingerprint


# --- what is refused ------------------------------------------------------------------------------


def with_a_wide_mask() -> Batch:
    return batch_of(2, attention_mask=torch.ones(2, 1, 8, 8, dtype=torch.bool))


def hinton_of(teacher: nn.Module | None) -> Distillation:
    return Distillation(narrow(), teacher, methods.hinton())


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: observe(ours(), with_a_wide_mask()), "padding from tokens"),
    (lambda: Distillation(narrow(), ours(), []), "nothing to learn"),
    (lambda: hinton_of(None)(**batch_of()), "no 'teacher_logits'"),
    (lambda: hinton_of(ours()).counts(without_labels(batch_of())), "no labels"),  # which the loop asks first
    (lambda: hinton_of(ours())(**without_labels(batch_of())), "no 'labels'"),
    (lambda: distill(hinton_of(ours()), TaskBatches(rows()), Recipe(patience=1)), "no validation rows"),
    (lambda: TaughtBatches(TaskBatches(rows()), {"logits": torch.zeros(3, 2)}), "3 answers"),
    (lambda: row_answers(ours().train(), rows()), "training mode"),
    (lambda: row_answers(ours(BertForTokenClassification), rows()), "one set of logits"),
    (lambda: row_answers(ours(BertForQuestionAnswering), rows()), "one set of logits"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_be_distilled_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
