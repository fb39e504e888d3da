"""What a notebook calls: check, hint, solution, use, using, install; strict or friendly."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from sabotage.hand_ins import CHECK, NAME
from torch import Tensor

from lib import exercises
from lib.bert import attention
from lib.exercises import notebook


def output_of(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed since last time, its lines joined: where they break is for the page alone."""
    return " ".join(capsys.readouterr().out.split())


def another(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    """A right answer that is not the reference itself."""
    return exercises.get(NAME).reference(query, key, value, mask)


def doubled(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    output, weights = another(query, key, value, mask)
    return 2 * output, weights


def stub(query: Tensor, mask: Any = None) -> Any:
    """Nothing yet."""


@pytest.fixture
def friendly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A notebook that has just been opened; the reader's folder."""
    monkeypatch.setenv("BERT_COURSE_STRICT", "0")
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path))
    monkeypatch.setattr(notebook, "_passed", {})
    monkeypatch.setattr(notebook, "_hints_given", {})
    yield tmp_path


@pytest.mark.parametrize(
    ("wish", "pytest_version", "strict"),
    [(None, None, False), (None, "9.0", True), ("1", None, True), ("0", "9.0", False), ("", "9.0", True)],
)
def test_when_checks_are_strict(
    wish: str | None, pytest_version: str | None, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, setting in (("BERT_COURSE_STRICT", wish), ("PYTEST_VERSION", pytest_version)):
        if setting is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, setting)
    assert notebook.is_strict() == strict


def test_a_failed_check_prints(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check(NAME, doubled)
    printed = output_of(capsys)
    assert printed.startswith("Not yet.")
    assert f'hint("{NAME}")' in printed and "press Esc, then B" in printed
    assert "\x1b" not in printed
    assert exercises.progress() == []


def test_a_failed_check_raises_where_strict(friendly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")
    with pytest.raises(exercises.CheckFailed, match="numbers are not") as caught:
        exercises.check(NAME, doubled)
    assert len(caught.value._render_traceback_()) == 1
    with pytest.raises(exercises.CheckFailed, match="not written yet"):
        exercises.check(NAME, stub)


def test_a_passed_check_lights_its_box(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check(NAME, another)
    assert output_of(capsys).startswith("Passed.")
    assert exercises.progress() == [exercises.get(NAME).box]
    exercises.check(NAME, another)
    assert exercises.progress() == [exercises.get(NAME).box]
    assert [path.name for path in friendly.iterdir()] == ["progress.json"]


def test_a_check_that_was_given_something_else(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check("scaled_dot_attention", another)
    assert f"Did you mean {NAME}" in output_of(capsys)
    exercises.check(NAME, exercises.get("causal_mask").reference)
    assert f"This check is for {NAME}, but it was given causal_mask" in output_of(capsys)
    exercises.check(NAME)
    assert CHECK.strip() in output_of(capsys)


def test_a_check_says_when_it_judges_an_older_version(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = "def causal_mask(length):\n    ..."
    older = "this is about the one before it"
    monkeypatch.setattr("__main__.In", ["", right, "def causal_mask(length):\n    return ("], raising=False)
    exercises.check("causal_mask", exercises.get("causal_mask").reference)
    assert older in output_of(capsys)
    monkeypatch.setattr("__main__.In", ["def causal_mask(:", right, "x = ("])
    exercises.check("causal_mask", exercises.get("causal_mask").reference)
    assert older not in output_of(capsys)


def test_three_hints_then_the_solution(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for start in ("Hint 1 of 3 (the idea)", "Hint 2 of 3 (the shapes)", "Hint 3 of 3 (the line)"):
        exercises.hint(NAME)
        assert output_of(capsys).startswith(start)
    exercises.hint(NAME)
    assert f'solution("{NAME}")' in output_of(capsys)
    exercises.hint(NAME, 1)
    assert output_of(capsys).startswith("Hint 1")
    exercises.hint("closest_pair", 2)
    assert output_of(capsys).startswith("Hint 2 of 3: ")
    exercises.hint("nothing")
    assert "no exercise" in output_of(capsys)
    exercises.solution(NAME)
    shown = capsys.readouterr().out
    assert inspect.getsource(exercises.get(NAME).reference).strip() in shown
    space: dict[str, Any] = {}
    exec(shown, space)
    assert exercises.get(NAME).check(space[NAME]).passed
    exercises.solution("nothing")
    assert "no exercise" in output_of(capsys)


def test_use_runs_the_model_with_the_answer_inside(
    friendly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def scaled_dot_product_attention(
        query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> Any:
        return another(query, key, value, mask)

    exercises.use(scaled_dot_product_attention)
    printed = output_of(capsys)
    assert "with your scaled" in printed and "where it was called 12 times" in printed
    assert float(printed.split("original ")[1].split()[0].rstrip(".")) < 1e-4
    exercises.check(NAME, another)
    exercises.use(another)  # recognized as what passed, whatever it is called
    assert "where it was called 12 times" in output_of(capsys)
    exercises.use(exercises.get(NAME).reference)  # as the solved edition does
    assert "with the course's answer" in output_of(capsys)


def test_an_answer_stays_in_the_model_as_long_as_is_asked(
    friendly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        calls.append(1)
        return another(query, key, value, mask)

    query = torch.ones(2, 3)
    notebook._passed[NAME] = scaled_dot_product_attention
    with exercises.using(scaled_dot_product_attention):
        attention.scaled_dot_product_attention(query, query, query)
    attention.scaled_dot_product_attention(query, query, query)
    assert len(calls) == 1
    for _ in range(2):  # the second time it takes its own place
        exercises.install(scaled_dot_product_attention)
    attention.scaled_dot_product_attention(query, query, query)
    exercises.uninstall()
    attention.scaled_dot_product_attention(query, query, query)
    assert len(calls) == 2
    assert attention.scaled_dot_product_attention is exercises.get(NAME).reference
    model = object()
    with exercises.using(stub, model) as given:  # of no exercise, and not written
        assert given is model
    assert "passed its check" in output_of(capsys)


def test_use_says_what_stopped_the_answer(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")

    def stops(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
        return query @ value, no_such_name  # type: ignore[name-defined]  # noqa: F821

    notebook._passed[NAME] = stops
    exercises.use(stops)
    printed = output_of(capsys)
    assert printed.startswith("Inside the model it does not run. Your code stopped with")
    assert "return query @ value" in printed
    assert "Traceback" not in printed


def test_use_waits_for_the_check(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")

    def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        """Nothing yet."""

    exercises.use(scaled_dot_product_attention)
    assert "write it first" in output_of(capsys)
    exercises.use(...)
    assert "passed its check" in output_of(capsys)
    exercises.use(exercises.get("causal_mask").reference)
    assert "no place of its own" in output_of(capsys)
