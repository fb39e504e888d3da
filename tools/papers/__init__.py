"""The papers of the seminar, a module each; `tools.seminar` makes their pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where in the course a part of the paper is run: "section 3", "stretch “name”" or "Now yours"."""

    notebook: str
    where: str
    what: str


@dataclass(frozen=True)
class Doubt:
    """A claim that a cell can test, and what came out, computed from a record or an erratum as it is told."""

    claim: str
    outcome: Callable[[], str]


@dataclass(frozen=True)
class Paper:
    """What a seminar of an hour needs of a paper.

    `read` says which sections, figures and tables, in `minutes`. `earlier` and `later` are for the historian,
    `change` for the hacker: the one number to change live. `questions` are five.
    """

    name: str  # such as "BinaryBERT"
    authors: str  # such as "Bai et al."
    year: int
    title: str
    link: str
    read: str
    minutes: int
    places: tuple[Place, ...]
    doubts: tuple[Doubt, ...]
    earlier: str
    later: str
    change: str
    questions: tuple[str, ...]
    ice_breaker: str
