"""`python course.py cache adopt`: entries that the code of before the move made keep their place.

One-off: in November 2026 files moved to `chapters`, `studies` and `tools`, and the paths, and so the keys of
all entries, are others now, though none would come out otherwise. An entry is known by what it was made from,
with the digest of the code that it had then.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lib.files import locked, replacing, write_json
from lib.records import cache
from lib.records.cache import META, Entry

#: of each entry the digest of its code at the last commit before the move
CODE_BEFORE = {
    "entities_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "graded_pairs_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "headlines_small_file": "d140932e10eb3d3edc16226de953490687a3f9f9c86bcb0ba83205f9c984a448",
    "headlines_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "landscapes": "b3de63d5500956afcbe162b87598ade941f070c62fbdeb56418bd10b01dfd131",
    "pairs_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "passages_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "reviews_small_file": "d140932e10eb3d3edc16226de953490687a3f9f9c86bcb0ba83205f9c984a448",
    "reviews_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
    "stories_teacher_0": "689a188cf00d3773bf71e9c045ac1b1ed59af56d262b7337b6b4f3c7c47e910f",
}


def adopt(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """The name of each entry, and what became of it: adopted, there already, or to be made anew."""
    for entry in entries:
        place = cache.entry_folder(entry)
        if cache.read_meta(place) is not None:
            yield entry.name, "is there"
        elif (before := _folder_before(entry)) is None:
            yield entry.name, "is made anew when it is asked for: nothing of before the move fits it"
        else:
            _carry(before, place, entry)
            yield entry.name, f"was carried over from {before.name}"


def _folder_before(entry: Entry) -> Path | None:
    """Where the code of before the move kept this entry, whole and made from the same."""
    for folder in sorted(cache.cache_folder().glob(f"{entry.name.removesuffix('_0')}-*")):
        meta = cache.read_meta(folder)
        if meta is not None and _is_of_before(meta["made from"], entry):
            return folder
    return None


def _is_of_before(made_from: dict[str, Any], entry: Entry) -> bool:
    now = cache.parts_of_key(entry)
    code = hashlib.sha256(json.dumps(made_from["code"], sort_keys=True).encode()).hexdigest()
    alike = all(made_from[part] == now[part] for part in ("make", "config", "data", "torch"))
    return alike and code == CODE_BEFORE.get(entry.name)


def _carry(before: Path, place: Path, entry: Entry) -> None:
    """A copy under the key of now; the old folder stays until `cache clear`."""
    meta = cache.read_meta(before)
    assert meta is not None  # it was, a moment ago
    with locked(cache.lock_of(place)), replacing(place) as beside:
        shutil.copytree(before, beside)
        meta |= {"made from": cache.parts_of_key(entry), "adopted from": before.name}
        write_json(beside / META, meta | {"digest": cache.digest_of(meta)})
