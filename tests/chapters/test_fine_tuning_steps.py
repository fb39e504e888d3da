"""Fine-tuning in full view, and the ten misread reviews."""

import pytest
import torch
import torch.nn.functional as F

from chapters.nb14 import misread
from lib.bert import BertConfig, BertForSequenceClassification
from lib.text.tasks import TaskBatches, own
from lib.training import fine_tuning_steps


def tiny() -> BertForSequenceClassification:
    torch.manual_seed(0)
    return BertForSequenceClassification(BertConfig(12, 16, 1, 2, 32, max_position_embeddings=8))


def batches() -> TaskBatches:
    """Rows of two lengths whose class is that of their first token."""
    rows = [
        {
            "input_ids": [1 + label, *range(3, 3 + length)],
            "token_type_ids": [0] * (1 + length),
            "labels": label,
        }
        for label in (0, 1)
        for length in (2, 5)
    ]
    return TaskBatches(rows, batch_size=4, seed=0)


def test_steps_lower_the_loss_and_leave_no_gradients() -> None:
    model, rows = tiny(), batches()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = [fine_tuning_steps.fine_tune_step(model, rows(step), optimizer, 1e-2) for step in range(40)]
    assert losses[-1] < 0.2 < losses[0]
    assert all(weight.grad is None for weight in model.parameters())


def test_a_step_returns_the_loss_before_its_update_without_padding() -> None:
    model, batch = tiny().eval(), batches()(0)
    with torch.no_grad():
        alone = [
            model(row[:length][None]).logits[0]
            for row, length in zip(batch["input_ids"], batch["attention_mask"].sum(1), strict=True)
        ]
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    loss = fine_tuning_steps.fine_tune_step(model, batch, optimizer, 0.1)
    assert loss == pytest.approx(F.cross_entropy(torch.stack(alone), batch["labels"]).item(), abs=1e-5)
    assert [group["lr"] for group in optimizer.param_groups] == [0.1]


def test_the_misread_reviews_are_test_reviews() -> None:
    found = misread.places(own.reviews("test"))
    assert len(set(found)) == 10
    with pytest.raises(ValueError, match="0 reviews begin with"):
        misread.places(own.reviews("train"))


def test_a_negation_is_found_as_a_word() -> None:
    assert misread.has_negation("I don't know") and misread.has_negation("Nothing, but good")
    assert not misread.has_negation("a knotty butter dish")
