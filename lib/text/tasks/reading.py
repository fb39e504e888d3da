"""What all readers of public files give: the examples that are whole, and a word on what was left out."""

from __future__ import annotations

import math
import re
import unicodedata
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

Example = TypeVar("Example")
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Broken(NamedTuple):
    """A part of a file that is left out: where it stands, and why."""

    where: str  # "line 17"
    why: str  # "it has 3 columns, not 4"


class Examples(list[Example]):
    """The examples of a file in their order; in `broken` what was left out, in `remarks` what was guessed."""

    broken: tuple[Broken, ...] = ()
    remarks: tuple[str, ...] = ()  # sentences


def whole_examples(source: str | Path, entries: Iterable[Example | Broken], what: str) -> Examples[Example]:
    """The examples that are whole; one warning says how many are not, and where the first of them stands.

    what: the kind of file that `source` should be, such as "a file of SST-2, such as SST-2/dev.tsv". Raises
    ValueError where it is none: nothing is whole, or more is broken than whole.
    """
    examples: Examples[Example] = Examples()
    broken = []
    for one in entries:
        if isinstance(one, Broken):
            broken.append(one)
        else:
            examples.append(one)
    examples.broken = tuple(broken)
    if not examples and not broken:
        raise ValueError(f"{source} holds no example: give {what}.")
    if broken:
        count, first = f"{len(broken)} of {len(broken) + len(examples)} examples", ": ".join(broken[0])
        if len(broken) > len(examples):
            raise ValueError(f"{source} is not {what}: {count} are broken, the first at {first}.")
        warnings.warn(f"{count} of {source} are broken and left out, the first at {first}.", stacklevel=3)
    return examples


def decimal(text: object) -> float:
    """The number that a cell of a table holds, in ASCII digits with a point or none: " 3.5 ", "4", "1e-05".

    Raises ValueError, without a stop at its end, for all else, also for what Python would read: nan, inf,
    1_0, the digits of other scripts, and 1e400, which is too large.
    """
    number = float(str(text)) if DECIMAL.fullmatch(str(text).strip()) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no decimal number such as 3.5")
    return number


def whole_number(text: object) -> int:
    """The whole number that a cell or an entry of JSON holds: 4, "4" or 4.0. ValueError as of `decimal`."""
    number = decimal(text)
    if number != int(number):
        raise ValueError(f"{text!r} is no whole number")
    return int(number)


def is_blank(text: object) -> bool:
    """Whether a text is empty, or all of spaces and of characters without a width, of which no piece is.

    Raises ValueError, without a stop at its end, for what is no text, such as a NaN where pandas found none.
    """
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no text")
    return all(one.isspace() or unicodedata.category(one) in ("Cc", "Cf") for one in text)
