"""The residual path: pre-LN equals PyTorch's own, and what is measured on it is what it says."""

from functools import partial
from itertools import product

import pytest
import torch
from torch import nn

from chapters.nb08 import residual
from lib import records
from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer, PreLNLayer

SMALL = BertConfig(hidden_size=12, num_attention_heads=3, intermediate_size=20)


def test_one_seed_gives_both_kinds_the_same_weights() -> None:
    draw = residual.DRAWS["Xavier"]
    post, pre = (residual.Reverser(kind, draw, 3, 16, 2, 2) for kind in residual.KINDS.values())
    assert post.state_dict().keys() == pre.state_dict().keys()
    assert all(torch.equal(tensor, pre.state_dict()[name]) for name, tensor in post.state_dict().items())


def test_the_last_norm_does_nothing_to_fresh_post_ln() -> None:
    model = residual.Reverser(EncoderLayer, residual.DRAWS["Xavier"], 0, 16, 2, 2)
    states = model.states(torch.randint(26, (3, 12)))
    assert len(states) == 4
    assert torch.allclose(states[-1], states[-2], atol=1e-5)


def test_training_is_the_same_from_the_same_seed_and_warm_up_begins_small() -> None:
    def trained(warm_up: int) -> tuple[list[float], torch.Tensor]:
        model = residual.Reverser(PreLNLayer, residual.DRAWS["Xavier"], 0, 16, 1, 2)
        before = model.answer.weight.detach().clone()
        right = residual.learn(model, 0, rate=0.01, warm_up=warm_up, steps=1)
        return right, (model.answer.weight.detach() - before).abs().max()

    assert trained(0) == trained(0)
    right, moved = trained(0)
    assert len(right) == 1 and 0 <= right[0] <= 1
    assert moved == pytest.approx(0.01, rel=1e-3)  # Adam's first step is as long as the rate
    assert trained(100)[1] == pytest.approx(0.0001, rel=1e-3)


def test_a_small_network_learns_to_reverse() -> None:
    model = residual.Reverser(PreLNLayer, residual.DRAWS["Xavier"], 0, 32, 2, 2)
    right = residual.learn(model, 0, rate=0.01, warm_up=0, steps=150)
    assert sum(right[-10:]) / 10 > 0.9
    assert sum(right[:5]) / 5 < 0.1


def test_how_alike_tokens_are() -> None:
    assert residual.mean_pairwise_cosine(torch.ones(2, 3, 4)) == pytest.approx(1)
    assert residual.mean_pairwise_cosine(torch.eye(3)[None]) == pytest.approx(0)
    assert residual.mean_pairwise_cosine(torch.tensor([[[1.0, 0], [-2, 0]]])) == pytest.approx(-1)


def test_how_loud_updates_are() -> None:
    torch.manual_seed(0)
    layer = EncoderLayer(SMALL).eval()
    hidden = torch.randn(1, 4, 12)
    first, second = residual.update_to_residual_ratio(layer, partial(layer, hidden))
    half = layer.attention.output
    update = half.dense(layer.attention.self(hidden))
    assert first == pytest.approx((update.norm(dim=-1) / hidden.norm(dim=-1)).mean().item())
    middle = half.LayerNorm(hidden + update)
    update = layer.output.dense(layer.intermediate(middle))
    assert second == pytest.approx((update.norm(dim=-1) / middle.norm(dim=-1)).mean().item())
    assert not half._forward_hooks, "the hooks are gone"


def test_quiet_weights_leave_a_token_as_it_is() -> None:
    draw = partial(nn.init.normal_, std=1e-4)
    quiet = residual.start(draw, size=24, layers=3, heads=2)
    assert quiet.left["post-LN"] == pytest.approx(1, abs=1e-3)
    assert quiet.left["pre-LN"] == pytest.approx(1, abs=1e-3)
    assert len(quiet.update_to_residual) == 6 and max(quiet.update_to_residual) < 0.01
    for alike in quiet.alike.values():
        assert alike == pytest.approx(alike[:1] * 4, abs=1e-2), "nothing makes the tokens more alike"


def test_loud_weights_leave_less_in_post_ln() -> None:
    sizes = {"size": 48, "layers": 8, "heads": 4}
    loud = residual.start(residual.DRAWS["Xavier"], **sizes)
    assert loud.left["post-LN"] < 0.15 < loud.left["pre-LN"]
    assert len(loud.alike["post-LN"]) == 9
    assert loud.alike["post-LN"][-1] > loud.alike["pre-LN"][-1] > loud.alike["pre-LN"][0]


def test_the_record_says_what_the_notebook_says() -> None:
    worst, best, table = {}, {}, records.table("warm_up")
    for arm in product(residual.DRAWS, residual.KINDS, (0, residual.WARM_UP), residual.RATES):
        start, order, steps, rate = arm
        right = table.values("letters", f"{start}, {order}, warm-up {steps}, rate {rate}", "right")
        worst[arm], best[arm] = min(right), max(right)
    rates, warm_up = residual.RATES, residual.WARM_UP
    assert min(worst["Xavier", "pre-LN", steps, rate] for steps in (0, warm_up) for rate in rates) > 0.9
    assert max(best["Xavier", "post-LN", 0, rate] for rate in rates[1:]) < 0.2
    assert worst["Xavier", "post-LN", warm_up, 0.002] > 0.9
    assert worst["Xavier", "post-LN", warm_up, 0.004] < 0.2  # one seed of three
    assert best["Xavier", "post-LN", warm_up, 0.004] > 0.9
    assert best["Xavier", "post-LN", warm_up, 0.008] < 0.1
    assert min(worst["std 0.02", "post-LN", 0, rate] for rate in rates[:3]) > 0.9
    assert best["std 0.02", "post-LN", 0, 0.008] < 0.1 < 0.9 < worst["std 0.02", "post-LN", warm_up, 0.008]
