"""Freezing: what learns, when, and how fast."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch
from tiny_berts import CONFIG, ours, rows, theirs
from torch import Tensor, nn

from lib.bert import BertConfig, BertModel
from lib.bert.adapters import add_adapter
from lib.bert.alterations import parametrize
from lib.bert.heads import BertForMaskedLM, BertForSequenceClassification
from lib.text.tasks import TaskBatches
from lib.training.checkpoints import Checkpoints
from lib.training.finetuning import FineTuning
from lib.training.freezing import (
    GradualUnfreezing,
    freeze,
    layer_factors,
    layer_rates,
    parameter_part,
    parts,
    train_only,
    train_top,
)
from lib.training.loop import Trainer
from lib.training.optim import LR_FACTOR, adamw, parameter_groups
from lib.training.schedules import Constant, LinearDecay

LAYERS = 3
three_layers = partial(ours, num_hidden_layers=LAYERS, hidden_dropout_prob=0.1)
MODELS: list[Callable[[], nn.Module]] = [three_layers, partial(theirs, num_hidden_layers=LAYERS)]
BATCHES = TaskBatches(rows(16), batch_size=4, seed=0)
PARTS = ["embeddings", "layer 0", "layer 1", "layer 2", "pooler", "head"]


def learning(model: nn.Module) -> list[str]:
    """The parts that learn, all of each; a part may not learn by halves."""
    by_part = {part: {p.requires_grad for p in found} for part, found in parts(model).items()}
    assert all(len(flags) == 1 for flags in by_part.values())
    return [part for part, flags in by_part.items() if flags == {True}]


def weights(model: nn.Module) -> dict[str, Tensor]:
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def moved(model: nn.Module, before: dict[str, Tensor]) -> set[str]:
    """The parts of which a weight is not what it was, to the bit."""
    now = dict(model.named_parameters())
    return {parameter_part(name) for name, weight in before.items() if not torch.equal(weight, now[name])}


# --- what learns ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MODELS)
def test_parts_hold_every_parameter_once_from_the_bottom_up(make: Callable[[], nn.Module]) -> None:
    model = make()
    assert list(parts(model)) == PARTS
    assert sum(map(len, parts(model).values())) == len(list(model.parameters()))


def test_layer_ten_stands_above_layer_nine() -> None:
    model = BertForSequenceClassification(
        BertConfig(50, 4, num_hidden_layers=11, num_attention_heads=1, intermediate_size=4)
    )
    assert list(parts(model))[10:12] == ["layer 9", "layer 10"]
    train_only(model, "layer 1")
    assert learning(model) == ["layer 1"]


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("k", range(LAYERS + 1))
def test_top_layers_learn_with_pooler_and_head(make: Callable[[], nn.Module], k: int) -> None:
    model = make()
    train_top(model, k)
    assert learning(model) == PARTS[len(PARTS) - 2 - k :]


def test_a_bad_number_of_layers_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 3"):
        train_top(three_layers(), 4)
    with pytest.raises(ValueError, match="neither pooler nor head"):
        train_top(BertModel(CONFIG, add_pooling_layer=False), 0)


def test_patterns_fit_names_and_parts() -> None:
    model = three_layers()
    freeze(model, "embeddings", "layer [01]")
    assert learning(model) == ["layer 2", "pooler", "head"]
    train_only(model, "*.LayerNorm.*", "classifier.*")
    names = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    assert all("LayerNorm" in name or name.startswith("classifier.") for name in names)
    assert len(names) == 2 * (1 + 2 * LAYERS) + 2
    with pytest.raises(ValueError, match=r"fits 'layer 3': .*embeddings"):
        freeze(model, "layer 3")


def test_frozen_drops_its_gradient() -> None:
    model = three_layers()
    model(torch.zeros(1, 3, dtype=torch.long), labels=torch.tensor([1])).loss.backward()
    freeze(model, "layer 0")
    assert {parameter.grad is None for parameter in parts(model)["layer 0"]} == {True}
    assert {parameter.grad is None for parameter in parts(model)["layer 1"]} == {False}


def test_what_is_put_into_a_layer_belongs_to_it() -> None:
    model = three_layers()
    parametrize(model, "bert.encoder.layer.1.attention.self.query", "LoRA", rank=2)
    add_adapter(model, "bert.encoder.layer.2.output", size=2)
    assert list(parts(model)) == PARTS
    train_top(model, 1)
    assert learning(model) == ["layer 2", "pooler", "head"]
    train_only(model, "*.adapter.*", "*.parametrizations.weight.0.*", "head")
    trainable = {
        part: sum(parameter.numel() for parameter in members if parameter.requires_grad)
        for part, members in parts(model).items()
    }
    assert trainable == dict.fromkeys(PARTS, 0) | {
        "layer 1": 2 * 2 * 16, "layer 2": 2 * 2 * 16 + 2 + 16, "head": 2 * 16 + 2,
    }  # fmt: skip


def test_a_tied_matrix_belongs_to_the_embeddings() -> None:
    model = BertForMaskedLM(CONFIG)
    train_top(model, 0)
    assert not model.cls.predictions.decoder.weight.requires_grad
    assert learning(model) == ["head"]


# --- gradual unfreezing ---------------------------------------------------------------------------


def thawing(checkpoints: Checkpoints | None = None) -> tuple[nn.Module, GradualUnfreezing, Trainer]:
    model = three_layers()
    thaw = GradualUnfreezing(model, every=2)
    objective = FineTuning(model)
    # a decay that would show: it moves whatever it is let at
    optimizer = adamw(objective, weight_decay=0.5, rate_of=layer_factors(layer_rates(LAYERS, 1, 0.5), 1))
    schedule = LinearDecay(12, 1e-2, warmup=0.1)
    return model, thaw, Trainer(objective, BATCHES, optimizer, schedule, [thaw], checkpoints)


def test_nothing_moves_before_its_thaw() -> None:
    model, thaw, trainer = thawing()
    assert [*thaw.stages] == ["head", "layer 2", "layer 1", "layer 0", "embeddings"]
    expected = ["pooler", "head"]
    for step in range(12):
        if step in (2, 4, 6, 8):
            expected = [PARTS[4 - step // 2], *expected]
        before = weights(model)
        trainer.step()
        assert learning(model) == expected
        assert moved(model, before) == set(expected)
    assert len(expected) == len(PARTS)


@pytest.mark.parametrize("stopped", [2, 3, 7])
def test_a_resumed_run_thaws_exactly(tmp_path: Path, stopped: int) -> None:
    whole, _, trainer = thawing()
    trainer.train()
    _, _, first = thawing(Checkpoints(tmp_path, every=1))
    first.train(until=stopped)
    model, _, second = thawing(Checkpoints(tmp_path, every=1, resume=True))
    second.train()
    assert not moved(model, weights(whole))


def test_what_was_frozen_before_stays_frozen() -> None:
    model = three_layers()
    freeze(model, "embeddings", "layer 1", "*.bias")
    thaw = GradualUnfreezing(model, every=1)
    assert [*thaw.stages] == ["head", "layer 2", "layer 0"]
    objective = FineTuning(model)
    before = weights(model)
    trainer = Trainer(objective, BATCHES, adamw(objective), Constant(6, 1e-2), [thaw])
    for _ in range(6):
        trainer.step()
    assert moved(model, before) == {"layer 0", "layer 2", "pooler", "head"}
    names = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    assert not any(name.endswith(".bias") for name in names)


def test_other_plans_have_other_fingerprints() -> None:
    plans = [GradualUnfreezing(three_layers(), 1), GradualUnfreezing(three_layers(), 2)]
    partly = three_layers()
    freeze(partly, "embeddings")
    plans.append(GradualUnfreezing(partly, 1))
    assert len({str(plan.fingerprint) for plan in plans}) == 3
    with pytest.raises(ValueError, match="at least 1"):
        GradualUnfreezing(three_layers(), 0)
    with pytest.raises(ValueError, match="nothing to thaw"):
        GradualUnfreezing(three_layers().requires_grad_(False), 1)


# --- rates ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MODELS)
def test_rates_reach_the_optimizer(make: Callable[[], nn.Module]) -> None:
    model, peak = make(), 0.1
    groups = parameter_groups(model, layer_factors(layer_rates(LAYERS, 1e-3, 0.5), peak))
    rate = {id(p): group[LR_FACTOR] * peak for group in groups for p in group["params"]}
    found = {part: {rate[id(p)] for p in members} for part, members in parts(model).items()}
    for part, expected in zip(PARTS, [1e-3 / 8, 1e-3 / 4, 1e-3 / 2, 1e-3, peak, peak], strict=True):
        assert [*found[part]] == pytest.approx([expected])
    with pytest.raises(ValueError, match="layer 2, and there are rates for the embeddings and 2 layers"):
        parameter_groups(model, layer_factors(layer_rates(2, 1, 0.5), 1))
    with pytest.raises(ValueError, match="above 0"):
        layer_factors([1.0], 0)
