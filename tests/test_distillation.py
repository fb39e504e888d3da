"""Distillation on models: the objective, cached answers, students, augmentation, a MobileBERT block."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor, nn
from transformers.models.mobilebert.modeling_mobilebert import MobileBertLayer

from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.alterations import parametrize
from lib.bert.heads import (
    BertForMaskedLM,
    BertForMultipleChoice,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from lib.compression.distillation import methods
from lib.compression.distillation.answers import TaughtBatches, row_answers, row_cls_states, unlabeled
from lib.compression.distillation.augmentation import Augmenter, basic_words, variants
from lib.compression.distillation.knowledge import (
    ATTENTION_PROBS,
    CLS_STATES,
    HIDDEN,
    HIDDEN_STATES,
    KEY,
    LABELS,
    LOGITS,
    MASKED_LM_LOGITS,
    QUERY,
    TOKEN_LOGITS,
    observe,
)
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs, Read, distilbert_layers
from lib.compression.distillation.losses import (
    SoftenedKL,
    cross_entropy,
    distillation_loss,
    normalized_squared_error,
    squared_error,
)
from lib.compression.distillation.matches import Match, named, terms_of
from lib.compression.distillation.mobilebert import MobileBertBlock, MobileBertSizes, NoNorm
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student, drop_token_types, fold_token_types, new_student
from lib.compression.distillation.training import distill
from lib.text.tasks import Row, TaskBatches, TextExample
from lib.text.vectors import WordVectors
from lib.training.finetuning import Recipe
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

SIZES: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 32, "max_position_embeddings": 16, "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0, "initializer_range": 0.3,
}  # fmt: skip
CONFIG = BertConfig(**SIZES)


def ours(kind: Any = BertForSequenceClassification, seed: int = 0, **sizes: Any) -> Any:
    torch.manual_seed(seed)
    return kind(replace(CONFIG, **sizes)).eval()


def theirs(seed: int = 0, **sizes: Any) -> Any:
    torch.manual_seed(seed)
    config = transformers.BertConfig(**(SIZES | sizes), attn_implementation="eager")
    return transformers.BertForSequenceClassification(config).eval()


def rows(count: int = 10) -> list[Row]:
    """Texts of unlike lengths with a class each."""
    rng = np.random.default_rng(0)
    found: list[Row] = []
    for number in range(count):
        length = 4 + number * 7 % 5
        ids = rng.integers(5, 40, length).tolist()
        found.append({"input_ids": ids, "token_type_ids": [0] * length, "labels": number % 2})
    return found


def batch_of(count: int = 4, **more: Tensor) -> Batch:
    return {**TaskBatches(rows(count), batch_size=count, seed=None)(0), **more}


def with_padding(batch: Batch, columns: int) -> Batch:
    """The same texts with so many more columns of padding."""
    widened = {"input_ids": 7, "token_type_ids": 0, "attention_mask": 0}
    return {
        name: nn.functional.pad(tensor, (0, columns), value=widened[name]) if name in widened else tensor
        for name, tensor in batch.items()
    }


def loss(objective: Distillation, *batches: Batch) -> Tensor:
    """Of a step of several micro-batches, as the loop computes it."""
    counts = [objective.counts(batch) for batch in batches]
    total = {name: sum(int(count[name]) for count in counts) for name in counts[0]}
    terms = [term for batch in batches for term in objective(**batch).values()]
    return torch.stack([term.weight * term.sum / total[term.over] for term in terms]).sum()


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


def narrow(seed: int = 1) -> Any:
    """Two layers, 12 wide, with as many heads as the teacher."""
    return ours(seed=seed, hidden_size=12)


def student_for(method: str) -> Any:
    return ours(seed=1) if method == "pkd" else narrow()


# --- looking inside -------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", [0, 3])
def test_what_is_seen_inside_is_what_transformers_gives_out(padding: int) -> None:
    model, batch = theirs(), with_padding(batch_of(), padding)
    mine = ours()
    mine.load_state_dict(model.state_dict())
    inputs = {name: tensor for name, tensor in batch.items() if name != "labels"}
    with torch.no_grad():
        expected = model(**inputs, output_hidden_states=True, output_attentions=True)
        for one in (model, mine):
            seen = observe(one, batch, {HIDDEN, QUERY, KEY})
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


def test_a_mask_of_another_kind_is_refused() -> None:
    batch = batch_of(2)
    size = batch["input_ids"].size(1)
    batch["attention_mask"] = torch.ones(2, 1, size, size, dtype=torch.bool)
    with pytest.raises(ValueError, match="padding from tokens"):
        observe(ours(), batch)


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


@pytest.mark.parametrize("method", ["minilm", "hinton"])
def test_inv_loss_of_teacher_with_itself_is_0(method: str) -> None:
    matches = [match for match in all_methods()[method] if match.knowledge is not LABELS]
    assert loss(Distillation(ours(), ours(), matches), batch_of()).detach().item() == pytest.approx(
        0, abs=1e-6
    )


def test_inv_distilbert_of_teacher_with_itself_is_0_without_the_masked_lm_loss() -> None:
    objective = Distillation(
        ours(BertForMaskedLM), ours(BertForMaskedLM), methods.distilbert(2, 2, masked_lm=0.0)
    )
    batch = batch_of()
    batch["labels"] = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    assert loss(objective, batch).item() == pytest.approx(0, abs=1e-5)


def test_hinton_on_models_is_distillation_loss() -> None:
    student, teacher, batch = narrow(), ours(), batch_of()
    own, taught = (observe(model, batch).output.logits for model in (student, teacher))
    expected = distillation_loss(own, taught, batch["labels"], 3.0, 0.5)
    found = loss(Distillation(student, teacher, methods.hinton(3.0, 0.5)), batch)
    assert found.item() == pytest.approx(expected.item(), abs=1e-6)


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


def test_inv_gradient_routing_of_minilm() -> None:
    """Nothing above the last values learns: output projection, feed-forward, norms, pooler, head."""
    student = narrow()
    loss(Distillation(student, ours(), methods.minilm(2, 2)), batch_of()).backward()
    moved = {name for name, part in student.named_parameters() if part.grad is not None and part.grad.any()}
    last = "bert.encoder.layer.1."
    assert all(f"{last}attention.self.{part}.weight" in moved for part in ("query", "key", "value"))
    above = [
        name for name, _ in student.named_parameters() if name.startswith((last, "bert.pooler", "classifier"))
    ]
    assert not moved & {name for name in above if "attention.self" not in name}
    assert any(name.startswith("bert.encoder.layer.0.output") for name in moved)


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
    said = [observe(model, whole).output.logits.argmax(-1) for model in (student, teacher)]
    assert (said[0] == said[1]).float().mean() >= 0.9


def test_two_objectives_of_unlike_making_are_told_apart() -> None:
    student, teacher = narrow(), ours()
    told = [
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
    assert all(one != other for place, one in enumerate(told) for other in told[:place])
    assert told[0] == Distillation(student, ours(), methods.hinton(2.0)).fingerprint


def test_there_has_to_be_something_to_learn_and_somebody_who_says_it() -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        Distillation(narrow(), ours(), [])
    with pytest.raises(ValueError, match="no 'teacher_logits'"):
        Distillation(narrow(), None, methods.tinybert_answers())(**batch_of())
    batch = batch_of()
    del batch["labels"]
    objective = Distillation(narrow(), ours(), [Match(LABELS, ANSWER, cross_entropy)])
    with pytest.raises(ValueError, match="no labels"):
        objective.counts(batch)  # which the loop asks first
    with pytest.raises(ValueError, match="no 'labels'"):
        objective(**batch)


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
    found = Distillation(student, teacher, [Match(MASKED_LM_LOGITS, ANSWER, SoftenedKL())])
    first, second = (observe(model, batch).output for model in (student, teacher))
    expected = SoftenedKL()(first.logits[:, 1], second.prediction_logits[:, 1]).mean()
    assert loss(found, batch).item() == pytest.approx(float(expected), rel=1e-5)


def test_choices_and_grades() -> None:
    batch = batch_of(4)
    choices = {
        name: torch.stack([tensor, tensor.flip(0)], 1) for name, tensor in batch.items() if name != "labels"
    }
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


def test_answers_have_to_fit_the_rows_and_are_part_of_the_fingerprint() -> None:
    batches = TaskBatches(rows())
    with pytest.raises(ValueError, match="3 answers"):
        TaughtBatches(batches, {"logits": torch.zeros(3, 2)})
    one, other = (TaughtBatches(batches, {"logits": torch.full((10, 2), value)}) for value in (0.0, 1.0))
    assert one.fingerprint != other.fingerprint
    with pytest.raises(ValueError, match="training mode"):
        row_answers(ours().train(), rows())
    for kind in (BertForTokenClassification, BertForQuestionAnswering):
        with pytest.raises(ValueError, match="one set of logits"):
            row_answers(ours(kind), rows())


# --- students -------------------------------------------------------------------------------------


def test_inv_a_student_of_all_layers_answers_as_its_teacher() -> None:
    for teacher in (ours(), theirs(), ours(BertForMaskedLM)):
        batch = batch_of()
        student = cut_student(teacher, [0, 1])
        expected = observe(teacher, batch).output.logits
        assert torch.equal(observe(student, batch).output.logits, expected)
        folded, dropped = cut_student(teacher, [0, 1]), cut_student(teacher, [0, 1])
        fold_token_types(folded)
        drop_token_types(dropped)
        assert torch.allclose(observe(folded, batch).output.logits, expected, atol=1e-5)
        gap = (observe(dropped, batch).output.logits - expected).abs().max()
        assert gap > 1e-3  # near, and not the same: what the table gave to every first text is lost


def test_inv_cut_layers_are_the_teachers_norms_included(tmp_path: Path) -> None:
    teacher = ours(BertForMaskedLM, num_hidden_layers=12, hidden_size=8, intermediate_size=8)
    student = cut_student(teacher, distilbert_layers(6, 12))
    for place, layer in enumerate([0, 2, 4, 7, 9, 11]):
        taught = teacher.bert.encoder.layer[layer].state_dict()
        for name, tensor in student.bert.encoder.layer[place].state_dict().items():
            assert torch.equal(tensor, taught[name])
    assert student.cls.predictions.decoder.weight is student.bert.embeddings.word_embeddings.weight
    shared = {id(tensor) for tensor in teacher.parameters()} & {id(tensor) for tensor in student.parameters()}
    assert not shared and teacher.config.num_hidden_layers == 12
    student.save_pretrained(tmp_path)
    loaded = BertForMaskedLM.from_pretrained(tmp_path)
    assert torch.equal(observe(loaded, batch_of()).output.logits, observe(student, batch_of()).output.logits)


def test_a_layer_taken_twice_learns_as_two_and_frozen_teachers_have_free_students() -> None:
    teacher = ours()
    student = cut_student(teacher.requires_grad_(False), [1, 1])
    first, second = student.bert.encoder.layer
    assert first.output.dense.weight is not second.output.dense.weight
    assert all(part.requires_grad for part in student.parameters())


def test_students_that_cannot_be() -> None:
    for layers in ([], [2], [-1]):
        with pytest.raises(ValueError, match="numbers from 0 to 1"):
            cut_student(ours(), layers)
    altered = ours()
    parametrize(altered, "bert.encoder.layer.0.attention.self.query", "LoRA", rank=2)
    with pytest.raises(ValueError, match="was altered"):
        cut_student(altered, [0])


def test_a_new_student_is_small_and_of_its_seed() -> None:
    teacher = ours()
    student, again = new_student(teacher, seed=3), new_student(teacher, seed=3)
    assert (student.config.hidden_size, student.config.num_hidden_layers) == (128, 2)
    assert student.config.intermediate_size == 512 and type(student) is BertForSequenceClassification
    assert all(map(torch.equal, student.state_dict().values(), again.state_dict().values()))
    assert new_student(
        teacher, vocab_size=9, hidden_size=32
    ).bert.embeddings.word_embeddings.weight.shape == (9, 32)
    assert student.config.id2label == teacher.config.id2label


# --- room for other methods -----------------------------------------------------------------------


class Fused(nn.Module):
    """A student's layer against several of the teacher's side by side, as in CKD."""

    def __init__(self) -> None:
        super().__init__()
        self.projection = nn.Linear(12, 32)

    def forward(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [(self.projection(student(1)), torch.cat([teacher(1), teacher(2)], dim=-1))]


class Attended(nn.Module):
    """A student's layer against the average of the teacher's that it attends to, as in ALP-KD."""

    def forward(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        own, taught = student(1), torch.stack([teacher(1), teacher(2)], dim=1)  # [B, D], [B, 2, D]
        weights = (taught @ own.unsqueeze(-1)).softmax(dim=1)  # [B, 2, 1]
        return [(own, (weights * taught).sum(1))]


def test_a_map_with_weights_of_its_own_learns_too() -> None:
    fused = Distillation(narrow(), ours(), [Match(HIDDEN_STATES, Fused(), normalized_squared_error)])
    trainer = Trainer(fused, TaskBatches(rows()), adamw(fused), Constant(30, 1e-2))
    losses = [trainer.step()["loss"] for _ in range(30)]
    assert losses[-1] < 0.7 * losses[0]
    attended = Distillation(ours(seed=1), ours(), [Match(CLS_STATES, Attended(), squared_error)])
    assert loss(attended, batch_of()).item() > 0


def test_how_far_apart_each_row_is_can_be_asked() -> None:
    """As a method does that chooses rows by it."""
    student, teacher, twin = (observe(model, batch_of()) for model in (narrow(), ours(), ours()))
    match = methods.tinybert_answers(SoftenedKL())[0]
    found = match.distances(LOGITS.of_run(student), LOGITS.of_run(teacher), batch_of())
    assert found.shape == (1, 4) and (found > 0).all()
    same = match.distances(LOGITS.of_run(twin), LOGITS.of_run(teacher), batch_of())
    assert torch.allclose(same, torch.zeros(1, 4), atol=1e-6)


def test_word_vectors_may_stand_in_for_pieces() -> None:
    """Each model reads those of its own table, as with text that another network generates."""
    student, teacher, batch = ours(seed=1), ours(), batch_of()
    expected = loss(Distillation(student, teacher, methods.tinybert_answers()), batch).item()
    seen = []
    for model in (student, teacher):
        vectors = model.bert.embeddings.word_embeddings(batch["input_ids"])
        given = {name: tensor for name, tensor in batch.items() if name != "input_ids"}
        seen.append(observe(model, given | {"inputs_embeds": vectors}))
    terms = terms_of(named(methods.tinybert_answers()), seen[0], seen[1], batch)
    assert terms["logits"].sum.item() / 4 == pytest.approx(expected, abs=1e-6)


# --- augmentation ---------------------------------------------------------------------------------

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", "##s", "##y", "film",
          "good", "bad", "class", "book", "was", "the", "."]  # fmt: skip


@pytest.fixture(scope="module")
def augmenter() -> Augmenter:
    torch.manual_seed(0)
    model = BertForMaskedLM(replace(CONFIG, vocab_size=len(PIECES), max_position_embeddings=64)).eval()
    words = {"films": 3, "movies": 2, "books": 2, "cats": 1}
    vectors = WordVectors(words, torch.tensor([[1.0, 0], [0.9, 0.1], [0.5, 0.5], [0, 1.0]]))
    return Augmenter(model, WordPieceTokenizer(PIECES), vectors, count=3)


def test_what_may_stand_where(augmenter: Augmenter) -> None:
    words = basic_words("The films was GOOD, 7 xyz.")
    assert words == ["the", "films", "was", "good", ",", "7", "xyz", "."]
    found = augmenter.candidates(words)
    assert found[1] == ["movies", "books", "cats"]  # several pieces: its neighbors
    assert list(found) == [1, 3]  # no stop word, number, mark, nor a word of pieces without a vector
    assert 0 < len(found[3]) <= 3
    assert not any(piece.startswith(("##", "[")) for piece in found[3])


def test_guesses_are_those_of_the_masked_lm_for_the_blank_beside_the_whole_sentence(
    augmenter: Augmenter,
) -> None:
    tokenizer = augmenter.tokenizer
    found = replace(augmenter, count=len(PIECES)).candidates(["good", "film"])
    for place, masked in enumerate(("[MASK] film", "good [MASK]")):
        batch = tokenizer(masked, "good film")
        with torch.no_grad():
            logits = augmenter.model(**batch).logits[0, batch["input_ids"][0] == tokenizer.mask_token_id][0]
        best = tokenizer.convert_ids_to_tokens(logits.argsort(descending=True).tolist())
        assert found[place] == [piece for piece in best if not piece.startswith(("##", "["))]


def test_inv_augmentation_without_chance_leaves_the_sentence_alone(augmenter: Augmenter) -> None:
    assert augmenter.augment("The good film.", np.random.default_rng(0), p=0.0) == ["the good film ."]


@pytest.mark.parametrize("rounds", [0, 1, 20])
def test_inv_augmentation_gives_at_most_a_sentence_a_round_and_the_original_first(
    augmenter: Augmenter, rounds: int
) -> None:
    found = augmenter.augment("the good film", np.random.default_rng(0), rounds)
    assert found[0] == "the good film" and len(found) <= rounds + 1 and len(set(found)) == len(found)
    assert all(sentence.startswith("the ") for sentence in found)
    assert found == augmenter.augment("the good film", np.random.default_rng(0), rounds)


def test_each_word_changes_at_its_rate() -> None:
    rng = np.random.default_rng(0)
    found = [variants(["a"], {0: ["b", "c"]}, rng, rounds=1, p=0.4)[-1] for _ in range(2000)]
    assert found.count("b") / 2000 == pytest.approx(0.2, abs=0.04)
    assert found.count("c") / 2000 == pytest.approx(0.2, abs=0.04)
    with pytest.raises(ValueError, match="probability of 2"):
        variants(["a"], {}, rng, p=2)


def test_inv_of_a_pair_one_text_changes_at_a_time(augmenter: Augmenter) -> None:
    example = TextExample("the good film", "the bad book", 1)
    found = augmenter.augment_example(example, np.random.default_rng(0))
    assert found[0] == example and len(found) > 2
    assert all((new.first == example.first) != (new.second == example.second) for new in found[1:])
    assert all(new.label is None for new in found[1:])


# --- MobileBERT -----------------------------------------------------------------------------------

THIN = MobileBertSizes(hidden_size=16, narrow_size=8, intermediate_size=12, num_heads=2, feed_forwards=3)


def published(sizes: MobileBertSizes) -> Any:
    config = transformers.MobileBertConfig(
        hidden_size=sizes.hidden_size,
        intra_bottleneck_size=sizes.narrow_size,
        intermediate_size=sizes.intermediate_size,
        num_attention_heads=sizes.num_heads,
        num_feedforward_networks=sizes.feed_forwards,
        attn_implementation="eager",
    )
    return MobileBertLayer(config).eval()


def test_the_block_is_the_published_one() -> None:
    torch.manual_seed(0)
    layer, block = published(THIN), MobileBertBlock(THIN)
    for tensor in layer.parameters():
        nn.init.normal_(tensor, std=0.5)
    block.load_state_dict(layer.state_dict())
    hidden, real = torch.randn(3, 5, 16), torch.arange(5) < torch.tensor([[5], [3], [4]])
    added = (~real[:, None, None, :]).float() * -1e4
    expected = layer(hidden, attention_mask=added)
    expected = expected[0] if isinstance(expected, tuple) else expected
    assert torch.allclose(block(hidden, real[:, None, None, :])[real], expected[real], rtol=1e-4, atol=1e-4)


def test_the_parameters_of_a_block() -> None:
    wide, narrow_size, inner, stacked = 512, 128, 512, 4
    norms = 2 * narrow_size
    bottlenecks = 2 * (wide * narrow_size + narrow_size + norms)
    attention = 2 * (narrow_size**2 + narrow_size) + wide * narrow_size + narrow_size
    mixed = narrow_size**2 + narrow_size + norms
    networks = stacked * (2 * narrow_size * inner + inner + narrow_size + norms)
    back = narrow_size * wide + wide + 2 * wide
    count = sum(part.numel() for part in MobileBertBlock().parameters())
    assert count == bottlenecks + attention + mixed + networks + back
    assert count == sum(part.numel() for part in published(MobileBertSizes()).parameters())


def test_inv_no_norm_looks_at_no_token_and_folds_into_the_layer_before_it() -> None:
    torch.manual_seed(0)
    norm = NoNorm(16)
    nn.init.normal_(norm.weight)
    x, y = torch.randn(2, 3, 16)
    assert torch.allclose(norm(x + y), norm(x) + norm(y))  # linear, as no layer norm is
    assert not torch.allclose(nn.LayerNorm(16)(x + y), nn.LayerNorm(16)(x) + nn.LayerNorm(16)(y))
    bottleneck = MobileBertBlock(THIN).bottleneck.input
    for tensor in bottleneck.LayerNorm.parameters():
        nn.init.normal_(tensor)
    folded = bottleneck.folded()
    assert isinstance(folded, nn.Linear) and torch.allclose(folded(x), bottleneck(x), atol=1e-5)


def test_blocks_stand_in_a_bert_and_learn_layer_by_layer() -> None:
    teacher = ours()

    def stack(seed: int) -> Any:
        torch.manual_seed(seed)
        student = ours(seed=seed)
        student.bert = BertModel(CONFIG, layer=lambda _config: MobileBertBlock(THIN)).eval()
        return student

    student = stack(1)
    objective = Distillation(student, teacher, methods.mobilebert_layer(1))
    batch = batch_of()
    expected = loss(objective, batch).item()
    assert loss(objective, with_padding(batch, 3)).item() == pytest.approx(expected, abs=1e-5)
    loss(objective, batch).backward()
    moved = {name for name, part in student.named_parameters() if part.grad is not None and part.grad.any()}
    assert any("layer.0.ffn" in name for name in moved) and not any("layer.1." in name for name in moved)


def test_sizes_that_heads_cannot_share() -> None:
    with pytest.raises(ValueError, match="heads divide"):
        MobileBertSizes(narrow_size=10)


def test_maps_of_pairs_are_plain_data() -> None:
    assert LayerPairs(((1, 2),)) == LayerPairs(((1, 2),)) and hash(LayerPairs(((1, 2),)))
