"""Which layer teaches which: ELM's search, CKD's fused layers, ALP-KD's mixtures.

Published forms are derived anew, in plain loops, with the reductions of the official code.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from lib.compression.distillation.kept_states import KeptStates
from tiny_berts import batch_of, loss, narrow, ours, rows, with_padding
from torch import Tensor

from lib.compression.distillation.combined_layers import (
    LayerMixtures,
    all_layers,
    alp_kd,
    combine_evenly,
    combine_fixed,
    combine_layers,
    combine_scaled,
)
from lib.compression.distillation.fused_layers import (
    FOUR_SETS,
    FusedTeacher,
    WidenedStudent,
    ckd,
    normalized_sum,
    overlapping_sets,
    regular_sets,
)
from lib.compression.distillation.knowledge import (
    CLS_STATES,
    HIDDEN,
    HIDDEN_STATES,
    LABELS,
    LOGITS,
    observe,
)
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.layer_search import (
    Evolution,
    Gene,
    child_of,
    elm,
    evolve,
    increasing_genes,
    mutated,
    random_gene,
    repaired,
)
from lib.compression.distillation.losses import SoftenedKL, cross_entropy, squared_error
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


# --- ELM: genes -----------------------------------------------------------------------------------


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
    found, expected = (loss(Distillation(student, teacher, one), batch) for one in (elm((1, 2)), every))
    assert torch.equal(found, expected)
    assert loss(Distillation(ours(), ours(), elm((1, 2))), batch).item() == 0


def test_inv_the_child_of_a_gene_and_itself_is_that_gene() -> None:
    rng = np.random.default_rng(0)
    for gene in (*GENES, *PUBLISHED):
        for cut in range(len(gene) + 1):
            assert mutated(child_of(gene, gene, cut), 12, 0.0, rng) == gene


def test_a_child_begins_with_one_gene_and_ends_with_the_other() -> None:
    assert child_of((1, 2, 3), (0, 5, 6), 1) == (1, 5, 6)
    assert child_of((5, 6), (1, 2), 1) == (5, 0)  # 2 falls
    assert child_of((1, 2), (3, 4), 0) == (3, 4) and child_of((1, 2), (3, 4), 2) == (1, 2)


def test_inv_all_numbers_stay_among_the_teachers_layers() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        for gene in (random_gene(4, 12, rng), mutated((0, 3, 5, 12), 12, 1.0, rng)):
            assert len(gene) == 4 and repaired(gene) == gene
            assert all(0 <= layer <= 12 for layer in gene)


# --- ELM: the search ------------------------------------------------------------------------------


def table(seed: int) -> dict[Gene, float]:
    scores = np.random.default_rng(seed).random(len(GENES))
    return dict(zip(GENES, scores.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_inv_the_best_of_a_generation_never_falls(seed: int) -> None:
    scores = table(seed)
    found = evolve(scores.__getitem__, 2, 6, np.random.default_rng(seed))
    best = [max(scores[gene] for gene in genes) for genes in found.generations]
    assert all(one <= other for one, other in pairwise(best)) and len(best) == 5
    assert scores[found.winner] == best[-1] == found.best_so_far[-1] == max(found.tried.values())
    assert all(len(genes) == 8 for genes in found.generations)


def test_inv_no_gene_is_tried_twice() -> None:
    asked: list[Gene] = []
    scores = table(0)

    def fitness(gene: Gene) -> float:
        asked.append(gene)
        return scores[gene]

    found = evolve(fitness, 2, 6, np.random.default_rng(0), Evolution(generations=20))
    assert asked == list(found.tried) and len(set(asked)) == len(asked) <= 28
    assert len(found.best_so_far) == len(asked)


def test_the_same_seed_searches_alike() -> None:
    first, second = (evolve(table(1).__getitem__, 2, 6, np.random.default_rng(3)) for _ in range(2))
    assert first == second


def test_equal_genes_have_equal_chances() -> None:
    found = evolve(lambda _gene: 0.5, 2, 6, np.random.default_rng(0))
    assert len(found.tried) > 8  # it went on without dividing by 0


@pytest.mark.parametrize("sizes", [{"elite": 9}, {"elite": 0}, {"generations": 0}, {"mutation": 1.1}])
def test_a_search_that_cannot_be_run_is_refused(sizes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be run"):
        Evolution(**sizes)


def test_a_smooth_landscape_is_climbed_faster_than_by_lot() -> None:
    """Where near genes have near scores, as a search hopes, it finds more in as many trials."""

    def fitness(gene: Gene) -> float:
        return -sum(abs(layer - wanted) for layer, wanted in zip(gene, (3, 6), strict=True))

    seeds = range(30)
    runs = [evolve(fitness, 2, 6, np.random.default_rng(seed)) for seed in seeds]
    by_lot = [
        max(
            fitness(GENES[place])
            for place in np.random.default_rng(100 + seed).permutation(28)[: len(run.tried)]
        )
        for seed, run in zip(seeds, runs, strict=True)
    ]
    assert np.mean([run.best_so_far[-1] for run in runs]) > np.mean(by_lot)


def test_genes_by_lot_are_all_alike() -> None:
    rng = np.random.default_rng(0)
    drawn = [random_gene(2, 6, rng) for _ in range(2800)]
    assert set(drawn) == set(GENES) and max(drawn.count(gene) for gene in GENES) < 160


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
        assert all(set(one) & set(other) for one, other in pairwise(sets))
        assert set().union(*sets) == set(range(1, 7))
    for name in ("skip middle", "cross"):
        assert set().union(*FOUR_SETS[name]) < set(range(1, 7))


def test_sets_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="no multiple of 4"):
        regular_sets(4, 6)
    with pytest.raises(ValueError, match="name its sets"):
        overlapping_sets(4, 12)
    with pytest.raises(ValueError, match="from 1"):
        WidenedStudent(((0, 1),), 4, 4)
    with pytest.raises(ValueError, match="from 1"):
        FusedTeacher(((1,), ()), 4, 4)


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
    weights = sum(one.numel() for one in WidenedStudent(sets, 6, 6).parameters())
    assert weights == sum(len(layers) * (6 * 6 + 6) for layers in sets)  # k d^2 + k d


@pytest.mark.parametrize("name", FOUR_SETS)
def test_ckd_is_the_official_code_on_the_same_tensors(name: str) -> None:
    """Both sides to length 1, squares added up over features, layers and real tokens, over the tokens."""
    sets, real = FOUR_SETS[name], torch.arange(T) < torch.tensor([5, 2, 4])[:, None]
    student, teacher = states(0, 2, B, T, 4), states(50, 6, B, T, D)
    fusion = WidenedStudent(sets, 4, D).double()
    batch = {"input_ids": torch.ones(B, T, dtype=torch.long), "attention_mask": real.long()}
    match = ckd(fusion)[2]
    found = match.distances(student, teacher, batch).sum() / real.sum()
    expected = 0.0
    for own, layers in enumerate(sets, start=1):
        linear = fusion.projections[own - 1]
        for text in range(B):
            for token in range(T):
                if not real[text, token]:
                    continue
                side = torch.cat([teacher(layer)[text, token] for layer in layers])
                said = linear(student(own)[text, token]).detach()
                side, said = side / side.norm(), said / said.norm()
                expected += sum(float(a - b) ** 2 for a, b in zip(said, side, strict=True))
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
    objective = Distillation(narrow(), teacher, ckd(fusion))
    loss(objective, batch_of()).backward()
    assert all(part.grad is None for part in teacher.parameters())
    assert all(part.grad is not None and part.grad.any() for part in fusion.parameters())
    assert "0x" not in json.dumps(objective.fingerprint)


@pytest.mark.parametrize("kind", [WidenedStudent, FusedTeacher])
def test_inv_padding_changes_no_loss(kind: Any) -> None:
    objective = Distillation(narrow(), ours(), ckd(kind(((1,), (1, 2)), 12, 16)))
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


def test_shares_of_ckd() -> None:
    fusion = LayerPairs(((1, 1),))
    assert [match.weight for match in ckd(fusion)] == pytest.approx([0.2, 0.1, 0.7])
    assert [match.knowledge for match in ckd(fusion)] == [LOGITS, LABELS, HIDDEN_STATES]
    assert ckd(fusion, alpha=0.4, beta=0.6)[1].weight == pytest.approx(0)
    with pytest.raises(ValueError, match="together at most 1"):
        ckd(fusion, alpha=0.5, beta=0.6)


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
    one = draw(2, B, D)
    for seed in range(3):
        _, mixture = combine_layers(draw(seed, B, D), one[:, None].expand(B, 4, D))
        assert torch.allclose(mixture, one)


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


def test_the_loss_of_alp_on_models_is_that_of_its_parts() -> None:
    student, teacher, batch = ours(seed=1), ours(), batch_of()
    found = loss(Distillation(student, teacher, alp_kd(all_layers(2, 2), layers=3.0)), batch)
    with torch.no_grad():
        own, taught = (observe(model, batch, {HIDDEN}) for model in (student, teacher))
    expected = 0.5 * cross_entropy(own.output.logits, batch["labels"]).mean()
    expected = expected + 0.5 * SoftenedKL()(own.output.logits, taught.output.logits).mean()
    for layer in (1, 2):
        keys = torch.stack([taught.hidden_states[n][:, 0] for n in (1, 2)], dim=1)
        query = own.hidden_states[layer][:, 0]
        shares = torch.einsum("bd,bnd->bn", query, keys).softmax(-1)
        mixture = torch.einsum("bn,bnd->bd", shares, keys)
        expected = expected + 3.0 * (query - mixture).square().mean()
    assert found.item() == pytest.approx(float(expected), abs=1e-6)


def test_alp_wants_equal_widths_and_its_combination_is_told() -> None:
    with pytest.raises(ValueError, match="as wide as its teacher"):
        loss(Distillation(narrow(), ours(), alp_kd(all_layers(2, 2))), batch_of())
    told = [
        json.dumps(Distillation(ours(seed=1), ours(), alp_kd(all_layers(2, 2), combine)).fingerprint)
        for combine in (combine_layers, combine_scaled)
    ]
    assert told[0] != told[1] and "0x" not in told[0]


# --- a teacher seen once --------------------------------------------------------------------------


def test_inv_kept_states_are_what_a_teacher_says_in_each_step() -> None:
    teacher, student = ours(), ours(seed=1)
    batches = TaskBatches(rows(), batch_size=3, seed=4)
    kept = KeptStates.of(teacher, batches, 3)
    matches = [*elm((1, 2)), *ckd(FusedTeacher(((1,), (1, 2)), 16, 16)), *alp_kd(all_layers(2, 2))]
    live, cached = Distillation(student, teacher, matches), Distillation(student, None, matches)
    for number in range(3):
        expected = loss(live, batches(number)).item()
        assert loss(cached, kept(number)).item() == pytest.approx(expected, rel=2e-3)
    assert kept.size == 3 and torch.equal(kept(4)["input_ids"], kept(1)["input_ids"])


def test_kept_states_are_known_by_their_contents() -> None:
    batches = TaskBatches(rows(), batch_size=3, seed=4)
    told = [
        KeptStates.of(teacher, batches, count).fingerprint
        for teacher, count in ((ours(), 2), (ours(), 2), (ours(seed=5), 2), (ours(), 3))
    ]
    assert told[0] == told[1] and told[0] not in told[2:] and json.loads(json.dumps(told[0])) == told[0]
    with pytest.raises(ValueError, match="training mode"):
        KeptStates.of(ours().train(), batches, 1)


def test_kept_states_can_be_learned_from() -> None:
    kept = KeptStates.of(ours(), TaskBatches(rows(), batch_size=5, seed=4), 2)
    objective = Distillation(
        ours(seed=1), None, [Match(CLS_STATES, LayerMixtures(((1, 2),)), normalized_sum)]
    )
    trainer = Trainer(objective, kept, adamw(objective), Constant(20, 3e-3))
    losses = [trainer.step()["loss"] for _ in range(20)]
    assert losses[-1] < losses[0]


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
