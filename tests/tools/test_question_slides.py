"""Slides of the questions for a vote."""

import dataclasses
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chapters.nb05.questions import QUESTIONS
from lib.questions import Count
from tools import questions
from tools.__main__ import app

[QUESTION] = [one for one in QUESTIONS if one.name == "one_vector_added_to_all_keys"]


def test_a_question_is_asked_twice_and_then_answered() -> None:
    vote, talk, again, cell, sentences = questions.slides_of(QUESTION)
    assert vote.blocks == again.blocks and vote.running == "After section 3"
    assert vote.blocks[1] == talk.blocks[1] and vote.blocks[1].count("<li>") == 4
    assert "sum:    1.00" in cell.blocks[0] and "softmax" in cell.blocks[1]
    assert sentences.heading == "B is right"
    assert all(option.sentence in sentences.blocks[0] for option in QUESTION.options)
    shown = [*vote.blocks, *talk.blocks, *again.blocks]
    assert not any("is right" in block for block in shown)


def test_a_guess_is_called_one_until_a_class_has_voted() -> None:
    assert "The author's guess: A 30%" in " ".join(questions.slides_of(QUESTION)[0].notes).replace(
        "&#x27;", "'"
    )
    count = Count("2026-11-28", 43, (30, 41, 20, 9), (9, 80, 7, 4))
    notes = " ".join(questions.slides_of(dataclasses.replace(QUESTION, counted=(count,)))[0].notes)
    assert "43 people: A 30%, B 41%" in notes and "guess" not in notes


def test_a_cell_that_contradicts_its_question_is_refused() -> None:
    wrong = dataclasses.replace(QUESTION, shows=lambda: "C")
    with pytest.raises(ValueError, match="finds C, and B is called right"):
        questions.slides_of(wrong)


def test_the_command_writes_a_deck_and_the_letters(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["questions", "05", "-o", str(tmp_path)])
    assert result.stdout.split() == [
        str(tmp_path / "05_attention.questions.html"),
        str(tmp_path / "letters.html"),
    ]
    page = (tmp_path / "05_attention.questions.html").read_text(encoding="utf-8")
    assert page.count("<section>") == 1 + 5 * len(QUESTIONS)
    letters = (tmp_path / "letters.html").read_text(encoding="utf-8")
    assert all(f"<p>{letter}</p>" in letters for letter in "ABCD")


def test_a_notebook_without_questions_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="99_none has no questions for a vote"):
        questions.write_deck(tmp_path / "99_none.ipynb", tmp_path)
