"""Hidden states of [CLS], computed once: equal to those of each row by itself."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from tiny_berts import ours, rows, theirs
from torch import nn

from lib.bert.adapters import add_adapter
from lib.bert.alterations import parametrize
from lib.text.tasks import Row
from lib.training.features import cls_states

LAYERS, D = 4, 16
four_layers = partial(ours, num_hidden_layers=LAYERS, hidden_dropout_prob=0.1)


def with_changes() -> Any:
    """Ours with a low-rank update below and an adapter above, which do something."""
    model = four_layers()
    parametrize(model, "bert.encoder.layer.0.attention.self.query", "LoRA", rank=2)
    add_adapter(model, "bert.encoder.layer.3.output", size=2)
    for name, parameter in model.named_parameters():
        if ".adapter." in name or "weight.0" in name:
            nn.init.normal_(parameter, std=0.5)
    return model


MODELS: list[Callable[[], Any]] = [four_layers, partial(theirs, num_hidden_layers=LAYERS), with_changes]


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("layers", [None, (0,), (2,), (1, 3), (4, 0)])
def test_states_are_those_of_each_row_alone(make: Callable[[], Any], layers: tuple[int, ...] | None) -> None:
    model = make()
    before = copy.deepcopy(model.state_dict())
    states = cls_states(model, rows(), layers, batch_size=4)
    wanted = layers or tuple(range(LAYERS + 1))
    assert states.shape == (len(rows()), len(wanted), D) and states.dtype == torch.float32
    for found, row in zip(states, rows(), strict=True):
        with torch.no_grad():
            alone = model.bert(torch.tensor([row["input_ids"]]), output_hidden_states=True).hidden_states
        assert torch.allclose(found, torch.stack([alone[layer][0, 0] for layer in wanted]), atol=1e-5)
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
    assert len(model.bert.encoder.layer) == LAYERS
    assert all(parameter.grad is None for parameter in model.parameters())


def test_dropout_is_off_and_the_mode_is_put_back() -> None:
    model = four_layers().train()
    model.bert.pooler.eval()
    first, second = cls_states(model, rows()), cls_states(model, rows())
    assert torch.equal(first, second) and not first.requires_grad
    assert model.bert.encoder.layer[3].training and not model.bert.pooler.training


def test_no_layer_runs_above_the_last_one_kept() -> None:
    model = four_layers()
    model.bert.encoder.layer[2].register_forward_hook(lambda *_: pytest.fail("layer 2 has run"))
    cls_states(model, rows(), layers=(0, 2))


CHOICES = [{"input_ids": [[2, 3], [2, 4]], "token_type_ids": [[0, 0], [0, 0]]}]


@pytest.mark.parametrize(
    ("model", "texts", "layers", "message"),
    [
        (four_layers(), rows(), (), "from 0, the embeddings, to 4"),
        (four_layers(), rows(), (5,), "from 0, the embeddings, to 4"),
        (four_layers(), rows(), (-1,), "from 0, the embeddings, to 4"),
        (four_layers(), CHOICES, None, "a row of its own"),
        (nn.Linear(2, 2), rows(), None, "Linear has no BERT"),
    ],
)
def test_what_is_no_bert_no_text_or_no_layer_is_refused(
    model: nn.Module, texts: list[Row], layers: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        cls_states(model, texts, layers)
