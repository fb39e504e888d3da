"""Decks of slides: what they show of a notebook's cells, and that every page can be projected."""

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest
from browser import chromium, watch
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from typer.testing import CliRunner

from lib import root
from lib.figures.style import FAINT, INK, LIT, QUIET, TINT
from tools import copies, editions, questions, slides
from tools.__main__ import app
from tools.notebook_files import read_notebook

PIXEL = base64.b64encode(b"a picture").decode()
MEASURE = (root / "tests" / "measure_slides.js").read_text(encoding="utf-8")


def text(source: str, place: str = "slide", *tags: str) -> NotebookNode:
    return new_markdown_cell(source, metadata={"slideshow": {"slide_type": place}, "tags": list(tags)})


def code(source: str, place: str = "subslide", *tags: str, folded: bool = False) -> NotebookNode:
    metadata = {"slideshow": {"slide_type": place}, "tags": list(tags), "jupyter": {"source_hidden": folded}}
    return new_code_cell(source, metadata=metadata)


def picture() -> NotebookNode:
    return new_output(
        "display_data", {"image/png": PIXEL}, metadata={"image/png": {"alt": "Bars: 0.4 < 0.6"}}
    )


def shown(*cells: NotebookNode) -> list[slides.Slide]:
    return slides.slides_of(new_notebook(cells=list(cells)))


def one(source: str) -> slides.Slide:
    [slide] = shown(text(source))
    return slide


def test_of_prose_the_bold_sentence_is_shown_and_the_rest_is_said() -> None:
    slide = one(
        "## 2. Query and key (12 min)\n\nLong prose: **each word gets three vectors**, and more.\n\nAnd more."
    )
    assert slide.heading == "2. Query and key"
    assert slide.blocks == ['<p class="said">Each word gets three vectors.</p>']
    assert "Long prose:" in slide.notes[0] and "And more." in slide.notes[1]


def test_without_a_bold_sentence_the_first_paragraph_is_shown() -> None:
    slide = one("**What you saw.** It falls to 0.2.\n\nA second paragraph with a **word** in bold.")
    assert slide.blocks == ["<p><strong>What you saw.</strong> It falls to 0.2.</p>\n"]
    assert len(slide.notes) == 1


def test_what_is_folded_beside_its_prediction_is_open_on_its_slide() -> None:
    slide = one(
        '<details class="saw">\n<summary>What you saw</summary>\n\n**What you saw.** It falls to 0.2.'
        "\n\nA second paragraph.\n\n</details>"
    )
    assert slide.blocks == ["<p><strong>What you saw.</strong> It falls to 0.2.</p>\n"]
    assert len(slide.notes) == 1


def test_a_prediction_is_shown_to_its_end() -> None:
    slide = one("We mask a word. **Predict:** which guess comes first? Then run the next cell.")
    assert slide.blocks == [
        "<p><strong>Predict:</strong> which guess comes first? Then run the next cell.</p>\n"
    ]


def test_a_sentence_that_refers_back_brings_the_one_before() -> None:
    slide = one("A map has no name. One of them has a name. **It is compared with all of the scores.** More.")
    assert slide.blocks == [
        '<p class="said">One of them has a name. It is compared with all of the scores.</p>'
    ]
    slide = one("MiniLM gets a mask of zeros. Then **Predict:** does it still answer?")
    assert "MiniLM gets" in slide.blocks[0]


def test_a_formula_stands_with_what_leads_to_it_and_what_explains_it() -> None:
    long = "A long sentence of many words that nobody has to read on a page. " * 3
    slide = one(
        f"**The scores are weighted by their size.** {long}They are\n\n$$a = b$$\n\nHere $a$ is one. More."
    )
    shown = "".join(slide.blocks)
    assert "<p>They are</p>" in shown and "is one." in shown and "long" not in shown and "More" not in shown


def test_lists_and_tables_and_what_leads_to_them_are_shown() -> None:
    slide = one("You will be able to\n\n- split;\n- merge.\n\n| a | b |\n| - | - |\n| 1 | 2 |")
    assert [block.split(">")[0] for block in slide.blocks] == ["<p", "<ul", "<table"]
    assert slide.notes == []


def test_a_formula_is_drawn_by_the_browser() -> None:
    slide = one("It divides by $\\sqrt{d_k}$:\n\n$$\\frac{q_1 *k*}{\\sqrt{d_k}}\n+ 1$$\n\nA price of `$5`.")
    sentence, formula = slide.blocks
    assert "<msqrt>" in sentence and 'display="inline"' in sentence
    assert 'display="block"' in formula and "<mfrac>" in formula and "<em>" not in formula
    assert "<code>$5</code>" in slide.notes[0]


def test_the_answer_to_a_question_comes_with_the_next_key() -> None:
    slide = one("1. Who?\n   <details><summary>Answer</summary>The\n   *query*.</details>\n2. Why?")
    assert '<span class="answer fragment">The <em>query</em>.</span>' in slide.blocks[0]
    assert "summary" not in slide.blocks[0]


def test_an_exercise_is_stated_whole_and_not_answered() -> None:
    stub = code("def f(x):\n    ...", "subslide", "exercise")
    check = code('check("f", f)', "subslide", "check")
    check.outputs = [new_output("stream", text="f is not written yet.")]
    slide, *others = shown(text("### Exercise 1: write f (5 min)\n\nOne.\n\nTwo."), stub, check)
    assert slide.heading == "Exercise 1: write f" and len(slide.blocks) == 2 and slide.notes == []
    assert others == []


def test_code_is_shown_without_imports_and_drawing_unless_folded_or_long() -> None:
    draws = "import torch\n\nscores = query @ key.T  # [4, 4]\nfigures.show(\n    figures.draw()\n)"
    [slide] = shown(code(draws))
    assert "scores" in slide.blocks[0] and "import" not in slide.blocks[0] and "draw" not in slide.blocks[0]
    assert shown(code(draws, folded=True)) == []
    assert shown(code("a = 1\n" * (slides.MOST_LINES + 1))) == []


def test_a_picture_has_a_page_of_its_own_and_what_is_said_of_it_joins_it() -> None:
    cell = code("x = 1")
    cell.outputs = [picture()]
    first, second = shown(
        cell, text("**What you saw.** It falls. **The mask closes every later place.**", "fragment")
    )
    assert "x" in first.blocks[0] and not first.is_figure
    assert second.is_figure and 'alt="Bars: 0.4 &lt; 0.6"' in second.blocks[0]
    assert "fragment" in second.blocks[1] and "The mask closes every later place." in second.blocks[1]


def test_an_answer_is_not_seen_beside_its_question() -> None:
    cell = code("print(loss)", "fragment", "reveal")
    cell.outputs = [new_output("stream", text="0.04\n")]
    question, answer = shown(text("**Predict:** the loss?"), cell)
    assert "print" in question.blocks[1] and "0.04" not in "".join(question.blocks)
    assert answer.blocks == ['<pre class="printed">0.04</pre>']


def test_stretches_and_notes_and_skipped_cells_are_not_shown_and_notes_are_said() -> None:
    [slide] = shown(
        text("# 05 Attention"),
        text("Ask who reads rows.", "notes", "notes"),
        text("Skipped, but said.", "skip"),
        text("## Stretch: more", "slide", "stretch"),
    )
    assert slide.heading == "05 Attention"
    assert slide.notes == ["<p>Ask who reads rows.</p>\n", "<p>Skipped, but said.</p>\n"]


def test_a_stretch_is_shown_after_the_core_when_it_is_named() -> None:
    book = new_notebook(
        cells=[
            text("# 05 Attention"),
            text("Some end.\n\n## Stretch: more (5 min)\n\nOn it goes.", "skip", "stretch"),
            code("a = 1", "skip", "stretch"),
            text("**What you saw.** It went on.", "skip", "stretch"),
            text("## Stretch: and yet more", "skip", "stretch"),
        ]
    )
    assert slides.stretches_of(book) == ["more", "and yet more"]
    _, yet, more, seen = slides.slides_of(book, ["and yet more", "more"])
    assert yet.heading == "Stretch: and yet more"
    assert (more.heading, more.blocks) == ("Stretch: more", ["<p>On it goes.</p>\n"])
    assert "a" in seen.blocks[0] and "fragment" in seen.blocks[1]


def test_stretches_are_chosen_by_name_from_each_notebook() -> None:
    five, six = copies.find("05"), copies.find("06")
    names = ["What an LSTM forgets", "grammar or nearness?", "one score, feature by feature (5 min)"]
    assert slides.choose_stretches([five, six], names) == {
        five: ["what an LSTM forgets", "one score, feature by feature"],
        six: ["grammar or nearness?", "one score, feature by feature"],
    }
    with pytest.raises(ValueError, match="There is no stretch 'grammar or nearness\\?'; there are: what att"):
        slides.choose_stretches([five], names)


def test_a_section_is_named_on_each_of_its_pages() -> None:
    pages = shown(
        text("## 1. Scores (9 min)\n\nHere."),
        text("**More of these scores than before.**"),
        text("### Weights\n\nNow."),
    )
    assert [page.running for page in pages] == ["", "1. Scores", "1. Scores"]


def test_the_colors_are_those_of_the_drawings() -> None:
    template = Path(slides.__file__).with_name("slides.html").read_text(encoding="utf-8")
    for color in (INK, QUIET, FAINT, LIT, TINT):
        assert color in template


def test_a_damaged_notebook_is_named_by_each_command(tmp_path: Path) -> None:
    path, source = tmp_path / "mine.ipynb", (root / "notebooks" / "05_attention.ipynb").read_bytes()
    half, rest = source[:200], source[200:]
    bare = b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}'
    damages = {
        b"": "it is empty",
        b" \n": "it is empty",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n": "it is a pointer of Git LFS",
        b"\n<!DOCTYPE html>": "it is a page of HTML",
        b"PK\x03\x04": "it is an archive",
        half
        + b"\n<<<<<<< HEAD\n"
        + rest
        + b"=======\n"
        + rest
        + b">>>>>>> theirs\n": "both sides of a merge",
        b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n": "both sides of a merge",
        source[:-20]: "it is not JSON",
        b"import torch": "it is not JSON",
        "é".encode("latin-1"): "it is not in UTF-8",
        "{}".encode("utf-16"): "it is not in UTF-8",
        b"[" * 100_000: "recursion",
        b"[]": "not a notebook",
        b'{"message": "Not Found"}': "not a notebook",
        bare + b"}": "not a notebook",
        bare + b', "cells": {}}': "not a notebook",
        bare
        + b', "cells": [{"cell_type": "code", "metadata": {}, "source": ""}]}': "'outputs' is a required",
        bare + b', "cells": []}': "it has no cells",
        b'{"nbformat": 99, "cells": []}': "version 99",
    }
    commands = {
        "slides": lambda: slides.write_deck(path, tmp_path / "decks"),
        "solve": lambda: editions.solve_file(path, tmp_path / "solved", {}),
        "refresh": lambda: editions.refresh(path, {}),
    }
    for content, said in damages.items():
        path.write_bytes(content)
        for name, command in commands.items():
            with pytest.raises(ValueError, match=f"{path} cannot be read as a notebook: .*{said}") as error:
                command()
            assert "\n" not in str(error.value), name
        assert path.read_bytes() == content and [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_notebook_of_windows_or_of_old_is_read(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "language": "python", "metadata": {}, "collapsed": False, "outputs": []}
    sheets = [{"metadata": {}, "cells": [cell | {"input": f"n = {n}"}]} for n in (1, 2)]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}
    new = nbformat.writes(new_notebook(cells=[code("n = 1"), code("n = 2")]))
    path = tmp_path / "mine.IPYNB"
    for content in (json.dumps(old), new, new.replace("\n", "\r\n"), f"\ufeff{new}"):
        path.write_bytes(content.encode())
        assert [one.source for one in read_notebook(copies.find_file(str(path))).cells] == ["n = 1", "n = 2"]
        assert slides.write_deck(path, tmp_path)[0].is_file()


def test_the_command_writes_a_deck_and_answers_mistakes(tmp_path: Path) -> None:
    runner = CliRunner()
    folder = tmp_path / "new" / "decks"
    result = runner.invoke(app, ["slides", "05", "-o", str(folder)])
    assert [path.name for path in folder.iterdir()] == ["05_attention.slides.html"]
    path, account = result.stdout.splitlines()
    assert path == str(folder / "05_attention.slides.html")
    assert account.startswith("About ") and "minutes for what the pages show" in account
    with pytest.raises(ValueError, match="There is no notebook '77'"):
        runner.invoke(app, ["slides", "77", "-o", str(folder)], catch_exceptions=False)


# ---------------------------------------------------------------------------------------------
# In a browser


@pytest.fixture(scope="module")
def screen() -> Iterator[Any]:
    """A projector's page of 1280 x 720."""
    with chromium([]) as browser:
        yield browser.new_page(viewport={"width": 1280, "height": 720})


def faults(screen: Any, deck: Path) -> list[str]:
    """What a lecturer could not project of a deck: the slide, and what is wrong with it."""
    screen.goto(deck.as_uri())
    screen.wait_for_selector("body:not(.measuring) .reveal.ready")
    return screen.evaluate(MEASURE)


@pytest.mark.notebook
@pytest.mark.parametrize("notebook", copies.every_notebook(), ids=lambda path: path.stem)
def test_every_slide_of_every_notebook_can_be_projected(screen: Any, notebook: Path, tmp_path: Path) -> None:
    asked = watch(screen)
    deck, _ = slides.write_deck(notebook, tmp_path, slides.stretches_of(read_notebook(notebook)))
    assert faults(screen, deck) == []
    assert asked == []


@pytest.mark.notebook
@pytest.mark.parametrize("notebook", copies.every_notebook(), ids=lambda path: path.stem)
def test_every_question_for_a_vote_can_be_projected(screen: Any, notebook: Path, tmp_path: Path) -> None:
    assert faults(screen, questions.write_deck(notebook, tmp_path)) == []


@pytest.mark.notebook
def test_what_does_not_fit_goes_on_and_what_cannot_is_reported(screen: Any, tmp_path: Path) -> None:
    items = "\n".join(f"- item {number} of a long list" for number in range(30))
    steps = "\n".join(f"{number}. step" for number in range(1, 31))
    rows = "\n".join(f"| {number} | a row |" for number in range(40))
    wall = "This sentence goes on and on. " * 120
    book = new_notebook(
        cells=[
            text(f"## A list\n\n{items}"),
            text(f"## Steps\n\n{steps}"),
            text(f"## A table\n\n| n | b |\n| - | - |\n{rows}"),
            text("## A formula\n\n$$" + " + ".join(f"x_{{{number}}}" for number in range(18)) + "$$"),
            text(f"## A wall\n\n{wall}"),
        ]
    )
    nbformat.write(book, tmp_path / "long.ipynb")
    found = faults(screen, slides.write_deck(tmp_path / "long.ipynb", tmp_path)[0])
    assert found and all(fault.startswith("slide 12 (A wall): ") for fault in found)
    assert screen.locator("section li", has_text="item").count() == 30
    assert screen.locator("tbody tr").count() == 40
    starts = screen.evaluate(
        "[...document.querySelectorAll('ol')].map(list => [list.start, list.children.length])"
    )
    assert len(starts) > 1 and all(a + n == b for (a, n), (b, _) in pairwise(starts))
    screen.add_style_tag(content=".body li { font-size: 14px }")
    assert "slide 1 (A list): text of 14px: item 0 of a long list" in screen.evaluate(MEASURE)
