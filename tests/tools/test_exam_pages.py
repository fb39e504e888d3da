"""An exam as its files: the same seed the same bytes, two pages that print, and XML that Moodle imports."""

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import chromium, watch
from typer.testing import CliRunner

from lib.by_hand import ByHand
from lib.figures.style import FAINT, INK, LIT, QUIET, TINT
from tools import exam
from tools.__main__ import app

ALL = exam.with_questions()
A4 = {"width": 643, "height": 986}  # the room of a page inside its margins, 170 x 261 mm, in pixels


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_command_writes_three_files_and_a_seed_is_what_counts(tmp_path: Path) -> None:
    def write(folder: str, seed: int, *notebooks: str) -> dict[str, bytes]:
        place = tmp_path / "new" / folder
        answer = CliRunner().invoke(app, ["exam", *notebooks, "--seed", str(seed), "-o", str(place)])
        assert answer.exit_code == 0, answer.output
        assert answer.stdout.split() == [
            str(place / name) for name in ("questions.html", "solutions.html", "moodle.xml")
        ]
        return files(place)

    first = write("first", 7, "05", "10", "14", "20")
    assert first == write("again", 7, "5", "10_masked_language_model", "14", "20", "05")
    other = write("other", 8, "05", "10", "14", "20")
    assert all(first[name] != other[name] for name in first)


def test_a_question_does_not_hang_on_the_others() -> None:
    assert exam.questions(["05"], 7)["05"] == exam.questions(["20", "05"], 7)["05"]
    assert [*exam.questions(["20", "05"], 7)] == ["20", "05"]


def test_without_questions_one_sentence_names_those_that_have_one(tmp_path: Path) -> None:
    sentences = {
        (): "Name the notebooks of the exam; those with a question are 05, 07,",
        ("05", "06"): "Notebook 06 has no question for an exam; those with one are 05, 07,",
        ("77",): "There is no notebook '77'",
    }
    for notebooks, sentence in sentences.items():
        with pytest.raises(ValueError, match=sentence) as error:
            exam.write_exam(notebooks, 7, tmp_path / "exam")
        assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_the_page_of_questions_gives_no_answer_away() -> None:
    asked = exam.questions(ALL, 7)
    page = exam.page("exam_questions.html", asked)
    assert "seed 7" not in page and "Name" in page
    assert f"of {sum(question.points for question in asked.values())}<" in page
    for question in asked.values():
        assert escape(question.title, quote=False) in page.replace("&#39;", "'")
        assert escape(question.slips[0].sentence) not in page
    versions = [exam.page("exam_questions.html", exam.questions(ALL, seed)) for seed in (7, 8)]
    names = [re.findall(r"version ([0-9a-f]{4})", one) for one in versions]
    assert names[0] != names[1] and len(names[0]) == 1
    assert names[0][0] in exam.page("exam_solutions.html", asked, seed=7)


def test_an_answer_is_written_for_people() -> None:
    question = exam.questions(["30"], 7)["30"]
    assert re.fullmatch(r"\d+/\d+ \(0\.\d+\)|0\.\d+", exam.written(question.answer))
    assert exam.written("0, 2, 4") == "0, 2, 4"
    assert exam.form(question) == "Write a fraction, or a number with 3 decimals."


def test_the_colors_are_those_of_the_drawings() -> None:
    template = Path(exam.__file__).with_name("exam_page.html").read_text(encoding="utf-8")
    assert all(color in template for color in (INK, QUIET, FAINT, LIT, TINT))


# ---------------------------------------------------------------------------------------------
# Moodle: what its importer reads (question/format/xml/format.php)


def child_text(parent: ElementTree.Element, path: str) -> str:
    """The text at a place, which has to be there."""
    found = parent.find(path)
    assert found is not None, f"{parent.tag} has no {path}"
    return found.text or ""


@pytest.fixture(scope="module")
def imported() -> list[tuple[ElementTree.Element, ByHand]]:
    """Each question's element, and the question."""
    asked = exam.questions(ALL, 7)
    quiz = ElementTree.fromstring(exam.moodle(asked).encode())
    assert quiz.tag == "quiz"
    return list(zip(quiz.findall("question"), asked.values(), strict=True))


def test_moodle_finds_what_it_asks_of_a_question(
    imported: list[tuple[ElementTree.Element, ByHand]],
) -> None:
    for element, question in imported:
        assert question.title in child_text(element, "name/text")
        assert int(child_text(element, "defaultgrade")) == question.points
        for part in ("questiontext", "generalfeedback"):
            found = element.find(part)
            assert found is not None and found.get("format") == "html" and child_text(found, "text")
        if isinstance(question.answer, str):
            assert element.get("type") == "multichoice"
            assert child_text(element, "single") == child_text(element, "shuffleanswers") == "true"
        else:
            assert element.get("type") == "numerical"


def test_moodle_gives_all_points_or_none_and_says_why(
    imported: list[tuple[ElementTree.Element, ByHand]],
) -> None:
    for element, question in imported:
        right, *wrong = element.findall("answer")
        assert [right.get("fraction"), *(answer.get("fraction") for answer in wrong)] == [
            "100",
            "0",
            "0",
            "0",
        ]
        assert [child_text(answer, "feedback/text") for answer in wrong] == [
            slip.sentence for slip in question.slips
        ]
        if isinstance(question.answer, str):
            assert child_text(right, "text") == question.answer and right.get("format") == "html"
            continue
        ranges = []
        for answer in (right, *wrong):
            value, around = float(child_text(answer, "text")), float(child_text(answer, "tolerance"))
            ranges.append((value - around, value + around))
        assert ranges[0][0] <= question.answer <= ranges[0][1]
        ranges.sort()
        assert all(one[1] < other[0] for one, other in pairwise(ranges))


def test_moodle_gets_formulas_as_its_own_filter_reads_them(
    imported: list[tuple[ElementTree.Element, ByHand]],
) -> None:
    for element, question in imported:
        text = child_text(element, "questiontext/text")
        assert "$" not in text and "<math" not in text
        assert text.count(r"\(") + 2 * text.count(r"\[") >= question.text.count("$") // 2
        assert text.count(r"\(") == text.count(r"\)") and text.count(r"\[") == text.count(r"\]")


# ---------------------------------------------------------------------------------------------
# In a browser


@pytest.fixture(scope="module")
def sheet() -> Iterator[Any]:
    """A page as it is printed, on A4."""
    with chromium([]) as browser:
        page = browser.new_page(viewport=A4)
        page.emulate_media(media="print")
        yield page


@pytest.mark.notebook
@pytest.mark.parametrize("name", ["questions.html", "solutions.html"])
def test_each_question_fits_on_a_printed_page(name: str, sheet: Any, tmp_path: Path) -> None:
    faults = watch(sheet)
    exam.write_exam(ALL, 7, tmp_path)
    sheet.goto((tmp_path / name).as_uri())
    sizes = sheet.evaluate(
        "[...document.querySelectorAll('section')].map(one => [one.scrollWidth, one.offsetHeight])"
    )
    assert len(sizes) == len(ALL)
    assert all(width <= A4["width"] and height <= A4["height"] for width, height in sizes), sizes
    assert sheet.locator("math").count() > len(ALL)
    assert b"/MediaBox [0 0 594.9" in sheet.pdf(prefer_css_page_size=True)  # A4, 595 points wide
    assert faults == []
