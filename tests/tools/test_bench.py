"""What `bench` compares has to compute the same, or the milliseconds mean nothing."""

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from lib.analysis.cost.formulas import count_multiplications
from lib.bert.attention import SelfAttention
from lib.bert.heads import BertForPreTraining
from lib.text.masking import IGNORED
from lib.training.pretraining import PretrainingObjective
from tools.__main__ import app
from tools.bench import PARTS, measurement, training
from tools.bench.tables import table
from tools.bench.training import FusedProjections

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


@pytest.mark.parametrize(
    ("part", "data", "says"),
    [
        ("noise", None, "there are speed, "),
        ("wordpiece", None, "needs --data"),
        ("objects", Path("x"), "no x"),
    ],
)
def test_what_cannot_be_measured_is_said_at_once(part: str, data: Path | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        measurement(part, data)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_bench_has_its_function_and_is_explained(part: str, tmp_path: Path) -> None:
    (tmp_path / "wikitext2").mkdir()
    for name in ("wikitext2/valid.txt", "ud_english_ewt", "pretrain_wikipedia"):
        (tmp_path / name).touch()
    assert callable(measurement(part, tmp_path))
    assert f"{part}: " in " ".join(CliRunner().invoke(app, ["bench", "--help"]).output.split())


def test_a_table_is_markdown() -> None:
    assert table(["what", "ms"], [["a", "1"]]).splitlines() == [
        "| what | ms |",
        "| --- | ---: |",
        "| a | 1 |",
    ]
