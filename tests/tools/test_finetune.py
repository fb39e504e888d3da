"""`finetune`: what it writes and says, how it goes on, and two processes that learn what one does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate import PartialState
from safetensors.torch import load_file
from tiny_berts import ours
from typer.testing import CliRunner

from lib.bert import BertModel, WordPieceTokenizer
from lib.text.tasks import own
from lib.training.finetuning import evaluate
from lib.training.known_tasks import load_task
from tools.__main__ import app
from tools.finetune import LearnedOptions, QuickRecipe, TaskOptions, main


@pytest.fixture(scope="module")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT without a head, as a folder."""
    folder = tmp_path_factory.mktemp("small")
    model = ours(BertModel, vocab_size=30522, max_position_embeddings=128, initializer_range=0.02)
    model.save_pretrained(folder)
    WordPieceTokenizer.from_pretrained("minilm").save_pretrained(folder)
    return folder


def run(folder: Path, out: Path, **options: Any) -> None:
    """What the command line does with these options."""
    recipe = QuickRecipe(epochs=1, batch_size=32, max_length=32, precision="no")
    main(
        TaskOptions(**({"task": "reviews", "model": str(folder), "first": 64} | options.pop("task", {}))),
        recipe,
        LearnedOptions(out=out, **options),
    )


def test_the_command_trains_tests_and_saves(
    small_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(small_folder, tmp_path / "run", seeds=2, layers=1)
    printed = capsys.readouterr().out
    assert "seed 1: accuracy" in printed
    assert "on average, from" in printed
    for seed in (0, 1):
        folder = tmp_path / "run" / f"seed-{seed}"
        kind = load_task("reviews").kind
        model = kind.model_class.from_pretrained(folder)
        result = json.loads((folder / "result.json").read_text())
        scores, predictions = evaluate(
            model, WordPieceTokenizer.from_pretrained(folder), kind, own.reviews("test"), 32
        )
        assert (scores, predictions) == (result["scores"], result["predictions"])


def test_the_command_goes_on_where_it_stood(small_folder: Path, tmp_path: Path) -> None:
    run(small_folder, tmp_path / "once", save_every=1)
    with pytest.raises(ValueError, match="resume"):
        run(small_folder, tmp_path / "once")
    before = (tmp_path / "once" / "result.json").read_text()
    run(small_folder, tmp_path / "once", save_every=1, resume=True)
    assert (tmp_path / "once" / "result.json").read_text() == before


def test_rows_are_kept_back_to_stop_by(small_folder: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"task": "reviews", "model": str(small_folder), "first": 64}
    task = TaskOptions(**options, validation=16).chosen(load_task("reviews"))
    assert (len(task.train), len(task.validation)) == (48, 16)
    known = own.reviews("train")
    assert {*task.validation, *task.train} <= {*known}
    assert not {*task.validation} & {*task.train}
    assert known[-25:] != [example for example in known[-25:] if example not in task.train]  # of all rows
    with pytest.raises(ValueError, match="leave some to learn from"):
        _ = TaskOptions(**options, validation=64).chosen(load_task("reviews"))


def test_a_public_set_from_a_folder(small_folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "SST-2"
    data.mkdir()
    for split in ("train", "dev"):
        rows = "".join(
            f"{text}\t{number % 2}\n" for number, text in enumerate(["a red dog sings", "a bird runs"] * 10)
        )
        (data / f"{split}.tsv").write_text("sentence\tlabel\n" + rows)
    run(small_folder, tmp_path / "run", task={"task": "SST-2", "data": tmp_path})
    assert (tmp_path / "run" / "result.json").is_file()


@pytest.fixture
def processor_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process uses no graphics card, as those that it is compared with."""
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    PartialState._reset_state()
    yield
    PartialState._reset_state()


@pytest.mark.usefixtures("processor_alone")
def test_two_processes_learn_what_one_does(small_folder: Path, tmp_path: Path) -> None:
    options = [
        "--task", "reviews", "--model", str(small_folder), "--first", "64", "--epochs", "1",
        "--batch-size", "8", "--gradient-accumulation", "2", "--max-length", "32",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2",
         "-m", "tools.finetune", *options, "--out", str(tmp_path / "two")],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    alone = CliRunner().invoke(app, ["finetune", *options, "--out", str(tmp_path / "one")])
    assert not alone.exit_code, alone.output
    weights = load_file(tmp_path / "two" / "model.safetensors")
    for name, tensor in load_file(tmp_path / "one" / "model.safetensors").items():
        torch.testing.assert_close(weights[name], tensor, atol=1e-5, rtol=1e-5)
