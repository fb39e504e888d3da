"""Which layer teaches which: ELM's genes, CKD's fused layers, ALP-KD's mixtures.

Published forms are derived anew, in plain loops, with the reductions of the official code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from tiny_berts import batch_of, loss, narrow, ours, rows, with_padding
from torch import Tensor

from lib.compression.distillation.combined_layers import (
    Combine,
    LayerMixtures,
    all_layers,
    combine_evenly,
    combine_fixed,
    combine_layers,
    combine_scaled,
)
from lib.compression.distillation.fused_layers import (
    FOUR_SETS,
    FusedTeacher,
    WidenedStudent,
    normalized_sum,
    overlapping_sets,
    regular_sets,
)
from lib.compression.distillation.knowledge import CLS_STATES, HIDDEN, HIDDEN_STATES, observe
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.layer_search import Gene, child_of, elm, increasing_genes, repaired
from lib.compression.distillation.losses import squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_layers
from lib.text.tasks import TaskBatches
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

B, T, D = 3, 5, 6
GENES = increasing_genes(2, 6)
PUBLISHED = [(0, 0, 5, 10), (0, 5, 0, 0, 0, 10), (3, 6, 9, 12), (0, 0, 0, 12), (1, 10, 11, 12)]


def draw(seed: int, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def states(seed: int, layers: int, *shape: int) -> Any:
    """Reads a layer from 0 to `layers`, as a map is given it."""
    found = [draw(seed + layer, *shape) for layer in range(layers + 1)]
    return lambda layer: found[layer]


# --- ELM -----------------------------------------------------------------------------------


def test_inv_of_49_genes_28_increase() -> None:
    assert len(GENES) == len(set(GENES)) == 28
    assert sum(0 not in gene for gene in GENES) == 15 and (0, 0) in GENES
    assert len(increasing_genes(3, 4)) == 35


def test_the_genes_that_are_published_increase() -> None:
    assert all(repaired(gene) == gene for gene in PUBLISHED)


@pytest.mark.parametrize(
    ("gene", "expected"),
    [
        ((5, 3), (5, 0)),
        ((5, 0, 3), (5, 0, 0)),
        ((2, 2, 4), (2, 0, 4)),
        ((0, 0), (0, 0)),
        ((6, 1, 2), (6, 0, 0)),
    ],
)
def test_what_falls_becomes_0_however_many_zeros_stand_between(gene: Gene, expected: Gene) -> None:
    assert repaired(gene) == expected


def test_inv_a_gene_of_zeros_is_no_loss_at_all() -> None:
    assert elm((0, 0)) == []
    assert elm((0, 5, 0, 0, 0, 10))[0].map == LayerPairs(((2, 5), (6, 10)))


def test_inv_as_many_layers_in_order_are_full_matching() -> None:
    student, teacher, batch = ours(seed=1), ours(), batch_of()
    every = [Match(HIDDEN_STATES, LayerPairs(((1, 1), (2, 2))), squared_error)]
    found, expected = (
        loss(Distillation(student, teacher, matches), batch) for matches in (elm((1, 2)), every)
    )
    assert torch.equal(found, expected)
    assert loss(Distillation(ours(), ours(), elm((1, 2))), batch).item() == 0


def test_inv_the_child_of_a_gene_and_itself_is_that_gene() -> None:
    for gene in (*GENES, *PUBLISHED):
        for cut in range(len(gene) + 1):
            assert child_of(gene, gene, cut) == gene


def test_a_child_begins_with_one_gene_and_ends_with_the_other() -> None:
    assert child_of((1, 2, 3), (0, 5, 6), 1) == (1, 5, 6)
    assert child_of((5, 6), (1, 2), 1) == (5, 0)  # 2 falls
    assert child_of((1, 2), (3, 4), 0) == (3, 4) and child_of((1, 2), (3, 4), 2) == (1, 2)


# --- CKD ------------------------------------------------------------------------------------------


def test_the_four_sets_are_those_of_the_code() -> None:
    assert FOUR_SETS == {
        "regular": ((1, 2, 3), (4, 5, 6)),
        "overlap": ((1, 2, 3, 4), (3, 4, 5, 6)),
        "skip middle": ((1, 2), (5, 6)),
        "cross": ((1, 3), (4, 6)),
    }
    assert regular_sets(3, 6) == ((1, 2), (3, 4), (5, 6))
    assert overlapping_sets(3, 6) == ((1, 2, 3), (3, 4), (4, 5, 6))


def test_inv_regular_sets_part_the_teacher_and_overlapping_ones_share_a_layer() -> None:
    for count, layers in ((2, 6), (3, 6), (4, 12), (6, 12), (6, 6)):
        flat = [layer for layers_of in regular_sets(count, layers) for layer in layers_of]
        assert flat == list(range(1, layers + 1))
    for count in (2, 3):
        sets = overlapping_sets(count, 6)
        assert all(set(layers) & set(further) for layers, further in pairwise(sets))
        assert set().union(*sets) == set(range(1, 7))
    for name in ("skip middle", "cross"):
        assert set().union(*FOUR_SETS[name]) < set(range(1, 7))


@pytest.mark.parametrize("name", FOUR_SETS)
def test_inv_the_projection_has_k_times_the_features(name: str) -> None:
    sets = FOUR_SETS[name]
    for kind in (WidenedStudent, FusedTeacher):
        made = kind(sets, 4, 6)
        for layer, layers in zip(made.projections, sets, strict=True):
            k, linear = len(layers), layer
            size = (4, 6 * k) if kind is WidenedStudent else (6 * k, 4)
            assert isinstance(linear, torch.nn.Linear)
            assert (linear.in_features, linear.out_features) == size
    weights = sum(parameter.numel() for parameter in WidenedStudent(sets, 6, 6).parameters())
    assert weights == sum(len(layers) * (6 * 6 + 6) for layers in sets)  # k d^2 + k d


@pytest.mark.parametrize("name", FOUR_SETS)
def test_ckd_is_the_official_code_on_the_same_tensors(name: str) -> None:
    """Both sides to length 1, squares added up over features, layers and real tokens, over the tokens."""
    sets, real = FOUR_SETS[name], torch.arange(T) < torch.tensor([5, 2, 4])[:, None]
    student, teacher = states(0, 2, B, T, 4), states(50, 6, B, T, D)
    fusion = WidenedStudent(sets, 4, D).double()
    batch = {"input_ids": torch.ones(B, T, dtype=torch.long), "attention_mask": real.long()}
    match = Match(HIDDEN_STATES, fusion, normalized_sum)
    found = match.distances(student, teacher, batch).sum() / real.sum()
    expected = 0.0
    for own, layers in enumerate(sets, start=1):
        linear = fusion.projections[own - 1]
        for text in range(B):
            for token in range(T):
                if not real[text, token]:
                    continue
                side = torch.cat([teacher(layer)[text, token] for layer in layers])
                widened = linear(student(own)[text, token]).detach()
                side, widened = side / side.norm(), widened / widened.norm()
                expected += sum(float(a - b) ** 2 for a, b in zip(widened, side, strict=True))
    assert float(found.detach()) == pytest.approx(expected / int(real.sum()), abs=1e-6)


@pytest.mark.parametrize("name", FOUR_SETS)
def test_ckd_of_the_paper_is_a_squared_error_with_a_fused_teacher(name: str) -> None:
    sets = FOUR_SETS[name]
    student, teacher = states(0, 2, B, T, 4), states(50, 6, B, T, D)
    fusion = FusedTeacher(sets, 4, D).double()
    batch = {"input_ids": torch.ones(B, T, dtype=torch.long)}
    found = Match(HIDDEN_STATES, fusion, squared_error).distances(student, teacher, batch).mean(1).sum()
    expected = 0.0
    for own, layers in enumerate(sets, start=1):
        linear: Any = fusion.projections[own - 1]
        for text in range(B):
            for token in range(T):
                side = torch.cat([teacher(layer)[text, token] for layer in layers])
                target = linear.weight @ side + linear.bias
                expected += float((student(own)[text, token] - target).square().mean().detach()) / (B * T)
    assert float(found.detach()) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("kind", [WidenedStudent, FusedTeacher])
def test_inv_sets_of_one_with_no_change_are_plain_pairs(kind: Any) -> None:
    student, teacher = states(0, 2, B, T, D), states(50, 6, B, T, D)
    fusion = kind(((2,), (4,)), D, D).double()
    for layer in fusion.projections:
        torch.nn.init.eye_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
    for (a, b), (c, d) in zip(
        fusion(student, teacher), LayerPairs(((1, 2), (2, 4)))(student, teacher), strict=True
    ):
        assert torch.allclose(a, c) and torch.allclose(b, d)


@pytest.mark.parametrize("kind", [WidenedStudent, FusedTeacher])
def test_inv_the_projection_learns_and_the_teacher_gets_no_gradient(kind: Any) -> None:
    teacher, fusion = ours(), kind(((1,), (1, 2)), 12, 16)
    objective = Distillation(narrow(), teacher, [Match(HIDDEN_STATES, fusion, normalized_sum)])
    loss(objective, batch_of()).backward()
    assert all(part.grad is None for part in teacher.parameters())
    assert all(part.grad is not None and part.grad.any() for part in fusion.parameters())
    assert "0x" not in json.dumps(objective.fingerprint)


@pytest.mark.parametrize("kind", [WidenedStudent, FusedTeacher])
def test_inv_padding_changes_no_loss(kind: Any) -> None:
    match = Match(HIDDEN_STATES, kind(((1,), (1, 2)), 12, 16), normalized_sum)
    objective = Distillation(narrow(), ours(), [match])
    expected = loss(objective, batch_of()).item()
    assert loss(objective, with_padding(batch_of(), 3)).item() == pytest.approx(expected, rel=1e-6)


def test_a_fused_teacher_can_be_matched_by_a_student_that_says_nothing() -> None:
    """The trivial optimum: weights of 0, and a student that always says the bias."""
    sets, teacher, constant = FOUR_SETS["regular"], states(50, 6, B, T, D), draw(9, 4)
    fused, widened = FusedTeacher(sets, 4, D).double(), WidenedStudent(sets, 4, D).double()
    for layer in fused.projections:
        assert isinstance(layer, torch.nn.Linear)
        torch.nn.init.zeros_(layer.weight)
        with torch.no_grad():
            layer.bias.copy_(constant)
    silent = constant.expand(B, T, 4)
    for distance in (squared_error, normalized_sum):
        for pair in fused(lambda _layer: silent, teacher):
            assert float(distance(*pair).max().detach()) == pytest.approx(0, abs=1e-12)
    for own, target in widened(lambda _layer: silent, teacher):
        assert float(normalized_sum(own, target).min().detach()) > 0.1


# --- ALP-KD ---------------------------------------------------------------------------------------


def test_combining_by_hand() -> None:
    student = torch.tensor([[1.0, 0.0]])
    teachers = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    weights, mixture = combine_layers(student, teachers)
    share = np.e / (np.e + 1)
    torch.testing.assert_close(weights, torch.tensor([[share, 1 - share]], dtype=torch.float32))
    torch.testing.assert_close(mixture, weights)


def test_combining_is_the_formula_in_plain_loops() -> None:
    student, teachers = draw(0, B, D), draw(1, B, 4, D)
    weights, mixture = combine_layers(student, teachers)
    for text in range(B):
        scores = [
            sum(float(a * b) for a, b in zip(student[text], key, strict=True)) for key in teachers[text]
        ]
        powers = [np.exp(score - max(scores)) for score in scores]
        expected = [power / sum(powers) for power in powers]
        assert weights[text].tolist() == pytest.approx(expected, abs=1e-6)
        mixed = sum(share * key for share, key in zip(expected, teachers[text], strict=True))
        assert torch.allclose(mixture[text], torch.as_tensor(mixed), atol=1e-6)


def test_inv_weights_are_shares_and_mixtures_lie_between() -> None:
    student, teachers = 5 * draw(0, B, D), draw(1, B, 4, D)
    for combine in (combine_layers, combine_scaled, combine_fixed, combine_evenly):
        weights, mixture = combine(student, teachers)
        assert torch.allclose(weights.sum(-1), torch.ones(B, dtype=torch.float64)) and (weights >= 0).all()
        assert (mixture.norm(dim=-1) <= teachers.norm(dim=-1).max(dim=-1).values + 1e-9).all()


def test_inv_equal_layers_are_their_own_mixture() -> None:
    state = draw(2, B, D)
    for seed in range(3):
        _, mixture = combine_layers(draw(seed, B, D), state[:, None].expand(B, 4, D))
        assert torch.allclose(mixture, state)


def test_inv_small_scores_give_the_mean_and_large_ones_a_single_layer() -> None:
    student, teachers = draw(0, B, D), draw(1, B, 4, D)
    even, _ = combine_layers(1e-9 * student, teachers)
    assert torch.allclose(even, torch.full_like(even, 1 / 4)) and torch.equal(
        combine_evenly(student, teachers)[0], torch.full_like(even, 1 / 4)
    )
    sharp, mixture = combine_layers(1e6 * student, teachers)
    best = (teachers * student[:, None]).sum(-1).argmax(-1)
    assert torch.allclose(sharp, F.one_hot(best, 4).double())
    assert torch.allclose(mixture, teachers[torch.arange(B), best])


def test_large_scores_do_not_overflow() -> None:
    weights, _ = combine_layers(torch.full((1, 4), 1e3), torch.full((1, 2, 4), 1e3))
    assert torch.isfinite(weights).all()


def test_the_scale_is_that_of_attention() -> None:
    student, teachers = draw(0, B, D), draw(1, B, 4, D)
    weights, _ = combine_scaled(student, teachers)
    expected = torch.einsum("bd,bnd->bn", student, teachers).div(D**0.5).softmax(-1)
    assert torch.allclose(weights, expected)


def test_a_gradient_flows_through_the_weights_unless_they_are_fixed() -> None:
    teachers = draw(1, B, 4, D)
    for combine, flows in ((combine_layers, True), (combine_scaled, True), (combine_fixed, False)):
        student = draw(0, B, D).requires_grad_()
        mixture = combine(student, teachers)[1]
        assert mixture.requires_grad == flows


def test_one_call_may_mix_for_every_token() -> None:
    student, teachers = draw(0, B, T, D), draw(1, B, T, 4, D)
    weights, mixture = combine_layers(student, teachers)
    alone = combine_layers(student[:, 2], teachers[:, 2])
    assert weights.shape == (B, T, 4) and torch.allclose(mixture[:, 2], alone[1])


def test_inv_buckets_of_one_are_pkd_without_normalization() -> None:
    student, teacher = states(0, 2, B, D), states(50, 6, B, D)
    mixed = LayerMixtures(((3,), (6,)))(student, teacher)
    for (a, b), (c, d) in zip(mixed, LayerPairs(((1, 3), (2, 6)))(student, teacher), strict=True):
        assert torch.equal(a, c) and torch.allclose(b, d)


def test_sets_of_alp() -> None:
    assert all_layers(2, 6) == ((1, 2, 3, 4, 5, 6),) * 2
    assert regular_sets(4, 12) == ((1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))


def alp(combine: Combine = combine_layers) -> list[Match]:
    return [Match(CLS_STATES, LayerMixtures(all_layers(2, 2), combine), squared_error)]


def test_the_loss_of_alp_on_models_is_that_of_its_parts() -> None:
    student, teacher, batch = ours(seed=1), ours(), batch_of()
    found = loss(Distillation(student, teacher, alp()), batch)
    with torch.no_grad():
        own, taught = (observe(model, batch, {HIDDEN}) for model in (student, teacher))
    expected = torch.zeros(())
    for layer in (1, 2):
        keys = torch.stack([taught.hidden_states[n][:, 0] for n in (1, 2)], dim=1)
        query = own.hidden_states[layer][:, 0]
        shares = torch.einsum("bd,bnd->bn", query, keys).softmax(-1)
        mixture = torch.einsum("bn,bnd->bd", shares, keys)
        expected = expected + (query - mixture).square().mean()
    assert found.item() == pytest.approx(float(expected), abs=1e-6)


def test_the_fingerprint_tells_how_layers_are_combined() -> None:
    first, second = (
        json.dumps(Distillation(ours(seed=1), ours(), alp(combine)).fingerprint)
        for combine in (combine_layers, combine_scaled)
    )
    assert first != second and "0x" not in first


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: regular_sets(4, 6), "no multiple of 4"),
    (lambda: overlapping_sets(4, 12), "name its sets"),
    (lambda: WidenedStudent(((0, 1),), 4, 4), "from 1"),
    (lambda: FusedTeacher(((1,), ()), 4, 4), "from 1"),
    (lambda: loss(Distillation(narrow(), ours(), alp()), batch_of()), "as wide as its teacher"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_layers_that_do_not_fit_are_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()


# --- students over embeddings that stay -----------------------------------------------------------


def test_new_layers_over_the_embeddings_of_the_teacher() -> None:
    teacher = ours(num_hidden_layers=3)
    student = new_layers(teacher, 2, seed=7)
    assert student.config.num_hidden_layers == 2 and student.config.hidden_size == 16
    words = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(student.state_dict()[words], teacher.state_dict()[words])
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(student.state_dict()[query], teacher.state_dict()[query])
    assert torch.equal(student.state_dict()[query], new_layers(teacher, 2, seed=7).state_dict()[query])
    objective = Distillation(student, teacher, elm((1, 3)))
    trainer = Trainer(objective, TaskBatches(rows()), adamw(objective), Constant(9, 1e-2))
    trainer.step()
    assert torch.equal(student.state_dict()[words], teacher.state_dict()[words])
    assert all(part.requires_grad for part in teacher.parameters())
