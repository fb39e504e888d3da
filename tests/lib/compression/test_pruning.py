"""Pruning weights: masks and ramps, movement, SparseBERT, each by the formulas of its paper."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import answers, batch_of, loss, masked_weights, ours, rows, theirs, without_labels
from torch import Tensor, nn

from lib.bert.heads import BertForSequenceClassification
from lib.compression.distillation.methods import sparse_bert
from lib.compression.distillation.objective import Distillation
from lib.compression.parts import BERT_PARTS, paths_of
from lib.compression.pruning.magnitude import AtRandom, by_matrix, keep_highest, magnitude_mask, over_all
from lib.compression.pruning.masks import (
    GradualPruning,
    add_masks,
    masks_of,
    originals,
    prune,
    remaining,
    set_masks,
)
from lib.compression.pruning.movement import (
    LEAST_KEPT,
    Movement,
    PenaltyGrows,
    SoftlyPruned,
    above_threshold,
    add_scores,
    decay_of_weights,
    score_rate,
)
from lib.compression.pruning.schedule import CubicRamp
from lib.compression.pruning.sensitivity import choose_sparsities
from lib.text.tasks import TaskBatches
from lib.training.checkpoints import Checkpoints
from lib.training.finetuning import FineTuning
from lib.training.loop import Objective, Trainer
from lib.training.optim import adamw, parameter_groups
from lib.training.schedules import Constant

QUERY = "bert.encoder.layer.0.attention.self.query"
BATCHES = TaskBatches(rows(8), batch_size=4, seed=0)
STEPS = 8
MATRICES = [part for part in BERT_PARTS if part != "pooler" and "embeddings" not in part]


def trainer_of(
    objective: Objective, *callbacks: Any, optimizer: Any = None, folder: Path | None = None
) -> Trainer:
    kept = None if folder is None else Checkpoints(folder, every=3, resume=True)
    return Trainer(
        objective,
        BATCHES,
        optimizer or adamw(objective),
        Constant(STEPS, 1e-2),
        callbacks,
        kept,
        clip=math.inf,
    )


def zeros(model: nn.Module) -> dict[str, int]:
    return {path: int((weight == 0).sum()) for path, weight in masked_weights(model).items()}


def sizes(model: nn.Module) -> dict[str, int]:
    return {path: weight.numel() for path, weight in masked_weights(model).items()}


# --- masks and ramps ------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", [by_matrix, over_all, AtRandom(0)])
def test_masks_of_a_higher_sparsity_lie_within_those_of_a_lower_one(choice: Any) -> None:
    generator = torch.Generator().manual_seed(0)
    scores = {name: torch.rand(size, 6, generator=generator) for name, size in (("a", 5), ("b", 9))}
    for few, many in pairwise([choice(scores, sparsity) for sparsity in (0.2, 0.5, 0.8)]):
        assert all((few[name] | ~many[name]).all() for name in scores)


def test_one_ranking_or_one_for_each_matrix() -> None:
    scores = {"small": torch.tensor([[0.1, 0.2, 0.3, 0.4]]), "large": torch.tensor([[1.0, 2.0, 3.0, 4.0]])}
    assert [int(mask.sum()) for mask in by_matrix(scores, 0.5).values()] == [2, 2]
    assert [int(mask.sum()) for mask in over_all(scores, 0.5).values()] == [0, 4]
    chosen = over_all(scores, 0.625)["large"]
    assert chosen.tolist() == [[False, True, True, True]]


def test_chance_looks_at_no_weight_and_keeps_as_many() -> None:
    first, second = (AtRandom(1)({"a": torch.randn(8, 8)}, 0.25)["a"] for _ in range(2))
    assert torch.equal(first, second) and int(first.sum()) == 48
    assert not torch.equal(first, AtRandom(2)({"a": torch.randn(8, 8)}, 0.25)["a"])
    assert not torch.equal(first, AtRandom(1)({"b": torch.randn(8, 8)}, 0.25)["b"])


def test_the_cubic_ramp_is_the_papers() -> None:
    start, first, last = 0.1, 3, 23
    ramp = CubicRamp(0.9, last=last, first=first, initial=start)
    for step in range(30):
        held = min(max(step, first), last)
        expected = 0.9 + (start - 0.9) * (1 - (held - first) / (last - first)) ** 3
        assert ramp(step) == pytest.approx(expected, abs=1e-12)


def test_a_ramp_moves_every_so_many_steps_and_never_down() -> None:
    ramp = CubicRamp(0.95, last=107, every=10)
    levels = [ramp(step) for step in range(120)]
    assert levels == sorted(levels) and levels[-1] == levels[107] == 0.95
    assert len(set(levels)) == 12 and levels[10] == levels[19] < levels[20]


# --- a model under masks --------------------------------------------------------------------------


@pytest.mark.parametrize("library", [ours, theirs])
def test_what_is_pruned_is_what_a_plain_loop_would_prune(library: Any) -> None:
    model = library()
    plain = copy.deepcopy(model)
    paths = paths_of(model, MATRICES)
    add_masks(model)
    assert list(masks_of(model)) == paths and len(paths) == 12
    prune(model, 0.6)
    with torch.no_grad():
        for path in paths:
            weight = plain.get_submodule(path).weight
            order = sorted(range(weight.numel()), key=lambda place: abs(float(weight.view(-1)[place])))
            for place in order[: int(0.6 * weight.numel())]:
                weight.view(-1)[place] = 0.0
    assert torch.equal(answers(model), answers(plain))


@pytest.mark.parametrize("choice", [by_matrix, over_all, AtRandom(3)])
def test_the_count_of_zeros_is_right_after_every_step(choice: Any) -> None:
    model = ours()
    add_masks(model)
    ramp = CubicRamp(0.9, last=STEPS)
    trainer = trainer_of(FineTuning(model), GradualPruning(model, ramp, choice))
    before: dict[str, Tensor] = {}
    for step in range(1, STEPS + 1):
        trainer.step()
        now = masks_of(model)
        if choice is over_all:
            assert sum(zeros(model).values()) == int(ramp(step) * sum(sizes(model).values()))
        else:
            assert zeros(model) == {path: int(ramp(step) * size) for path, size in sizes(model).items()}
        assert all((before[path] | ~now[path]).all() for path in before)  # nested
        before = now


def test_a_gradient_reaches_what_is_kept_alone() -> None:
    model = ours()
    add_masks(model)
    prune(model, 0.5)
    model(**batch_of()).loss.backward()
    for mask, weight in originals(model).values():
        assert weight.grad is not None
        assert bool((weight.grad[~mask] == 0).all()) and bool((weight.grad[mask] != 0).any())


def test_what_is_zero_at_the_beginning_stays_zero() -> None:
    model = ours()
    with torch.no_grad():
        model.get_submodule(QUERY).weight[:3] = 0
    add_masks(model)
    assert zeros(model)[QUERY] == 3 * 16 and int((~masks_of(model)[QUERY]).sum()) == 48
    prune(model, 0.0)
    assert zeros(model)[QUERY] == 48  # the numbers underneath are 0


def test_a_run_that_was_killed_goes_on_to_the_bit(tmp_path: Path) -> None:
    def made(folder: Path | None) -> tuple[Trainer, nn.Module]:
        model = ours()
        add_masks(model)
        ramp = CubicRamp(0.8, last=STEPS, every=2)
        return trainer_of(FineTuning(model), GradualPruning(model, ramp), folder=folder), model

    whole, expected = made(None)
    whole.train()
    made(tmp_path)[0].train(until=5)
    second, model = made(tmp_path)
    second.train()
    state = expected.state_dict()
    assert all(torch.equal(tensor, state[name]) for name, tensor in model.state_dict().items())


def test_masks_are_saved_with_the_model(tmp_path: Path) -> None:
    model = ours()
    add_masks(model)
    prune(model, 0.8, over_all)
    model.save_pretrained(tmp_path)
    loaded = BertForSequenceClassification.from_pretrained(tmp_path).eval()
    assert all(torch.equal(mask, masks_of(loaded)[path]) for path, mask in masks_of(model).items())
    assert torch.equal(loaded(**batch_of()).logits, model(**batch_of()).logits)


def test_twenty_times_less_of_the_encoder_is_much_less_of_a_model() -> None:
    model = ours()
    matrices = sum(model.get_submodule(path).weight.numel() for path in paths_of(model, MATRICES))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    add_scores(model)  # scores are no weights
    magnitudes = {path: weight.abs() for path, weight in masked_weights(model).items()}
    set_masks(model, by_matrix(magnitudes, 0.95))
    left = remaining(model)
    kept = sum(size - int(0.95 * size) for size in sizes(model).values())
    assert tuple(left) == (matrices, kept, parameters - matrices)
    assert left.of_masked == matrices / kept
    assert left.of_model == parameters / (parameters - matrices + kept)
    assert left.of_masked > 19 and left.of_model < 4


# --- movement -------------------------------------------------------------------------------------


def test_scores_add_up_what_all_steps_say_by_a_plain_loop() -> None:
    """Two inputs, one output, one weight kept: by hand, with Python's numbers."""
    linear, inputs, target, rate = nn.Linear(4, 2, bias=False), torch.randn(3, 4), torch.randn(3, 2), 0.1
    weight = [[float(number) for number in row] for row in linear.weight.detach().double()]
    scores = [[0.0] * 4 for _ in range(2)]
    mask = [[1.0] * 4 for _ in range(2)]
    add_scores(linear_model := nn.ModuleDict({"one": linear}), ["one"])
    objective_rate, kept = rate, [0.0, 0.25, 0.5, 0.5]
    optimizer = torch.optim.SGD(linear_model.parameters(), lr=objective_rate)
    for level in kept:
        optimizer.zero_grad()
        ((linear(inputs) - target) ** 2).sum().backward()
        optimizer.step()
        prune(linear_model, level)
        gradient = [[0.0] * 4 for _ in range(2)]
        for text in range(3):
            for out in range(2):
                output = sum(weight[out][i] * mask[out][i] * float(inputs[text, i]) for i in range(4))
                for i in range(4):
                    gradient[out][i] += 2 * (output - float(target[text, out])) * float(inputs[text, i])
        for out in range(2):
            for i in range(4):
                scores[out][i] -= rate * gradient[out][i] * weight[out][i]  # also where it is pruned
                weight[out][i] -= rate * gradient[out][i] * mask[out][i]
        order = sorted((scores[out][i], out, i) for out in range(2) for i in range(4))
        mask = [[1.0] * 4 for _ in range(2)]
        for _, out, i in order[: int(level * 8)]:
            mask[out][i] = 0.0
    computed: Any = linear.parametrizations
    part = computed["weight"]
    torch.testing.assert_close(part[0].scores.detach(), torch.tensor(scores), atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(part.original.detach(), torch.tensor(weight), atol=1e-6, rtol=1e-5)
    assert part[0].mask.float().tolist() == mask


def test_hard_movement_keeps_the_highest_scores_and_a_weight_may_return() -> None:
    model = ours()
    add_scores(model)
    objective = FineTuning(model)
    optimizer = torch.optim.AdamW(parameter_groups(objective, score_rate(10.0), decay_of_weights(0.01)))
    pruning = GradualPruning(model, CubicRamp(0.5, last=2), by_matrix, every=1)
    trainer = trainer_of(objective, pruning, optimizer=optimizer)
    returned, before = 0, masks_of(model)
    for _ in range(STEPS):
        trainer.step()
        now = masks_of(model)
        returned += sum(int((now[path] & ~before[path]).sum()) for path in now)
        before = now
        part: Any = model.get_submodule(QUERY).parametrizations.weight[0]
        assert part.scores[part.mask].min() >= part.scores[~part.mask].max()
    assert returned > 0
    assert zeros(model) == {path: size // 2 for path, size in sizes(model).items()}


def test_scores_learn_at_a_rate_of_their_own_and_are_not_decayed() -> None:
    model = ours()
    add_scores(model)
    groups = parameter_groups(FineTuning(model), score_rate(300.0), decay_of_weights(0.01))
    scores = [group for group in groups if group["lr_factor"] == 300.0]
    assert len(scores) == 1 and scores[0]["weight_decay"] == 0.0 and len(scores[0]["params"]) == 12
    assert {group["weight_decay"] for group in groups} == {0.0, 0.01}


def test_the_soft_form_keeps_what_is_above_the_threshold_and_half_a_percent() -> None:
    scores = {"some": torch.tensor([-3.0, -2.0, 0.0, 1.0]), "none": torch.full((20, 20), -9.0)}
    scores["none"][3, 4] = -8.0
    masks = above_threshold(scores, 0.1)  # the sigmoid of -2.197
    assert masks["some"].tolist() == [False, True, True, True]
    assert int(masks["none"].sum()) == math.ceil(LEAST_KEPT * 400) and bool(masks["none"][3, 4])
    assert all(bool(mask.all()) for mask in above_threshold(scores, 0.0).values())


def test_the_penalty_is_the_mean_over_matrices_and_grows_with_the_threshold() -> None:
    model = ours()
    add_scores(model)
    parts = [module for module in model.modules() if isinstance(module, Movement)]
    with torch.no_grad():
        for number, part in enumerate(parts):
            part.scores.fill_(number / 10)
    objective = SoftlyPruned(FineTuning(model), model)
    expected = sum(1 / (1 + math.exp(-number / 10)) for number in range(12)) / 12
    assert float(objective.penalty().detach()) == pytest.approx(expected, rel=1e-6)
    gradients = torch.autograd.grad(objective.penalty(), [part.scores for part in parts])
    share = 1 / (1 + math.exp(-0.3))
    torch.testing.assert_close(
        gradients[3], torch.full_like(gradients[3], share * (1 - share) / 12 / gradients[3].numel())
    )
    ramp = CubicRamp(0.1, last=4)
    trainer = trainer_of(objective, PenaltyGrows(objective, ramp, strength=40.0))
    for step in range(5):
        measured = trainer.step()
        assert objective.strength == pytest.approx(400 * ramp(step))
        total = measured["task_loss"] + objective.strength * measured["score_penalty"]
        assert measured["loss"] == pytest.approx(total, rel=1e-5)


# --- SparseBERT -----------------------------------------------------------------------------------


def test_the_loss_is_that_of_the_paper_by_plain_loops() -> None:
    student, teacher, batch = ours(seed=1), ours(), batch_of()
    with torch.no_grad():
        found = loss(Distillation(student, teacher, sparse_bert(2)).eval(), batch)
        (own_scores, own_states, own_logits), (scores, states, logits) = (
            inside(model, batch) for model in (student, teacher)
        )
    real = batch["attention_mask"].bool()
    expected = 0.0
    for mine, taught in zip(own_states, states, strict=True):  # embeddings and each layer
        expected += float((mine - taught)[real].square().mean())
    for mine, taught in zip(own_scores, scores, strict=True):  # [B, H, T, T]
        errors = []
        for text in range(len(real)):
            n = int(real[text].sum())
            errors += (mine - taught)[text, :, :n, :n].square().mean(dim=(0, 2)).tolist()
        expected += sum(errors) / len(errors)
    for mine, taught in zip(own_logits, logits, strict=True):
        expected -= float((taught.softmax(dim=-1) * mine.log_softmax(dim=-1)).sum()) / len(logits)
    assert float(found) == pytest.approx(expected, rel=1e-6)


def inside(model: Any, batch: Any) -> tuple[list[Tensor], list[Tensor], Tensor]:
    """Scores before softmax [B, H, T, T] of each layer, hidden states, logits."""
    output = model(**without_labels(batch), output_hidden_states=True)
    found = []
    for layer, state in zip(model.bert.encoder.layer, output.hidden_states[:-1], strict=True):
        part = layer.attention.self
        q, k = (dense(state).unflatten(-1, (2, 8)).transpose(1, 2) for dense in (part.query, part.key))
        hidden = -10_000.0 * (1 - batch["attention_mask"].float())[:, None, None, :]
        found.append(q @ k.transpose(-1, -2) / 8**0.5 + hidden)
    return found, list(output.hidden_states), output.logits


def test_a_mask_in_the_forward_pass_gives_what_zeroing_after_each_step_gives() -> None:
    """The official code's way, on a plain model: dense gradients, then the weights times their masks."""
    student, teacher, ramp = ours(seed=1), ours(), CubicRamp(0.95, last=STEPS)
    plain = copy.deepcopy(student)
    add_masks(student)
    objective = Distillation(student, teacher, sparse_bert(2))
    trainer = trainer_of(objective, GradualPruning(student, ramp))
    by_hand = Distillation(plain, teacher, sparse_bert(2))
    other = trainer_of(by_hand)
    masks: dict[str, Tensor] = {}
    for step in range(1, STEPS + 1):
        trainer.step()
        other.step()
        with torch.no_grad():
            weights = {path: plain.get_submodule(path).weight for path in paths_of(plain, MATRICES)}
            if ramp(step) != ramp(step - 1):
                ranked = {
                    path: (w * masks.get(path, torch.ones_like(w))).abs() for path, w in weights.items()
                }
                masks = {path: magnitude_mask(score, ramp(step)).float() for path, score in ranked.items()}
            for path, mask in masks.items():
                weights[path].mul_(mask)
        for path, weight in masked_weights(student).items():
            torch.testing.assert_close(weight, weights[path].detach(), atol=1e-6, rtol=1e-6)
    left = {path: size - zeros(student)[path] for path, size in sizes(student).items()}
    assert left == {path: size - int(ramp(STEPS) * size) for path, size in sizes(student).items()}


@pytest.mark.parametrize("sparsity", [0.1, 0.3, 0.6, 0.7, 0.9])
def test_a_choice_that_just_meets_the_limit_counts_whatever_its_sum_rounds_to(sparsity: float) -> None:
    scan = {name: [(0.0, 0.9), (sparsity, 0.8)] for name in "abc"}
    sizes = {"a": 147_456, "b": 589_824, "c": 7}
    assert choose_sparsities(scan, sizes, 1 - sparsity) == dict.fromkeys("abc", sparsity)


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: keep_highest(torch.rand(4), -0.1), "from 0 to 1"),
    (lambda: keep_highest(torch.rand(4), 1.5), "from 0 to 1"),
    (lambda: CubicRamp(0.5, last=0), "A ramp from step"),
    (lambda: CubicRamp(0.5, last=5, first=5), "A ramp from step"),
    (lambda: CubicRamp(0.5, last=5, every=0), "A ramp from step"),
    (lambda: CubicRamp(1.5, last=4), "levels from 0 to 1"),
    (lambda: set_masks(ours(), {QUERY: torch.ones(16, 16, dtype=torch.bool)}), "has no mask"),
    (lambda: SoftlyPruned(FineTuning(ours()), ours()), "add_scores"),
    (lambda: choose_sparsities({"a": [(0.0, 0.9), (0.5, 0.8)]}, {"a": 7}, 0.49), "Even the highest"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_be_pruned_so_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
