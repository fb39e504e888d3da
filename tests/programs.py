"""Programs that tests start."""

import os
import subprocess
import sys


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs this Python with other environment variables; text comes back."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
