"""Hidden states of [CLS], computed once: equal to those of each row by itself."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.adapters import add_adapter
from lib.bert.alterations import parametrize
from lib.bert.heads import BertForSequenceClassification
from lib.text.tasks import Row
from lib.training.features import cls_states

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


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("layers", [None, (0,), (2,), (1, 3), (4, 0)])
def test_states_are_those_of_each_row_alone(make: Callable[[], Any], layers: tuple[int, ...] | None) -> None:
    model = make()
    before = weights(model)
    states = cls_states(model, rows(), layers, batch_size=4)
    wanted = layers or tuple(range(LAYERS + 1))
    assert states.shape == (len(rows()), len(wanted), D) and states.dtype == torch.float32
    for found, row in zip(states, rows(), strict=True):
        with torch.no_grad():
            alone = model.bert(torch.tensor([row["input_ids"]]), output_hidden_states=True).hidden_states
        assert torch.allclose(found, torch.stack([alone[layer][0, 0] for layer in wanted]), atol=1e-5)
    assert same(model, before) and len(model.bert.encoder.layer) == LAYERS
    assert all(parameter.grad is None for parameter in model.parameters())


def test_dropout_is_off_and_the_mode_is_put_back() -> None:
    model = ours().train()
    model.bert.pooler.eval()
    first, second = cls_states(model, rows()), cls_states(model, rows())
    assert torch.equal(first, second) and not first.requires_grad
    assert model.bert.encoder.layer[3].training and not model.bert.pooler.training


def test_no_layer_runs_above_the_last_one_kept() -> None:
    model = ours()
    model.bert.encoder.layer[2].register_forward_hook(lambda *_: pytest.fail("layer 2 has run"))
    cls_states(model, rows(), layers=(0, 2))


CHOICES = [{"input_ids": [[2, 3], [2, 4]], "token_type_ids": [[0, 0], [0, 0]]}]


@pytest.mark.parametrize(
    ("model", "texts", "layers", "message"),
    [
        (ours(), rows(), (), "from 0, the embeddings, to 4"),
        (ours(), rows(), (5,), "from 0, the embeddings, to 4"),
        (ours(), rows(), (-1,), "from 0, the embeddings, to 4"),
        (ours(), CHOICES, None, "a row of its own"),
        (nn.Linear(2, 2), rows(), None, "Linear has no BERT"),
    ],
)
def test_what_is_no_bert_no_text_or_no_layer_is_refused(
    model: nn.Module, texts: list[Row], layers: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        cls_states(model, texts, layers)
