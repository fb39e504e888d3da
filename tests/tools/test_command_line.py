"""The command line: its words, its help, and the sentences that it ends with."""

import errno
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from programs import python
from safetensors import SafetensorError
from typer.testing import CliRunner

from lib.command import run
from tools.__main__ import PROGRAM, app

GROUP: Any = typer.main.get_command(app)
SECOND = [
    f"{word} {second}" for word, group in GROUP.commands.items() for second in getattr(group, "commands", ())
]


def help_of(word: str) -> str:
    """What `--help` prints, on a page as wide as it wants."""
    answer = CliRunner().invoke(app, [*word.split(), "--help"], env={"COLUMNS": "1000"})
    assert answer.exit_code == 0, answer.output
    return answer.output


@pytest.mark.parametrize("word", [*GROUP.commands, *SECOND])
def test_each_word_is_explained_by_an_example(word: str) -> None:
    page = help_of(word)
    assert re.search(rf"Examples?: {PROGRAM} {word}\b", page), page


def test_help_lists_every_word() -> None:
    page = help_of("")
    assert all(re.search(rf"^\W*{word}\s", page, re.MULTILINE) for word in GROUP.commands), page


def test_help_comes_before_torch() -> None:
    code = "import sys, tools.__main__; print({'torch', 'nbformat', 'lib.exercises'} & sys.modules.keys())"
    answer = python("-P", "-c", code)
    assert answer.stdout.strip() == "set()", answer.stdout + answer.stderr


WRONG = ["lab 77", "lab --port 99999", "lab --port 0", "reset 77", "test --fast --all", "lba"]


@pytest.mark.parametrize("command", [*map(str.split, WRONG), ["lab", ""], ["reset", ""]])
def test_a_wrong_argument_is_answered_by_a_sentence(command: list[str]) -> None:
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 2
    assert "Error" in answer.output and "Traceback" not in answer.output


def failing(error: Exception) -> Callable[[], None]:
    """A command that ends with that error."""

    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("There is no x."), "There is no x."),
        (
            OSError(errno.ENOSPC, "No space left on device", "a.csv"),
            "No space left on device: a.csv. Make room",
        ),
        (
            OSError(errno.EROFS, "Read-only file system", Path("a")),
            "Read-only file system: a. Choose a place",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "a"), "Permission denied: a. Choose a place"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a"), "No such file or directory: a"),
        (
            FileExistsError(errno.EEXIST, "File exists", "my"),
            "File exists: my. Move what is in the way, then",
        ),
        (OSError("no model of that name"), "no model of that name"),
        (TimeoutError(), "TimeoutError"),
        (SafetensorError("header too small"), "could not be read or written: header too small."),
    ],
)
def test_a_command_ends_with_a_sentence(error: Exception, says: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run(failing(error))
    assert says in str(ended.value) and "\n" not in str(ended.value)


def test_a_fault_of_the_code_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 / 0)


def test_a_reset_on_a_full_disk_is_answered_by_a_sentence(
    full_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_HOME", str(full_disk))
    (full_disk / "05_attention.ipynb").write_text("my work")
    with pytest.raises(SystemExit, match="then run this again"):
        run(lambda: app(["reset", "05"]))
    assert [path.name for path in full_disk.iterdir()] == ["05_attention.ipynb"]
