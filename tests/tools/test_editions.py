"""The editions of a notebook."""

from __future__ import annotations

import copy
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sabotage.hand_ins import CHECK, NAME, STUB
from typer.testing import CliRunner

from lib import exercises
from lib.exercises import registry
from tools import editions
from tools.__main__ import app
from tools.live_views import WIDGET, write

VALUE = next(exercise.name for exercise in exercises.all() if not exercise.by_code)


def code(source: str, *tags: str) -> NotebookNode:
    return new_code_cell(source, metadata={"tags": list(tags)} if tags else {})


def small_notebook() -> NotebookNode:
    """A notebook with one exercise of each sort and one of each cell that is treated specially."""
    return new_notebook(
        cells=[
            new_markdown_cell("# Attention"),
            code("import torch\nfrom lib.exercises import check\nprint('one', end='')\nprint('two')"),
            code(f"import math\n\n{STUB}", "exercise"),
            code(CHECK, "check"),
            code(f"# Look at these.\nrows = [1, 2]\n{VALUE} = ...", "exercise"),
            code(f'check("{VALUE}", {VALUE})', "check"),
            code("print('the answer')", "reveal"),
            code(""),
            code("import os\nprint(os.environ['TQDM_DISABLE'])\n6 * 7", "notes"),
        ]
    )


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "course" / "05_attention.ipynb"
    write(small_notebook(), path)
    return path


def test_the_solved_edition_has_the_answers() -> None:
    before = small_notebook()
    original = copy.deepcopy(before)
    solved = editions.solve(before, registry.course())
    assert before == original
    function, value = [cell for cell in solved.cells if editions.has_tag(cell, "exercise")]
    reference = exercises.get(NAME).reference
    assert f"from {reference.__module__} import {NAME}" in function.source
    assert "import math" in function.source
    space: dict[str, object] = {}
    exec(value.source, space)
    assert exercises.get(VALUE).check(space[VALUE]).passed
    assert value.source.startswith("# Look at these.\nrows = [1, 2]\n")
    shown = solved.cells[solved.cells.index(function) + 1]
    assert shown.cell_type == "markdown"
    assert f"def {NAME}(" in shown.source
    assert len(solved.cells) == len(before.cells) + 1
    nbformat.validate(solved)
    assert editions.solve(before, registry.course()) == solved


def test_an_exercise_cell_without_an_exercise_is_refused() -> None:
    book = new_notebook(cells=[code("unheard_of = ...", "exercise")])
    with pytest.raises(ValueError, match="unheard_of"):
        editions.solve(book, registry.course())


def test_the_solved_edition_goes_elsewhere(book: Path, tmp_path: Path) -> None:
    written = editions.solve_file(book, tmp_path / "solved", registry.course())
    assert written == tmp_path / "solved" / book.name
    with pytest.raises(ValueError, match="another folder"):
        editions.solve_file(book, book.parent, registry.course())


def test_the_blank_edition_does_nothing_else() -> None:
    blank = editions.blank(small_notebook())
    sources = [cell.source for cell in blank.cells if cell.cell_type == "code"]
    assert sources[0] == "import torch\nfrom lib.exercises import check"
    assert sources[1].startswith("import math")
    assert sources[5:] == ["", "", "import os"]


@pytest.mark.notebook
def test_a_refresh_stores_what_the_solved_edition_prints(book: Path) -> None:
    before = nbformat.read(book, as_version=4)
    editions.refresh(book, registry.course())
    after = nbformat.read(book, as_version=4)
    assert [cell.source for cell in after.cells] == [cell.source for cell in before.cells]
    assert [cell.id for cell in after.cells] == [cell.id for cell in before.cells]
    ran = [cell for cell in after.cells if cell.cell_type == "code" and cell.source]
    assert [cell.execution_count for cell in ran] == list(range(1, len(ran) + 1))
    start, stub, check, value, value_check, reveal, notes = ran
    assert [output.text for output in start.outputs] == ["onetwo\n"]
    assert stub.outputs == value.outputs == []
    assert "not written yet" in check.outputs[0].text
    assert "not written yet" in value_check.outputs[0].text
    assert reveal.outputs[0].text == "the answer\n"
    assert reveal.metadata.jupyter == {"outputs_hidden": True}
    assert notes.outputs[0].text == "1\n"
    assert notes.outputs[1].execution_count == len(ran)
    assert after.metadata.kernelspec.name == "python3"
    text = book.read_bytes()
    editions.refresh(book, registry.course())
    assert book.read_bytes() == text
    assert [path.name for path in book.parent.iterdir()] == [book.name]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import sys\nprint('careful', file=sys.stderr)", "cell 0 wrote to stderr:\ncareful"),
        ("1/0", "ZeroDivisionError"),
        ("import os\nos._exit(1)", "Kernel died"),
    ],
)
def test_a_refresh_that_is_not_clean_changes_nothing(source: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "05_attention.ipynb"
    write(new_notebook(cells=[code(source)]), path)
    before = path.read_bytes()
    with pytest.raises(editions.RefreshFailed, match="05_attention") as caught:
        editions.refresh(path, registry.course())
    assert why in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert path.read_bytes() == before


def test_what_needs_a_kernel_is_stored_as_text() -> None:
    live = new_output(
        "display_data",
        {"text/plain": "Run this cell.", "text/html": "<iframe>"},
        metadata={"course": {"live": True}},
    )
    widget = new_output("display_data", {"text/plain": "Slider", WIDGET: {"model_id": "1"}})
    picture = new_output(
        "display_data", {"text/plain": "A map.", "image/png": ""}, metadata={"image/png": {"alt": "A map."}}
    )
    assert editions._stored(live, 1) == new_output("display_data", {"text/plain": "Run this cell."})
    assert editions._stored(widget, 1) == new_output("display_data", {"text/plain": "Slider"})
    assert editions._stored(copy.deepcopy(picture), 1) == picture


def test_printed_pieces_are_joined() -> None:
    pieces = [
        new_output("stream", name="stdout", text="a"),
        new_output("stream", name="stdout", text="b\n"),
        new_output("display_data", {"text/plain": "c"}),
        new_output("stream", name="stdout", text="d"),
    ]
    assert [output.get("text") for output in editions._merged(pieces)] == ["ab\n", None, "d"]


# --- the command line -----------------------------------------------------------------------------


def test_list_names_every_exercise_and_the_mistakes_it_knows() -> None:
    printed = CliRunner().invoke(app, ["list"]).output
    for exercise in exercises.all():
        assert exercise.name in printed
        assert all(mistake.name in printed for mistake in exercise.mistakes)


def test_solve_on_the_command_line(book: Path, tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["solve", str(book), "-o", str(tmp_path / "solved")])
    assert ran.output.strip() == str(tmp_path / "solved" / book.name)
    assert CliRunner().invoke(app, ["solve", "no_such_notebook", "-o", str(tmp_path)]).exit_code == 1
