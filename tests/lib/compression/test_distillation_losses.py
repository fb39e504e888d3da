"""Losses of distillation: what has to hold of them, and each method's published form, derived here anew.

The published forms are written out on whole tensors with padding, with the reductions of the official code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.distillation import methods
from lib.compression.distillation.knowledge import (
    ATTENTION_PROBS,
    ATTENTION_SCORES,
    CLS_STATES,
    HIDDEN_STATES,
    LOGITS,
    TOKEN_LOGITS,
    VALUE_RELATIONS,
    Knowledge,
    Observation,
    relations,
)
from lib.compression.distillation.layer_maps import (
    ANSWER,
    LayerPairs,
    Projected,
    distilbert_layers,
    last_to_last,
    pkd_last,
    pkd_skip,
    places_in_outputs,
    uniform_layer_map,
)
from lib.compression.distillation.losses import (
    SoftCrossEntropy,
    SoftenedKL,
    Summed,
    cosine_distance,
    distillation_loss,
    normalized_squared_error,
    relation_loss,
    score_error,
    squared_error,
)
from lib.compression.distillation.matches import UNITS, Match, named, terms_of
from lib.training.loop import Batch

B, T, H, C, V = 3, 5, 2, 4, 7
LENGTHS = (5, 3, 4)
REAL = torch.arange(T) < torch.tensor(LENGTHS)[:, None]  # [B, T]
BATCH: Batch = {
    "input_ids": torch.ones(B, T, dtype=torch.long),
    "attention_mask": REAL.long(),
    "labels": torch.tensor([2, 0, 3]),
}


def draw(seed: int, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def observation(seed: int, layers: int, size: int, logits: Sequence[int] = (B, C)) -> Observation:
    """As if a model of so many layers had run on `BATCH`."""
    return Observation(
        REAL,
        SimpleNamespace(logits=draw(seed, *logits)),
        [draw(seed + 10 + layer, B, T, size) for layer in range(layers + 1)],
        {
            part: [2 * draw(seed + start + layer, B, T, size) for layer in range(layers)]
            for part, start in (("query", 30), ("key", 50), ("value", 70))
        },
        [H] * layers,
    )


def loss(matches: Sequence[Match], student: Observation, teacher: Observation, batch: Batch = BATCH) -> float:
    """What the loop makes of the terms."""
    terms = terms_of(named(matches), student, teacher, batch).values()
    return sum(term.weight * float(term.sum) / int(UNITS[term.over](batch).sum()) for term in terms)


def per_class(match: Match) -> Match:
    """A mean over classes where ours is a sum: what a mean over all elements makes of it."""
    return replace(match, distance=lambda *logits: match.distance(*logits) / logits[0].size(-1))


def over_all_tokens(matches: Sequence[Match]) -> list[Match]:
    """The same with padding counted as tokens, wherever tokens are: what a plain mean over a batch does."""
    return [
        replace(match, knowledge=replace(match.knowledge, unit="all_tokens"))
        if match.knowledge.unit == "tokens"
        else match
        for match in matches
    ]


def score_error_of_all_keys(student: Tensor, teacher: Tensor) -> Tensor:
    """`score_error`, but divided by all keys, padding too."""
    return score_error(student, teacher) * (teacher > -100).sum(-1) / teacher.size(-1)


def cut(vectors: Tensor) -> Tensor:
    """[B, T, D] to [B, H, T, D / H]."""
    return torch.stack(vectors.chunk(H, dim=-1), dim=1)


def masked_scores(seen: Observation, layer: int) -> Tensor:
    """[B, H, T, T] of a layer counted from 0, as BERT's code has them before the softmax."""
    query, key = cut(seen.projected["query"][layer]), cut(seen.projected["key"][layer])
    scores = torch.einsum("bhqk,bhsk->bhqs", query, key) / math.sqrt(query.size(-1))
    return scores + (1.0 - REAL.double())[:, None, None, :] * -10000.0


close = pytest.approx


# --- the three of the exercises -------------------------------------------------------------------


def test_distillation_loss_is_the_formula() -> None:
    student, teacher, labels = draw(0, B, C), draw(1, B, C), BATCH["labels"]
    soft = hard = 0.0
    for row in range(B):
        p, q = (F.softmax(logits[row] / 3.0, dim=0) for logits in (teacher, student))
        soft += float((p * (p / q).log()).sum()) / B
        hard -= float(F.softmax(student[row], dim=0)[labels[row]].log()) / B
    found = distillation_loss(student, teacher, labels, 3.0, 0.3)
    assert float(found) == close(0.3 * 9.0 * soft + 0.7 * hard, abs=1e-9)


def test_relation_loss_is_minilms_for_unlike_widths() -> None:
    """INV MiniLM: defined and finite for d' other than d, each side scaled by its own head size."""
    student, teacher = draw(0, B, T, 6), draw(1, B, T, 10)
    total = 0.0
    for text in range(B):
        for head in range(H):
            own, taught = (v[text].chunk(H, dim=-1)[head] for v in (student, teacher))
            q, p = ((v @ v.T / math.sqrt(v.size(-1))).softmax(-1) for v in (own, taught))
            total += float((p * (p / q).log()).sum(-1).mean()) / (B * H)
    assert float(relation_loss(student, teacher, H)) == close(total, abs=1e-9)


@pytest.mark.parametrize(
    ("student", "teacher", "expected"),
    [(3, 6, [0, 2, 4, 6]), (2, 6, [0, 3, 6]), (4, 12, [0, 3, 6, 9, 12]), (6, 12, [0, 2, 4, 6, 8, 10, 12])],
)
def test_uniform_layer_map_fixtures(student: int, teacher: int, expected: list[int]) -> None:
    assert uniform_layer_map(student, teacher) == expected
    assert expected[-1] == teacher and all(a < b for a, b in pairwise(expected))


@pytest.mark.parametrize(
    ("student", "teacher", "attentions"), [(3, 6, [1, 3, 5]), (2, 6, [2, 5]), (4, 12, [2, 5, 8, 11])]
)
def test_an_attention_stands_one_place_before_its_hidden_state(
    student: int, teacher: int, attentions: list[int]
) -> None:
    states, found = places_in_outputs(student, teacher)
    assert [taught for _, taught in states] == uniform_layer_map(student, teacher)
    assert found == list(enumerate(attentions))


# --- maps: the fixtures of the specifications -----------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "zero_based"), [((3, 6), [1, 3, 5]), ((2, 6), [2, 5]), ((4, 12), [2, 5, 8, 11])]
)
def test_tinybert_attention_of_layer_m_is_that_of_the_layer_whose_state_it_learns(
    sizes: tuple[int, int], zero_based: list[int]
) -> None:
    states = LayerPairs(tuple(enumerate(uniform_layer_map(*sizes))))
    _, attention = methods.tinybert_layers(*sizes, states)
    assert isinstance(attention.map, LayerPairs)
    assert [taught - 1 for _, taught in attention.map.pairs] == zero_based
    assert [own for own, _ in attention.map.pairs] == list(range(1, sizes[0] + 1))


@pytest.mark.parametrize(
    ("student", "teacher", "skip", "last"),
    [
        (3, 6, [2, 4], [4, 5]),
        (2, 6, [3], [5]),
        (6, 12, [2, 4, 6, 8, 10], [7, 8, 9, 10, 11]),
        (3, 12, [4, 8], [10, 11]),
        (6, 24, [4, 8, 12, 16, 20], [19, 20, 21, 22, 23]),
    ],
)
def test_pkd_maps_have_one_layer_less_and_never_the_last(
    student: int, teacher: int, skip: list[int], last: list[int]
) -> None:
    assert (pkd_skip(student, teacher), pkd_last(student, teacher)) == (skip, last)
    assert len(skip) == len(last) == student - 1 and teacher not in skip + last


@pytest.mark.parametrize(
    ("student", "teacher", "expected"),
    [(6, 12, [0, 2, 4, 7, 9, 11]), (3, 6, [0, 2, 5]), (2, 6, [0, 5]), (6, 6, [0, 1, 2, 3, 4, 5])],
)
def test_distilbert_layers_fixtures(student: int, teacher: int, expected: list[int]) -> None:
    assert distilbert_layers(student, teacher) == expected


def test_minilm_teaches_the_last_layer_alone() -> None:
    assert [match.map for match in methods.minilm(3, 6)] == [LayerPairs(((3, 6),))] * 2


# --- each method's official form, on the same tensors ---------------------------------------------


def test_hinton_is_distillation_loss_of_the_rows() -> None:
    student, teacher = observation(0, 1, 8), observation(1, 1, 8)
    expected = distillation_loss(student.output.logits, teacher.output.logits, BATCH["labels"], 4.0, 0.8)
    assert loss(methods.hinton(4.0, 0.8), student, teacher) == close(float(expected), abs=1e-9)


def test_distilbert_official() -> None:
    """KL at all real tokens, masked-LM loss at labels, cosine of the last states at real tokens."""
    student, teacher = observation(0, 3, 8, (B, T, V)), observation(1, 6, 8, (B, T, V))
    labels = torch.full((B, T), -100)
    labels[0, 1], labels[1, 2], labels[2, 3] = 3, 6, 0
    own, taught = student.output.logits[REAL], teacher.output.logits[REAL]  # [tokens, V]
    kl = F.kl_div(F.log_softmax(own / 2, -1), F.softmax(taught / 2, -1), reduction="batchmean") * 4
    mlm = F.cross_entropy(student.output.logits.view(-1, V), labels.view(-1), ignore_index=-100)
    states = student.hidden_states[3][REAL], teacher.hidden_states[6][REAL]
    cosine = F.cosine_embedding_loss(*states, torch.ones(int(REAL.sum())))
    matches, batch = methods.distilbert(3, 6), BATCH | {"labels": labels}
    assert loss(matches, student, teacher, batch) == close(float(5 * kl + 2 * mlm + cosine), abs=1e-6)
    # the code's option: the guesses at masked pieces alone
    at_masks = replace(matches[0], knowledge=replace(TOKEN_LOGITS, unit="labels"))
    own, taught = student.output.logits[labels != -100], teacher.output.logits[labels != -100]
    kl = F.kl_div(F.log_softmax(own / 2, -1), F.softmax(taught / 2, -1), reduction="batchmean") * 4
    assert loss([at_masks], student, teacher, batch) == close(float(5 * kl), abs=1e-6)


def test_pkd_official() -> None:
    """The code: KL as a mean over rows and classes, the patient loss one over rows, layers and features."""
    student, teacher = observation(0, 3, 8), observation(1, 6, 8)
    own, taught = student.output.logits, teacher.output.logits
    kl = 100 * F.kl_div(F.log_softmax(own / 10, 1), F.softmax(taught / 10, 1), reduction="none").mean()
    hard = F.cross_entropy(own, BATCH["labels"])
    for layers in (pkd_skip(3, 6), pkd_last(3, 6)):
        s = torch.stack([student.hidden_states[layer][:, 0] for layer in (1, 2)], dim=1)  # [B, M - 1, D]
        t = torch.stack([teacher.hidden_states[layer][:, 0] for layer in layers], dim=1)
        patient = nn.MSELoss()(s / s.norm(dim=2, keepdim=True), t / t.norm(dim=2, keepdim=True))
        official = float(0.7 * kl + 0.3 * hard + 500 * patient)
        matches = methods.pkd(3, 6, layers)
        assert loss([per_class(matches[0]), *matches[1:]], student, teacher) == close(official, abs=1e-6)
        # the paper: KL summed over classes, distances summed over features and layers
        paper = Match(CLS_STATES, matches[2].map, Summed(normalized_squared_error), 1.0)
        summed = float(patient) * 2 * 8
        assert loss([paper], student, teacher) == close(summed, abs=1e-6)
        assert loss(matches[:1], student, teacher) == close(float(0.7 * kl) * C, abs=1e-6)


def test_teacher_assistants_official() -> None:
    """The code: nn.KLDivLoss() as it is, a mean over rows and classes, times the temperature squared."""
    student, teacher = observation(0, 3, 8), observation(1, 6, 8)
    own, taught = student.output.logits, teacher.output.logits
    kl = 16 * F.kl_div(F.log_softmax(own / 4, 1), F.softmax(taught / 4, 1), reduction="none").mean()
    official = float(0.3 * F.cross_entropy(own, BATCH["labels"]) + 0.7 * kl)
    soft, labels = methods.hinton(4.0, 0.7)
    assert loss([per_class(soft), labels], student, teacher) == close(official, abs=1e-6)
    paper = official + float(0.7 * kl) * (C - 1)
    assert loss(methods.hinton(4.0, 0.7), student, teacher) == close(paper, abs=1e-6)


def test_tinybert_official() -> None:
    """The code: all means over padding too, one dense layer for all states, scores at or below -100 as 0."""
    student, teacher = observation(0, 2, 6), observation(1, 6, 8)
    projected = methods.tinybert_projection(2, 6, 6, 8).double().requires_grad_(False)
    weight, bias = projected.projection.weight, projected.projection.bias
    official = 0.0
    for i in range(3):
        own = student.hidden_states[i] @ weight.T + bias
        official += float(F.mse_loss(own, teacher.hidden_states[i * 6 // 2]))
    per_block = 6 // 2
    for i in range(2):
        scores = masked_scores(student, i), masked_scores(teacher, i * per_block + per_block - 1)
        own, taught = (torch.where(s <= -1e2, torch.zeros_like(s), s) for s in scores)
        official += float(F.mse_loss(own, taught))
    of_states, of_scores = methods.tinybert_layers(2, 6, projected)
    matches = over_all_tokens([of_states, replace(of_scores, distance=score_error_of_all_keys)])
    assert loss(matches, student, teacher) == close(official, abs=1e-6)

    log_own, p = F.log_softmax(student.output.logits, -1), F.softmax(teacher.output.logits, -1)
    stage_2 = [per_class(match) for match in methods.tinybert_answers()]
    assert loss(stage_2, student, teacher) == close(float((-p * log_own).mean()), abs=1e-6)
    paper = float((-p * log_own).sum(-1).mean())
    assert loss(methods.tinybert_answers(), student, teacher) == close(paper, abs=1e-6)


def test_tinybert_without_padding_is_the_same_either_way() -> None:
    """Paper and code differ in padding alone: each text cut to its length gives ours as well."""
    student, teacher = observation(0, 2, 8), observation(1, 6, 8)
    total = 0.0
    for text, length in enumerate(LENGTHS):
        for m, n in ((0, 0), (1, 3), (2, 6)):
            gap = (student.hidden_states[m] - teacher.hidden_states[n])[text, :length]
            total += float(gap.square().mean(-1).sum())
        for m, n in ((1, 3), (2, 6)):
            gap = (masked_scores(student, m - 1) - masked_scores(teacher, n - 1))[text, :, :length, :length]
            total += float(gap.square().mean(-1).mean(0).sum())
    states = LayerPairs(((0, 0), (1, 3), (2, 6)))
    assert loss(methods.tinybert_layers(2, 6, states), student, teacher) == close(
        total / sum(LENGTHS), abs=1e-6
    )


def test_minilm_official() -> None:
    """Each text cut to its length; KL summed over keys, averaged over heads and real tokens."""
    student, teacher = observation(0, 2, 6), observation(1, 6, 8)
    attention = value = 0.0
    for text, length in enumerate(LENGTHS):
        for head in range(H):
            sides = []
            for seen in (student, teacher):
                q, k, v = (
                    cut(seen.projected[part][-1])[text, head, :length] for part in ("query", "key", "value")
                )
                size = math.sqrt(q.size(-1))
                sides.append(((q @ k.T / size).softmax(-1), (v @ v.T / size).softmax(-1)))
            (own_a, own_v), (p_a, p_v) = sides
            attention += float((p_a * (p_a / own_a).log()).sum())
            value += float((p_v * (p_v / own_v).log()).sum())
    official = (attention + value) / (H * sum(LENGTHS))
    assert loss(methods.minilm(2, 6), student, teacher) == close(official, abs=1e-6)


def test_minilm_values_without_padding_are_relation_loss() -> None:
    student, teacher = observation(0, 2, 6), observation(1, 6, 8)
    student.real = teacher.real = torch.ones(B, T, dtype=torch.bool)
    batch = {"input_ids": BATCH["input_ids"]}
    expected = relation_loss(student.projected["value"][-1], teacher.projected["value"][-1], H)
    match = Match(VALUE_RELATIONS, last_to_last(2, 6), SoftenedKL())
    assert loss([match], student, teacher, batch) == close(float(expected), abs=1e-6)


def test_minilm_2_regroups_relation_heads() -> None:
    """Any number of relation heads, also where the models have others: here 4, of 2 and of 4 features."""
    student, teacher = observation(0, 2, 8), observation(1, 6, 16)
    teacher.num_heads = [8] * 6
    matches = [
        Match(relations(part, 4), last_to_last(2, 6), SoftenedKL()) for part in ("query", "key", "value")
    ]
    total = 0.0
    for part in ("query", "key", "value"):
        for text, length in enumerate(LENGTHS):
            for head in range(4):
                own, taught = (
                    seen.projected[part][-1][text, :length].chunk(4, dim=-1)[head]
                    for seen in (student, teacher)
                )
                q, p = ((v @ v.T / math.sqrt(v.size(-1))).softmax(-1) for v in (own, taught))
                total += float((p * (p / q).log()).sum())
    assert loss(matches, student, teacher) == close(total / (4 * sum(LENGTHS)), abs=1e-9)
    assert [*named(matches)] == ["query_relations", "key_relations", "value_relations"]


# --- invariants: Hinton ---------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [1.0, 4.0, 20.0])
def test_inv_hinton_zero_where_both_say_the_same_and_blind_to_shifts(temperature: float) -> None:
    soft, z, other = SoftenedKL(temperature), draw(0, B, C), draw(1, B, C)
    assert soft(z, z).abs().max() < 1e-12
    assert torch.allclose(soft(z.float(), z.float()), torch.zeros(B), atol=1e-5)
    assert torch.allclose(soft(z + 3, other - 5), soft(z, other))


def test_inv_hinton_alpha_0_is_cross_entropy_exactly() -> None:
    z, labels = draw(0, B, C).float(), BATCH["labels"]
    assert torch.equal(
        distillation_loss(z, draw(1, B, C).float(), labels, 5.0, 0.0), F.cross_entropy(z, labels)
    )


def gradient(temperature: float) -> Tensor:
    student = draw(0, B, C).requires_grad_()
    SoftenedKL(temperature)(student, draw(1, B, C)).sum().backward()
    assert student.grad is not None
    return student.grad


def test_inv_hinton_gradient_is_t_times_the_difference_of_probabilities() -> None:
    own, taught = ((draw(seed, B, C) / 7.0).softmax(-1) for seed in (0, 1))
    assert torch.allclose(gradient(7.0), 7.0 * (own - taught))


def test_inv_hinton_gradient_tends_to_matching_centered_logits() -> None:
    student, teacher = draw(0, B, C), draw(1, B, C)
    centered = ((student - student.mean(1, True)) - (teacher - teacher.mean(1, True))) / C
    errors = [float((gradient(t) - centered).norm() / centered.norm()) for t in (10.0, 100.0, 1000.0)]
    assert errors[0] < 0.3
    assert errors[0] / errors[1] == close(10, rel=0.2) and errors[1] / errors[2] == close(10, rel=0.05)


def test_inv_without_t_squared_the_gradient_would_shrink() -> None:
    assert gradient(100.0).norm() / gradient(10.0).norm() == close(1.0, abs=0.3)
    without = []
    for t in (10.0, 100.0):
        student = draw(0, B, C).requires_grad_()
        own, taught = F.log_softmax(student / t, -1), F.softmax(draw(1, B, C) / t, -1)
        without.append(torch.autograd.grad(F.kl_div(own, taught, reduction="sum"), student)[0].norm())
    assert without[1] / without[0] == close(0.01, rel=0.3)


def test_inv_kl_is_not_symmetric_and_the_teacher_is_the_target() -> None:
    own, p = (draw(seed, B, C) for seed in (0, 1))
    expected = F.kl_div(own.log_softmax(-1), p.softmax(-1), reduction="none").sum(-1)
    assert torch.allclose(SoftenedKL()(own, p), expected)
    assert not torch.allclose(SoftenedKL()(p, own), expected, rtol=1e-2)


def test_inv_a_mean_over_elements_is_the_mean_over_rows_divided_by_classes() -> None:
    own, p = (draw(seed, B, C) for seed in (0, 1))
    mean = nn.KLDivLoss(reduction="mean")(F.log_softmax(own / 3, -1), F.softmax(p / 3, -1))
    assert float(SoftenedKL(3.0)(own, p).mean()) == close(9 * C * float(mean))


def test_inv_soft_cross_entropy_of_equals_is_the_entropy_with_gradient_0() -> None:
    z = draw(0, B, C).requires_grad_()
    p = z.detach().softmax(-1)
    found = SoftCrossEntropy()(z, z.detach())
    assert torch.allclose(found, -(p * p.log()).sum(-1))
    found.sum().backward()
    assert z.grad is not None and z.grad.abs().max() < 1e-12


# --- invariants: DistilBERT and PKD ---------------------------------------------------------------


def test_inv_cosine_is_blind_to_lengths() -> None:
    own, taught = draw(0, B, T, 8), draw(1, B, T, 8)
    assert torch.allclose(cosine_distance(3 * own, 0.1 * taught), cosine_distance(own, taught))
    assert cosine_distance(own, 2 * own).abs().max() < 1e-9


def test_inv_patient_loss_is_blind_to_lengths_and_bounded() -> None:
    own, taught, d = draw(0, B, 8), draw(1, B, 8), 8
    found = normalized_squared_error(own, taught)
    assert torch.allclose(normalized_squared_error(5 * own, 0.2 * taught), found)
    assert torch.allclose(d * found, 2 - 2 * F.cosine_similarity(own, taught))
    assert torch.allclose(d * normalized_squared_error(own, -own), torch.tensor(4.0, dtype=torch.float64))
    assert normalized_squared_error(own, own).abs().max() < 1e-15


def test_inv_patient_loss_reads_the_first_token_after_each_layer() -> None:
    """Nothing but [CLS], and layer 1 is not the embeddings."""
    student, teacher = observation(0, 3, 8), observation(1, 6, 8)
    patient = methods.pkd(3, 6)[2:]
    before = loss(patient, student, teacher)
    student.hidden_states[1][:, 1:] = 0
    student.hidden_states[0].zero_()
    student.hidden_states[3].zero_()
    assert loss(patient, student, teacher) == before
    student.hidden_states[1][:, 0] = 1.0
    assert loss(patient, student, teacher) != before


# --- invariants: TinyBERT -------------------------------------------------------------------------


def permuted(seen: Observation) -> Observation:
    swap: dict[str, Sequence[Tensor]] = {
        name: [torch.cat(v.chunk(H, -1)[::-1], -1) for v in values] for name, values in seen.projected.items()
    }
    return replace(seen, projected=swap)


def test_inv_heads_are_matched_one_by_one() -> None:
    student, teacher = observation(0, 2, 8), observation(1, 2, 8)
    match = [Match(ATTENTION_SCORES, LayerPairs(((1, 1), (2, 2))), score_error)]
    found = loss(match, student, teacher)
    assert loss(match, permuted(student), permuted(teacher)) == close(found, abs=1e-12)
    assert abs(loss(match, permuted(student), teacher) - found) > 1e-3


def test_inv_scores_are_those_before_the_softmax() -> None:
    """A constant added to a row changes them, and not what the softmax makes of them."""
    student, teacher = draw(0, B, T, H, T), draw(1, B, T, H, T)
    moved = student + 2.0
    assert not torch.allclose(score_error(moved, teacher), score_error(student, teacher))
    assert torch.allclose(SoftenedKL()(moved, teacher), SoftenedKL()(student, teacher))
    assert ATTENTION_SCORES.read(observation(0, 1, 8), 1).abs().max() > 1000
    assert torch.allclose(
        ATTENTION_PROBS.read(observation(0, 1, 8), 1),
        masked_scores(observation(0, 1, 8), 0).softmax(-1).transpose(1, 2),
    )


def test_inv_hidden_keys_count_nothing() -> None:
    """Without the rule of -100, masks that differ would make a loss of 10^8."""
    student, teacher = draw(0, 4), draw(1, 4)
    student[2:] -= 10_000
    teacher[3:] -= 10_000
    expected = (student[:2] - teacher[:2]).square().sum() + teacher[2] ** 2
    assert float(score_error(student, teacher)) == close(float(expected) / 3)


def test_inv_tinybert_of_equals_is_0() -> None:
    seen = observation(0, 3, 8)
    projected = Projected(list(enumerate(uniform_layer_map(3, 3))), 8, 8).double().requires_grad_(False)
    nn.init.eye_(projected.projection.weight)
    nn.init.zeros_(projected.projection.bias)
    assert loss(methods.tinybert_layers(3, 3, projected), seen, seen) == close(0, abs=1e-12)
    p = seen.output.logits.softmax(-1)
    entropy = float(-(p * p.log()).sum(-1).mean())
    assert loss(methods.tinybert_answers(), seen, seen) == close(entropy)


# --- invariants: MiniLM ---------------------------------------------------------------------------


def test_inv_all_methods_of_equals_are_0() -> None:
    seen = observation(0, 3, 8)
    for matches in (methods.hinton(2.0, 1.0), methods.minilm(3, 3)):
        assert loss(matches, seen, seen) == close(0, abs=1e-12)
    values = seen.projected["value"][0]
    assert float(relation_loss(values, values, H)) == close(0, abs=1e-12)
    seen = observation(0, 3, 8, (B, T, V))
    batch = BATCH | {"labels": torch.where(REAL, 1, -100)}
    assert loss(methods.distilbert(3, 3, masked_lm=0.0), seen, seen, batch) == close(0, abs=1e-12)


def test_inv_value_relations_are_blind_to_rotations_of_a_head() -> None:
    values, other = draw(0, B, T, 8), draw(1, B, T, 8)
    turn = torch.linalg.qr(draw(2, 4, 4))[0]
    turned = torch.cat([head @ turn for head in values.chunk(H, dim=-1)], dim=-1)
    assert torch.allclose(relation_loss(turned, other, H), relation_loss(values, other, H))


def test_inv_attention_is_blind_to_what_queries_and_keys_share() -> None:
    """Q P and K P^-T have the scores of Q and K."""
    student, teacher = observation(0, 2, 8), observation(1, 2, 8)
    match = [Match(ATTENTION_SCORES, last_to_last(2, 2), SoftenedKL())]
    found, change = loss(match, student, teacher), draw(5, 4, 4)
    for part, factor in (("query", change), ("key", torch.linalg.inv(change).T)):
        last = student.projected[part][1]
        student.projected[part] = [last, torch.cat([head @ factor for head in last.chunk(H, -1)], -1)]
    assert loss(match, student, teacher) == close(found)


def test_inv_padding_takes_no_part_in_relations() -> None:
    """Garbage where padding is changes nothing."""
    student, teacher = observation(0, 2, 6), observation(1, 2, 8)
    states = Projected([(0, 0), (1, 1), (2, 2)], 6, 8).double().requires_grad_(False)
    matches = [*methods.minilm(2, 2), *methods.tinybert_layers(2, 2, states)]
    before = loss(matches, student, teacher)
    for seen in (student, teacher):
        for tensors in (seen.hidden_states, *seen.projected.values()):
            for tensor in tensors:
                tensor[~REAL] = 100.0
    assert loss(matches, student, teacher) == close(before, abs=1e-9)
    assert abs(loss(over_all_tokens(matches), student, teacher) - before) > 1


# --- matches --------------------------------------------------------------------------------------


def test_terms_of_one_knowledge_are_numbered() -> None:
    two = [*methods.minilm(1, 1), *methods.minilm(2, 2)]
    assert [*named(two)] == [
        "attention_scores", "value_relations", "attention_scores_2", "value_relations_2"
    ]  # fmt: skip


def at_layer(knowledge: Knowledge, layer: int, size: int = 8) -> float:
    match = Match(knowledge, LayerPairs(((1, layer),)), squared_error)
    return loss([match], observation(0, 3, size), observation(1, 3, 8))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: uniform_layer_map(4, 6), "no multiple"),
    (lambda: uniform_layer_map(0, 6), "no multiple"),
    (lambda: at_layer(HIDDEN_STATES, 1, size=6), "Projected"),
    (lambda: at_layer(HIDDEN_STATES, 4), "no layer 4"),
    (lambda: at_layer(HIDDEN_STATES, -1), "no layer -1"),
    (lambda: at_layer(ATTENTION_SCORES, 0), "no layer 0"),
    (lambda: Match(LOGITS, ANSWER, squared_error, math.nan), "weighs nan"),
    (lambda: Match(replace(LOGITS, unit="sentences"), ANSWER, squared_error), "counted in 'sentences'"),
    (lambda: methods.hinton(temperature=0), "temperature is 0"),
    (lambda: methods.pkd(1, 6), "needs 2 at least"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_be_matched_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
