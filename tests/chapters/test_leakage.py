"""The puzzle of notebook 10: who has seen whose token, by the masks and by the gradient."""

import pytest
import torch

from chapters.nb10.leakage import BOTH, LEFT, LENGTH, RIGHT, VOCABULARY, PositionQueryModel, noise, seen
from lib.training.fitting import InMemory, fit, one_thread

NEIGHBORS = (torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)).abs() == 1
CASES = {
    "one layer": [BOTH],
    "two layers": [BOTH] * 2,
    "left only": [LEFT] * 4,
    "left, then right": [LEFT, RIGHT],
    "neighbors": [NEIGHBORS] * 3,
}


@pytest.mark.parametrize("masks", CASES.values(), ids=CASES)
def test_what_was_seen_is_what_a_score_depends_on(masks) -> None:
    model = PositionQueryModel(masks, seed=0)
    looked_up: list[torch.Tensor] = []
    model.tokens.register_forward_hook(
        lambda module, given, vectors: looked_up.append(vectors.requires_grad_())
    )
    ids = torch.randint(VOCABULARY, (1, LENGTH), generator=torch.Generator().manual_seed(0))
    scores = model(ids)[0]  # [T, V]
    weights = torch.randn(VOCABULARY, generator=torch.Generator().manual_seed(1))
    for place, row in enumerate(seen(masks)):
        (gradient,) = torch.autograd.grad(scores[place] @ weights, looked_up[0], retain_graph=True)
        assert torch.equal(gradient[0, 1:].abs().sum(-1) > 1e-9, row)


def test_fit_goes_down_and_gives_the_loss_of_each_step() -> None:
    line = torch.nn.Linear(1, 1)
    torch.nn.init.constant_(line.weight, 3.0)
    torch.nn.init.zeros_(line.bias)
    one = InMemory([{"x": torch.ones(4, 1)}])
    losses = fit(line, lambda x: line(x).square().mean(), one, steps=200, rate=0.1)
    assert len(losses) == 200 and losses[0] == 9.0
    assert losses[-1] < 0.01


def test_batches_in_memory_come_in_turn_and_are_known_by_what_they_hold() -> None:
    batches = noise(3, chosen=0.5)
    assert all(torch.equal(batches(4)[name], batches(1)[name]) for name in ("ids", "chosen"))
    assert not torch.equal(batches(0)["ids"], batches(1)["ids"])
    assert batches.fingerprint == noise(3, chosen=0.5).fingerprint
    others = [noise(3), noise(2, 0.5), noise(3, 0.5, seed=1), InMemory([{"ids": batches(0)["ids"]}])]
    assert len({each.fingerprint["digest"] for each in (batches, *others)}) == 5


def test_threads_are_as_many_as_before() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(ValueError, match="inside"), one_thread():
            assert torch.get_num_threads() == 1
            raise ValueError("inside")
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
