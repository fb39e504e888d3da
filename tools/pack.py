"""The course in one file for a room without a network: the repository, and the wheels that it installs from.

A pack serves machines like the one on which it was made: the same system, processor and version of Python.
`course.py` reads `pack.json`, which says so, before it installs anything.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from lib import root
from lib.files import replacing

FOLDER = "bert-inside-out"  # in the ZIP
WHEELS = "wheels"
CARD = "pack.json"


def pack(target: Path) -> str:
    """Write the ZIP `target`, whole or not at all; returns a sentence with its size and whom it serves."""
    if target.suffix != ".zip":
        raise ValueError(f"A pack is a ZIP: give it a name that ends in .zip, such as {target.stem}.zip.")
    files = tracked()
    with tempfile.TemporaryDirectory() as name:
        wheels = fetch_wheels(Path(name))
        with replacing(target) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
            for file in files:
                archive.write(root / file, f"{FOLDER}/{file}", zipfile.ZIP_DEFLATED)
            for wheel in wheels:
                archive.write(wheel, f"{FOLDER}/{WHEELS}/{wheel.name}")
            archive.writestr(f"{FOLDER}/{WHEELS}/{CARD}", json.dumps(card(), indent=1) + "\n")
    size = target.stat().st_size / 1e6
    return (
        f"{target}: {size:,.0f} MB, {len(files)} files of the course and {len(wheels)} wheels, for {said()}"
    )


def card() -> dict[str, str]:
    """Which machines a pack that is made here serves."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def said() -> str:
    """The card as a reader is told it."""
    return "{system} on {machine} with Python {python}".format(**card())


def tracked() -> list[str]:
    """The files of the course, as they lie here, relative to its folder."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode != 0:
        raise ValueError(f"{root} is no clone of the course, or git is missing, so its files can't be told.")
    return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def fetch_wheels(folder: Path) -> list[Path]:
    """The wheels of all that the course needs, in the versions of `constraints.txt`; needs the network."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"], "pip", "wheel"]
    # the build that is installed here: the small one without a graphics card has another version
    torch = f"torch=={importlib.metadata.version('torch')}"
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--disable-pip-version-check",
        "--wheel-dir",
        str(folder),
    ]
    ended = subprocess.run([*command, "-c", str(root / "constraints.txt"), *wanted, torch])
    if ended.returncode != 0:
        raise ValueError(
            "The wheels could not be fetched; pip's reason stands above. Packing needs the network, and"
            " pip needs the address of PyTorch's small build in PIP_EXTRA_INDEX_URL if you gave it one."
        )
    return sorted(folder.glob("*.whl"))
