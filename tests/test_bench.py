"""What `bench` compares has to compute the same, or the milliseconds mean nothing."""

import torch

from lib.analysis.cost.formulas import count_multiplications
from lib.bench import training
from lib.bench.training import FusedProjections
from lib.bert.attention import SelfAttention
from lib.bert.heads import BertForPreTraining
from lib.text.masking import IGNORED
from lib.training.pretraining import PretrainingObjective

CONFIG = training.config_of(2, 64, 100)


def test_glued_projections_attend_as_three_do() -> None:
    torch.manual_seed(0)
    attention, hidden = SelfAttention(CONFIG), torch.randn(3, 7, 64)
    three = attention(hidden)
    attention.__class__ = FusedProjections
    torch.testing.assert_close(attention(hidden), three)


def test_the_decoder_on_chosen_places_gives_the_loss_over_every_place() -> None:
    torch.manual_seed(0)
    model, batch = BertForPreTraining(CONFIG).eval(), training.batch_of(100)
    logits = model(batch["input_ids"]).prediction_logits
    whole = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())
    chosen = training.loss_at_chosen(PretrainingObjective(model), batch)
    torch.testing.assert_close(chosen, whole)


def test_operations_are_three_times_two_for_a_multiply_add() -> None:
    encoder = sum(count_multiplications(CONFIG, training.LENGTH).values())
    assert training.operations(CONFIG, 0) == 6 * training.ROWS * encoder
    chosen = int((training.batch_of(100)["labels"] != IGNORED).sum())
    more = training.operations(CONFIG, chosen) - training.operations(CONFIG, 0)
    assert more == 6 * chosen * 64 * (64 + 100)
