"""The pages of the seminar, one a paper, made from `tools.papers` so that what they say stays true."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from lib import root
from lib.files import write_whole
from tools import papers
from tools.copies import every_notebook
from tools.papers import Paper, Place
from tools.testing import budgets

FOLDER = root / "docs" / "seminar"
GENERATED = "<!-- Made by `python course.py seminar` from tools/papers; edit there. -->"


def every_paper() -> dict[str, Paper]:
    """The papers by the name of their module, the oldest first."""
    names = [module.name for module in pkgutil.iter_modules(papers.__path__)]
    found = {name: import_module(f"tools.papers.{name}").PAPER for name in names}
    return dict(sorted(found.items(), key=lambda item: (item[1].year, item[0])))


def write() -> list[Path]:
    """Write a page for each paper, and the list of all, into `docs/seminar`."""
    pages = {name: page(paper) for name, paper in every_paper().items()} | {"papers": list_of_papers()}
    for name, text in pages.items():
        write_whole(FOLDER / f"{name}.md", text)
    return [FOLDER / f"{name}.md" for name in pages]


def page(paper: Paper) -> str:
    """The page of one paper, in Markdown."""
    return "\n".join(_lines(paper))


def _lines(paper: Paper) -> Iterator[str]:
    yield f"# {paper.name} ({paper.authors}, {paper.year})\n\n{GENERATED}\n"
    yield f"[{paper.title}]({paper.link}). [The roles](roles.md) say how an hour goes.\n"
    yield f"**Read** ({paper.minutes} minutes). {paper.read}\n"
    yield "**Run.**\n"
    yield from (f"- {_link(place)}: {place.what}" for place in paper.places)
    numbers = dict.fromkeys(place.notebook for place in paper.places)
    times = ", ".join(f"{number} in {_seconds(number)} s" for number in numbers)
    yield f"\nWhole notebooks, from restart to end on two quiet cores: {times}.\n"
    yield "**Doubt.** A cell above tests each of these, or a record of the course does.\n"
    yield from (f"{n}. {doubt.claim} {doubt.outcome()}" for n, doubt in enumerate(paper.doubts, 1))
    yield f"\n**For the historian.** Before: {paper.earlier} After: {paper.later}\n"
    yield f"**For the hacker.** {paper.change}\n"
    yield "**Five questions.**\n"
    yield from (f"{n}. {question}" for n, question in enumerate(paper.questions, 1))
    yield f"\n**Ice breaker.** {paper.ice_breaker}\n"


def list_of_papers() -> str:
    """All papers as a table, in Markdown."""
    rows = [
        f"| [{paper.name}]({name}.md) | {paper.authors}, {paper.year} | {paper.minutes} |"
        f" {', '.join(dict.fromkeys(place.notebook for place in paper.places))} |"
        for name, paper in every_paper().items()
    ]
    head = ["| paper | authors | minutes to read | notebooks |", "|---|---|---:|---|"]
    return "\n".join(["# The papers of the seminar\n", f"{GENERATED}\n", *head, *rows]) + "\n"


def _link(place: Place) -> str:
    [path] = [path for path in every_notebook() if path.name[:2] == place.notebook]
    return f"[{place.notebook}, {place.where}](../../notebooks/{path.name})"


def _seconds(notebook: str) -> int:
    [seconds] = [value for name, value in budgets().items() if name[:2] == notebook]
    return round(seconds)
