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
COMMANDS = re.findall(r"^python course\.py (.+)$", PAGE, re.MULTILINE)
BLOCKS = re.findall(r"^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SMALL = {"hidden_size": 24, "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 48}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with my.csv, and a small BERT where the page has MiniLM."""
    folder = tmp_path_factory.mktemp("desk")
    model = ours(BertModel, vocab_size=30522, max_position_embeddings=128, initializer_range=0.02, **SMALL)
    model.save_pretrained(folder / "bert")
    WordPieceTokenizer.from_pretrained("minilm").save_pretrained(folder / "bert")
    with (folder / "my.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["review", "stars"])
        for number in range(60):
            writer.writerow(
                [f"a {('dull', 'great')[number % 2]} book; number {number}", 1 + 4 * (number % 2)]
            )
    return folder


def test_the_page_from_its_first_line_to_its_last(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    assert len(COMMANDS) == 4
    for command in COMMANDS:
        words = shlex.split(command)
        if words[0] == "finetune":
            words += ["--model", "bert", "--epochs", "1", "--max-length", "32"]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (command, result.output, result.exception)
    for name in ("my-small", "my-fast", "my-both"):
        files = {path.name for path in Path(name).iterdir()}
        assert {"config.json", "model.safetensors", "model.onnx", "model-int8.onnx", "ledger.json"} <= files
    assert json.loads(Path("my-model", "task.json").read_text())["kept_back"]
    assert len(BLOCKS) == 3
    for block in BLOCKS:
        exec(compile(block.replace('"minilm"', '"bert"'), "your_own.md", "exec"), {})
    assert "accuracy" in capsys.readouterr().out
