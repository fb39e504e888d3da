"""The skeleton of an exercise."""

import runpy
from pathlib import Path

import pytest

import lib
from tools import skeleton


def test_a_skeleton_is_entered_in_its_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lib, "root", tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "41_the_end.ipynb").touch()
    skeleton.write("41", "first_one")
    exercise, answers = skeleton.write("41", "second_one")
    space = runpy.run_path(str(exercise.parent / "__init__.py"))
    assert (space["NOTEBOOK"], space["EXERCISES"]) == ("41_the_end", ("first_one", "second_one"))
    assert 'name="second_one"' in exercise.read_text()
    assert runpy.run_path(str(answers))["RIGHT"] == []
    for notebook, name in (("41", "second_one"), ("42", "third"), ("41", "no name")):
        with pytest.raises(ValueError, match=r"exists|no notebook|cannot be the name"):
            skeleton.write(notebook, name)
