"""Measures the four commands of docs/your_own.md on this machine: a part of `python course.py bench`."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from lib.analysis.cost.timing import PeakMemory
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.text.tasks import own
from lib.training.known_tasks import spread
from tools.bench.tables import table

ROWS = 1000
EPOCHS = 3
COMMANDS = {
    "finetune": "finetune --data my.csv --text headline --label topic --model {model} --out trained",
    "three bits": "compress trained --data my.csv --to bits --bits 3 --book",
    "half of the layers": "compress trained --data my.csv --to layers --layers {half} --teach",
    "layers, neurons, bits": (
        "compress trained --data my.csv --to all --layers {half} --teach --neurons 0.3 --bits 8"
    ),
}


def own_model() -> str:
    """Seconds and peak memory of four commands on 1,000 headlines, for a BERT of 2 x 128 and for MiniLM."""
    return table(
        [f"{ROWS:,} rows, {EPOCHS} epochs", "s", "peak memory, MB"],
        [*_measured("2 × 128", layers=2), *_measured("MiniLM", layers=6)],
    )


def _measured(name: str, layers: int) -> list[list[str]]:
    rows = []
    with tempfile.TemporaryDirectory() as desk:
        _write_rows(Path(desk, "my.csv"))
        model = "minilm" if name == "MiniLM" else _write_small(Path(desk, "small"), layers)
        for step, command in COMMANDS.items():
            words = command.format(model=model, half=layers // 2).split()
            with PeakMemory() as peak:
                start = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-P", "-m", "tools", *words], cwd=desk, check=True, capture_output=True
                )
                seconds = time.perf_counter() - start
            rows.append([f"{name}, {step}", f"{seconds:.0f}", f"{peak.bytes / 1e6:.0f}"])
    return rows


def _write_rows(path: Path) -> None:
    """Headlines of all categories as somebody's CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["headline", "topic"])
        for example in spread(own.headlines("train"), ROWS):
            writer.writerow([example.first, own.CATEGORIES[int(example.label or 0)]])


def _write_small(folder: Path, layers: int) -> str:
    """A BERT of random weights, 128 wide, with MiniLM's vocabulary."""
    torch.manual_seed(0)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    config = BertConfig(
        len(tokenizer),
        hidden_size=128,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=512,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
