"""`python course.py cache adopt`: entries that the code of before the move made keep their place.

One-off: in November 2026 files moved to `chapters`, `studies` and `tools`, and the paths, and so the keys of
all entries, are others now, though none would come out otherwise. An entry is known by what it was made from,
with the digest of the code that it had then.
"""

from __future__ import annotations

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
        elif name := _carried(entry, place):
            yield entry.name, f"was carried over from {name}"
        else:
            yield entry.name, "is made anew when it is asked for: nothing of before the move fits it"


def _carried(entry: Entry, place: Path) -> str:
    """Copy what the code of before the move kept, whole and made from the same, to the place of now.

    The name of the folder that it was in, which stays until `cache clear`; "" where there is none.
    """
    now = cache.parts_of_key(entry)
    for folder in sorted(cache.cache_folder().glob(f"{entry.name.removesuffix('_0')}-*")):
        meta = cache.read_meta(folder)
        if meta is None or not _is_of_before(meta["made from"], now, entry.name):
            continue
        with locked(cache.lock_of(place)), replacing(place) as beside:
            shutil.copytree(folder, beside)
            meta |= {"made from": now, "adopted from": folder.name}
            write_json(beside / META, meta | {"digest": cache.digest_of(meta)})
        return folder.name
    return ""


def _is_of_before(made_from: dict[str, Any], now: dict[str, Any], name: str) -> bool:
    alike = all(made_from[part] == now[part] for part in ("make", "config", "data", "torch"))
    return alike and cache.digest_of(made_from["code"]) == CODE_BEFORE.get(name)
