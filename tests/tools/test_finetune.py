"""`finetune`: what it writes and says, how it goes on, and two processes that learn what one does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from accelerate import PartialState
from safetensors.torch import load_file
from tiny_berts import ours
from tqdm import tqdm
from typer.testing import CliRunner

from lib.bert import BertForSequenceClassification, BertModel, WordPieceTokenizer
from lib.text.tasks import own
from lib.training import finetuning
from lib.training.finetuning import evaluate
from lib.training.known_tasks import load_task
from lib.training.own_task import Columns, OwnTask
from lib.training.task_kinds import Regression, Task
from tools.__main__ import app
from tools.finetune import LearnedOptions, QuickRecipe, TaskOptions, main, not_reached


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


def holding(folder: Path, name: str, content: str = "{}") -> Path:
    """A folder with a file of this name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content)
    return folder


@pytest.mark.parametrize(
    "name",
    [
        "tokenizer.json", "adapter_config.json", "adapter_model.safetensors", "task.json", "config.json",
        # siblings
        "vocab.txt", "special_tokens_map.json", "Tokenizer.JSON", "model.safetensors.index.json", "a.model",
    ],
)  # fmt: skip
@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_with_files_of_another_model_is_refused_before_the_rows_are_read(
    resume: bool, name: str, tmp_path: Path
) -> None:
    rows = {"task": None, "data": tmp_path / "none.csv"}
    holding(tmp_path / "run" / "seed-1", name)
    with pytest.raises(ValueError, match=f"seed-1 holds {name} already, .* name a new folder, or move it"):
        run(tmp_path / "no-model", tmp_path / "run", task=rows, resume=resume, seeds=2)


def test_own_rows_and_then_a_task_are_not_mixed(small_folder: Path, tmp_path: Path) -> None:
    out = holding(tmp_path / "run", "my.json")  # it may lie there
    run(small_folder, out, task={"task": None, "data": own_rows(tmp_path / "my.csv")})
    shutil.rmtree(out / "run")
    with pytest.raises(ValueError, match=r"run holds config\.json already"):
        run(small_folder, out)


def own_rows(path: Path, encoding: str = "utf-8") -> Path:
    """Long rows of a person's own, of two classes."""
    ends = " Tag und noch ein Tag" * 9
    rows = [f"{number} {('müder', 'schöner')[number % 2]}{ends},{number % 2}" for number in range(40)]
    path.write_text("\n".join(["text,label", *rows]), encoding=encoding)
    return path


def test_what_the_model_cannot_be_is_said_before_the_rows_are_read(tmp_path: Path) -> None:
    folder = holding(tmp_path / "model", "config.json", '{"model_type": "distilbert"}')
    with pytest.raises(ValueError, match="distilbert"):
        run(folder, tmp_path / "run", task={"task": None, "data": tmp_path / "none.csv"})


def test_own_rows_are_told_of_read_and_written(
    small_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = own_rows(tmp_path / "my rows.csv", encoding="cp1250"), tmp_path / "my model"
    run(small_folder, out, task={"task": None, "data": data, "encoding": "cp1250"})
    printed = capsys.readouterr().out
    assert "\nCareful: texts are cut off after 32 pieces, 40 of 40 here; the longest has " in printed
    assert printed.strip().split("\n")[-1] == (
        f'Written: {out}. To make it smaller: python course.py compress "{out}" --data "{data}" --to '
        f'"{out}-small" --bits 3 --book --max-length 32'
    )
    result, about = (json.loads((out / name).read_text()) for name in ("result.json", "task.json"))
    assert result["rows"] == about["kept_back"] and about["columns"]["encoding"] == "cp1250"
    assert result["classes"] == [str(number) for number in result["predictions"]]


@pytest.mark.parametrize(
    ("baseline", "scores", "is_missed"),
    [
        ({"accuracy": 0.5}, {"accuracy": 0.5, "macro_f1": 0.3}, True),
        ({"accuracy": 0.5}, {"accuracy": 0.51, "macro_f1": 0.3}, False),
        ({"mae": 1.5}, {"pearson": 0.2, "mae": 1.6}, True),
        ({"mae": 1.5}, {"pearson": 0.2, "mae": 1.4}, False),
        ({}, {"f1": 0.0}, False),
    ],
)
def test_what_is_no_better_than_always_the_same_is_said(
    baseline: dict[str, float], scores: dict[str, float], is_missed: bool
) -> None:
    mine = OwnTask(Task("my", Regression(), [], []), Columns(), [], {}, baseline=baseline)
    assert bool(not_reached(mine, scores)) == is_missed


def test_a_pipeline_gives_grades_in_their_own_unit(small_folder: Path, tmp_path: Path) -> None:
    data, out = tmp_path / "my.csv", tmp_path / "model"
    rows = [f"{('dull', 'great')[number % 2]} {number},{(100, 400)[number % 2]}" for number in range(40)]
    data.write_text("\n".join(["text,label", *rows]))
    run(small_folder, out, task={"task": None, "data": data, "kind": "grades"})
    (answer,) = transformers.pipeline("text-classification", model=str(out))("a dull book")
    tokenizer = WordPieceTokenizer.from_pretrained(out)
    logits = BertForSequenceClassification.from_pretrained(out)(**tokenizer("a dull book")).logits
    assert answer["score"] == pytest.approx(logits.item(), abs=1e-4)


def test_one_bar_ends_once(
    small_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over three epochs, with validation rows, on a terminal and where there is none."""
    monkeypatch.setattr(finetuning, "tqdm", partial(tqdm, disable=False))  # in tests it is disabled
    recipe = QuickRecipe(epochs=3, batch_size=16, max_length=32, precision="no", patience=3)
    task = TaskOptions(task="reviews", model=str(small_folder), first=64, validation=16)
    for is_terminal in (False, True):
        monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)  # noqa: B023
        main(task, recipe, LearnedOptions(out=tmp_path / str(is_terminal)))
        printed = capsys.readouterr()
        bar, other = (printed.err, printed.out) if is_terminal else (printed.out, printed.err)
        assert "step" not in other and "9/9" in bar and "3/3" not in bar and "6/6" not in bar
        assert sum("step" in line for line in bar.split("\n")) == 1


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
