"""What one run of an experiment gave, kept in the cache as soon as it is done: a record takes hours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lib.records.cache import Entry, cached

RESULT = "result.json"
PACKED = "model.safetensors"  # the model that came of it, as `lib.compression.packed` writes it


def kept_result(entry: Entry) -> Any:
    """What the entry wrote as its result, made now if it is not there."""
    return result_in(cached(entry).folder)


def result_in(folder: Path) -> Any:
    """What a run wrote into its folder."""
    return json.loads((folder / RESULT).read_text(encoding="utf-8"))
