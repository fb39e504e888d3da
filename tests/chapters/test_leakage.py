"""The puzzle of notebook 10: who has seen whose token, by the masks and by the gradient."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb10.answers import seen
from lib.training.fitting import InMemory, fit, one_thread

LENGTH, VOCABULARY, SIZE = 8, 100, 64
BOTH = ~torch.eye(LENGTH, dtype=torch.bool)
LEFT = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril(-1)
RIGHT = LEFT.T
NEIGHBORS = (torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)).abs() == 1
CASES = {
    "one layer": [BOTH],
    "two layers": [BOTH] * 2,
    "left only": [LEFT] * 4,
    "left, then right": [LEFT, RIGHT],
    "neighbors": [NEIGHBORS] * 3,
}


class SmallEncoder(nn.Module):
    """The small encoder of the notebook, with one more place in front for those who may look at nobody."""

    def __init__(self, masks: list[Tensor]) -> None:
        super().__init__()
        self.masks = [F.pad(mask, (1, 0, 1, 0)) for mask in masks]  # [T + 1, T + 1]
        for mask in self.masks:
            mask[:, 0] = True
        self.tokens = nn.Embedding(VOCABULARY + 1, SIZE)
        self.positions = nn.Parameter(torch.randn(LENGTH + 1, SIZE))
        self.layers = nn.ModuleList(nn.Linear(SIZE, 3 * SIZE) for _ in masks)
        self.answer = nn.Linear(SIZE, VOCABULARY)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [T] to scores [T, V]."""
        asks = self.positions
        shows = self.tokens(F.pad(ids, (1, 0), value=VOCABULARY)) + asks
        for layer, mask in zip(self.layers, self.masks, strict=True):
            query = layer(asks)[:, :SIZE]
            _, key, value = layer(shows).chunk(3, dim=-1)
            scores = (query @ key.T / SIZE**0.5).masked_fill(~mask, float("-inf"))
            asks = shows = asks + scores.softmax(dim=-1) @ value
        answers: Tensor = self.answer(asks[1:])
        return answers


def noise(count: int, chosen: float = 1.0, seed: int = 0) -> InMemory:
    """So many batches of random tokens, `ids` [B, T], and which of them are to be named, `chosen` [B, T]."""
    generator = torch.Generator().manual_seed(seed)
    batches = []
    for _ in range(count):
        ids = torch.randint(VOCABULARY, (32, LENGTH), generator=generator)
        batches.append({"ids": ids, "chosen": torch.rand(ids.shape, generator=generator) < chosen})
    return InMemory(batches)


@pytest.mark.parametrize("masks", CASES.values(), ids=CASES)
def test_what_was_seen_is_what_a_score_depends_on(masks) -> None:
    torch.manual_seed(0)
    model = SmallEncoder(masks)
    looked_up: list[torch.Tensor] = []
    model.tokens.register_forward_hook(
        lambda module, given, vectors: looked_up.append(vectors.requires_grad_())
    )
    scores = model(torch.randint(VOCABULARY, (LENGTH,)))  # [T, V]
    weights = torch.randn(VOCABULARY)
    for place, row in enumerate(seen(masks)):
        (gradient,) = torch.autograd.grad(scores[place] @ weights, looked_up[0], retain_graph=True)
        assert torch.equal(gradient[1:].abs().sum(-1) > 1e-9, row)


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
