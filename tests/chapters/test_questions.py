"""Each question for a vote has one right option, which its cell finds, and wrong ones that people believe."""

import ast
import inspect
import textwrap
import tomllib
from collections import Counter
from importlib import import_module

import pytest

from lib import root
from lib.questions import LETTERS, Question, Right, Wrong

FILES = sorted((root / "chapters").glob("nb[0-9][0-9]/questions.py"))
BELIEVED: dict[str, str] = tomllib.loads(
    (root / "chapters" / "misconceptions.toml").read_text(encoding="utf-8")
)
MOST_WORDS, MOST_LINES, A_NOTEBOOK = 20, 8, 4
SHORTEST = 2 / 3  # of the longest option: a length gives nothing away


def questions(notebook: str) -> list[Question]:
    """Those of a notebook, by its number."""
    found: list[Question] = import_module(f"chapters.nb{notebook}.questions").QUESTIONS
    return found


ALL = {file.parent.name[2:]: questions(file.parent.name[2:]) for file in FILES}
EVERY = {f"{notebook} {one.name}": one for notebook, asked in ALL.items() for one in asked}
each = pytest.mark.parametrize("question", EVERY.values(), ids=EVERY)


@each
def test_the_cell_finds_the_right_letter(question: Question, capsys: pytest.CaptureFixture[str]) -> None:
    assert question.shows() == question.right
    assert capsys.readouterr().out.strip(), "the cell shows nothing"


@each
def test_the_cell_is_short_and_its_letter_is_computed(question: Question) -> None:
    source = textwrap.dedent(inspect.getsource(question.shows))
    [function] = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    body = source.splitlines()[function.body[0].lineno - 1 :]
    assert len([line for line in body if line.strip()]) <= MOST_LINES
    returned = function.body[-1]
    assert isinstance(returned, ast.Return) and not isinstance(returned.value, ast.Constant)


@each
def test_options_do_not_give_the_answer_away(question: Question) -> None:
    assert sum(isinstance(option, Right) for option in question.options) == 1
    lengths = [len(option.text) for option in question.options]
    assert min(lengths) >= SHORTEST * max(lengths), lengths
    assert all(len(option.text.split()) <= MOST_WORDS for option in question.options)
    assert len({option.text for option in question.options}) == len(LETTERS)


@each
def test_wrong_options_are_believed_by_somebody(question: Question) -> None:
    names = [option.misconception for option in question.options if isinstance(option, Wrong)]
    assert {*names} <= BELIEVED.keys(), {*names} - BELIEVED.keys()
    assert len({*names}) == len(names)


@each
def test_shares_are_shares(question: Question) -> None:
    for shares in (
        *question.guessed,
        *(part for count in question.counted for part in (count.first, count.second)),
    ):
        assert sum(shares) == 100 and min(shares) >= 0
    assert 10 <= question.seconds <= 180


def test_right_options_stand_in_all_places() -> None:
    places = Counter(one.right for one in EVERY.values())
    assert all(len(EVERY) / 8 <= places[letter] <= len(EVERY) / 2 for letter in LETTERS), places
    for notebook, asked in ALL.items():
        assert len({one.right for one in asked}) >= 3, f"{notebook}: {[one.right for one in asked]}"


def test_each_notebook_has_four_with_names_of_their_own() -> None:
    assert all(len(asked) == A_NOTEBOOK for asked in ALL.values())
    assert {path.name[:2] for path in (root / "notebooks").glob("[0-9][0-9]_*.ipynb")} == ALL.keys()
    assert len(EVERY) == len({one.name for one in EVERY.values()})


def test_beliefs_are_in_order_and_all_are_used() -> None:
    assert list(BELIEVED) == sorted(BELIEVED)
    used = {
        option.misconception for one in EVERY.values() for option in one.options if isinstance(option, Wrong)
    }
    assert used == BELIEVED.keys(), used ^ BELIEVED.keys()
