"""Bubblewrap around each answer of a stranger: what it can read, and that it can write and reach nothing.

Behind it an answer has a view of the machine that it cannot write to, without home folders, without other
hand-ins, without what the grader's environment names; it has no network, no other process, and a scratch folder
in memory. When it ends, the kernel ends all that it started. It can still read what every user may, and it
can alter the process in which it is judged, and so claim to be right.
"""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from lib import root

SCRATCH = "/tmp"
QUOTA = 256 * 1024**2  # bytes that an answer may write into one of its folders
ON = (
    "Protection: bubblewrap. An answer could write to memory alone, and saw no home folder, no other hand-in,"
    " no other process and no network."
)
OFF = (
    "Protection: none (--unprotected). An answer has your rights: it can read and write your files, see the"
    " other hand-ins, use the network and leave processes running."
)

_EMPTY = (SCRATCH, "/var/tmp", "/run", "/home", "/root", "/dev/shm")
_TOLD = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "OMP_NUM_THREADS")  # of the environment


def command(hidden: Iterable[Path] = ()) -> list[str]:
    """What to put before a command to run it behind bubblewrap, the folders `hidden` being empty there.

    ValueError, which says what to do, where bubblewrap is not installed or does not work.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise ValueError(_refusal("which is not installed here"))
    line = [program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv"]
    for name in _TOLD:
        line += ["--setenv", name, os.environ[name]] if name in os.environ else []
    line += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    for place in (*_EMPTY, Path.home(), *hidden):
        line += _emptied(os.path.realpath(place))
    line += ["--chdir", "/"]
    tried = subprocess.run(
        [*line, sys.executable, "-c", ""], capture_output=True, text=True, errors="replace"
    )
    if tried.returncode != 0:
        raise ValueError(_refusal(f"which does not work here ({tried.stderr.strip()[-300:]})"))
    return line


def _refusal(trouble: str) -> str:
    return (
        f"Strangers' answers are judged behind bubblewrap, {trouble}: install version 0.7 or newer"
        " (`apt install bubblewrap`), grade on a machine where it works, or, if you trust everybody who handed"
        " in, add --unprotected."
    )


def _emptied(place: str) -> list[str]:
    """The options that lay an empty folder in memory over a place, and show again what Python needs of it."""
    if place == "/" or not os.path.isdir(place):
        return []
    folders = {str(root), sys.prefix, sys.base_prefix, *site.getsitepackages(), site.getusersitepackages()}
    needed = sorted({os.path.realpath(folder) for folder in folders if os.path.isdir(folder)})
    options = ["--size", str(QUOTA), "--tmpfs", place]
    for folder in needed:
        if folder.startswith(place + os.sep):
            options += ["--ro-bind", folder, folder]
    return options
