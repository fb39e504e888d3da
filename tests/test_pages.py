"""The pages around the notebooks: what they say of a notebook is true, and what they link is there."""

import re
from pathlib import Path

import nbformat
import pytest
from notebook_form import (
    CHARACTERS_A_MINUTE,
    HEADING,
    MINUTES_A_FIGURE,
    PLAIN_MINUTES,
    PLAIN_WORDS,
    PLAIN_WORDS_A_MINUTE,
)

from lib import root
from tools.copies import every_notebook
from tools.glossary import CORE

NOTEBOOKS = {path.name[:2]: path for path in every_notebook()}
PAGES = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
LECTURES = (root / "docs" / "lectures.md").read_text(encoding="utf-8")
TABLE = (root / "docs" / "notebooks.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<target>[^)\s]+)\)")
RELATIVE = re.compile(r"\]\((?!https?://)(?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
PLACE = re.compile(
    r"\[(?P<number>\d\d)(?:, (?P<kind>section|stretch) (?P<name>[^\]]+))?\]\((?P<target>[^)]+)\)"
)
TO_COME = re.compile(r"notebooks? (?P<numbers>[\d, and]+) \(to come\)")
ROW = re.compile(r"^\| (?P<first>\d+)(?: to (?P<last>\d+))? \|", re.MULTILINE)
PICTURE_BYTES = 120_000


def first_cell(path: Path) -> str:
    """The opening of a notebook."""
    return nbformat.read(path, as_version=4).cells[0].source


def places_in(path: Path) -> set[tuple[str, str]]:
    """The numbered sections and the stretches of a notebook, each as (kind, name)."""
    text = "\n\n".join(
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown" and "notes" not in cell.metadata.get("tags", [])
    )
    headings = list(HEADING.finditer(text))
    stretches = {("stretch", f"“{name}”") for name in re.findall(r"^## Stretch: (.+)$", text, re.MULTILINE)}
    return {("section", heading["number"]) for heading in headings if heading["number"]} | stretches


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("number", sorted({found["number"] for found in PLACE.finditer(LECTURES)}))
def test_a_lecture_is_sent_to_what_there_is(number: str) -> None:
    there = places_in(NOTEBOOKS[number])
    for place in PLACE.finditer(LECTURES):
        if place["number"] == number:
            assert place["target"] == f"../notebooks/{NOTEBOOKS[number].name}"
            assert place["kind"] is None or (place["kind"], place["name"]) in there, place[0]


def test_no_notebook_that_is_there_is_called_one_to_come() -> None:
    assert {found["number"] for found in PLACE.finditer(LECTURES)} <= set(NOTEBOOKS)
    for found in TO_COME.finditer(LECTURES):
        assert not {*re.findall(r"\d\d", found["numbers"])} & set(NOTEBOOKS), found[0]


def test_each_deck_is_followed_from_its_first_slide_to_its_last() -> None:
    decks = LECTURES.split("\n## ")[1:]
    assert len(decks) == 5
    for deck in decks:
        reached = 0
        for row in ROW.finditer(deck):
            assert int(row["first"]) == reached + 1, f"{deck.splitlines()[0]}: after slide {reached}"
            reached = int(row["last"] or row["first"])
        said = re.search(r"(\d+) slides by our count", deck)
        assert said is not None and int(said[1]) == reached


@pytest.mark.parametrize("path", NOTEBOOKS.values(), ids=lambda path: path.name[:2])
def test_the_table_gives_each_notebook_its_minutes(path: Path) -> None:
    said = re.search(r"About (\d+) minutes", first_cell(path))
    [row] = [
        line for line in TABLE.splitlines() if line.startswith("|") and f"notebooks/{path.name})" in line
    ]
    assert said is not None and row.endswith(f"| {said[1]} |"), f"{path.name} says {said and said[1]}: {row}"


def test_the_table_gives_the_core_route() -> None:
    route = re.search(r"\*\*The core route\*\*[^:]*: 00 to 10, ([^.]+)\.", TABLE)
    assert route is not None
    assert [f"{i:02}" for i in range(11)] + re.findall(r"\d\d", route[1]) == list(CORE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_pictures_of_a_page_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in RELATIVE.finditer(text):
        target = (page.parent / link["target"]).resolve() if link["target"] else page
        assert target.exists(), link[0]
        if link["anchor"] and target.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert link["anchor"] in map(slug, headings), link[0]
    for picture in PICTURE.finditer(text):
        assert len(picture["alt"].split()) > 10, f"{picture['target']} has no text that says what it shows"
        assert (page.parent / picture["target"]).stat().st_size <= PICTURE_BYTES, picture["target"]


def test_the_page_on_writing_has_the_clock_of_the_rules() -> None:
    page = (root / "docs" / "writing.md").read_text(encoding="utf-8")
    formula = re.search(r"\{words\}\}\{(\d+)\} \+ .*?\{(\d+)\} .*?([\d.]+) \\cdot \\text\{figures", page)
    assert formula is not None
    assert [float(number) for number in formula.groups()] == [
        PLAIN_WORDS_A_MINUTE, CHARACTERS_A_MINUTE, MINUTES_A_FIGURE,
    ]  # fmt: skip
    assert "{:,} to {:,} words".format(*PLAIN_WORDS) in page
    assert f"and {PLAIN_MINUTES[1]} the most" in page
