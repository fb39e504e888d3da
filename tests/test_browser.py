"""Notebooks in JupyterLab and a real browser, opened and used as a reader does, without a network.

Notebook 05 is tried in all its parts; another one, and with `test --all` every other, is run from the
top, and its explorers are used.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browser import Reader, chromium, island, lab, readers_environment, watch

from lib import exercises, figures
from tools import copies

pytestmark = pytest.mark.notebook

NAME = "scaled_dot_product_attention"
RIGHT = f"""\
def {NAME}(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights
"""
WITHOUT_SCALE = RIGHT.replace(" / query.size(-1) ** 0.5", "")
ENDLESS = f"""\
def {NAME}(query, key, value, mask=None):
    while True:
        pass
"""


@pytest.fixture(scope="module")
def inside() -> Iterator[list[str]]:
    """What takes a command to where no network is."""
    with island() as enter:
        yield enter


@pytest.fixture(scope="module")
def browser(inside: list[str]) -> Iterator[Any]:
    with chromium(inside) as program:
        yield program


@pytest.fixture(scope="module")
def opened(browser: Any, inside: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The reader's own copy of notebook 05, all its cells run, and beside it the notebook as published."""
    published = copies.find("05")
    home = tmp_path_factory.mktemp("reader") / "my"
    home.mkdir()
    shutil.copy(published, home / "published.ipynb")
    with lab(inside, home, "05") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        faults = watch(page)
        reader = Reader(page, address, home / published.name)
        reader.run_all()
        yield SimpleNamespace(reader=reader, home=home, address=address, faults=faults)


@pytest.fixture
def reader(opened: Any) -> Iterator[Reader]:
    """The reader of the notebook, who must meet no error and need no network."""
    yield opened.reader
    assert opened.faults == []


def words(place: Any) -> str:
    """The text of a place in the page, on one line."""
    return " ".join(place.text_content().split())


def in_order(text: str) -> re.Pattern[str]:
    """The words of a text, however its lines are broken."""
    return re.compile(r"\s+".join(map(re.escape, text.split())))


def expect(place: Any) -> Any:
    """Playwright's `expect`, patient enough for a busy machine."""
    from playwright.sync_api import expect

    expect.set_options(timeout=30_000)
    return expect(place)


def test_every_picture_is_called_by_its_text_alternative(reader: Reader) -> None:
    map_of_bert = reader.cell(holds="figures.draw_map(").get_by_role("img")
    expect(map_of_bert).to_have_accessible_name(in_order(figures.describe_map("attention")))
    pictures = reader.page.locator(".jp-OutputArea img")
    assert pictures.count() >= 5
    for picture in pictures.all():
        expect(picture).to_have_accessible_name(re.compile(r"\w+ \w+"))


def test_the_live_view_of_attention_is_drawn(reader: Reader) -> None:
    cell = reader.cell(holds="figures.show_attention(")
    live = cell.frame_locator("iframe")
    expect(live.locator("#left text").first).to_be_visible()
    tokens = live.locator("#left text").count()
    assert tokens > 3
    expect(live.locator("line")).to_have_count(12 * tokens**2)


def test_the_explorer_opens_with_an_answer_and_follows_its_controls(reader: Reader) -> None:
    cell = reader.cell(holds="figures.explore(")
    widgets = cell.locator(".jupyter-widgets.widget-vbox").first
    picture = cell.get_by_role("img")
    seen, places = [looks(picture)], [place(picture)]
    slider, buttons = widgets.get_by_role("slider"), widgets.get_by_role("button")
    expect(buttons).to_have_count(1)  # the presets say what is to be seen, so they come with the answer
    expect(buttons.first).to_have_text("Commit")
    expect(buttons.first).to_be_disabled()

    def press(name: str) -> None:
        widgets.get_by_role("button", name=name, exact=True).click()

    start = slider.get_attribute("aria-valuenow")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", start)
    assert looks(picture) == seen[0]
    for choice in widgets.get_by_role("radio").all():
        choice.check()

    def changes(do: Any, *arguments: str) -> None:
        do(*arguments)
        expect(picture).not_to_have_attribute("src", seen[-1][0])
        expect(picture).not_to_have_attribute("alt", seen[-1][1])
        seen.append(looks(picture))
        places.append(place(picture))

    changes(press, "Commit")
    expect(buttons).to_have_count(5)
    *presets, reset = [button.text_content() for button in buttons.all()[1:]]
    assert (reset, len(presets)) == ("Reset", 3)
    verdict = words(widgets.get_by_role("status"))
    expect(widgets.get_by_role("radio").first).to_be_disabled()
    changes(press, presets[0])
    assert seen[-1] == seen[0]
    changes(slider.press, "ArrowRight")
    changes(slider.press, "ArrowLeft")
    changes(press, presets[1])
    assert seen[-1] == seen[1]
    changes(press, presets[2])
    changes(press, reset)
    assert seen[-1] == seen[0]
    assert set(places) == {places[0]}, "the picture jumps"

    cell.locator(".jp-Placeholder-content").first.click()  # its source is folded
    reader.run(cell)
    expect(picture).to_have_attribute("src", seen[1][0])  # the answer is remembered
    assert words(widgets.get_by_role("status")) == verdict
    expect(widgets.get_by_role("button", name=reset, exact=True)).to_be_enabled()


def place(picture: Any) -> tuple[float, ...]:
    """Where a picture stands in its notebook and how large it is, in whole pixels."""
    top = "image => image.getBoundingClientRect().top - image.closest('.jp-Cell').getBoundingClientRect().top"
    box = picture.bounding_box()
    return tuple(map(round, (picture.evaluate(top), box["width"], box["height"])))


def looks(picture: Any) -> tuple[str, str]:
    """What a picture shows: its source and its text alternative."""
    return picture.get_attribute("src"), picture.get_attribute("alt")


def test_a_reveal_is_folded_until_it_is_opened(opened: Any, browser: Any) -> None:
    """As published. JupyterLab opens what it runs, so the reader's own copy is without that output."""
    page = browser.new_page()
    faults = watch(page)
    path, own = opened.home / "published.ipynb", opened.reader.path
    address = opened.address.replace(f"tree/{own.name}", f"workspaces/b/tree/{path.name}")
    visitor = Reader(page, address, path)
    reveals = visitor.cells(tag="reveal")
    assert reveals
    for cell in reveals:
        output = cell.locator(".jp-OutputArea-output").first
        expect(output).to_be_hidden()
        caption = cell.locator(".jp-InputPlaceholder .jp-Placeholder-content")
        if caption.is_visible():  # its code is folded too: JupyterLab offers the output once that is open
            caption.click()
        cell.locator(".jp-Cell-outputWrapper .jp-Placeholder-content").click()
        expect(output).to_be_visible()
    saw = page.locator("details.saw, details:has-text('What you saw')").first
    expect(saw.locator("p").first).to_be_hidden()
    saw.locator("summary").click()
    expect(saw.locator("p").first).to_be_visible()
    page.close()
    assert faults == []


def test_an_answer_is_diagnosed_then_passes_and_runs_inside_the_model(opened: Any, reader: Reader) -> None:
    answer = reader.cell(tag="exercise", holds=f"def {NAME}(")
    check = reader.cell(tag="check", holds=NAME)
    mistakes = {mistake.name: mistake.says for mistake in exercises.get(NAME).mistakes}

    reader.write(answer, WITHOUT_SCALE)
    reader.run(answer)
    expect(reader.run(check)).to_contain_text(in_order(f"Not yet. {mistakes['no_scale']}"))

    reader.write(answer, RIGHT)
    reader.run(answer)
    expect(reader.run(check)).to_contain_text("Passed.")
    verdict = reader.run(reader.cell(holds=f"use({NAME})"))
    expect(verdict).to_contain_text("largest difference")
    found = re.search(r"largest difference.*? (\d\S*e-\d+)", words(verdict))
    assert found is not None and float(found[1]) < 1e-4

    assert "attention" in json.loads((opened.home / "progress.json").read_text("utf-8"))["boxes"]
    map_of_bert = reader.run(reader.cell(holds="figures.draw_map(")).get_by_role("img")
    expect(map_of_bert).to_have_accessible_name(in_order(figures.describe_map("attention", ["attention"])))


def test_an_endless_loop_is_stopped_and_the_kernel_lives(reader: Reader) -> None:
    answer = reader.cell(tag="exercise", holds=f"def {NAME}(")
    check = reader.cell(tag="check", holds=NAME)
    reader.write(answer, ENDLESS)
    reader.run(answer)
    expect(reader.run(check)).to_contain_text("still running after 5 seconds")

    reader.write(answer, RIGHT)
    reader.run(answer)
    expect(reader.run(check)).to_contain_text("Passed.")


def test_an_exported_page_keeps_the_text_alternatives(browser: Any, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path)]
    notebook = copies.find("05")
    environment = readers_environment(tmp_path / "my")
    subprocess.run([*command, str(notebook)], env=environment, check=True, capture_output=True)
    page = browser.new_page()
    watch(page)  # nbconvert's own page asks for MathJax
    page.goto((tmp_path / f"{notebook.stem}.html").as_uri(), wait_until="commit")
    map_of_bert = page.get_by_role("img", name=in_order(figures.describe_map("attention")))
    expect(map_of_bert).to_be_visible()
    page.close()


OTHERS = [path.stem for path in copies.every_notebook() if not path.stem.startswith("05")]
ONE = "01_pieces"  # short, and with an explorer


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == ONE else pytest.mark.slow) for name in OTHERS]
)
def test_every_other_notebook_runs_unsolved_and_its_explorers_answer(
    name: str, browser: Any, inside: list[str], tmp_path: Path
) -> None:
    home = tmp_path / "my"
    home.mkdir()
    with lab(inside, home, name[:2]) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        faults = watch(page)
        reader = Reader(page, address, home / f"{name}.ipynb")
        reader.run_all()
        for cell in reader.cells(holds="figures.explore("):
            widgets = cell.locator(".jupyter-widgets.widget-vbox").first
            widgets.scroll_into_view_if_needed()
            reader.settle()
            for choice in widgets.get_by_role("radio").all():
                choice.click()
                expect(choice).to_be_checked()  # check() looks at once, and a busy page is slower
            widgets.get_by_role("button", name="Commit", exact=True).click()
            expect(widgets.get_by_role("status")).to_contain_text(re.compile(r"\w"))
            expect(widgets.get_by_role("button", name="Reset", exact=True)).to_be_enabled()
            seen = set()
            for button in widgets.get_by_role("button").all()[1:-1]:  # the presets
                button.click()
                expect(button).to_be_enabled()
                page.wait_for_timeout(200)
                seen.add(looks(cell.get_by_role("img")))
            assert len(seen) == 3, f"the presets of {name} show {len(seen)} pictures"
        pictures = page.locator(".jp-OutputArea img")
        assert pictures.count() >= 2
        for picture in pictures.all():
            expect(picture).to_have_accessible_name(re.compile(r"\w+ \w+"))
        assert faults == []
        page.close()
