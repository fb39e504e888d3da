"""The reader's own copies of the notebooks: nothing spoiled, and no answer ever lost."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import lib
from lib.exercises import predictions
from lib.figures import widgets
from tools import copies, live_views

NAME = "05_attention.ipynb"


@pytest.fixture
def my(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The reader's folder, not made yet, in a course of one notebook with its outputs stored."""
    monkeypatch.setattr(lib, "root", tmp_path)
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path / "my"))
    book = new_notebook()
    for tag in ("plain", "notes", "exercise", "check", "use", "reveal"):
        cell = new_code_cell(f"'{tag}'", execution_count=1, metadata={"tags": [tag]})
        cell.outputs = [new_output("stream", name="stdout", text="stored" * 2000)]
        book.cells.append(cell)
    live_views.write(book, tmp_path / "notebooks" / NAME)
    return tmp_path / "my"


def own_copy(audience: copies.Audience = copies.LEARNER) -> Path:
    """The reader's copy of the one notebook, made if there is none."""
    with copies.own_copies(audience):
        return copies.folder_of(audience) / NAME


@pytest.mark.parametrize("name", ["05", "5", "05_attention", NAME])
def test_a_notebook_is_found_by_number_or_name(name: str, my: Path) -> None:
    assert copies.find(name) == my.parent / "notebooks" / NAME


@pytest.mark.parametrize("name", ["77", "", "0", "005", "*", "05_*", "05_att", ".", "²", "../05_attention"])
def test_a_notebook_that_is_not_there(name: str, my: Path) -> None:
    with pytest.raises(ValueError, match=r"There is no notebook .*; there are 05\."):
        copies.find(name)


def test_a_path_names_a_file_and_a_number_the_course(my: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = own_copy()
    monkeypatch.chdir(my)
    (my / "05").write_text("a note")
    assert copies.find_file(NAME) == Path(NAME)
    assert copies.find_file(str(own)) == own
    assert copies.find_file("05") == copies.find(NAME) == my.parent / "notebooks" / NAME


def test_a_copy_spoils_nothing(my: Path) -> None:
    assert own_copy() == my / NAME
    for cell in nbformat.read(my / NAME, as_version=4).cells:
        assert bool(cell.outputs) == (cell.metadata.tags == ["plain"])


@pytest.mark.parametrize("audience", [copies.LEARNER, copies.LECTURER])
def test_nothing_in_a_copy_looks_as_if_it_had_been_run_here(audience: copies.Audience, my: Path) -> None:
    path = my.parent / "notebooks" / NAME
    book = nbformat.read(path, as_version=4)
    book.cells[0].outputs.append(new_output("execute_result", {"text/plain": "2"}, execution_count=1))
    live_views.write(book, path)
    first, *others = nbformat.read(own_copy(audience), as_version=4).cells
    assert first.outputs[1].execution_count is None and len(others) > 3
    assert {cell.execution_count for cell in (first, *others)} == {None}
    assert nbformat.read(path, as_version=4).cells[0].execution_count == 1


def test_no_result_stands_under_its_prediction(my: Path) -> None:
    """In no notebook of the course: from a prediction to what answers it, nothing is stored."""
    notebooks = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
    assert notebooks
    for original in notebooks:
        (my.parent / "notebooks" / original.name).write_bytes(original.read_bytes())
    own_copy()
    for original in notebooks:
        cells = nbformat.read(my / original.name, as_version=4).cells
        predicted = False
        for cell in cells:
            if cell.cell_type == "code":
                assert not (predicted and cell.outputs), f"{original.stem}: {cell.source[:60]}"
            elif cell.source.startswith(("#", '<details class="saw">')):
                predicted = False
            if cell.cell_type == "markdown" and "**Predict" in cell.source:
                predicted = True


def test_the_notes_are_in_the_lecturers_copies_alone(my: Path) -> None:
    def tags(copy: Path) -> set[str]:
        return {tag for cell in nbformat.read(copy, as_version=4).cells for tag in cell.metadata.tags}

    assert own_copy(copies.LEARNER) == my / NAME
    assert own_copy(copies.LECTURER) == my / "lecturer" / NAME
    assert tags(my / "lecturer" / NAME) - tags(my / NAME) == {"notes"}
    for copy in (my / NAME, my / "lecturer" / NAME):
        copy.write_text("my work")
    own_copy(copies.LEARNER)
    own_copy(copies.LECTURER)
    assert (my / NAME).read_text() == (my / "lecturer" / NAME).read_text() == "my work"


def test_yesterdays_live_views_become_words(my: Path) -> None:
    made = own_copy()
    book = nbformat.read(made, as_version=4)
    view = new_output(
        "display_data",
        {"text/html": "<iframe>", "text/plain": "Run this cell."},
        metadata={"course": {"live": True}},
    )
    book.cells[-1] = new_code_cell("answer = 1", outputs=[view])
    nbformat.write(book, made)
    live_views.put_out(made)
    after = nbformat.read(made, as_version=4).cells[-1]
    assert after.source == "answer = 1"
    assert after.outputs[0].data == {"text/plain": "Run this cell."}


def test_yesterdays_widget_becomes_its_still_picture(my: Path) -> None:
    made = own_copy()
    book = nbformat.read(made, as_version=4)
    still = {"image/png": "iVBO", "text/html": "<img>", "text/plain": "A picture."}
    moving = new_output("display_data", still | {live_views.WIDGET: {"model_id": "1"}})
    book.cells[-1] = new_code_cell("explore()", outputs=[moving])
    nbformat.write(book, made)
    live_views.put_out(made)
    assert nbformat.read(made, as_version=4).cells[-1].outputs[0].data == still


def test_a_reset_forgets_what_was_answered_in_this_notebook_alone(my: Path) -> None:
    path = my.parent / "notebooks" / NAME
    book = nbformat.read(path, as_version=4)
    book.cells += [
        new_code_cell('figures.explore(\n    "Which "\n    "one?", options=[])'),
        new_code_cell('figures.explore(f"Of {len(words)} words?", options=[])'),
        new_code_cell("figures.explore(question, options=[])"),
        new_code_cell('%magic\nfigures.explore("Unreadable?")'),
    ]
    live_views.write(book, path)
    others = {"Which one? No.": "a", "A variable?": "b"}
    predictions.write_json(my / predictions.FILE, {"Which one?": "a", "Of 12 words?": "b"} | others)
    copies.reset("05")
    assert json.loads((my / predictions.FILE).read_text()) == others
    (my / predictions.FILE).write_text("damaged")
    copies.reset("05")
    assert (my / predictions.FILE).read_text() == "damaged"


def test_the_explorers_keep_their_answers_where_a_reset_looks() -> None:
    assert widgets.PREDICTIONS == predictions.FILE


OPENING = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": '
DAMAGED = ["", "{", "[]", "{}", "null", '{"cells": {}}', '{"nbformat": 99}', "\ud800"]
DAMAGED += [
    f"{OPENING}{cells}}}" for cells in ("[1]", '[{"outputs": 3}]', '[{"outputs": [{"metadata": []}]}]')
]


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_damaged_copy_is_named_and_left_as_it_is(
    damaged: str, my: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = damaged.encode("utf-8", errors="surrogatepass")
    made = own_copy()
    made.write_bytes(content)
    live_views.put_out(made)
    assert made.read_bytes() == content
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith(f"{made} cannot be read as a notebook: ")
    assert said.endswith("`python course.py reset 05` makes a new copy and keeps this one beside it.")


def test_a_damaged_notebook_of_the_course_is_named(my: Path) -> None:
    original = my.parent / "notebooks" / NAME
    original.write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n")
    for command in (own_copy, lambda: copies.reset("05")):
        with pytest.raises(ValueError, match=f"{original} cannot be read as a notebook: it holds both sides"):
            command()
    assert not my.exists() or not os.listdir(my)


def test_a_copy_is_made_once_and_a_reset_keeps_the_old(my: Path) -> None:
    made = own_copy()
    made.write_text("my work")
    assert own_copy().read_text() == "my work"
    assert copies.reset("05") == made
    assert nbformat.read(made, as_version=4).cells
    made.write_text("more work")
    copies.reset("05")
    kept = {path.name: path.read_text() for path in my.glob("*before*")}
    assert kept == {
        "05_attention (before 1).ipynb": "my work",
        "05_attention (before 2).ipynb": "more work",
    }


def test_a_reset_of_what_was_never_opened_makes_the_copy(my: Path) -> None:
    assert copies.reset("05") == my / NAME
    assert os.listdir(my) == [NAME]


def test_a_reset_from_inside_the_folder_keeps_the_answers(my: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_copy().write_text("my work")
    monkeypatch.chdir(my)
    for name in ("05", NAME):
        assert copies.reset(name) == my / NAME
        assert nbformat.read(my / NAME, as_version=4).cells
    assert (my / "05_attention (before 1).ipynb").read_text() == "my work"


def test_a_full_disk_costs_no_answer(my: Path, full_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERT_COURSE_HOME", str(full_disk))
    (full_disk / NAME).write_text("my work")
    with pytest.raises(OSError):
        copies.reset("05")
    assert os.listdir(full_disk) == [NAME]
    assert (full_disk / NAME).read_text() == "my work"
    (full_disk / NAME).unlink()
    with pytest.raises(OSError):
        own_copy()
    assert os.listdir(full_disk) == []


def test_a_folder_in_the_place_of_a_copy_is_named(my: Path) -> None:
    (my / NAME).mkdir(parents=True)
    for command in (own_copy, lambda: copies.reset("05")):
        with pytest.raises(ValueError, match="is a folder, where your copy"):
            command()
    assert os.listdir(my) == [NAME]


def test_a_full_disk_below_jupyter_is_named(my: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(notary: Any, book: nbformat.NotebookNode) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(live_views.NotebookNotary, "sign", full)
    with pytest.raises(OSError, match=r"Jupyter cannot write to .*disk is full"):
        own_copy()
    assert os.listdir(my) == []


def test_jupyter_trusts_a_copy_as_it_lies_on_disk(my: Path) -> None:
    for copy in (own_copy(), copies.reset("05")):
        assert live_views.NotebookNotary().check_signature(nbformat.read(copy, as_version=4))


def test_copies_that_were_interrupted_before_jupyter_trusts_them_are_made_again(my: Path) -> None:
    with pytest.raises(KeyboardInterrupt), copies.own_copies():
        assert (my / NAME).exists()
        raise KeyboardInterrupt
    assert os.listdir(my) == []
    assert own_copy().exists()
