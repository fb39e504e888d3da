"""Losses of distillation: what has to hold of them, and each method's published form, derived here anew.

The published forms are written out on whole tensors with padding, with the reductions of the official code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.distillation import methods
from lib.compression.distillation.knowledge import (
    ATTENTION_SCORES,
    CLS_STATES,
    HIDDEN_STATES,
    LOGITS,
    TOKEN_LOGITS,
    Knowledge,
    Observation,
    relations,
)
from lib.compression.distillation.layer_maps import (
    ANSWER,
    LayerPairs,
    distilbert_layers,
    last_to_last,
    pkd_last,
    pkd_skip,
    uniform_layer_map,
)
from lib.compression.distillation.losses import (
    SoftenedKL,
    Summed,
    distillation_loss,
    normalized_squared_error,
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


# --- maps: the fixtures of the specifications -----------------------------------------------------


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


# --- invariants: TinyBERT -------------------------------------------------------------------------


def test_inv_hidden_keys_count_nothing() -> None:
    """Without the rule of -100, masks that differ would make a loss of 10^8."""
    student, teacher = draw(0, 4), draw(1, 4)
    student[2:] -= 10_000
    teacher[3:] -= 10_000
    expected = (student[:2] - teacher[:2]).square().sum() + teacher[2] ** 2
    assert float(score_error(student, teacher)) == close(float(expected) / 3)


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
