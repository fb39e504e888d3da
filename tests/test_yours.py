"""What a reader takes home runs without the course: each cell tagged `yours`, as a script of its own."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from notebook_dose import TAUGHT
from notebook_file import Notebook
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

from lib.bert.checkpoint import resolve_checkpoint
from lib.text.tasks import own
from tools.copies import every_notebook

NOTEBOOKS = [path for path in every_notebook() if path.name[:2] in TAUGHT]
ROWS = 45  # five of each category
SECONDS = 240
#: the course is not importable, whatever lies on the path or in site-packages
PRELUDE = """import sys

class NotHere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("lib", "chapters", "studies", "tools"):
            raise ModuleNotFoundError(f"{name} is the course's, and nobody has it at home")

sys.meta_path.insert(0, NotHere())
model_folder, text_file = sys.argv[1:3]
"""


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A classifier of nine classes as transformers saves it, and a CSV of texts and labels."""
    folder, file = tmp_path_factory.mktemp("model"), tmp_path_factory.mktemp("texts") / "texts.csv"
    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=64, num_hidden_layers=4, num_attention_heads=4, intermediate_size=128, num_labels=9
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast.from_pretrained(resolve_checkpoint("minilm")).save_pretrained(folder)
    by_label = sorted(own.headlines("train"), key=lambda example: example.label or 0)
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["text", "label"])
        writer.writerows([example.first, example.label] for example in by_label[:: len(by_label) // ROWS])
    return folder, file


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_what_is_yours_runs_without_the_course(
    path: Path, at_home: tuple[Path, Path], tmp_path: Path
) -> None:
    cell = next(cell for cell in Notebook(path).code if "yours" in cell.tags)
    script = tmp_path / "mine.py"
    script.write_text(PRELUDE + cell.source, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        [sys.executable, "-P", str(script), *map(str, at_home)],
        cwd=tmp_path,
        env=environment | {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip(), "it prints nothing worth having"
