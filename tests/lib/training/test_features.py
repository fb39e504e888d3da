"""Cached hidden states: equal to those of a run without cache, whoever reads them."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.adapters import add_adapter
from lib.bert.alterations import parametrize
from lib.bert.heads import BertForSequenceClassification, BertForTokenClassification
from lib.text.tasks import Row, TaskBatches
from lib.training.feature_taggers import BiLSTM, FeatureRecipe, FeatureTagger, ScalarMix, feature_recipes
from lib.training.features import CachedBatches, HiddenStates, TopLayers, hidden_states
from lib.training.finetuning import FineTuning
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

LAYERS, D = 4, 16
CONFIG = BertConfig(
    vocab_size=50, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=2, intermediate_size=32
)  # fmt: skip


def rows(count: int = 9, tags: bool = False) -> list[Row]:
    """Texts of unlike lengths, labeled by their second piece; with tags, each piece by itself."""
    generator = torch.Generator().manual_seed(0)
    found: list[Row] = []
    for number in range(count):
        length = 3 + number * 7 % 5
        ids = torch.randint(1, 50, (length,), generator=generator).tolist()
        labels = [-100, *(piece % 3 for piece in ids[1:])] if tags else ids[1] % 2
        found.append({"input_ids": ids, "token_type_ids": [0] * length, "labels": labels})
    return found


def ours() -> Any:
    torch.manual_seed(0)
    return BertForSequenceClassification(CONFIG).eval()


def of_transformers() -> Any:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=50, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=2, intermediate_size=32
    )
    return transformers.BertForSequenceClassification(config).eval()


def with_changes() -> Any:
    """Ours with a low-rank update below and an adapter above, which do something."""
    model = ours()
    parametrize(model, "bert.encoder.layer.0.attention.self.query", "LoRA", rank=2)
    add_adapter(model, "bert.encoder.layer.3.output", size=2)
    for name, parameter in model.named_parameters():
        if ".adapter." in name or "weight.0" in name:
            nn.init.normal_(parameter, std=0.5)
    return model


MODELS: list[Callable[[], Any]] = [ours, of_transformers, with_changes]


def weights(model: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def same(model: nn.Module, before: dict[str, Tensor]) -> bool:
    return all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


# --- the cache ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("layers", [None, (0,), (2,), (1, 3), (4, 0)])
def test_cached_states_are_those_of_each_row_alone(
    make: Callable[[], Any], layers: tuple[int, ...] | None
) -> None:
    model = make()
    before = weights(model)
    cached = hidden_states(model, rows(), layers, batch_size=4)
    assert cached.layers == (layers or tuple(range(LAYERS + 1))) and len(cached) == len(rows())
    for number, row in enumerate(rows()):
        with torch.no_grad():
            alone = model.bert(torch.tensor([row["input_ids"]]), output_hidden_states=True).hidden_states
        expected = torch.stack([alone[layer][0] for layer in cached.layers], dim=1)  # [T, n, D]
        assert torch.allclose(cached[number], expected, atol=1e-5)
    assert same(model, before) and len(model.bert.encoder.layer) == LAYERS
    assert all(parameter.grad is None for parameter in model.parameters())


def test_dropout_is_off_and_the_mode_is_put_back() -> None:
    model = ours().train()
    model.bert.pooler.eval()
    first, second = hidden_states(model, rows()), hidden_states(model, rows())
    assert torch.equal(first.values, second.values) and not first.values.requires_grad
    assert model.bert.encoder.layer[3].training and not model.bert.pooler.training


def test_no_layer_runs_above_the_last_one_kept() -> None:
    model = ours()
    model.bert.encoder.layer[2].register_forward_hook(lambda *_: pytest.fail("layer 2 has run"))
    hidden_states(model, rows(), layers=(0, 2))


def test_half_precision_takes_half_the_memory() -> None:
    whole, half = hidden_states(ours(), rows()), hidden_states(ours(), rows(), dtype=torch.float16)
    pieces = sum(len(row["input_ids"]) for row in rows())
    assert whole.nbytes == 2 * half.nbytes == 4 * pieces * (LAYERS + 1) * D
    assert torch.allclose(whole.values, half.values.float(), atol=5e-3)
    assert half.mean().dtype == half.first().dtype == torch.float32


def test_states_are_taken_by_their_number() -> None:
    cached = hidden_states(ours(), rows())
    for layers in [(2,), (1, 2), (3, 1)]:
        taken = cached.take(*layers)
        assert torch.equal(taken[5], cached[5][:, list(layers)]) and taken.layers == layers
    with pytest.raises(ValueError, match="states 4 were not kept, only 1, 2"):
        cached.take(1, 2).take(4)


@pytest.mark.parametrize("layers", [(), (5,), (-1,)])
def test_a_layer_that_is_not_there_is_refused(layers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="from 0, the embeddings, to 4"):
        hidden_states(ours(), rows(), layers)


def test_what_is_no_bert_or_no_text_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of its own"):
        hidden_states(ours(), [{"input_ids": [[2, 3], [2, 4]], "token_type_ids": [[0, 0], [0, 0]]}])
    with pytest.raises(ValueError, match="Linear has no BERT"):
        hidden_states(nn.Linear(2, 2), rows())


# --- features of sentences ------------------------------------------------------------------------


def test_features_of_sentences() -> None:
    model = ours()
    cached = hidden_states(model, rows())
    one = torch.tensor([rows()[4]["input_ids"]])
    with torch.no_grad():
        output = model.bert(one, output_hidden_states=True)
        pooled = model.bert.pooler(cached.take(LAYERS).first())
    assert torch.allclose(pooled[4], output.pooler_output[0], atol=1e-5)
    assert torch.allclose(cached.take(2).mean()[4, 0], output.hidden_states[2][0].mean(0), atol=1e-5)
    features = cached.take(0).mean().flatten(1)
    labels = [row["labels"] for row in rows()]
    assert LogisticRegression(C=1e6, max_iter=1000).fit(features, labels).score(features, labels) == 1


# --- the layers above -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("k", range(LAYERS + 1))
def test_top_layers_answer_as_the_whole_model(make: Callable[[], Any], k: int) -> None:
    model = make()
    cached = hidden_states(model, rows(), (LAYERS - k,))
    top = TopLayers(model, k).eval()
    plain, batches = TaskBatches(rows(), 0, 4, 3, True), CachedBatches(cached, rows(), 0, 4, 3, True)
    for number in range(2 * batches.size):
        expected = model(**plain(number))
        found = top(**batches(number))
        assert torch.allclose(found.logits, expected.logits, atol=1e-5)
        assert torch.allclose(found.loss, expected.loss, atol=1e-5)


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("k", [0, 2])
def test_training_from_the_cache_is_training_the_model(make: Callable[[], Any], k: int) -> None:
    """Without dropout: the same weights, to rounding, as a model whose lower layers are frozen."""
    cached_model, frozen_model = make(), make()
    frozen_model.load_state_dict(cached_model.state_dict())
    lower = ("bert.embeddings.", *(f"bert.encoder.layer.{layer}." for layer in range(LAYERS - k)))
    for model in (cached_model, frozen_model):
        for part in model.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
            if hasattr(part, "dropout_prob"):
                part.dropout_prob = 0.0
    for name, parameter in frozen_model.named_parameters():
        parameter.requires_grad_(not name.startswith(lower))
    before = weights(cached_model)
    cached = hidden_states(cached_model, rows(), (LAYERS - k,))
    objectives = [FineTuning(TopLayers(cached_model, k)), FineTuning(frozen_model)]
    sources: list[Any] = [
        CachedBatches(cached, rows(), 0, 4, seed=1),
        TaskBatches(rows(), 0, 4, seed=1),
    ]
    losses = []
    for objective, batches in zip(objectives, sources, strict=True):
        optimizer = torch.optim.SGD([p for p in objective.parameters() if p.requires_grad], lr=0.1)
        trainer = Trainer(objective, batches, optimizer, Constant(5, 0.1))
        losses.append([trainer.step()["loss"] for _ in range(5)])
    assert losses[0] == pytest.approx(losses[1], abs=1e-5)
    after = cached_model.state_dict()
    for name, tensor in frozen_model.state_dict().items():
        assert torch.allclose(after[name], tensor, atol=1e-5), name
        if name.startswith(lower):
            assert torch.equal(after[name], before[name])
    assert all(p.grad is None for n, p in cached_model.named_parameters() if n.startswith(lower))
    assert not torch.equal(after["classifier.weight"], before["classifier.weight"])


def test_top_layers_hold_nothing_below() -> None:
    model = ours()
    own = {id(parameter) for parameter in model.parameters()}
    top = TopLayers(model, 1)
    assert {id(parameter) for parameter in top.parameters()} < own
    count = sum(p.numel() for part in (model.bert.encoder.layer[3], model.bert.pooler, model.classifier)
                for p in part.parameters())  # fmt: skip
    assert sum(parameter.numel() for parameter in top.parameters()) == count
    with pytest.raises(ValueError, match="0 to 4"):
        TopLayers(model, 5)


def test_batches_of_other_rows_or_states_are_told_apart() -> None:
    cached = hidden_states(ours(), rows())
    with pytest.raises(ValueError, match="other rows"):
        CachedBatches(cached, rows()[::-1])
    assert CachedBatches(cached, rows()).fingerprint == CachedBatches(cached, rows()).fingerprint
    prints = {str(CachedBatches(cached.take(n), rows()).fingerprint) for n in range(3)}
    assert len(prints) == 3


def test_padding_is_zeros() -> None:
    batch = CachedBatches(hidden_states(ours(), rows(), dtype=torch.float16), rows(), batch_size=9)(0)
    assert batch["hidden"].dtype == torch.float32 and batch["hidden"].shape[2:] == (LAYERS + 1, D)
    assert not batch["hidden"][batch["attention_mask"] == 0].any()


# --- the six recipes ------------------------------------------------------------------------------


def test_recipes_are_those_of_the_paper() -> None:
    found = {name: (recipe.layers, recipe.mixed) for name, recipe in feature_recipes(12).items()}
    assert found == {
        "embeddings": ((0,), False),
        "second-to-last": ((11,), False),
        "last": ((12,), False),
        "weighted sum of last 4": ((9, 10, 11, 12), True),
        "last 4 side by side": ((9, 10, 11, 12), False),
        "weighted sum of all layers": (tuple(range(1, 13)), True),
    }
    with pytest.raises(ValueError, match="from 2 to 3"):
        feature_recipes(3)


def test_a_mix_of_one_is_that_layer_and_a_new_mix_is_the_mean() -> None:
    hidden = torch.randn(2, 5, 3, D)
    mix = ScalarMix(3)
    assert torch.allclose(mix(hidden), hidden.mean(2), atol=1e-6)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([-1e9, 0.0, -1e9]))
    assert torch.equal(mix(hidden), hidden[:, :, 1])
    with torch.no_grad():
        mix.gamma.fill_(2.0)
        mix.weights.add_(7.0)  # a softmax does not see what is added to all
    assert torch.equal(mix(hidden), 2 * hidden[:, :, 1])


def test_side_by_side_is_four_times_as_wide() -> None:
    recipe = feature_recipes(LAYERS)["last 4 side by side"]
    hidden = torch.randn(2, 5, 4, D)
    joined = recipe.combine()(hidden)
    assert joined.shape == (2, 5, 4 * D)
    assert torch.equal(joined[..., D : 2 * D], hidden[:, :, 1])
    assert FeatureTagger(recipe, D, 3).classifier.in_features == 4 * D


def test_a_bilstm_does_not_read_padding() -> None:
    torch.manual_seed(0)
    reader, features = BiLSTM(D, 6), torch.randn(2, 7, D)
    mask = torch.tensor([[1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0]])
    found = reader(features, mask)
    assert found.shape == (2, 7, 12)
    alone = reader(features[:1, :3], torch.ones(1, 3))
    assert torch.allclose(found[0, :3], alone[0], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "width"),
    [*((name, 0) for name in feature_recipes(LAYERS, top=2)), ("weighted sum of all layers", 8)],
)
def test_every_recipe_learns_and_leaves_bert_alone(name: str, width: int) -> None:
    torch.manual_seed(0)
    model = BertForTokenClassification(CONFIG)
    before = weights(model)
    tagged = rows(tags=True)
    recipe: FeatureRecipe = feature_recipes(LAYERS, top=2)[name]
    cached: HiddenStates = hidden_states(model, tagged).take(*recipe.layers)
    objective = FineTuning(FeatureTagger(recipe, D, 3, width))
    trainer = Trainer(
        objective, CachedBatches(cached, tagged, batch_size=9), adamw(objective), Constant(60, 0.02)
    )
    losses = [trainer.step() for _ in range(60)]
    assert losses[-1]["task_loss"] < losses[0]["task_loss"] / 2
    assert same(model, before)
    assert all(parameter.grad is None for parameter in model.parameters())
    if recipe.mixed:
        assert any(value.any() for name, value in objective.named_parameters() if "combine.weights" in name)
