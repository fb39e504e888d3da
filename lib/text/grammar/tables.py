"""The tables of the grammar, from `data/grammar/`; its README says what their lines mean."""

from __future__ import annotations

import re
from typing import NamedTuple

from lib import root

FOLDER = root / "data" / "grammar"
TENSES = {  # what stands in a plot behind the verb and a colon
    "had": "past perfect",
    "was": "past progressive",
    "would": "would",
    "could": "could",
    "should": "should",
}
JOINING = ("AND", "BUT", "BECAUSE", "WHEN", "WHILE", "BEFORE", "AFTER", "ALTHOUGH")


class Shape(NamedTuple):
    """What the lines of a table look like: a regular expression, and a line that fits it."""

    pattern: str
    example: str


_SLOT = r"[a-z_]+(\.[sp])?(/[a-z_]+(\.[sp])?)*"  # "pet/key.s"
_WHO = r"[a-z][a-z_+-]*(\.[sp])?"  # a role, several, or a noun of its own: "a", "a+b", "the-bus.s"
_PART = rf"({_WHO}|[a-z]+:({'|'.join(TENSES)})|[a-z]+={_WHO}|[!~@+][A-Za-z-]+|(TO|THAT)(?= [a-z]))"
_CLAUSE = rf"{_WHO}( {_PART})+"
_CLAUSES = rf"{_CLAUSE}( ({'|'.join(JOINING)}) {_CLAUSE})*"
_TOLD = rf"(({'|'.join(JOINING)}) {_CLAUSE} THEN )?{_CLAUSES}"
_ROLE = rf"[a-z]: (([a-z]'s )?{_SLOT}|[a-z](\+[a-z])+)"

HEADING = Shape(r"\[[a-z_]+\]", "[kitchen]")
NOUNS = Shape(r"[a-z_]+:( [a-z]+[*=]?)+", "drink: coffee* lemonade*")
WORDS = Shape(r"[a-z_]+:( [A-Za-z_]+)+", "town_way: street park")
FORMS = Shape(r"[a-z]+: [a-z]+ [a-z]+", "see: saw seen")
PHRASES = Shape(rf"[a-z_]+:( [a-z]+={_SLOT})+", "jewelry: in=box/drawer.s")
FRAME = Shape(rf"{_SLOT} [a-z]+!?( \+[a-z]+)?( {_SLOT})?( \??[a-z]+={_SLOT})*", "cat sleep ?on=sofa.s")
ROLES = Shape(rf"{_ROLE}( \| {_ROLE})*", "a: name | k: a's ring.s")
SENTENCE = Shape(rf"(\? )?{_TOLD}( \| {_TOLD})*", "a lose k in=garden | a be !sad")


def sections(name: str, shape: Shape) -> dict[str, list[str]]:
    """The lines below each [heading] of a file."""
    lines_of: dict[str, list[str]] = {}
    for number, line in _lines(name):
        if line.startswith("[") or (line and not lines_of):
            below = lines_of.setdefault(_checked(name, number, line, HEADING).strip("[]"), [])
        elif line:
            below.append(_checked(name, number, line, shape))
    return lines_of


def tables(name: str, shape: Shape) -> dict[str, dict[str, str]]:
    """The lines below each [heading] of a file, by what stands before their colon."""
    return {
        heading: dict(line.split(": ") for line in lines) for heading, lines in sections(name, shape).items()
    }


def plots() -> list[list[str]]:
    """The plots, each its lines: the roles first, in one line."""
    blocks: list[list[str]] = [[]]
    for number, line in _lines("plots.txt"):
        plot = blocks[-1]
        if not line:
            blocks.append([])
        elif not plot or (": " in line and len(plot) == 1):
            plot[:] = [" | ".join([*plot, _checked("plots.txt", number, line, ROLES)])]
        else:
            plot.append(_checked("plots.txt", number, line, SENTENCE))
    return [plot for plot in blocks if plot]


def _lines(name: str) -> list[tuple[int, str]]:
    path = FOLDER / name
    if not path.is_file():
        raise ValueError(f"There is no {path}: restore data/grammar from the course's repository.")
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return [(number, line.rstrip()) for number, line in lines if not line.startswith("#")]


def _checked(name: str, number: int, line: str, shape: Shape) -> str:
    if not re.fullmatch(shape.pattern, line):
        raise ValueError(
            f'data/grammar/{name}, line {number}: {line!r} cannot be read; write as in "{shape.example}".'
        )
    return line
