"""What a figure was measured on: without it, a number of milliseconds means nothing."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import torch


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
