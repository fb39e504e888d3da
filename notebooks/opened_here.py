"""Lets the notebooks of this folder run where they lie, in a course that was cloned and not installed.

A notebook imports `lib` and `chapters`, which are folders beside this one. Opened here, it finds the two
modules of these names in this folder, and they put the folders in their place.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent


def missing_packages() -> list[str]:
    """The packages that the course needs and this Python hasn't."""
    import tomllib

    project = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing = []
    for line in project["dependencies"]:
        name = re.split(r"[<>=~!\[; ]", line)[0]
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    return missing


def put_in_its_place(name: str) -> None:
    """Import a folder of the course for the module of its name that is being imported.

    ModuleNotFoundError, in a sentence, where packages are missing that it needs.
    """
    if sys.version_info < (3, 11):  # noqa: UP036  (a kernel of any age may open a notebook)
        raise ModuleNotFoundError(
            "The course needs Python 3.11 or newer, and this kernel has "
            f"{sys.version_info[0]}.{sys.version_info[1]}: choose another kernel."
        )
    missing = missing_packages()
    if missing:
        raise ModuleNotFoundError(
            f"The course needs packages that this kernel hasn't, such as {missing[0]}: run"
            " `%pip install -q -c ../constraints.txt -e ..` in a cell above this one, or close this and type"
            f" `python course.py lab` in {COURSE}."
        )
    sys.path.insert(0, str(COURSE))
    del sys.modules[name]
    importlib.import_module(name)
