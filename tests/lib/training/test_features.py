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
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import Row
from lib.training.features import hidden_states

LAYERS, D = 4, 16
CONFIG = BertConfig(
    vocab_size=50, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=2, intermediate_size=32
)  # fmt: skip


def rows(count: int = 9) -> list[Row]:
    """Texts of unlike lengths, labeled by their second piece."""
    generator = torch.Generator().manual_seed(0)
    found: list[Row] = []
    for number in range(count):
        length = 3 + number * 7 % 5
        ids = torch.randint(1, 50, (length,), generator=generator).tolist()
        found.append({"input_ids": ids, "token_type_ids": [0] * length, "labels": ids[1] % 2})
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
