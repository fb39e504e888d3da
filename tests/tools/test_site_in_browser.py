"""The web book in a real browser, from a disk and without a network, as readers open it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import SECONDS, chromium, island, watch

from tools.copies import every_notebook

pytestmark = pytest.mark.notebook

NOTEBOOKS = [f"notebooks/{path.stem}.html" for path in every_notebook()]
#: where axe looks: at the first page, notebooks, one of them with tables, a list, and what a script fills
LOOKED_AT = (
    "index.html",
    "notebooks/05_attention.html",
    "notebooks/19_the_ledger.html",
    "docs/glossary.html",
    "search.html?q=softmax",
)
OPEN_ALL = """() => {
  document.querySelectorAll("details").forEach((fold) => (fold.open = true));
  document.querySelectorAll(".waiting").forEach((part) => part.classList.remove("waiting"));
}"""
WIDE = """() => [...document.querySelectorAll("article *")]
  .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .filter((part) => !part.closest("pre, .formula, .wide, math.long, .pst-scrollable-table-container"))
  .map((part) => part.outerHTML.slice(0, 150)).slice(0, 3)"""
DRAWN = """async () => {
  const pictures = [...document.images];
  pictures.forEach((picture) => (picture.loading = "eager"));
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => null)));
  const missing = pictures.filter((picture) => !picture.naturalWidth || !picture.alt.trim());
  return missing.map((picture) => picture.src);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with island() as inside, chromium(inside) as program:
        yield program


@pytest.fixture
def visitor(browser: Any, site: Path) -> Iterator[Any]:
    """Opens a page of the book; nothing may fail in it, and nothing be asked of the network."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(1000 * SECONDS)
    faults = watch(page)
    page.open = lambda name: page.goto(f"{site.as_uri()}/{name}")
    yield page
    context.close()
    assert faults == []


def all_pages(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_is_drawn_and_none_is_wider_than_its_window(visitor: Any, site: Path, width: int) -> None:
    visitor.set_viewport_size({"width": width, "height": 900})
    wide, not_drawn = {}, {}
    for name in all_pages(site):
        visitor.open(name)
        visitor.evaluate(OPEN_ALL)
        across = visitor.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if across[0] > across[1]:
            wide[name] = (across, visitor.evaluate(WIDE))
        if width == 1280 and (missing := visitor.evaluate(DRAWN)):
            not_drawn[name] = missing
    assert not wide and not not_drawn


def test_a_result_waits_for_a_prediction_which_is_kept(visitor: Any) -> None:
    visitor.open("notebooks/05_attention.html")
    form = visitor.locator("form.prediction").first
    result = visitor.locator(".tag_answers-nb05-bank-ask .cell_output img")
    saw = visitor.locator('details[data-answers="nb05-bank-ask"]')
    assert form.is_visible() and not result.is_visible() and not saw.is_visible()
    for nothing in ("", "  "):
        form.get_by_label("Your prediction").fill(nothing)
        form.get_by_role("button", name="Commit").click()
        assert not result.is_visible()
    form.get_by_label("Your prediction").fill("after the third")
    form.get_by_role("button", name="Commit").click()
    result.wait_for()
    assert saw.is_visible() and not saw.locator("p").first.is_visible()
    visitor.reload()
    result.wait_for()
    assert form.get_by_label("Your prediction").input_value() == "after the third"
    form.get_by_role("button", name="Change").click()
    assert not result.is_visible()
    visitor.reload()
    assert not result.is_visible() and form.get_by_label("Your prediction").input_value() == ""


def test_a_result_is_shown_without_a_prediction_to_who_asks(visitor: Any) -> None:
    visitor.open("notebooks/05_attention.html")
    form = visitor.locator("form.prediction").first
    form.get_by_role("button", name="Show me without").click()
    visitor.locator(".tag_answers-nb05-bank-ask .cell_output img").wait_for()
    assert not form.is_visible()
    assert visitor.evaluate("document.activeElement.tagName") == "SUMMARY"  # for the button is gone


def test_every_form_hides_something_and_can_open_it(visitor: Any) -> None:
    without = []
    for name in NOTEBOOKS:
        visitor.open(name)
        count = visitor.locator("form.prediction").count()
        waiting = visitor.locator(".waits").count()
        visitor.evaluate(
            "document.querySelectorAll('form.prediction button[type=button]').forEach((b) => b.click())"
        )
        assert visitor.locator(".waiting").count() == 0
        if waiting < count:
            without.append((name, count - waiting))
    assert sum(number for _, number in without) < 15, (
        without
    )  # such as a question that only an explorer answers


def test_without_a_script_every_fold_opens(browser: Any, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "notebooks" / "05_attention.html").as_uri())
    assert not page.locator("form.prediction").first.is_visible()
    saw = page.locator("details.saw").first
    saw.locator("summary").click()
    assert saw.locator("p").first.is_visible()
    page.locator("details.hide.below-input summary").first.click()
    assert page.locator("details.hide.below-input .cell_output").first.is_visible()
    context.close()


def test_a_search_finds_pages_and_quotes_none(visitor: Any) -> None:
    visitor.open("search.html?q=softmax")
    results = visitor.locator("#search-results li")
    results.nth(3).wait_for()
    visitor.wait_for_function("document.querySelector('#search-results h2')?.textContent.includes('Results')")
    titles = results.all_text_contents()
    assert any("05 Attention" in title for title in titles)
    assert all(len(title.split()) < 25 for title in titles), titles
    assert visitor.locator("#search-results .context").count() == 0


def test_a_link_of_the_glossary_opens_the_stretch_that_it_leads_to(visitor: Any) -> None:
    visitor.open("docs/glossary.html")
    visitor.locator('dd:has-text("one by one") a[href*="05_attention.html#stretch"]').first.or_(
        visitor.locator('a[href*="05_attention.html#stretch"]').first
    ).first.click()
    anchor = visitor.evaluate("decodeURIComponent(location.hash.slice(1))")
    heading = visitor.locator(f'[id="{anchor}"] > :is(h2, h3)')
    heading.wait_for()
    top = heading.evaluate("heading => heading.getBoundingClientRect().top")
    assert 0 <= top < 900
    assert visitor.locator(f'[id="{anchor}"] details.stretch').get_attribute("open") is not None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_that_shuts_a_reader_out(browser: Any, site: Path, theme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=theme)
    found = {}
    for name in LOOKED_AT:
        page = context.new_page()
        page.goto(f"{site.as_uri()}/{name}")
        page.evaluate(OPEN_ALL)
        page.wait_for_timeout(500)
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        for violation in axe.Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:200] for node in violation["nodes"][:3]]
                found[name, violation["id"]] = (len(violation["nodes"]), nodes)
        page.close()
    context.close()
    assert not found
