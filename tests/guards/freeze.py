"""Writes down what must not change while files move: `python tests/guards/freeze.py verdicts|outputs`.

verdicts: what is said to every answer of tests/chapters/answers. outputs: a digest of what each cell of each
notebook has stored.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def verdicts() -> dict[str, Any]:
    """For each file of answers: which right ones pass; mistake and message of the wrong ones."""
    sys.path.insert(0, str(HERE.parent / "chapters"))
    from test_answers import FILES, digest_of, judged

    found = {}
    for file in FILES:
        right, wrong = judged(file)
        found[file] = {
            "right": [report.passed for _, report in right],
            "wrong": [[report.passed, report.mistake, digest_of(report.message)] for _, report in wrong],
        }
    return found


def outputs() -> dict[str, Any]:
    """For each notebook: a digest of the outputs of each cell, in order."""
    found = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found[path.stem] = [_digest(cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
    return found


if __name__ == "__main__":
    for what in sys.argv[1:]:
        frozen = {"verdicts": verdicts, "outputs": outputs}[what]()
        (HERE / f"{what}.json").write_text(json.dumps(frozen, indent=0) + "\n", encoding="utf-8")
