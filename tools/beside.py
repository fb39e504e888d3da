"""The files that a notebook's code reads: those that lie beside it, and those that its cells write.

Where grades are written they are bytes that nothing looks into; in an answer's process they are laid into
its own folder, and its code imports and opens them there as it did in the learner's.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

MAX_BYTES = 200_000
MAX_FILES = 50
_WRITES = re.compile(r"\s*%%(?:writefile|file)[ \t]+((?:-a|--append)[ \t]+)?[\"']?([^\n\"']+)[^\n]*\n?")

Files = dict[str, bytes]  # by path from the notebook's folder, with "/"


def beside(folder: Path) -> Files:
    """The first MAX_FILES Python files of a folder and of those below it, of up to MAX_BYTES each.

    What is hidden and what is a link is passed over, and so is a folder below that holds notebooks.
    """
    files: Files = {}
    for where, folders, names in os.walk(folder):
        below = [name for name in folders if not name.startswith(".")]
        folders[:] = sorted(name for name in below if not any(Path(where, name).rglob("*.ipynb")))
        for name in sorted(names):
            path = Path(where, name)
            plain = path.is_file() and not path.is_symlink() and not name.startswith(".")
            if plain and path.suffix == ".py" and path.stat().st_size <= MAX_BYTES and len(files) < MAX_FILES:
                files[path.relative_to(folder).as_posix()] = path.read_bytes()
    return files


def with_written(files: Files, cells: Iterable[tuple[int, str]]) -> Files:
    """Those files and what `%%writefile` puts into the folder: as they are after the last cell."""
    files = dict(files)
    for _, source in cells:
        if found := _WRITES.match(source):
            path = inside(found[2].strip())
            before = files.get(path, b"") if found[1] else b""
            text = source[found.end() :].removesuffix("\n")
            files[path] = before + f"{text}\n".encode("utf-8", "replace")
    return files


def inside(path: str) -> str:
    """Where a path leads to in an answer's folder, which stands for all others that a learner may name."""
    there = PurePosixPath(path)
    if there.is_absolute() or ".." in there.parts or path.startswith("~"):
        return there.name
    return there.as_posix()


def named(code: str, paths: Iterable[str]) -> list[str]:
    """Those of some paths that code names, by the file or by a folder above it."""
    found = []
    for path in paths:
        parts = "|".join(map(re.escape, PurePosixPath(path).with_suffix("").parts))
        if re.search(rf"(?<!\w)({parts})(?!\w)", code):
            found.append(path)
    return found


def lay_out(files: Files) -> None:
    """Write files into the working folder, where they can be imported and opened from now on."""
    for path, content in files.items():
        with suppress(OSError, ValueError):  # what was no name of a file in the learner's folder either
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(content)
    for name in {path.split("/")[0].removesuffix(".py") for path in files}:
        module = sys.modules.get(name)
        is_folder = hasattr(module, "__path__") and getattr(module, "__file__", None) is None
        if name == "tools" or is_folder:  # the course's own, or a folder that was found in its place
            sys.modules.pop(name, None)
    importlib.invalidate_caches()
