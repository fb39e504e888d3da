"""MATE-KD's two steps, rewritten texts, and FreeLB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_berts import TOKENIZER, batch_of, loss, narrow, ours, rows, without_labels
from torch import Tensor, nn

from lib.bert import BertForMaskedLM
from lib.compression.distillation import methods
from lib.compression.distillation.losses import SoftCrossEntropy, SoftenedKL
from lib.text.tasks import TaskBatches
from lib.training.loop import Batch, Objective, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant
from studies.methods import freelb
from studies.methods.adversarial import (
    Adversary,
    RewrittenDistillation,
    gumbel_softmax,
    mate_kd,
    mixed_vectors,
)
from studies.methods.freelb import Ascents, FreeLB
from studies.methods.rewriting import MaskedLMRewriter, RandomRewriter, with_pieces


def texts(count: int = 4) -> Batch:
    """Rows that begin with [CLS] and end with [SEP], some with padding."""
    batch = batch_of(count)
    ids, lengths = batch["input_ids"], batch["attention_mask"].sum(1)
    ids[:, 0] = TOKENIZER.cls_token_id
    ids[torch.arange(count), lengths - 1] = TOKENIZER.sep_token_id
    ids[batch["attention_mask"] == 0] = TOKENIZER.pad_token_id
    return batch


def generator(seed: int = 7) -> Any:
    return ours(BertForMaskedLM, seed=seed)


def rewriter(share: float = 0.3, seed: int = 7) -> MaskedLMRewriter:
    return MaskedLMRewriter(generator(seed), TOKENIZER, share)


# --- a piece that is chosen, and its gradient -----------------------------------------------------


def test_inv_chosen_pieces_are_exact_and_their_gradient_is_soft() -> None:
    logits = torch.randn(6, 40, requires_grad=True)
    weights = torch.randn(6, 40)
    torch.manual_seed(3)
    hard = gumbel_softmax(logits, 0.7)
    assert set(hard.unique().tolist()) == {0.0, 1.0} and torch.equal(hard.sum(-1), torch.ones(6))
    (hard * weights).sum().backward()
    torch.manual_seed(3)
    soft_logits = logits.detach().clone().requires_grad_()
    noise = -torch.empty_like(soft_logits).exponential_().log()
    (((soft_logits + noise) / 0.7).softmax(-1) * weights).sum().backward()
    assert torch.equal(logits.grad, soft_logits.grad)  # type: ignore[arg-type]


def test_pieces_are_drawn_from_the_softmax() -> None:
    torch.manual_seed(0)
    logits = torch.tensor([0.0, 1.0, 2.0]).expand(20_000, 3)
    assert gumbel_softmax(logits).mean(0).allclose(logits[0].softmax(-1), atol=0.02)


@pytest.mark.parametrize("model", [ours(), narrow()])
def test_inv_the_path_by_vectors_is_the_path_by_pieces(model: Any) -> None:
    batch, made = texts(), rewriter(0.5)
    chosen = made.choose(batch)
    pieces = torch.randint(5, 40, (int(chosen.sum()),))
    one_hots = nn.functional.one_hot(pieces, 40).float()
    vectors = mixed_vectors(model, batch["input_ids"], chosen, one_hots)
    rewritten = with_pieces(batch, chosen, pieces)
    table = model.bert.embeddings.word_embeddings
    assert torch.equal(vectors, table(rewritten["input_ids"]))
    others = {name: batch[name] for name in ("attention_mask", "token_type_ids")}
    assert torch.equal(model(inputs_embeds=vectors, **others).logits, model(**rewritten).logits)


# --- rewriting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [rewriter, lambda share: RandomRewriter(TOKENIZER, share)])
def test_inv_special_tokens_and_what_is_not_chosen_stay(make: Any) -> None:
    batch = texts()
    rewritten = make(1.0)(batch)
    special = torch.isin(batch["input_ids"], torch.tensor(TOKENIZER.all_special_ids))
    assert torch.equal(rewritten["input_ids"][special], batch["input_ids"][special])
    assert not torch.equal(rewritten["input_ids"], batch["input_ids"])
    assert rewritten.keys() == {"input_ids", "attention_mask", "token_type_ids"}
    assert torch.equal(batch["input_ids"], texts()["input_ids"])  # the batch itself is left alone


def test_about_a_share_is_chosen() -> None:
    torch.manual_seed(0)
    batch = {"input_ids": torch.full((50, 40), 9), "attention_mask": torch.ones(50, 40)}
    assert rewriter(0.3).choose(batch).float().mean().item() == pytest.approx(0.3, abs=0.03)


def test_the_generator_sees_masks_where_it_guesses() -> None:
    batch, made = texts(), rewriter()
    chosen = made.choose(batch)
    hidden = batch["input_ids"].masked_fill(chosen, TOKENIZER.mask_token_id)
    expected = made.generator(hidden, batch["attention_mask"], batch["token_type_ids"]).logits[chosen]
    assert torch.allclose(made.guesses(batch, chosen), expected, atol=1e-5)


# --- the max step ---------------------------------------------------------------------------------


def test_inv_the_gradient_flows_through_student_and_teacher_and_changes_neither() -> None:
    def gradient(student: Any, teacher: Any, detached: str = "") -> Tensor:
        made = rewriter(0.5)
        adversary = Adversary(made, student, teacher)
        if detached:
            model = {"student": student, "teacher": teacher}[detached]
            plain = model.forward

            def blind(**inputs: Tensor) -> Any:
                with torch.no_grad():
                    return plain(**inputs)

            model.forward = blind
        torch.manual_seed(1)
        (-adversary(**without_labels(texts()))["divergence"].sum).backward()
        found = made.generator.bert.embeddings.word_embeddings.weight.grad
        assert found is not None
        for each in (student, teacher):
            assert all(parameter.grad is None and parameter.requires_grad for parameter in each.parameters())
        return found

    whole = gradient(narrow(), ours())
    for detached in ("student", "teacher"):
        assert not torch.allclose(gradient(narrow(), ours(), detached), whole, atol=1e-4)


def test_the_divergence_is_the_formula() -> None:
    made, student, teacher, batch = rewriter(0.4), narrow(), ours(), without_labels(texts())
    adversary = Adversary(made, student, teacher, SoftCrossEntropy())
    torch.manual_seed(5)
    terms = adversary(**batch)
    torch.manual_seed(5)
    rewritten = made(batch)  # the same draws choose and fill
    with torch.no_grad():
        own, taught = (model(**rewritten).logits.log_softmax(-1) for model in (student, teacher))
    cross = entropy = 0.0
    for s, t in zip(own.tolist(), taught.tolist(), strict=True):
        for log_s, log_t in zip(s, t, strict=True):
            cross -= torch.tensor(log_t).exp().item() * log_s
            entropy -= torch.tensor(log_t).exp().item() * log_t
    assert terms["divergence"].sum.item() == pytest.approx(cross, rel=1e-5)
    assert terms["teacher_entropy"].sum.item() == pytest.approx(entropy, rel=1e-5)
    assert terms["divergence"].weight == -1 and terms["teacher_entropy"].weight == 0


def trainer(objective: Objective, batches: Any, rate: float, **options: Any) -> Trainer:
    return Trainer(objective, batches, adamw(objective), Constant(99, rate), **options)


class Texts:
    fingerprint = "texts"

    def __call__(self, number: int) -> Batch:
        return texts()


def test_the_adversary_climbs_and_trains_nobody_else() -> None:
    made, student, teacher = rewriter(0.6), narrow().train(), ours()
    before = {name: tensor.clone() for name, tensor in student.state_dict().items()}
    adversary = Adversary(made, student, teacher)

    @torch.no_grad()
    def divergence() -> float:
        torch.manual_seed(0)
        return sum(float(adversary(**without_labels(texts()))["divergence"].sum) for _ in range(40))

    begun, run = divergence(), trainer(adversary, Texts(), 2e-3)
    run.train(60)
    assert divergence() > 1.2 * begun
    assert all(torch.equal(tensor, before[name]) for name, tensor in student.state_dict().items())
    assert student.training and not teacher.training and made.generator.training


# --- the min step ---------------------------------------------------------------------------------


def test_the_min_step_is_a_third_of_each_of_three_losses() -> None:
    student, teacher, made, batch = narrow(), ours(), rewriter(), Texts()(0)
    objective = RewrittenDistillation(student, teacher, *mate_kd(), made)
    torch.manual_seed(2)
    found = loss(objective, batch).item()
    torch.manual_seed(2)
    rewritten = made(batch)
    with torch.no_grad():
        parts = [nn.functional.cross_entropy(student(**without_labels(batch)).logits, batch["labels"])]
        for inputs in (without_labels(batch), rewritten):
            taught = teacher(**inputs).logits.softmax(-1)
            parts.append(-(taught * student(**inputs).logits.log_softmax(-1)).sum(-1).mean())
    assert found == pytest.approx(sum(part.item() for part in parts) / 3, rel=1e-6)


def test_inv_the_min_step_trains_the_student_alone() -> None:
    student, teacher, made = narrow(), ours(), rewriter()
    objective = RewrittenDistillation(student, teacher, *mate_kd(SoftenedKL()), made)
    assert [*map(id, objective.parameters())] == [*map(id, student.parameters())]
    loss(objective, Texts()(0)).backward()
    for model in (teacher, made.generator):
        assert all(parameter.grad is None for parameter in model.parameters())


# --- FreeLB ---------------------------------------------------------------------------------------


def test_a_random_perturbation_is_that_of_the_official_code() -> None:
    real = texts()["attention_mask"].bool()
    torch.manual_seed(0)
    found = freelb.random_perturbation(real, 16, 0.3)
    torch.manual_seed(0)
    drawn = 2 * torch.rand(*real.shape, 16) - 1
    for row in range(len(real)):
        numbers = int(real[row].sum()) * 16
        for token in range(real.size(1)):
            expected = drawn[row, token] * 0.3 / numbers**0.5 if real[row, token] else torch.zeros(16)
            assert torch.allclose(found[row, token], expected, atol=1e-7)
    assert float(found.flatten(1).norm(dim=1).max()) <= 0.3


def test_an_ascent_has_its_length_and_ends_in_the_ball() -> None:
    torch.manual_seed(0)
    start, gradient = torch.randn(3, 5, 8) * 0.01, torch.randn(3, 5, 8)
    moved = freelb.climbed(start, gradient, 0.1, 10.0)
    assert (moved - start).flatten(1).norm(dim=1).allclose(torch.full((3,), 0.1))
    for row in range(3):
        free = start[row] + 0.1 * gradient[row] / gradient[row].norm()
        assert torch.allclose(moved[row], free, atol=1e-6)
        back = freelb.climbed(start, gradient, 0.1, 0.05)[row]
        assert torch.allclose(back, free * min(1.0, 0.05 / float(free.norm())), atol=1e-6)
    assert torch.equal(freelb.climbed(start, torch.zeros_like(gradient), 0.1, 10.0), start)


def test_freelb_is_the_mean_over_ascents_and_one_backward_pass_each() -> None:
    batches = TaskBatches(rows(), batch_size=5, seed=0)
    student, teacher = ours(seed=1, hidden_dropout_prob=0.0), ours()
    objective = FreeLB(student, teacher, methods.hinton(2.0, 0.5), start=0.2, rate=0.3, radius=0.4)
    taken = []
    run = trainer(objective, Ascents(batches, 3), 1e-3, gradient_accumulation=3)
    plain = objective.forward
    objective.forward = lambda **batch: taken.append(0) or plain(**batch)  # type: ignore[method-assign, func-returns-value]
    reference = FreeLBByHand(ours(seed=1), teacher, 0.2, 0.3, 0.4)
    expected = reference.gradients(batches(0), trainer_seed=0)
    found: dict[str, Tensor] = {}

    class Keep:
        fingerprint = ""

        def before_step(self, _: Any) -> None: ...
        def after_step(self, *_: Any) -> None: ...
        def after_backward(self, _: Any) -> None:
            found.update({n: p.grad.clone() for n, p in student.named_parameters() if p.grad is not None})

    run.callbacks = [Keep()]  # type: ignore[list-item]
    run.step()
    assert len(taken) == 3
    for name, gradient in expected.items():
        assert torch.allclose(found[name], gradient, atol=1e-6), name


class FreeLBByHand:
    """The algorithm as the paper lists it, with plain loops and its own passes."""

    def __init__(self, student: Any, teacher: Any, start: float, rate: float, radius: float) -> None:
        self.student, self.teacher, self.sizes = student, teacher, (start, rate, radius)

    def gradients(self, batch: Batch, trainer_seed: int) -> dict[str, Tensor]:
        from lib.training.loop import _seed

        start, rate, radius = self.sizes
        torch.manual_seed(_seed(trainer_seed, 0))
        moved = freelb.random_perturbation(batch["attention_mask"].bool(), 16, start)
        with torch.no_grad():
            taught = self.teacher(**without_labels(batch)).logits
        for _ in range(3):
            moved = moved.detach().requires_grad_()
            vectors = self.student.bert.embeddings.word_embeddings(batch["input_ids"]) + moved
            others = {name: batch[name] for name in ("attention_mask", "token_type_ids")}
            logits = self.student(inputs_embeds=vectors, **others).logits
            soft = SoftenedKL(2.0)(logits, taught).mean()
            hard = nn.functional.cross_entropy(logits, batch["labels"])
            ((0.5 * soft + 0.5 * hard) / 3).backward()
            assert moved.grad is not None
            moved = freelb.climbed(moved.detach(), moved.grad, rate, radius)
        return {n: p.grad for n, p in self.student.named_parameters() if p.grad is not None}


def test_ascents_climb_the_loss_under_one_dropout() -> None:
    student = ours(seed=1, hidden_dropout_prob=0.5, attention_probs_dropout_prob=0.5).train()
    objective = FreeLB(student, ours(), methods.hinton(2.0, 0.5), start=0.0, rate=0.05, radius=1.0)
    ascents, found = Ascents(TaskBatches(rows(), batch_size=5, seed=0), 4), []
    for number in range(4):
        torch.manual_seed(number)  # as the loop does
        climbed = loss(objective, ascents(number))
        climbed.backward()
        found.append(climbed.item())
    assert found == sorted(found) and found[-1] > found[0]


# --- what is refused ------------------------------------------------------------------------------


def freelb_of(**sizes: float) -> FreeLB:
    return FreeLB(ours(seed=1), ours(), methods.hinton(), **sizes)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: rewriter(1.5).choose(texts()), "from 0 to 1"),
    (lambda: Adversary(rewriter(), ours(vocab_size=30), ours()), "one vocabulary"),
    (
        lambda: RewrittenDistillation(narrow(), ours(), mate_kd()[0], mate_kd()[0], rewriter()),
        "of a rewritten",
    ),
    (lambda: freelb_of()(**batch_of()), "number of an ascent"),
    (lambda: freelb_of()(**batch_of(), ascent=torch.tensor(1)), "none before it"),
    (lambda: freelb_of(rate=-1.0), "lengths from 0"),
    (lambda: Ascents(TaskBatches(rows()), 0), "1 at least"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_what_cannot_be_taught_so_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
