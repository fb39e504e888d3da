"""What notebook 31 measures of shared layers, its thinker, and multi-linear attention."""

import pytest
import torch

from chapters.nb31.curves import distances_and_angles
from chapters.nb31.multi_linear import multi_linear_attention
from chapters.nb31.thinker import STEPS, judge_thinker, trails, train_thinker
from lib.bert.factors import factorize
from lib.compression.halting import ponder_cost


def test_distances_and_angles() -> None:
    states = [torch.tensor([[[1.0, 0.0], [2.0, 0.0]]]), torch.tensor([[[0.0, 1.0], [5.0, 4.0]]])]
    distances, angles = distances_and_angles(states, torch.tensor([[True, False]]))
    torch.testing.assert_close((distances, angles), (torch.tensor([2**0.5]), torch.tensor([90.0])))
    mean = distances_and_angles(states, torch.tensor([[True, True]]))
    torch.testing.assert_close(mean[0], torch.tensor([(2**0.5 + 5) / 2]))


def test_a_thinker_reads_trails_and_pays() -> None:
    numbers, ends = trails(3, torch.Generator().manual_seed(0), 50)
    assert ends[0].tolist() == numbers[0][numbers[0][numbers[0]]].tolist()
    assert torch.equal(*trails(1, torch.Generator().manual_seed(0), 50))
    model = train_thinker(hops=3, price=0.01, steps=2, seed=0)
    assert all(0 <= number <= STEPS for number in judge_thinker(model, 3, 100))
    logits, weights = model(numbers)
    assert logits.shape == (50, 8, 8) and weights.shape == (STEPS, 50, 8)
    (logits.sum() + ponder_cost(weights).sum()).backward()
    assert model.halt.weight.grad is not None and model.halt.weight.grad.abs().sum() > 0


def test_multi_linear_attention_is_three_products() -> None:
    generator = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, 5, 4, generator=generator)
    cores = torch.randn(2, 4, generator=generator)
    tensor = multi_linear_attention(query, key, value, cores).view(5, 5, 5)
    core = cores.mean(0)
    torch.testing.assert_close(tensor.sum(2), query @ (core * value.sum(0)).diag() @ key.T)
    torch.testing.assert_close(tensor.sum(1), query @ (core * key.sum(0)).diag() @ value.T)
    for way in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):  # the rank of no unfolding exceeds that of the core
        assert torch.linalg.matrix_rank(tensor.permute(way).flatten(1)) == 4
        torch.testing.assert_close(
            torch.matmul(*factorize(tensor.permute(way).flatten(1), 4)), tensor.permute(way).flatten(1)
        )
    assert not multi_linear_attention(query, key, value, 0 * cores).any()


@pytest.mark.parametrize("causal", [False, True])
def test_without_a_mask_the_future_leaks(causal: bool) -> None:
    generator = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, 5, 4, generator=generator)
    cores = torch.ones(1, 4)
    before = multi_linear_attention(query, key, value, cores, causal)
    key, value = key.clone(), value.clone()
    key[4] += 1
    value[4] += 1
    after = multi_linear_attention(query, key, value, cores, causal)
    assert torch.equal(after[:4], before[:4]) == causal


def test_a_thinker_takes_the_weights_of_its_reader() -> None:
    def first_step(probabilities: torch.Tensor, _epsilon: float) -> torch.Tensor:
        return torch.eye(len(probabilities))[0][:, None].expand(probabilities.shape)

    numbers, _ = trails(1, torch.Generator().manual_seed(0), 50)
    model = train_thinker(hops=1, price=0.1, steps=1, seed=0, weights_of=first_step)
    _, weights = model(numbers)
    assert (weights[0] == 1).all() and not weights[1:].any()
