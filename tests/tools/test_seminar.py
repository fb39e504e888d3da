"""The seminar's pages are what the papers and the records make of them."""

import re

import pytest
from test_pages import NOTEBOOKS, places_in

from lib import root
from tools import seminar
from tools.papers import Paper

PAPERS = seminar.every_paper()
each = pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)


def test_the_pages_are_what_their_data_make_of_them() -> None:
    written = {path.stem: path.read_text(encoding="utf-8") for path in seminar.FOLDER.glob("*.md")}
    made = {name: seminar.page(paper) for name, paper in PAPERS.items()} | {
        "papers": seminar.list_of_papers()
    }
    assert written.keys() == made.keys() | {"roles"}
    assert all(written[name] == text for name, text in made.items()), "run `python course.py seminar`"


@each
def test_a_paper_is_sent_to_what_there_is(paper: Paper) -> None:
    for place in paper.places:
        kind, _, name = place.where.partition(" ")
        there = places_in(NOTEBOOKS[place.notebook])
        assert place.where == "Now yours" or (kind, name) in there, place


@each
def test_a_paper_has_what_an_hour_needs(paper: Paper) -> None:
    assert len(paper.questions) == 5 and all(question.endswith("?") for question in paper.questions)
    assert len(paper.doubts) >= 3 and all(doubt.claim.endswith("?") for doubt in paper.doubts)
    assert all(re.search(r"\d", doubt.outcome()) or len(doubt.outcome()) > 40 for doubt in paper.doubts)
    assert all((paper.earlier, paper.later, paper.change, paper.ice_breaker, paper.read))
    assert 10 <= paper.minutes <= 120 and re.match(
        r"https://(arxiv\.org|aclanthology\.org|doi\.org)/", paper.link
    )


def test_there_are_twenty_four_papers_and_roles_for_an_hour() -> None:
    assert len(PAPERS) >= 24
    roles = (root / "docs" / "seminar" / "roles.md").read_text(encoding="utf-8")
    for role in ("author", "reviewer for", "reviewer against", "historian", "hacker"):
        assert f"**{role.capitalize()}" in roles
