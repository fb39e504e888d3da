"""What a step holds beside the weights, in notebook 16."""

import pytest
import torch

from chapters.nb16.step_memory import step_megabytes
from lib.bert import BertConfig, BertForSequenceClassification
from lib.training import freezing

CONFIG = BertConfig(
    vocab_size=30, hidden_size=8, num_hidden_layers=3, num_attention_heads=2, intermediate_size=16
)  # fmt: skip
INPUTS = {"input_ids": torch.ones(2, 5, dtype=torch.long)}
LABELS = torch.tensor([0, 1])


def test_what_learns_needs_a_gradient_and_two_averages() -> None:
    held = {}
    for top in (3, 1, 0):
        model = BertForSequenceClassification(CONFIG)
        freezing.train_top(model, top)
        learn = sum(weight.nbytes for weight in model.parameters() if weight.requires_grad)
        held[top] = step_megabytes(model, INPUTS, LABELS)
        assert held[top][0] == pytest.approx(learn / 1e6)
        assert held[top][1] == pytest.approx(2 * learn / 1e6, rel=0.05)  # AdamW counts its steps, too
    assert held[3][2] > held[1][2] > held[0][2] > 0
