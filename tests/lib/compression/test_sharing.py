"""Layers that share their weights, and a layer that runs as often as a token wants."""

import copy
from pathlib import Path

import pytest
import torch

from lib.bert import BertConfig, BertForSequenceClassification
from lib.compression.halting import halting_weights, ponder_cost
from lib.compression.ledger.counting import unique_parameters
from lib.compression.sharing import albert_groups, share_in_groups

CONFIG = BertConfig(53, 24, 6, 4, 40, max_position_embeddings=20, hidden_dropout_prob=0.0)
IDS = torch.randint(1, 53, (2, 9), generator=torch.Generator().manual_seed(0))


@pytest.fixture
def model() -> BertForSequenceClassification:
    torch.manual_seed(0)
    return BertForSequenceClassification(CONFIG).eval()


def size_of_layer(model) -> int:
    return sum(parameter.numel() for parameter in model.bert.encoder.layer[0].parameters())


# --- sharing --------------------------------------------------------------------------------------


def test_groups_are_those_of_the_released_code() -> None:
    # google-research/ALBERT, modeling.py: int(layer_idx / num_hidden_layers * num_hidden_groups)
    assert albert_groups(12, 1) == [0] * 12
    assert albert_groups(12, 2) == [0] * 6 + [1] * 6
    assert albert_groups(6, 4) == [0, 0, 1, 2, 2, 3]
    assert albert_groups(22, 22) == [*range(22)]
    assert [int(layer / 22 * 22) for layer in range(22)] != [*range(22)]
    with pytest.raises(ValueError, match="give from 1 to 6"):
        albert_groups(6, 7)


def test_a_group_begins_as_the_mean_of_its_layers(model, tmp_path: Path) -> None:
    before, whole = copy.deepcopy(model.bert.encoder.layer), unique_parameters(model)
    share_in_groups(model, albert_groups(6, 3))
    layers = model.bert.encoder.layer
    assert [list(layers).index(layer) for layer in layers] == [0, 0, 2, 2, 4, 4]
    for number in (0, 2, 4):
        pairs = zip(*(layer.parameters() for layer in before[number : number + 2]), strict=True)
        for shared, (first, second) in zip(layers[number].parameters(), pairs, strict=True):
            torch.testing.assert_close(shared, (first + second) / 2)
    assert whole - unique_parameters(model) == 3 * size_of_layer(model)
    model.save_pretrained(tmp_path)
    again = BertForSequenceClassification.from_pretrained(tmp_path)
    assert torch.equal(again(IDS).logits, model(IDS).logits)
    assert len(again.bert.encoder.layer) == 6 and len({*again.bert.encoder.layer}) == 3


def test_as_many_groups_as_layers_change_nothing(model) -> None:
    before = model(IDS).logits
    share_in_groups(model, albert_groups(6, 6))
    assert torch.equal(model(IDS).logits, before)
    with pytest.raises(ValueError, match="name the group of each"):
        share_in_groups(model, [0, 0])


# --- halting --------------------------------------------------------------------------------------

#: what universal_transformer_act computes of these (tensorflow/tensor2tensor,
#: models/research/universal_transformer_util.py): the weights of its steps, and its state "accumulated", of
#: step t and token i being t * i, counted from 1; of the third token, 0.83 only because the last p is 0.9
P = torch.tensor(
    [[0.73, 0.3, 0.05, 0.5], [0.73, 0.3, 0.1, 0.25], [0.73, 0.3, 0.02, 0.2], [0.73, 0.3, 0.9, 0.9]]
)
OFFICIAL = torch.tensor(
    [[0.73, 0.3, 0.05, 0.5], [0.27, 0.3, 0.1, 0.25], [0, 0.3, 0.02, 0.2], [0, 0.1, 0.83, 0.05]]
)
OFFICIAL_ACCUMULATED = torch.tensor([1.27, 4.4, 10.89, 7.2])


def test_the_weights_are_those_of_the_released_code() -> None:
    weights = halting_weights(P, 0.01)
    torch.testing.assert_close(weights, OFFICIAL, atol=1e-6, rtol=0)
    states = torch.arange(1.0, 5)[:, None] * torch.arange(1.0, 5)
    torch.testing.assert_close((weights * states).sum(0), OFFICIAL_ACCUMULATED)
    torch.testing.assert_close(ponder_cost(weights), torch.tensor([2.27, 4.1, 4.83, 4.05]))


def test_paying_for_steps_has_a_gradient() -> None:
    probabilities = torch.full((4, 1), 0.3, requires_grad=True)
    ponder_cost(halting_weights(probabilities, 0.01)).sum().backward()
    assert probabilities.grad is not None and probabilities.grad[:, 0].tolist() == [-1, -1, -1, 0]
