"""What the notebooks of an older edition import is there, or a sentence says what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from lib import root

NAMES = json.loads((Path(__file__).parent / "guards" / "names.json").read_text(encoding="utf-8"))
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
