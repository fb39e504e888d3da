"""What `bench` compares reads the same batches, and its parts are there and explained."""

import pytest
import torch
from typer.testing import CliRunner

from lib.analysis.cost.timing import Seconds
from lib.text.masking import IGNORED
from tools import bench
from tools.__main__ import app
from tools.commands.maintainer import Part
from tools.markdown import table


@pytest.mark.parametrize("part", Part)
def test_every_part_has_its_function_and_is_explained(part: Part) -> None:
    assert callable(getattr(bench, part))
    assert f"{part}: " in " ".join(CliRunner().invoke(app, ["bench", "--help"]).output.split())


def test_a_part_that_is_none_is_named() -> None:
    answer = CliRunner().invoke(app, ["bench", "noise"])
    assert answer.exit_code == 2 and "noise" in answer.output


def test_the_second_half_of_a_batch_is_padded_at_its_end() -> None:
    mask = bench.padded_batch(32, 64)["attention_mask"]
    assert mask[:16].all() and not mask[16:].all() and mask[:, :32].all()
    assert torch.equal(mask, mask.sort(dim=1, descending=True).values)


def test_a_step_of_ours_and_one_of_the_reference_learn() -> None:
    config, batch = bench.config_of(1, 32, 100), bench.masked_batch(100)
    assert 0.1 < (batch["labels"] != IGNORED).float().mean() < 0.2
    trainer = bench.trainer_of(config, batch)
    before = next(trainer.objective.parameters()).clone()
    trainer.step()
    bench.reference_steps(config, batch)()
    assert not torch.equal(before, next(trainer.objective.parameters()))


def test_figures_have_their_quartiles_and_tables_are_markdown() -> None:
    assert bench.milliseconds(Seconds(0.0123, 0.0121, 0.0129)) == "12.3 (12.1 to 12.9)"
    assert table(["what", "ms"], [["a", "1"]]).splitlines() == [
        "| what | ms |",
        "| --- | ---: |",
        "| a | 1 |",
    ]
