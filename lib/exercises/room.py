"""Where a stranger's answer runs: a folder of its own, and what stands around it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

WALLS = {
    "namespaces": "Protection: Linux namespaces. An answer could write to a folder of its own alone, and saw"
    " no other hand-in, no other process and no network.",
    "user": "Protection: another user's rights. An answer could write to no file of yours and end no process"
    " of yours, but read what everybody may read, and use the network.",
    "process": "Protection: a process and a folder for each answer, no more. An answer had your rights: it"
    " could read and write your files, and use the network.",
}


@dataclass(frozen=True)
class Room:
    """A folder for all that an answer writes, the folders that it must not see, and the strongest of WALLS to
    put around it where the system permits that."""

    folder: str
    hidden: tuple[str, ...] = ()
    walls: str = "namespaces"


@contextmanager
def fresh(hidden: Iterable[Path] = (), walls: str = "namespaces") -> Iterator[Room]:
    """An empty room for one answer; what the answer has made of it is removed afterwards."""
    folder = tempfile.mkdtemp(prefix="answer-")
    try:
        yield Room(folder, tuple(str(path.resolve()) for path in hidden), walls)
    finally:
        _remove(folder)


def _remove(folder: str) -> None:
    """Remove a folder, also where its rights were taken away, or a thousand folders stand in each other."""
    with suppress(OSError, RecursionError):
        for path, folders, _ in os.walk(folder):
            for name in folders:
                below = os.path.join(path, name)
                if not os.path.islink(below):
                    os.chmod(below, 0o700)
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder) and (remove := shutil.which("rm")):
        subprocess.run([remove, "-rf", "--", folder], stderr=subprocess.DEVNULL, check=False)
