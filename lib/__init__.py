"""What the notebooks of "BERT, inside out" import; also the answer to every exercise.

The packages, each importing only from those before it: `bert` (the model), `text`, `analysis`, `training`,
`compression`, `records`, then `figures` and `exercises`. `python course.py --help` shows the command line.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Never

__version__ = "0.1.0"

root = Path(__file__).resolve().parent.parent
"""The repository's root: where `notebooks/`, `data/` and `my/` are."""


class _OlderCopies(MetaPathFinder):
    """Asked last, for a module that nobody has: an older copy of a notebook may want what has moved."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name.startswith("lib."):
            self.refuse(name)

    def refuse(self, name: str) -> Never:
        raise ImportError(
            f"The course has no {name}. If a copy of a notebook asks for it, the copy is of an older edition:"
            " `python course.py reset NN`, with its number, makes a new one and keeps yours beside it."
        )


sys.meta_path.append(_OlderCopies())
