"""Neighbors of which the student learns the hardest."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from tiny_berts import loss, narrow, ours, rows
from torch import Tensor

from lib.compression.distillation import methods
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.neighbors import (
    ByLot,
    Hardest,
    Nearest,
    NeighborBatches,
    WithNeighbors,
    hardest_rows,
    nearest,
)
from lib.compression.distillation.objective import Distillation
from lib.text.tasks import TaskBatches
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

POOL = [
    {"input_ids": [5 + place] * (3 + place % 4), "token_type_ids": [0] * (3 + place % 4)}
    for place in range(20)
]


def batches(teacher: Any, count: int = 4) -> NeighborBatches:
    """Ten rows, each with `count` neighbors in a pool of twenty."""
    taught = TaughtBatches(
        TaskBatches(rows(), batch_size=4, seed=0), {"logits": row_answers(teacher, rows())}
    )
    places = torch.stack([(7 * row + torch.arange(count)) % 20 for row in range(10)])
    return NeighborBatches(taught, POOL, row_answers(teacher, POOL), places)


def neighbors_of(batch: Batch) -> Batch:
    return {
        name.removeprefix("neighbor_"): tensor.flatten(0, 1)
        for name, tensor in batch.items()
        if name.startswith("neighbor_")
    }


def logits_of(student: Any, batch: Batch) -> tuple[Tensor, Tensor]:
    """The student's and the teacher's for the neighbors of a batch, [B * k, C] each."""
    inputs = neighbors_of(batch)
    taught = inputs.pop("logits")
    with torch.no_grad():
        return student(**inputs).logits, taught


# --- finding neighbors ----------------------------------------------------------------------------


def test_the_nearest_by_angle() -> None:
    torch.manual_seed(0)
    vectors, pool = torch.randn(5, 7), torch.randn(9, 7)
    places, distances = nearest(vectors, pool, 4)
    for row in range(5):
        angles = []
        for other in pool:
            cosine = float(vectors[row] @ other / (vectors[row].norm() * other.norm()))
            angles.append(math.acos(cosine) / math.pi)
        expected = sorted(range(9), key=angles.__getitem__)[:4]
        assert places[row].tolist() == expected
        assert distances[row].tolist() == pytest.approx([angles[place] for place in expected], abs=1e-5)
    assert nearest(pool, pool, 1)[0].flatten().tolist() == list(range(9))
    with pytest.raises(ValueError, match="from 1 to its size"):
        nearest(vectors, pool, 10)


# --- choosing -------------------------------------------------------------------------------------


def divergence(own: list[float], taught: list[float], temperature: float) -> float:
    """KL(teacher || student) by the formula, in plain loops."""

    def softened(logits: list[float]) -> list[float]:
        exponentials = [math.exp(number / temperature) for number in logits]
        return [number / sum(exponentials) for number in exponentials]

    return sum(t * math.log(t / s) for s, t in zip(softened(own), softened(taught), strict=True))


@pytest.mark.parametrize("choose", [ByLot(2), Nearest(2), Hardest(2)])
def test_inv_chosen_rows_belong_to_their_text_and_come_once(choose: Any) -> None:
    logits = torch.randn(5, 4, 3)
    chosen = choose(lambda: torch.randn(5, 4, 3), logits).view(5, 2)
    assert torch.equal(chosen // 4, torch.arange(5)[:, None].expand(5, 2))
    assert all(len(set(row.tolist())) == 2 for row in chosen)
    if isinstance(choose, Nearest):
        assert (chosen % 4).tolist() == [[0, 1]] * 5


# --- batches and objective ------------------------------------------------------------------------


def test_a_batch_brings_the_neighbors_of_its_rows() -> None:
    teacher = ours()
    found = batches(teacher)
    batch, places = found(1), found.places[found.batches.batches.places(1)]
    assert batch["neighbor_input_ids"].shape[:2] == (4, 4)
    for text in range(4):
        for number, place in enumerate(places[text].tolist()):
            mask = batch["neighbor_attention_mask"][text, number].bool()
            ids = batch["neighbor_input_ids"][text, number][mask].tolist()
            assert ids == POOL[place]["input_ids"]
            assert torch.equal(batch["neighbor_logits"][text, number], found.answers[place])
    assert torch.equal(batch["input_ids"], found.batches(1)["input_ids"])
    assert batches(teacher).fingerprint == found.fingerprint != batches(teacher, 3).fingerprint


def test_the_loss_of_the_hardest_is_the_formula() -> None:
    teacher, student = ours(), narrow()
    batch = batches(teacher)(0)
    objective = WithNeighbors(student, teacher, methods.hinton(5.0, 0.5), Hardest(2), weight=0.5)
    own, taught = logits_of(student, batch)
    chosen = hardest_rows(own.view(4, 4, 2), taught.view(4, 4, 2), 2, 5.0)
    aug = sum(25 * divergence(own[row].tolist(), taught[row].tolist(), 5.0) for row in chosen.tolist()) / 4
    plain = loss(Distillation(student, teacher, methods.hinton(5.0, 0.5)), batch).item()
    assert loss(objective, batch).item() == pytest.approx(plain + 0.5 * aug, rel=1e-5)


def test_dropout_picks_no_neighbor_and_the_student_learns_in_train() -> None:
    teacher, student = ours(), ours(seed=1, hidden_dropout_prob=0.5)
    objective = WithNeighbors(student, teacher, methods.hinton(), Hardest(1)).train()
    student.bert.embeddings.eval()  # as of one whose embeddings are frozen
    batch, chosen = batches(teacher)(0), []
    pick = objective.choose
    objective.choose = lambda ask, taught: chosen.append(pick(ask, taught)) or chosen[-1]  # type: ignore[func-returns-value]
    for seed in range(4):
        torch.manual_seed(seed)
        objective(**batch)
    assert all(torch.equal(rows_chosen, chosen[0]) for rows_chosen in chosen) and student.training
    assert not any(module.training for module in student.bert.embeddings.modules())


def test_passes_are_counted() -> None:
    teacher = ours()
    for choose, forward, backward in ((Hardest(1), 1 + 1 + 4, 2), (ByLot(1), 2, 2), (Nearest(4), 5, 5)):
        objective = WithNeighbors(narrow(), teacher, methods.hinton(), choose)
        measured = Trainer(objective, batches(teacher), adamw(objective), Constant(9, 1e-3)).step()
        assert (measured["forward_passes"], measured["backward_passes"]) == (forward, backward)


def test_what_neighbors_need_is_said() -> None:
    found = batches(ours())
    with pytest.raises(ValueError, match="give one for each"):
        NeighborBatches(found.batches, POOL, found.answers, found.places[:3])
