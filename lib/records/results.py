"""What one run of an experiment gave, kept in the cache as soon as it is done: a record takes hours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULT = "result.json"
PACKED = "model.safetensors"  # the model that came of it, as `lib.compression.packed` writes it


def result_in(folder: Path) -> Any:
    """What a run wrote into its folder."""
    return json.loads((folder / RESULT).read_text(encoding="utf-8"))
