"""What a notebook calls: check, hint, solution, use, using, working. They print, and rarely raise."""

from __future__ import annotations

import ast
import os
import re
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from types import FunctionType
from typing import Any

from lib.exercises import registry, stages, traces
from lib.exercises.report import Report
from lib.exercises.solutions import runnable_source
from lib.exercises.spec import Exercise
from lib.files import home, kept, write_json

PROGRESS = "progress.json"  # in the reader's home: the boxes of the map of BERT that are lit
WIDTH = 88  # characters in a line of what is said to the learner
STEPS = ("the idea", "the shapes", "the line")
_NOTHING: Any = object()
_hints_given: dict[str, int] = {}
_passed: dict[str, Any] = {}
_installed: dict[str, ExitStack] = {}


class CheckFailed(AssertionError):
    """A check that did not pass, where checks are strict."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of the way through our own files."""
        return [f"CheckFailed: {self}"]


def is_strict() -> bool:
    """Whether a failed check raises: under pytest, or where BERT_COURSE_STRICT is 1 (0: never)."""
    wish = os.environ.get("BERT_COURSE_STRICT")
    if wish in ("0", "1"):
        return wish == "1"
    return "PYTEST_VERSION" in os.environ


def check(name: str, candidate: Any = _NOTHING) -> None:
    """Judge an answer and print what it is. Raises CheckFailed if it is not right and we are strict.

    >>> check("split_heads", split_heads)
    """
    if _last_version_is_broken(name):
        _say(f"Python could not read your last version of {name}, so this is about the one before it.\n")
    try:
        exercise = registry.get(name)
        report = _check(exercise, candidate)
    except ValueError as error:
        report = Report(False, str(error))
    if report.passed:
        _passed[name] = candidate
        _say(f"Passed. {report.message}", report.details)
        _light(exercise)
        _keep(exercise, candidate)
        return
    if is_strict():
        raise CheckFailed(str(report))
    _say(report.message if report.status == "blank" else f"Not yet. {report.message}", report.details)
    if name in registry.names() and _hints_given.get(name, 0) < len(exercise.hints):
        where = "" if _hints_given else " Type it into a new cell: press Esc, then B."
        print(f'\nhint("{name}") gives a hint.{where}')


def hint(name: str, step: int | None = None) -> None:
    """Print the next of three hints, or hint number `step`: the idea, the shapes, the line."""
    try:
        exercise = registry.get(name)
    except ValueError as error:
        print(error)
        return
    hints = exercise.hints
    number = _hints_given.get(name, 0) + 1 if step is None else step
    if not hints:
        print(f"{name} has no hints.")
    elif not 1 <= number <= len(hints):
        print(f'That was the last of {len(hints)} hints. solution("{name}") shows an answer.')
    else:
        _hints_given[name] = max(number, _hints_given.get(name, 0))
        title = f" ({STEPS[number - 1]})" if exercise.by_code and len(hints) == len(STEPS) else ""
        _say(f"Hint {number} of {len(hints)}{title}: {hints[number - 1]}")


def solution(name: str) -> None:
    """Print an answer: the source of the reference, or the value."""
    try:
        exercise = registry.get(name)
    except ValueError as error:
        print(error)
        return
    print(runnable_source(exercise))
    if exercise.why:
        print(f"\n{exercise.why}")


def use(candidate: Any) -> None:
    """Run the exercise's model with the learner's code inside, once it has passed its check."""
    exercise = _ready(candidate)
    if exercise is not None:
        _run_inside(exercise, candidate)


@contextmanager
def using(candidate: Any, model: Any = None) -> Iterator[Any]:
    """As long as the context lasts, models run with the learner's code inside; gives the model.

    model: the one to put it into, where it is a part of one; without one, that of the exercise. An answer
    that has not passed its check stays out, and a line says so: what follows runs with the course's own.

    >>> with using(EncoderLayer, model):
    ...     model(**inputs)
    """
    exercise = _ready(candidate)
    if exercise is None or exercise.use is None:
        yield model
        return
    if model is None:
        model = stages.STAGES[exercise.stage].load()[0]
    with exercise.use(candidate, model):
        yield model


def working(answer: Any) -> Any:
    """The learner's function if it passes its check, else the course's; a line says whose it is.

    >>> choose = working(choose_sparsities)
    """
    exercise = _whose(answer)
    if exercise is None:
        raise ValueError("Give the function of an exercise, such as working(choose_sparsities).")
    if answer is exercise.reference:  # the solved edition
        print(f"From here on the course's {exercise.name} runs.")
        return answer
    is_right = _passed.get(exercise.name) is answer
    if not is_right:
        report = exercise.check(answer)
        is_right = report.passed
    if is_right:
        _passed[exercise.name] = answer
        print(f"From here on your {exercise.name} runs.")
        return answer
    why = "is not written yet" if report.status == "blank" else "does not pass its check yet"
    print(f"Your {exercise.name} {why}, so from here on the course's runs.")
    return exercise.reference


def install(candidate: Any, model: Any = None) -> Any:
    """`using` for the rest of the notebook: models run with the learner's code until `uninstall()`.

    A second answer to the same exercise takes the place of the first.
    """
    name = getattr(_whose(candidate), "name", "")
    if name in _installed:
        _installed.pop(name).close()
    stack = ExitStack()
    model = stack.enter_context(using(candidate, model))
    if name:
        _installed[name] = stack
    return model


def uninstall() -> None:
    """Take out every answer that `install` put in, the last one first."""
    while _installed:
        _installed.popitem()[1].close()


def _ready(candidate: Any) -> Exercise | None:
    """The exercise of an answer that may run in a model; None, and a line that says why, if it may not."""
    exercise = _whose(candidate)
    if exercise is None:
        print("Give the function or class that passed its check.")
        return None
    if exercise.use is None:
        print(f"{exercise.name} has no place of its own in the model.")
        return None
    if _passed.get(exercise.name) is not candidate:
        report = exercise.check(candidate)
        if not report.passed:
            what = "write it" if report.status == "blank" else "make its check pass"
            print(f"{exercise.name} does not run in the model yet: {what} first.")
            return None
        _passed[exercise.name] = candidate
    return exercise


def _last_version_is_broken(name: str) -> bool:
    """Whether the cell that was to define `name` has a syntax error, so that an older answer is judged."""
    import __main__

    binds = re.compile(rf"^[ \t]*(?:def|class)\s+{name}\b|^{name}[ \t]*=", re.MULTILINE)
    for source in reversed(getattr(__main__, "In", [])):  # what IPython was given, in a notebook
        if binds.search(source):
            try:
                ast.parse(source)
            except SyntaxError:
                return True
            return False
    return False


def _say(message: str, details: str = "") -> None:
    """Print a message in lines that fit the page; details, which are tables and tracebacks, as they are."""
    lines = message.splitlines()
    print("\n".join(textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in lines))
    if details:
        print(f"\n{details}")


def progress() -> list[str]:
    """The boxes of the map of BERT that the reader has lit."""
    boxes = kept(PROGRESS).get("boxes")
    return sorted(map(str, boxes)) if isinstance(boxes, list) else []


def _check(exercise: Exercise, candidate: Any) -> Report:
    if candidate is _NOTHING:
        raise ValueError(f'Give the check your answer as well: check("{exercise.name}", {exercise.name}).')
    other = getattr(candidate, "__name__", exercise.name)
    if exercise.by_code and other != exercise.name and other in registry.names():
        raise ValueError(
            f"This check is for {exercise.name}, but it was given {other}:"
            f' write check("{exercise.name}", {exercise.name}).'
        )
    return exercise.check(candidate)


def _light(exercise: Exercise) -> None:
    """Light the exercise's box in the reader's map."""
    lit = progress()
    if exercise.box is None or exercise.box in lit:
        return
    try:
        write_json(home() / PROGRESS, {"boxes": [*lit, exercise.box]})
    except OSError as error:  # a course on a read-only disk is still a course
        print(f"Your map of BERT could not be saved: {error}")


def _keep(exercise: Exercise, candidate: Any) -> None:
    """Keep the answer, if it is one of the parts that notebook 09 puts together."""
    from lib.exercises import parts  # not above: it imports the model

    try:
        parts.keep(exercise, candidate)
    except (OSError, ValueError, SyntaxError) as error:
        print(f"It could not be kept for notebook 09: {error}.")


def own_parts() -> Any:
    """The nine parts of a BERT, the reader's own where they passed: see `parts.own_parts`.

    >>> parts = own_parts()
    """
    from lib.exercises import parts

    return parts.own_parts()


def _whose(candidate: Any) -> Exercise | None:
    """The exercise that a candidate answers."""
    for name, passed in _passed.items():
        if passed is candidate:
            return registry.get(name)
    name = getattr(candidate, "__name__", "")
    return registry.get(name) if name in registry.names() else None


def _run_inside(exercise: Exercise, candidate: Any) -> None:
    """Compare what the exercise's model computes with and without the learner's code inside."""
    import torch

    stage = stages.STAGES[exercise.stage]
    model, tokenizer = stage.load()
    times = 0

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal times
        times += 1
        return candidate(*arguments, **options)

    inside = wraps(candidate)(counted) if isinstance(candidate, FunctionType) else candidate
    assert exercise.use is not None
    with torch.no_grad():
        before = stage.run(model, tokenizer)
        try:
            with exercise.use(inside, model):
                after = stage.run(model, tokenizer)
        except Exception as error:  # in the learner's code, which the rest of the notebook does without
            sentence, stack = traces.in_words(error)
            print(f"Inside the model it does not run. {sentence}", stack, sep="\n" if stack else "")
            return
    gap = max(float((a - b).abs().max()) for a, b in zip(before, after, strict=True))
    ran = f", where it was called {times} times" if times > 1 else ""
    title = stage.title[0].upper() + stage.title[1:] if stage.title.startswith("the ") else stage.title
    learners = candidate is not exercise.reference  # the solved edition runs with the course's answers
    whose = f"your {exercise.name}" if learners else f"the course's answer to {exercise.name}"
    _say(
        f"{title} with {whose} inside{ran}: {stage.computes}, largest difference from the original {gap:.1e}."
    )
    if exercise.box:
        when = "is lit" if learners else "lights up once your own passes its check"
        print(f"In your map of BERT the box of this part {when}.")
