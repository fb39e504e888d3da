"""Where a figure comes from: the machine it was measured on and the commit that measured it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import torch

from lib import root


def cpu_name() -> str:
    """What the processor calls itself."""
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def machine() -> str:
    """Processor, cores, system and versions, in one line."""
    return (
        f"{cpu_name()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"PyTorch {torch.__version__.partition('+')[0]} with {torch.get_num_threads()} threads"
    )


def commit() -> str:
    """The commit that the code is at, marked where files have been changed since; "unknown" where git is not
    installed, or knows nothing of this folder."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    describe = [git, "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--match="]
    return subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
