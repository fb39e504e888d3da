"""The page on one's own texts: every command and every piece of Python on it runs, from a CSV to int8."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest
from tiny_berts import ours
from typer.testing import CliRunner

from lib import root
from lib.bert import BertModel, WordPieceTokenizer
from tools.__main__ import app

PAGE = (root / "docs" / "your_own.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(python)?\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SMALL = {"hidden_size": 24, "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 48}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with my.csv and mails.csv, and a small BERT where the page has MiniLM or one of the hub."""
    folder = tmp_path_factory.mktemp("desk")
    model = ours(BertModel, vocab_size=30522, max_position_embeddings=128, initializer_range=0.02, **SMALL)
    model.save_pretrained(folder / "bert")
    WordPieceTokenizer.from_pretrained("minilm").save_pretrained(folder / "bert")
    for name, header in {"my.csv": ["review", "stars"], "mails.csv": ["Text", "Art"]}.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow(header)
            for number in range(60):
                word, stars = (("dull", 1), ("great", 5))[number % 2]
                writer.writerow([f"a {word} book; number {number}", stars])
    return folder


def test_the_page_from_its_first_line_to_its_last(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    for language, block in BLOCKS:
        if language == "python":
            block = block.replace('"minilm"', '"bert"').replace("deepset/gbert-base", "bert")
            exec(compile(block, "your_own.md", "exec"), {})
        else:
            _run(block)
    for name in ("my-small", "my-fast", "my-both"):
        files = {path.name for path in Path(name).iterdir()}
        assert {"config.json", "model.safetensors", "model.onnx", "model-int8.onnx", "ledger.json"} <= files
    assert json.loads(Path("my-model", "task.json").read_text())["kept_back"]
    assert json.loads(Path("mail-model", "config.json").read_text())["id2label"] == {"0": "1", "1": "5"}
    assert "accuracy" in capsys.readouterr().out


def _run(command: str) -> None:
    words = shlex.split(command.removeprefix("python course.py"))
    if words[0] == "finetune":
        words += ["--epochs", "1", "--max-length", "32"]
        words += [] if "--model" in words else ["--model", "bert"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (command, result.output, result.exception)
