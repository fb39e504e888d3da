"""Writes down what must not change while files move: `python tests/guards/freeze.py`.

names: what the notebooks import from the course, and which attributes they use.
"""

from __future__ import annotations

import json
from pathlib import Path

from tools.older_copies import names_in

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"


def names() -> dict[str, list[str]]:
    """For each notebook: the names that it imports from the course, and `module.attribute` of these."""
    found = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        found[path.stem] = sorted(names_in(sources))
    return found


if __name__ == "__main__":
    (HERE / "names.json").write_text(json.dumps(names(), indent=0) + "\n", encoding="utf-8")
