"""Where a figure comes from: the machine it was measured on, the commit that did, and its source files."""

from __future__ import annotations

import ast
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from lib import root

HOUSES = ("lib", "chapters", "studies", "tools")  # the folders whose modules are the course's own


def cpu_name() -> str:
    """What the processor calls itself."""
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def machine() -> str:
    """Processor, graphics card where there is one, cores, system and versions, in one line."""
    import torch  # not above: who reads a record does not need it

    card = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    return (
        f"{cpu_name()}{card}, {os.cpu_count()} cores, {platform.system()}, Python"
        f" {platform.python_version()}, PyTorch {torch.__version__.partition('+')[0]} with"
        f" {torch.get_num_threads()} threads"
    )


def commit() -> str:
    """The commit that the code is at, marked where files have been changed since; "unknown" where git is not
    installed, or knows nothing of this folder."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    describe = [git, "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--match="]
    return subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


_parsing = threading.Lock()  # two threads that parse at once stop each other in Python 3.11


def imported(path: Path) -> set[str]:
    """What a file of the repository imports, wherever in it, as full names: `lib.bert.config`, `torch`."""
    names: set[str] = set()
    with _parsing:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(root).parts[: -node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def modules_of_the_course() -> dict[str, Path]:
    """Every module of the course by its full name: a package's file is its `__init__.py`."""
    files = (path for house in HOUSES for path in (root / house).rglob("*.py"))
    paths = {path.relative_to(root).with_suffix(""): path for path in files}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in paths.items()}


def modules_among(names: set[str], known: Iterable[str]) -> set[str]:
    """The modules, among those known, that these imported names run: packages on the way are run too.

    `from lib.text import masking` names a module, `from lib.text import reader` what a module holds.
    """
    parts = [name.split(".") for name in names]
    return {".".join(part[:size]) for part in parts for size in range(1, len(part) + 1)} & set(known)


def source_files(start: Path) -> list[Path]:
    """The file `start` and the files of the course that it imports, and those that they import, in order.

    Found by reading, so that nothing is run: what `importlib` is asked for by a string is not seen.
    """
    known = modules_of_the_course()
    found, waiting = {start}, [start]
    while waiting:
        new = {known[name] for name in modules_among(imported(waiting.pop()), known)} - found
        found |= new
        waiting += new
    return sorted(found)
