"""What the notebooks of an older edition import is there, or a sentence says what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lib import root
from tools.older_copies import gone

NAMES = json.loads((Path(__file__).parents[1] / "guards" / "names.json").read_text(encoding="utf-8"))
ASKED = """
import json, sys
from importlib import import_module
wrong = []
for name in json.load(sys.stdin):
    package, _, last = name.rpartition(".")
    try:
        exec(f"from {package} import {last}")
    except ImportError as error:
        if "python course.py reset" not in str(error):
            wrong.append(f"{name}: {error}")
print(json.dumps(wrong))
"""


def imports_of(names: list[str]) -> list[str]:
    """Of a notebook's names those that it imports: the others are attributes of these."""
    return [name for name in names if not any(name.startswith(f"{other}.") for other in names)]


def test_each_import_works_or_says_what_to_do() -> None:
    asked = sorted({name for names in NAMES.values() for name in imports_of(names)})
    answer = subprocess.run(
        [sys.executable, "-c", ASKED], input=json.dumps(asked), cwd=root, capture_output=True, text=True
    )
    assert answer.stdout.strip() == "[]", answer.stdout + answer.stderr


def copy_of(folder: Path, *sources: str) -> Path:
    path = folder / "06_copy.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [source]} for source in sources]}))
    return path


@pytest.mark.parametrize("path", sorted((root / "notebooks").glob("*.ipynb")), ids=lambda path: path.name[:2])
def test_a_notebook_of_now_asks_for_nothing_that_is_gone(path: Path) -> None:
    assert gone(path) == []


@pytest.mark.parametrize(
    ("used", "name"),
    [
        ("from lib import records\nrecords.load('pocket')", "lib.records.load"),
        ("from chapters.nb19 import drawings as d\nd.describe_x()", "chapters.nb19.drawings.describe_x"),
        ("from lib import figures\nfigures.describe_seeds({})", "lib.figures.describe_seeds"),
        ("from lib.experiments import records", "lib.experiments.records"),
        ("from lib.compression.ledger import rows\nrows.rows_of([])", "lib.compression.ledger.rows.rows_of"),
    ],
)  # fmt: skip
def test_what_an_older_copy_asks_for_is_known_to_be_gone(used: str, name: str, tmp_path: Path) -> None:
    assert gone(copy_of(tmp_path, "%matplotlib inline", "def half(", used)) == [name]


def test_what_a_learner_writes_is_none_of_ours(tmp_path: Path) -> None:
    own = "import torch\nfrom lib.bert import BertModel\nmodel = BertModel.of_mine()\nmodel.nothing"
    assert gone(copy_of(tmp_path, own)) == []
    (tmp_path / "damaged.ipynb").write_text("{")
    assert gone(tmp_path / "damaged.ipynb") == []
