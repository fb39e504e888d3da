"""What several notebooks need and what takes long to make: made once for each machine, code, data and seeds.

    teacher = cached(TEACHER)  # an Entry
    print(teacher)  # trained here in 41 s; or: from the cache, trained on 2026-11-22 in 41 s
    model = BertForSequenceClassification.from_pretrained(teacher.folder)

An entry is a folder outside the repository, in BERT_COURSE_CACHE or the platform's folder for caches. It is
made in a process of its own, by the code on the disk, whatever a notebook has put in that code's place.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from lib import root
from lib.command import Stopped
from lib.files import digest, locked, replacing, write_json
from lib.provenance import commit, machine, modules_of_the_course, source_files
from lib.records.inputs import digests

VARIABLE = "BERT_COURSE_CACHE"  # of the environment
META = "meta.json"


@dataclass(frozen=True)
class Entry:
    """Something to keep: `make(folder, **config)` fills an empty folder, and the same goes in and comes out.

    make: a function on a module's top level, by whose module, and all of lib that it imports, the entry is
    known. config: JSON, seeds among it. data: what else is read, by the names of `lib.records.inputs`,
    that of other entries too. done: the word for having made it, such as "trained" or "packed". version: if
    given, it stands in the key for the code, whose digests are written down and not compared. modules: where
    else its code is, beside make's module.
    """

    name: str
    about: str
    make: Callable[..., None]
    config: Mapping[str, Any] = field(default_factory=dict)
    data: tuple[str, ...] = ()
    done: str = "trained"
    version: int | None = None
    modules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\w{1,23}", self.name, re.ASCII):  # of a folder, with its key
            raise ValueError(
                f"{self.name!r} names no entry: take at most 23 letters, digits and underscores."
            )
        if _source_of(self) is None:
            raise ValueError(
                f"The code that {self.name} depends on cannot be found: make it by a function of a module."
            )


@dataclass(frozen=True)
class Cached:
    """An entry that is there: its folder, what made it, and whether that was a moment ago."""

    entry: Entry
    folder: Path
    meta: Mapping[str, Any]
    made_here: bool

    def __str__(self) -> str:
        """What a notebook prints of it."""
        done, seconds = self.entry.done, f"{self.meta['seconds']:.0f} s"
        if self.made_here:
            return f"{done} here in {seconds}"
        return f"from the cache, {done} on {self.meta['date']} in {seconds}"


def cached(entry: Entry) -> Cached:
    """The entry, made now if it is not there, was made from something else, or is damaged.

    Of several processes that want it at once, one makes it and the others wait. ValueError where that fails.
    """
    place = entry_folder(entry)
    meta = read_meta(place)
    if meta is not None:
        return Cached(entry, place, meta, made_here=False)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"The cache cannot be kept in {place.parent} ({error.strerror}): name another folder in the"
            f" environment variable {VARIABLE}."
        ) from None
    if not os.environ.get("TQDM_DISABLE"):  # whoever silences bars wants no other word while it runs
        print(f"Once on this machine: {entry.about}. It may take minutes, and is kept.", flush=True)
    made_here = _in_a_process_of_its_own(entry, place)
    meta = read_meta(place)
    if meta is None:
        raise ValueError(f"{entry.name} was removed as soon as it was {entry.done}: ask for it again.")
    return Cached(entry, place, meta, made_here)


def cache_folder() -> Path:
    """Where entries are kept: the folder in BERT_COURSE_CACHE, else the platform's own for caches.

    Where that cannot be written, as in a read-only home, entries last as long as this process.
    """
    if not os.environ.get(VARIABLE):
        own = user_cache_path("bert-inside-out", appauthor=False)
        with suppress(OSError):
            own.mkdir(parents=True, exist_ok=True)
        if os.access(own, os.W_OK):
            return own
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="bert-course-")  # the processes it starts share it
        atexit.register(shutil.rmtree, os.environ[VARIABLE], ignore_errors=True)
    return Path(os.environ[VARIABLE])


def parts_of_key(entry: Entry) -> dict[str, Any]:
    """All that an entry depends on, JSON: a digest of each source file and each input, the rest as it is."""
    source = _source_of(entry)
    assert source is not None  # checked when the entry was named
    return {
        "make": entry.make.__qualname__,
        "code": {
            os.path.relpath(path, root).replace(os.sep, "/"): digest(path)
            for start in (source, *(modules_of_the_course()[module] for module in entry.modules))
            for path in source_files(start)
        },
        "data": digests(entry.data),
        "config": dict(entry.config),
        "torch": version("torch"),
        "version": entry.version,
    }


def entry_folder(entry: Entry) -> Path:
    """The folder of an entry as it would be made now, whether it is there or not."""
    return _folder_by(entry.name, parts_of_key(entry))


def _folder_by(name: str, parts: Mapping[str, Any]) -> Path:
    compared = {part: value for part, value in parts.items() if part != "code" or parts["version"] is None}
    return cache_folder() / f"{name}-{digest_of(compared)[:16]}"


def read_meta(folder: Path) -> dict[str, Any] | None:
    """What made the entry in `folder`; None where there is none, or where a file is not as it was written."""
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
        stored = meta.pop("digest")
        return meta if stored == digest_of(meta) and meta["files"] == _files(folder) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # not there, or damaged: it is made anew, and nothing is lost but time


def make_once(entry: Entry, place: Path) -> bool:
    """Make an entry in this process; False where another had made it by the time it was our turn.

    place: its `entry_folder` before this process read the code. ValueError if it is another at the end: who
    edits the code meanwhile would be given what other code made.
    """
    with locked(lock_of(place)):
        if read_meta(place) is not None:
            return False
        _remove_leftovers(place)
        with replacing(place) as beside:
            beside.mkdir()
            start = time.perf_counter()
            entry.make(beside, **entry.config)
            seconds = time.perf_counter() - start
            parts = parts_of_key(entry)
            if _folder_by(entry.name, parts) != place:
                raise ValueError("what it depends on was changed meanwhile; ask for it again.")
            meta = {
                "about": entry.about,
                "date": date.today().isoformat(),
                "seconds": round(seconds, 1),
                "machine": machine(),
                "commit": commit(),
                "made from": parts,
                "files": _files(beside),
            }
            write_json(beside / META, meta | {"digest": digest_of(meta)})
    return True


def clear() -> int:
    """Remove every entry, and what processes that were killed had begun; how many entries that were."""
    folders = {path for path in cache_folder().glob("[!.]*-*") if path.is_dir()}
    begun = {cache_folder() / path.name.split(".")[1] for path in cache_folder().glob(".*-*.part")}
    for place in folders | begun:
        with locked(lock_of(place)):
            _remove_leftovers(place)
            if place.exists():
                shutil.rmtree(place)
    return len(folders)


def _in_a_process_of_its_own(entry: Entry, place: Path) -> bool:
    """`make_once` by code that this process has not touched."""
    with tempfile.TemporaryDirectory(prefix="bert-course-") as room:
        answer = Path(room, "answer.json")
        # not by multiprocessing, which would run the script of whoever asks once more
        program = (
            "import json, pickle, sys; sys.path[:] = json.loads(sys.argv[1]);"
            f" from {__name__} import answer_to; answer_to(*pickle.load(sys.stdin.buffer))"
        )
        command = [sys.executable, "-P", "-c", program, json.dumps(sys.path)]
        try:
            subprocess.run(command, input=pickle.dumps((entry, place, answer)))
        except KeyboardInterrupt:
            raise Stopped(
                f"{entry.about} was not {entry.done} to its end, and nothing of it is kept. Run this again."
            ) from None
        if not answer.exists():
            raise ValueError(
                f"{entry.name} could not be {entry.done}: its process ended before its work was done."
            )
        made_here, problem = json.loads(answer.read_text(encoding="utf-8"))
    if problem:
        raise ValueError(f"{entry.name} could not be {entry.done}: {problem}")
    return bool(made_here)


def answer_to(entry: Entry, place: Path, answer: Path) -> None:
    """`make_once` an entry that another process wants; the answer is whether it was made, or why not."""
    try:
        write_json(answer, [make_once(entry, place), None])
    except (ValueError, OSError) as error:
        write_json(answer, [False, str(error)])


def _source_of(entry: Entry) -> Path | None:
    """The file that holds the making function, where it can be imported by name from there."""
    module = sys.modules.get(entry.make.__module__)
    source = getattr(module, "__file__", None)
    importable = getattr(module, getattr(entry.make, "__name__", ""), None) is entry.make
    return Path(source) if source and importable and entry.make.__module__ != "__main__" else None


def _files(folder: Path) -> dict[str, str]:
    """The digest of every file in a folder but the one that says what made it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / META)
    return {path.relative_to(folder).as_posix(): digest(path) for path in files}


def digest_of(content: Mapping[str, Any]) -> str:
    """The SHA-256 of what is JSON, in whatever order it stands."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def lock_of(place: Path) -> Path:
    """Each folder has its own: an entry may need another of the same name while it is made."""
    return place.with_name(f".{place.name}.lock")


def _remove_leftovers(place: Path) -> None:
    """What processes that were killed had begun of a folder; whoever holds its lock may."""
    for begun in place.parent.glob(f".{place.name}.*.part"):
        shutil.rmtree(begun, ignore_errors=True)
