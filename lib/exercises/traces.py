"""A learner's traceback, cut to the learner's own lines."""

from __future__ import annotations

import linecache
import os
import sysconfig
import traceback
from pathlib import Path

from lib import root
from lib.provenance import HOUSES

LINES, CHARACTERS = 4, 500  # of an exception's message that are shown

_OURS = tuple(
    os.path.join(folder, "") for folder in (str(Path(__file__).resolve().parent), str(root / "chapters"))
)
_NOT_THEIRS = tuple(
    os.path.join(folder, "")
    for folder in {
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
        *(str(root / house) for house in HOUSES),
    }
)


def is_theirs(file: str | None) -> bool:
    """Whether a file is a learner's own, and not of Python, a package or the course."""
    if not file or file.startswith((*_NOT_THEIRS, "<frozen")):
        return False
    if len(linecache.cache.get(file, ())) < 4 and not os.path.isfile(file):
        return False  # what NumPy was compiled from is nowhere, nor is what dataclasses write
    return not {"site-packages", "dist-packages"} & set(Path(file).parts)


def cell_lines() -> dict[str, list[str]]:
    """The sources that live in memory alone, by file name: a notebook's cells."""
    entries = linecache.cache.items()
    return {name: entry[2] for name, entry in entries if len(entry) == 4 and entry[1] is None}


def remember(lines: dict[str, list[str]]) -> None:
    """Let tracebacks in this process show `lines`, as `cell_lines` gave them in another."""
    for name, rows in lines.items():
        linecache.cache[name] = (sum(map(len, rows)), None, rows, name)


def in_words(error: BaseException) -> tuple[str, str]:
    """What stopped the learner's code: one sentence with the line, and their part of the stack."""
    what = _short(traceback.format_exception_only(error)[-1].strip())
    if isinstance(error, SyntaxError):
        return f"Python cannot read your code: {what} (line {error.lineno}).", ""
    every = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in every if is_theirs(frame.filename)]
    if not frames and every and every[-1].filename.startswith(_OURS) and every[-1].name != "call":
        return f"What your code gave back could not be judged: {what}", ""
    if not frames:
        return f"Your code stopped with {what}", ""
    last = frames[-1]
    sentence = f"Your code stopped with {what}\n  in {_place(last)}: {last.line}"
    stack = [f"  {_place(frame)}, in {frame.name}: {frame.line}" for frame in frames[-6:]]
    return sentence, "" if len(frames) == 1 else "The way there:\n" + "\n".join(stack)


def _short(message: str) -> str:
    """The beginning of a message, which may hold a tensor of a hundred lines."""
    lines = message.splitlines()
    cut = "\n".join(lines[:LINES])[:CHARACTERS]
    return cut if cut == message else f"{cut} ..."


def _place(frame: traceback.FrameSummary) -> str:
    if frame.filename.startswith("cell "):
        return f"{frame.filename}, line {frame.lineno}"
    if os.path.exists(frame.filename) and "ipykernel_" not in frame.filename:
        return f"{os.path.basename(frame.filename)}, line {frame.lineno}"
    return f"line {frame.lineno} of your cell"
