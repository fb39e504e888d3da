"""Decks that follow a lecture: every link of docs/lectures.md leads somewhere, and what is shown of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import chromium, watch
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from typer.testing import CliRunner

from lib import root
from tools import lectures, slides
from tools.__main__ import app
from tools.lectures import Place, cells_at, gist_of

MAP = lectures.lectures((root / "docs" / "lectures.md").read_text(encoding="utf-8"))
CHOICES = re.findall(r'--deck (\d) --rows "([^"]+)"', (root / "docs" / "lecturers.md").read_text("utf-8"))
MEASURE = (root / "tests" / "measure_slides.js").read_text(encoding="utf-8")
MOST_PAGES, MOST_BYTES = 200, 5_000_000
LINK = "[05, section 2](../notebooks/05_attention.ipynb)"
PAGE = f"""# Lectures

## Deck 4: “Two rows”

Somebody, somewhere. 4 slides by our count.

| slide | topic | where |
| ---: | --- | --- |
| 1 | title | — |
| 2 to 3 | attention | {LINK}, {LINK}; [14](../notebooks/14_fine_tuning.ipynb): “Now yours” |
| 4 | attention again | {LINK}; notebook 38 (to come) |
"""


def figure(*tags: str) -> Any:
    """A cell that shows a picture."""
    picture = new_output("display_data", {"image/png": "eA=="}, metadata={"image/png": {"alt": "Bars"}})
    return new_code_cell("draw()", outputs=[picture], metadata={"tags": list(tags)})


def text(source: str, place: str = "slide") -> Any:
    return new_markdown_cell(source, metadata={"slideshow": {"slide_type": place}})


@pytest.mark.parametrize("number", MAP)
def test_every_link_of_the_map_leads_to_cells_that_can_be_shown(number: int) -> None:
    places = {place for row in MAP[number].rows for place in row.places}
    for place in places:
        assert gist_of(cells_at(place)), place


def test_the_map_is_read_link_by_link() -> None:
    links = re.findall(r"\]\(\.\./notebooks/", (root / "docs" / "lectures.md").read_text(encoding="utf-8"))
    assert sorted(MAP) == [0, 1, 2, 3, 4]
    assert sum(len(row.places) for lecture in MAP.values() for row in lecture.rows) == len(links)


def test_a_link_that_leads_nowhere_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="names notebook 05, section 9, which is not there") as error:
        cells_at(Place("05", "9. "))
    assert "Stretch: what an LSTM forgets" in str(error.value) and "\n" not in str(error.value)


def test_a_section_is_shown_once_and_then_referred_to() -> None:
    [lecture] = lectures.lectures(PAGE).values()
    title = lectures.title_of(lecture)
    assert title.heading == "Two rows" and "Somebody" in title.blocks[0]
    pages = [page for own in lectures.pages_of(lecture).values() for page in own]
    assert pages[0].row == ["<b>Slides 2 to 3</b> attention"]
    assert [page.anchor for page in pages if page.anchor] == ["at-05-2", "at-14-now-yours"]
    assert pages[1].running == "slides 2 to 3 · notebook 05, section 2"
    [again] = pages[-1].row
    assert '<a href="#/at-05-2">notebook 05, section 2</a> (at slides 2 to 3)' in again


def test_rows_without_a_page_stand_in_the_next_band() -> None:
    page = PAGE + f"| 5 | masks | {LINK.replace('2]', '4]')} |\n"
    [lecture] = lectures.lectures(page).values()
    first, second, third = lectures.pages_of(lecture).values()
    assert second == [] and len(first[0].row) == 1
    assert [band.partition("</b>")[0] for band in third[0].row] == ["<b>Slide 4", "<b>Slide 5"]


def test_rows_are_chosen_by_their_slides() -> None:
    chosen = MAP[3].limited_to("5, 13 to 16,64")
    assert [row.slides for row in chosen.rows] == ["5", "12 to 14", "15", "16", "62 to 67"]
    assert MAP[3].limited_to("") == MAP[3]
    for wanted, said in {
        "five": "'five' names no slides",
        "6": "Nothing is shown for slides 6; there are rows for 4, 5, 8",
        "5, 16 to 15": "Nothing is shown for slides 16 to 15",
    }.items():
        with pytest.raises(ValueError, match=said):
            MAP[3].limited_to(wanted)


def test_of_a_section_the_question_formulas_and_two_figures_are_shown() -> None:
    caption = text("**What you saw.** More. **The longer bar is the one that was predicted.**", "fragment")
    pages = gist_of(
        [
            text("## 2. Bars (5 min)\n\n**Which of these two bars is longer?** Prose.\n\n$$a = b$$"),
            text("### Exercise 1: draw (5 min)\n\nDraw.\n\n$$c = d$$"),
            new_code_cell("a = 1", outputs=[new_output("stream", text="printed\n")]),
            *[cell for _ in range(3) for cell in (figure(), caption)],
            text("Something else in running prose, which is said and not shown."),
        ]
    )
    assert [page.is_figure for page in pages] == [False, True, True]
    assert pages[0].heading == "Bars"
    shown = "".join(block for page in pages for block in page.blocks)
    assert "Which of these two bars" in shown and shown.count("<math") == 1
    assert shown.count("The longer bar") == 2 and "printed" not in shown and "Exercise" not in shown
    assert "which is said" in "".join(pages[-1].notes)


def test_a_prediction_is_shown_if_its_answer_is() -> None:
    asked = [
        text("## 1. Bars\n\n**Which of these two bars is longer?**"),
        text("**Predict:** which one? Run the next cell."),
    ]
    answered = gist_of([*asked, figure("reveal")])
    assert "which one?" in answered[0].blocks[-1] and "Run" not in answered[0].blocks[-1]
    assert answered[1].is_figure
    [unanswered] = gist_of([*asked, new_code_cell("a = 1", metadata={"tags": ["reveal"]})])
    assert "which one?" not in "".join(unanswered.blocks)


def test_sentences_on_cells_are_not_shown() -> None:
    [page] = gist_of([text("## 1. Bars\n\nIt is long. The next cell draws it. In the explorer you choose.")])
    assert page.blocks == ["<p>It is long.</p>\n"]


@pytest.mark.parametrize(("number", "rows"), CHOICES)
def test_the_choice_of_rows_fits_a_lecture_and_needs_no_notebook(number: str, rows: str) -> None:
    pages = lectures.pages_of(MAP[int(number)].limited_to(rows))
    deck = [page for own in pages.values() for page in own]
    assert 65 < lectures.minutes_of(deck) < 90
    prose = [block for page in deck for block in page.blocks if block.startswith("<p")]
    assert not [block for block in prose if re.search(r"\b(next cells?|explorer|Run the)\b", block)]


def test_an_erratum_stands_at_its_slide() -> None:
    [row] = [row for row in MAP[3].rows if row.slides == "46"]
    [page] = lectures.errata_at(MAP[3], row)
    assert "8 bits" in page.blocks[0] and page.blocks[-1].startswith(slides.FRAGMENT)


def test_the_minutes_are_those_of_the_clock() -> None:
    page = slides.Slide(blocks=["<p>word</p>" * 150], notes=["<p>word " * 300], is_figure=True)
    assert lectures.minutes_of([page]) == pytest.approx(2, abs=0.1)
    assert lectures.minutes_of([page], with_notes=True) == pytest.approx(4, abs=0.1)


def test_the_command_writes_a_deck_and_says_its_size(tmp_path: Path) -> None:
    runner = CliRunner()
    result = runner.invoke(app, ["slides", "--deck", "0", "--rows", "8, 17 to 18", "-o", str(tmp_path)])
    path, _, *rows, total = result.stdout.splitlines()
    assert path.endswith("deck_0.slides.html") and [row.split("  ")[0] for row in rows] == [
        "8 to 9",
        "17",
        "18",
    ]
    assert re.match(r"About \d+ pages, \d\.\d MB; \d+ minutes", total)
    assert [path.name for path in tmp_path.iterdir()] == ["deck_0.slides.html"]
    for mistake, said in {
        ("--deck", "9"): "There is no deck 9; docs/lectures.md has 0, 1, 2, 3, 4.",
        (): "Name a notebook, such as 05, or a deck",
        ("05", "--with", "nothing"): "There is no stretch 'nothing'; there are: what attention costs",
    }.items():
        with pytest.raises(ValueError, match=said):
            runner.invoke(app, ["slides", *mistake, "-o", str(tmp_path)], catch_exceptions=False)


@pytest.fixture(scope="module")
def screen() -> Iterator[Any]:
    """A projector's page of 1280 x 720."""
    with chromium([]) as browser:
        yield browser.new_page(viewport={"width": 1280, "height": 720})


@pytest.mark.notebook
@pytest.mark.parametrize("number", MAP)
def test_every_page_of_a_deck_can_be_projected(screen: Any, number: int, tmp_path: Path) -> None:
    asked = watch(screen)
    deck, _ = lectures.write_deck(number, tmp_path)
    assert deck.stat().st_size < MOST_BYTES
    screen.goto(deck.as_uri())
    screen.wait_for_selector("body:not(.measuring) .reveal.ready")
    assert screen.evaluate(MEASURE) == []
    assert screen.locator(".slides > section").count() < MOST_PAGES
    assert asked == []
    dangling = """() => [...document.querySelectorAll(".page a[href^='#/']")].map(link => link.hash.slice(2))
        .filter(anchor => document.querySelectorAll(`section[id="${anchor}"]`).length !== 1)"""
    assert screen.evaluate(dangling) == []
