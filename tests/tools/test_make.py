"""`make`: the whole recipe of the pocket BERT on a small text."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from lib import records
from lib.bert import BertModel
from lib.text import reader
from studies import pocket_bert
from tools.__main__ import app

STEPS = ["--steps", "2", "--warmup-steps", "1", "--decay-steps", "1", "--seed", "1"]


def here(*options: str) -> str:
    """What the command prints, in this process."""
    done = CliRunner().invoke(app, ["make", "pocket-bert", *options, "--gradient-accumulation", "1"])
    assert not done.exit_code, done.output
    return done.stdout


def in_two_processes(*options: str) -> str:
    """What two processes print that share the micro-batches of a step."""
    launcher = ["torch.distributed.run", "--standalone", "--nproc_per_node=2", "-m", "tools.pocket_bert"]
    done = subprocess.run(
        [sys.executable, "-m", *launcher, *options, "--gradient-accumulation", "2"],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "TQDM_DISABLE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("start", "tokens"),
    [
        pytest.param(here, [96, 192, 288, 384]),
        pytest.param(in_two_processes, [192, 384, 480, 576], marks=pytest.mark.slow),
    ],
)
def test_the_whole_recipe_in_two_steps(
    start: Callable[..., str], tokens: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pocket_bert, "SCORED", pocket_bert.FEW_SCORED)
    documents = ["\n".join(document) for document in reader()]
    (tmp_path / "text.txt").write_text("\n\n".join(4 * documents) + "\n", encoding="utf-8")
    article = " = One = \n\n" + " The town lies by the river . " * 40 + "\n"
    (tmp_path / "wiki.txt").write_text(2 * article, encoding="utf-8")
    options = ["--corpus", str(tmp_path / "text.txt"), "--wikitext", str(tmp_path / "wiki.txt")]
    options += ["--work", str(tmp_path / "work"), "--size", "3000", "--length", "48", "--batch-size", "2"]
    first, second = str(tmp_path / "run"), str(tmp_path / "more")
    for run, begin, out in ((start, "minilm", first), (here, first, second)):
        printed = run(*options, *STEPS, "--start-from", begin, "--out", out)
        assert printed.count("held out: loss") == printed.count("wikitext: loss") == 1
    [row] = records.table("record", tmp_path / "more").rows
    record = row.scores | row.costs
    assert record["start"] == "minilm" and len(record["runs"]) == 2
    assert record["scores"] == record["runs"][1]["scores"] != record["runs"][0]["scores"]
    assert record["tokens"] == tokens and len(record["right"]) == 4
    assert record["vocabulary"]["pieces a word"] >= 1 and record["scores"]["held out"]["words"] >= 0
    whole, half = (BertModel.from_pretrained(tmp_path / "more" / part) for part in (".", "half"))
    for ours, stored in zip(whole.parameters(), half.parameters(), strict=True):
        torch.testing.assert_close(ours, stored, atol=1e-3, rtol=1e-3)
