"""Which layer teaches which: ELM's genes, CKD's fused layers, ALP-KD's mixtures.

Published forms are derived anew, in plain loops, with the reductions of the official code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, loss, narrow, ours, rows
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
from lib.compression.distillation.layer_search import elm, increasing_genes, repaired
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


def test_inv_a_gene_of_zeros_is_no_loss_at_all() -> None:
    assert elm((0, 0)) == []
    pairs = LayerPairs(((2, 5), (6, 10)))
    assert elm((0, 5, 0, 0, 0, 10)) == [Match(HIDDEN_STATES, pairs, squared_error)]


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
def test_inv_the_projection_learns_and_the_teacher_gets_no_gradient(kind: Any) -> None:
    teacher, fusion = ours(), kind(((1,), (1, 2)), 12, 16)
    objective = Distillation(narrow(), teacher, [Match(HIDDEN_STATES, fusion, normalized_sum)])
    loss(objective, batch_of()).backward()
    assert all(part.grad is None for part in teacher.parameters())
    assert all(part.grad is not None and part.grad.any() for part in fusion.parameters())
    assert "0x" not in json.dumps(objective.fingerprint)


# --- ALP-KD ---------------------------------------------------------------------------------------


def test_other_ways_to_combine() -> None:
    """Scaled as in attention; shares that learn nothing; equal ones."""
    student, teachers = draw(0, B, D), draw(1, B, 4, D)
    weights, _ = combine_scaled(student, teachers)
    expected = torch.einsum("bd,bnd->bn", student, teachers).div(D**0.5).softmax(-1)
    assert torch.allclose(weights, expected)
    assert torch.equal(combine_fixed(student, teachers)[1], combine_layers(student, teachers)[1])
    assert torch.allclose(combine_evenly(student, teachers)[1], teachers.mean(1))


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
