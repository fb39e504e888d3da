"""The course as a web book: how a notebook becomes a page, what is refused, and what the pages hold."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import lib
from tools import copies, glossary
from tools.book import build, checks, explorers, font, links, pages, staging, writing
from tools.copies import LEARNER, every_notebook
from tools.folded import predicted_results, predictions
from tools.formulas import FORMULA
from tools.notebook_files import has_tag, read_notebook

NOTEBOOKS = every_notebook()
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
SAW = (
    '<details class="saw">\n<summary>What you saw: open it</summary>\n\n**What you saw.** Four.\n\n</details>'
)


# ---------------------------------------------------------------------------------------------
# A notebook becomes a page


def shown_picture(alt: str) -> NotebookNode:
    """An output of `figures.show`."""
    html = (
        f'<img alt="{alt}" src="data:image/png;base64,{PIXEL}" style="width:7px;max-width:100%;height:auto">'
    )
    return new_output("display_data", {"text/html": html, "image/png": PIXEL, "text/plain": alt})


def printed(text: str) -> NotebookNode:
    return new_output("stream", name="stdout", text=text)


def cell(source: str, *outputs: NotebookNode, tags: tuple[str, ...] = (), id: str = "a") -> NotebookNode:
    return new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)}, id=id)


def staged(folder: Path, *cells: NotebookNode) -> list[NotebookNode]:
    """The cells of a page, after the title and the fold below it, of a notebook of these."""
    path = folder / "05_toy.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# 05 Toy", id="title"), *cells]), path)
    book = staging.Book({path}, {"head": "term-head"}, folder)
    return staging.staged(path, book).cells[2:]


def test_a_note_is_left_out_and_a_term_leads_to_the_glossary(tmp_path: Path) -> None:
    note = new_markdown_cell("For lecturers.", metadata={"tags": ["notes"]})
    [text] = staged(tmp_path, note, new_markdown_cell("A <dfn>head</dfn> is one attention."))
    assert text.source == 'A <dfn><a href="../docs/glossary.html#term-head">head</a></dfn> is one attention.'


@pytest.mark.parametrize("tag", ["exercise", "check"])
def test_what_an_exercise_stores_is_left_out_and_it_is_called_so(tmp_path: Path, tag: str) -> None:
    label, code = staged(tmp_path, cell("answer = ...", printed("Not yet."), shown_picture("a"), tags=(tag,)))
    assert code.outputs == [] and 'class="label"' in label.source


def test_of_a_use_the_picture_stays_and_not_the_verdict(tmp_path: Path) -> None:
    [code] = staged(
        tmp_path, cell("use(f)", printed("with the course's answer"), shown_picture("a"), tags=("use",))
    )
    assert [set(output.data) for output in code.outputs] == [{"text/html", "text/plain"}]


def test_a_picture_becomes_a_file_with_its_words_and_its_size(tmp_path: Path) -> None:
    [code] = staged(tmp_path, cell("show()", shown_picture("one &amp; only")))
    [output] = code.outputs
    found = re.fullmatch(
        r'<img class="drawn" alt="one &amp; only" src="\.\./pictures/(\w+\.png)" width="7" height="7"'
        r' loading="lazy">',
        output.data["text/html"],
    )
    assert found and (tmp_path / found[1]).stat().st_size > 50 and "image/png" not in output.data


def test_a_table_gets_room_and_its_corner_no_name(tmp_path: Path) -> None:
    table = '<table><tr><th scope="col" style="x"></th><th scope="col">a</th></tr></table>'
    [code] = staged(tmp_path, cell("table", new_output("display_data", {"text/html": table})))
    html = code.outputs[0].data["text/html"]
    assert html == '<div class="wide"><table><tr><td></td><th scope="col">a</th></tr></table></div>'


def test_a_result_waits_with_what_is_said_of_it(tmp_path: Path) -> None:
    asked = new_markdown_cell("**Predict:** how many?\nRun the next\ntwo cells (half a minute).", id="ask")
    told = new_markdown_cell(SAW)
    text, code, saw = staged(tmp_path, asked, cell("f()", printed("4")), told)
    assert (
        text.source.startswith("**Predict:** how many?\n\n<form")
        and text.source.count('data-asks="ask"') == 1
    )
    assert {"hide-output", "answers-ask"} <= set(code.metadata.tags)
    assert saw.source.startswith('<details data-answers="ask" class="saw">\n<summary>What you saw</summary>')


def test_a_reveal_is_folded_and_waits_for_nothing(tmp_path: Path) -> None:
    [code] = staged(tmp_path, cell("f()", printed("4"), tags=("reveal",)))
    assert set(code.metadata.tags) == {"reveal", "hide-output"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1. Why?\n   <details><summary>Answer</summary>Because $1$.</details>", "1. Why?\n\n   {}"),
        ("1. Why? <details><summary>Answer</summary>Because $1$.</details>\n2. x", "1. Why?\n\n   {}\n2. x"),
        ("<details><summary>Answer</summary>Because $1$.</details>", "\n\n{}"),
    ],
)
def test_a_fold_in_a_line_gets_lines_of_its_own(source: str, expected: str, tmp_path: Path) -> None:
    [text] = staged(tmp_path, new_markdown_cell(source))
    indent = "   " if source[0] == "1" else ""
    fold = "<details><summary>Answer</summary>", "Because $1$.", "</details>"
    lines = re.sub(r"\n{3,}", "\n\n", text.source)
    assert lines == expected.format(f"\n\n{indent}".join(fold))


EXPLORE = 'figures.explore("Which?", options=["one", "two"], answer="two", why="Because.", draw=d, alt=a)'
STORED = '<div class="explorer"><p><b>Which?</b></p><ul><li>one</li><li>two</li></ul><p>Run it</p></div>'


def test_an_explorer_asks_and_does_not_answer(tmp_path: Path) -> None:
    widget = new_output(
        "display_data", {"text/html": STORED, "text/plain": "Run this cell for the controls."}
    )
    label, code = staged(tmp_path, cell(EXPLORE, shown_picture("still"), widget))
    assert "remove-input" in code.metadata.tags and "Explorer" in label.source
    shown = "".join(output.data["text/html"] for output in code.outputs)
    assert "<b>Which?</b>" in shown and "<li>one</li><li>two</li>" in shown
    assert "course.py lab 05" in shown and "<img" in shown
    assert "Because" not in str(code) and "answer" not in code.source


SHOWN = shown_picture("a").data["text/html"]
TERM = new_markdown_cell("A <dfn>thing that nobody explains</dfn>.")
DAMAGED = new_output("display_data", {"text/html": SHOWN.replace(PIXEL, "iVBORw0K")})


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (cell(EXPLORE, shown_picture("still")), "the explorer in cell a stores no question"),
        (TERM, "the term thing that nobody explains is not in the glossary"),
        (cell("show()", DAMAGED), "a picture that it stores is damaged: refresh the notebook"),
    ],
)
def test_what_cannot_be_staged_is_refused(what: NotebookNode, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        staged(tmp_path, what)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_every_explorer_of_the_course_tells_what_it_asks(path: Path) -> None:
    for one in filter(explorers.is_explorer, read_notebook(path).cells):
        assert explorers.asked_by(one).count("<li>") >= 3, one.source


# ---------------------------------------------------------------------------------------------
# Pages, formulas, links


def test_a_link_within_the_book_stays_and_another_leaves_its_words(tmp_path: Path) -> None:
    for name in ("a.md", "b.ipynb", "c.txt"):
        (tmp_path / name).touch()
    text = (
        "See [b, *there*](b.ipynb#A-%28b%29), [c](c.txt), [far](https://example.org) and `f[0](x)`, $[a](b)$."
    )
    assert links.within_the_book(text, tmp_path / "a.md", {tmp_path / "b.ipynb"}) == (
        "See [b, *there*](<b.ipynb#A-(b)>), c, [far](https://example.org) and `f[0](x)`, $[a](b)$."
    )


def test_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.md links to gone\.md, which is not there: mend the link\."):
        links.within_the_book("[x](gone.md)", tmp_path / "a.md", set())


def test_the_first_page_lists_every_notebook_in_a_part() -> None:
    table = (lib.root / "docs" / "notebooks.md").read_text(encoding="utf-8")
    page = pages.first_page(table, [path.stem for path in NOTEBOOKS])
    assert all(page.count(f"](notebooks/{path.stem}.ipynb)** ") == 1 for path in NOTEBOOKS)
    assert all(page.count(f"\nnotebooks/{path.stem}\n") == 1 for path in NOTEBOOKS)
    assert page.count("elective") >= len(NOTEBOOKS) - len(glossary.CORE)
    with pytest.raises(ValueError, match="differ in 99_new"):
        pages.first_page(table, [*(path.stem for path in NOTEBOOKS), "99_new"])


def test_no_two_terms_have_one_anchor() -> None:
    terms = glossary.glossary(NOTEBOOKS)
    named = pages.anchors(terms)
    assert list(named) == list(terms) and len(set(named.values())) == len(terms)
    assert all(re.fullmatch(r"term-[\w-]+", anchor) for anchor in named.values())


@pytest.mark.parametrize(
    ("source", "said"), [(r"\frac", "can't be read"), (r"a \nosuchsign b", r"has \\nosuchsign")]
)
def test_a_formula_that_cannot_be_shown_is_refused(source: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        writing.formula(source, False)


def test_the_font_has_what_formulas_need_and_is_cut_alike_twice() -> None:
    from fontTools.ttLib import TTFont

    pytest.importorskip("ziamath", reason="the extra for the site is not installed")
    cut = font.math_font({"∑"})
    assert cut == font.math_font({"∑"})
    held = TTFont(io.BytesIO(cut))
    assert {0x2211, 0x221A, 0x1D465} <= set(held.getBestCmap()) and "MATH" in held
    assert "Open Font License" in held["name"].getDebugName(13)


# ---------------------------------------------------------------------------------------------
# What is refused


def test_a_folder_that_holds_something_else_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("folder/thesis.txt", "file"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("years of work")
    for name in ("folder", "file"):
        with pytest.raises(ValueError, match=r"holds something that .* hasn't made: name another"):
            build.build(tmp_path / name)
    (tmp_path / "site" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "site" / "notebooks")
    for name in (".", "..", str(tmp_path)):
        with pytest.raises(ValueError, match="is the folder you are in, or above it: name another"):
            build.build(Path(name))
    assert (tmp_path / "folder" / "thesis.txt").read_text() == "years of work"


def test_a_notebook_that_is_none_is_refused_and_leaves_the_site_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "05_attention.ipynb"
    broken.write_text('{"cells": []}')
    before = tmp_path / "site"
    before.mkdir()
    (before / build.MARK).write_text(build.MARKED)
    (before / "index.html").write_text("whole")
    monkeypatch.setattr(copies, "every_notebook", lambda: [broken])
    with pytest.raises(ValueError, match=r"05_attention\.ipynb cannot be read as a notebook"):
        build.build(before)
    assert (before / "index.html").read_text() == "whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["05_attention.ipynb", "site"]


def test_a_missing_extra_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "myst_nb" else name)
    with pytest.raises(ValueError, match=r"The extra for the site is not installed \(myst_nb is missing\)"):
        build.build(tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is $\\frac$ of it.", r"In index the formula \\frac can't be read \(\w+\): write it otherwise\."),
        ("[x](<gone.md#there>)", r"The site isn't built, for Sphinx warns: index\.md:3: .*gone"),
    ],
)
def test_what_sphinx_cannot_write_is_said_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    pytest.importorskip("sphinx_book_theme", reason="the extra for the site is not installed")
    source = tmp_path / "source"
    for folder in ("static", "extra"):
        (source / folder).mkdir(parents=True)
    (source / "index.md").write_text(f"# Title\n\n{text}\n")
    with pytest.raises(ValueError, match=said):
        build.run_sphinx(source, tmp_path / "site", tmp_path / "doctrees")


def test_a_dead_link_and_a_place_that_is_not_there_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="x"><a href="b.html">b</a> <a href="#x">x</a> <a href="#y">y</a></p>'
    )
    found = list(checks.dead_links(tmp_path, checks.pages_of(tmp_path)))
    assert found == [
        "a.html links to #y, where there is no such place.", "a.html links to b.html, which is not there."
    ]  # fmt: skip
    assert list(checks.fetched_from_elsewhere({"a": '<script src="https://cdn.example.org/x.js">'})) != []
    assert list(checks.fetched_from_elsewhere({"a": '<a href="https://example.org">'})) == []


# ---------------------------------------------------------------------------------------------
# The site, built once


@pytest.fixture(scope="session")
def written(site: Path) -> dict[str, str]:
    """The text of its pages."""
    return checks.pages_of(site)


@pytest.fixture(scope="session")
def words(written: dict[str, str]) -> str:
    """The words of all its pages."""
    return " ".join(map(plain, written.values()))


def page_of(path: Path, written: dict[str, str]) -> str:
    return written[f"notebooks/{path.stem}.html"]


built = pytest.mark.notebook  # they build the site, which takes most of a minute


@built
def test_it_has_all_pages_and_no_leftovers(site: Path, written: dict[str, str]) -> None:
    expected = {f"notebooks/{path.stem}.html" for path in NOTEBOOKS}
    expected |= {f"docs/{name}.html" for name in pages.DOCS} | {"index.html", "search.html"}
    assert set(written) - {"genindex.html"} == expected
    assert not [
        path for path in site.rglob("*") if path.suffix in (".map", ".inv") or path.name == "_sources"
    ]


@built
def test_its_links_lead_somewhere_and_it_asks_nothing_of_the_network(
    site: Path, written: dict[str, str]
) -> None:
    assert list(checks.dead_links(site, written)) == []
    assert list(checks.fetched_from_elsewhere(written)) == []
    linked = sum(
        len(checks.LINK.findall(tag)) for text in written.values() for tag in checks.TAG.findall(text)
    )
    assert linked > 5000


@built
def test_it_fits_on_a_stick_and_into_a_mail(site: Path, tmp_path: Path) -> None:
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 40e6
    with zipfile.ZipFile(tmp_path / "site.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(site))
    assert (tmp_path / "site.zip").stat().st_size < 25e6


CODE = re.compile(r"^```.*?^```|(?P<ticks>`+)(?!`).*?(?P=ticks)", re.DOTALL | re.MULTILINE)


@built
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_a_page_has_every_formula(path: Path, written: dict[str, str]) -> None:
    texts = [
        cell.source
        for cell in read_notebook(path).cells
        if cell.cell_type == "markdown" and not has_tag(cell, "notes")
    ]
    expected = sum(len(FORMULA.findall(CODE.sub("", text))) for text in texts)
    drawn = re.findall(r"<math\b.*?</math>", page_of(path, written), re.DOTALL)
    assert len(drawn) == expected
    assert not [one for one in drawn if re.search(r"\\[a-z]+", re.sub(r"<[^>]*>", "", one))]


def plain(html: str) -> str:
    """The words of a page, without marks of any kind."""
    return re.sub(r"\W+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).lower()


def sentences_of(source: str) -> Iterator[str]:
    """The longer sentences of a text cell, as `plain` has them; formulas and code are left out."""
    bare = FORMULA.sub(" | ", CODE.sub(" | ", re.sub(r"\]\([^)]*\)", "]", source)))
    for sentence in re.split(r"(?<=[.?!:;])\s|\||\n", bare):
        words = plain(sentence).split()
        if len(words) >= 7:
            yield " ".join(words)


@built
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_nothing_for_lecturers_is_on_a_page(path: Path, site: Path, words: str) -> None:
    download = plain((site / "downloads" / path.name).read_text(encoding="utf-8"))
    cells = read_notebook(path).cells
    others = plain("\n".join(cell.source for cell in cells if not has_tag(cell, "notes")))
    for note in cells:
        if has_tag(note, "notes"):
            for sentence in filter(lambda one: one not in others, sentences_of(note.source)):
                assert sentence not in words and sentence not in download, sentence


@built
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_a_download_is_the_learners_edition_below_a_cell_that_says_what_to_type(
    path: Path, site: Path
) -> None:
    book = json.loads((site / "downloads" / path.name).read_text(encoding="utf-8"))
    first, *rest = book["cells"]
    assert rest == copies.nothing_spoiled(path, LEARNER)["cells"]
    typed = re.search(r"```\n(.*)```", "".join(first["source"]), re.DOTALL)
    assert typed and len(typed[1].splitlines()) == 3
    read_notebook(site / "downloads" / path.name)


@built
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_a_page_asks_before_it_tells(path: Path, written: dict[str, str]) -> None:
    """A form for each prediction, and all that answers one, or is a reveal, in a closed fold."""
    page = page_of(path, written)
    cells = [cell for cell in read_notebook(path).cells if not has_tag(cell, "notes")]
    asked = list(predictions(cells))
    assert re.findall(r'<form class="prediction" data-asks="([^"]+)"', page) == [
        one.asked.id for one in asked
    ]
    assert re.findall(r'<details data-answers="([^"]+)"', page) == [one.asked.id for one in asked if one.told]
    assert not re.search(r"<details[^>]*\sopen\b", page)
    hidden = [
        cell
        for cell in cells
        if cell.cell_type == "code" and (has_tag(cell, "reveal") or cell in list(predicted_results(cells)))
    ]
    shown_later = [
        cell
        for cell in hidden
        if cell.outputs
        and not explorers.is_explorer(cell)
        and not {"exercise", "check"} & set(cell.metadata.get("tags", []))
    ]
    folded = Counter(re.findall(r'<div class="cell[^"]*tag_hide-output[^"]*"', page))
    assert folded.total() >= len(shown_later)
    for block in re.findall(
        r'<div class="cell[^"]*tag_hide-output[^"]*".*?(?=<div class="cell |</section>)', page, re.DOTALL
    ):
        before, _, after = block.partition('<details class="hide below-input">')
        if not after:
            before, _, after = block.partition('<details class="hide above-input">')
        assert "cell_output" not in before, block[:500]


@built
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_no_answer_of_an_explorer_and_no_verdict_is_on_a_page(path: Path, written: dict[str, str]) -> None:
    page = written[f"notebooks/{path.stem}.html"]
    words = plain(page)
    for one in filter(explorers.is_explorer, read_notebook(path).cells):
        for why in re.findall(r'why="([^"]+)"', one.source):
            assert plain(why).strip() not in words
    assert "is not written yet" not in words and "gives a hint type it into a new cell" not in words
    assert "explore(" not in unescape(re.sub(r"<[^>]*>", "", page))


@built
def test_a_search_quotes_no_sentences(site: Path) -> None:
    options = (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    assert re.search(r"SHOW_SEARCH_SUMMARY: false", options)


@built
def test_next_leads_from_the_first_page_through_all_notebooks_in_their_order(written: dict[str, str]) -> None:
    name, walked = "index.html", []
    for _ in NOTEBOOKS:
        [target] = re.findall(r'<a class="right-next"\s+href="([^"]+)"', written[name])
        name = normpath(join(dirname(name), target))
        walked.append(name)
    assert walked == [f"notebooks/{path.stem}.html" for path in NOTEBOOKS]


@built
def test_two_builds_are_the_same_to_the_byte(site: Path, tmp_path: Path) -> None:
    """That of these tests, and the one that `.ci/run` has made by the command, or else one more."""
    other = Path(os.environ.get("BERT_COURSE_SITE") or tmp_path / "again")
    if not other.exists():
        build.build(other)
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (site, other)
    )
    assert first == second
