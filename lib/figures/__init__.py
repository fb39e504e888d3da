"""The drawings that notebooks share: pure functions from data to a figure, and the ways to show one.

`figures.draw_lines` imports its module when it is first used. What one notebook draws is in its chapter.
"""
# ruff: noqa: F403

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attention import *
    from .charts import *
    from .display import *
    from .frontier import *
    from .live import *
    from .map_of_bert import *
    from .panels import *
    from .ranges import *
    from .rendered import *
    from .schematic import *
    from .score import *
    from .widgets import *

HERE = Path(__file__).parent
PUBLIC = re.compile(r"^(?:def|class) ([A-Za-z]\w*)", re.MULTILINE)


@cache
def _modules() -> dict[str, str]:
    """The module of each public function and class of this folder, found by reading."""
    files = sorted(HERE.glob("*.py"))
    return {name: path.stem for path in files for name in PUBLIC.findall(path.read_text("utf-8"))}


if not TYPE_CHECKING:  # mypy would take any name for one that is here

    def __getattr__(name: str) -> Any:
        if name not in _modules():
            raise AttributeError(f"lib.figures has no {name}.")
        return getattr(import_module(f"{__name__}.{_modules()[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_modules())
