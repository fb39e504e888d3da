"""Every exercise of the course, proven both ways: what is right passes, each mistake is known as itself."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import nbformat
import pytest
import torch
from judged import EVERY, answers, each_exercise, judged, name_of, prepared

from lib import exercises, root
from lib.exercises import carried, notebook, registry
from lib.exercises.mistakes import source_of
from lib.exercises.solutions import runnable_source
from lib.exercises.spec import Exercise, Mistake
from lib.exercises.stages import STAGES, Stage
from tools import editions


@each_exercise
def test_the_reference_passes_after_a_journey(exercise: Exercise) -> None:
    """As an answer does that is judged in a process of its own, however busy the machine."""
    answer = exercise.reference if exercise.by_code else exercise.expected()
    there, parcel = pickle.loads(carried.packed((exercise, carried.carried(answer))))
    report = parcel.judged(there, prepared(exercise))
    assert report.passed, str(report)
    assert report.mistake is None
    assert report.status == "passed"


@each_exercise
def test_a_wrong_version_fails_with_its_own_message(exercise: Exercise) -> None:
    for mistake in exercise.mistakes:
        for version in examples(exercise, mistake):
            report = judged(exercise, version)
            assert not report.passed, mistake.name
            assert (report.mistake, report.message) == (mistake.name, mistake.says)


def examples(exercise: Exercise, mistake: Mistake) -> Iterator[Any]:
    """Answers that make a mistake; each variant that an edit has in a right version written otherwise too."""
    if not exercise.by_code:
        example = mistake.wrong if mistake.example is None else mistake.example
        yield example() if callable(example) else example
        return
    shown = mistake if mistake.example is None else Mistake(mistake.name, "", mistake.example)
    yield from shown.versions(exercise.reference, exercise.alike)


@each_exercise
def test_mistakes_can_be_told_apart(exercise: Exercise) -> None:
    said = {(mistake.name, mistake.says) for mistake in exercise.mistakes}
    assert len(said) == len({name for name, _ in said}) == len({says for _, says in said})
    for mistake in exercise.mistakes:
        predicate = callable(mistake.wrong) if not exercise.by_code else mistake.wrong is None
        assert not predicate or mistake.example is not None, f"{mistake.name} needs an example"


@each_exercise
def test_an_exercise_is_complete(exercise: Exercise) -> None:
    assert exercise.mistakes
    assert len(exercise.hints) == 3
    assert exercise.notebook[:2].isdigit()
    if exercise.by_code:
        assert exercise.reference.__name__ == exercise.name
        module = exercise.reference.__module__
        assert module.startswith(("lib.", "chapters.")) and not module.startswith("lib.exercises")
        assert module != registry.names()[exercise.name]  # no check loads its answer


IN_FILES = [exercise for exercise in EVERY if registry.names()[exercise.name].endswith(f".{exercise.name}")]


@cache
def exercise_cells(notebook: str) -> dict[str, tuple[str, ast.stmt]]:
    """What the exercise cells of a notebook define, by name: the cell's source and the statement."""
    book = nbformat.read(root / "notebooks" / f"{notebook}.ipynb", as_version=4)
    cells = [cell.source for cell in book.cells if "exercise" in cell.metadata.get("tags", [])]
    return {
        name: (source, statement)
        for source in cells
        for statement in ast.parse(source).body
        for name in editions.bound_names(statement)
    }


def parameters(node: Any) -> dict[str, list[tuple[str, str]]]:
    """The names and defaults of what a function takes, or each method of a class that a learner writes."""
    if isinstance(node, ast.ClassDef):
        return {m.name: parameters(m)[m.name] for m in node.body if isinstance(m, ast.FunctionDef)}
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args]
    blank_ones = [""] * (len(named) - len(arguments.defaults))
    defaults = [*blank_ones, *map(ast.unparse, arguments.defaults)]
    return {node.name: list(zip((one.arg for one in named), defaults, strict=True))}


@pytest.mark.parametrize("exercise", IN_FILES, ids=name_of)
def test_the_stub_asks_for_what_the_reference_is(exercise: Exercise) -> None:
    source, statement = exercise_cells(exercise.notebook)[exercise.name]
    minutes = f"{exercise.minutes} minute{'s' * (exercise.minutes != 1)}"
    assert f"Difficulty {exercise.difficulty} of 3, {minutes}" in " ".join(source.split())
    if exercise.by_code:
        asked = parameters(statement)
        given = parameters(ast.parse(source_of(exercise.reference)).body[0])
        for name, stub in asked.items():  # what the reference can do besides has a default
            assert stub == given[name][: len(stub)]
            assert all(default for _, default in given[name][len(stub) :])


@each_exercise
def test_nothing_written_is_blank(exercise: Exercise) -> None:
    assert judged(exercise, ...).status == "blank"
    assert judged(exercise, None).status == "blank"


@pytest.mark.parametrize("exercise", [e for e in EVERY if not e.by_code], ids=name_of)
def test_a_solution_of_a_value_is_right_and_a_wrong_value_does_not_show_it(
    exercise: Exercise,
) -> None:
    space: dict[str, Any] = {}
    exec(runnable_source(exercise), space)
    assert judged(exercise, space[exercise.name]).passed
    for odd in ("?", 987654, [], {}, [[1]], object(), torch.ones(2)):
        report = judged(exercise, odd)
        assert not report.passed
        assert report.status == "failed"
        assert exercise.answer not in str(report) or not exercise.answer


@pytest.mark.parametrize("exercise", [e for e in EVERY if e.by_code], ids=name_of)
def test_what_is_no_function_gets_a_sentence(exercise: Exercise) -> None:
    for odd in (3, "text", [1], torch.ones(2)):
        assert "what was given is" in judged(exercise, odd).message


@pytest.mark.parametrize("exercise", [e for e in EVERY if e.use], ids=name_of)
def test_use_puts_an_answer_in_and_takes_it_out(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gap(candidate: Any) -> float:
        monkeypatch.setitem(notebook._passed, exercise.name, candidate)
        exercises.use(candidate)
        said = " ".join(capsys.readouterr().out.split())
        return float(said.split("original ")[1].split()[0].rstrip("."))

    assert gap(next(examples(exercise, exercise.mistakes[0]))) > 1e-3
    assert all(gap(answer) < 1e-5 for answer in [exercise.reference, *answers(exercise)[0]])


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_a_stage_computes_the_same_twice(stage: Stage) -> None:
    with torch.no_grad():
        first, second = (stage.run(*stage.load()) for _ in range(2))
    assert len(first) >= 8
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))
