"""Right and wrong answers of which the checks know nothing: what is accepted, refused and named.

`answers/nbNN/NAME.py` holds RIGHT and WRONG, written from the statement in the notebook alone. To see every
message: `python tests/chapters/test_answers.py nb05/causal_mask` (or nb05, or nothing for all).
"""

from __future__ import annotations

import hashlib
import json
import runpy
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lib import exercises
from lib.exercises.report import Report

HERE = Path(__file__).parent / "answers"
FILES = sorted(path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.glob("nb*/*.py"))
NAMED = 0.8  # of the wrong answers
FROZEN = json.loads((HERE.parents[1] / "guards" / "verdicts.json").read_text(encoding="utf-8"))


@cache
def judged(file: str) -> tuple[list[tuple[Any, Report]], list[tuple[Any, Report]]]:
    """The right answers of a file and the wrong ones, each with its report."""
    answers = runpy.run_path(str(HERE / f"{file}.py"))
    exercise = exercises.get(Path(file).name)
    trials = exercise.prepare()
    right, wrong = (
        [(one, exercise.judge(one, trials)) for one in answers[kind]] for kind in ("RIGHT", "WRONG")
    )
    return right, wrong


@pytest.mark.parametrize("file", FILES)
def test_no_right_answer_is_refused_and_no_wrong_one_accepted(file: str) -> None:
    right, wrong = judged(file)
    assert len(right) >= 3
    assert len(wrong) >= 10
    refused = [f"{answer!r}: {report}" for answer, report in right if not report.passed]
    accepted = [answer for answer, report in wrong if report.passed]
    assert not refused, refused
    assert not accepted


def test_most_wrong_answers_are_named() -> None:
    reports = [report for file in FILES for _, report in judged(file)[1]]
    named = [report for report in reports if report.mistake]
    assert len(named) >= NAMED * len(reports)


@pytest.mark.parametrize("file", FILES)
def test_what_is_said_is_what_was_frozen(file: str) -> None:
    """`python tests/guards/freeze.py verdicts` freezes it anew, where a message is meant to change."""
    right, wrong = judged(file)
    before = FROZEN[file]
    assert [report.passed for _, report in right] == before["right"]
    said = [[report.passed, report.mistake, digest_of(report.message)] for _, report in wrong]
    assert said == before["wrong"]


def digest_of(message: str) -> str:
    return hashlib.sha256(json.dumps(message).encode()).hexdigest()[:16]


def main() -> None:
    """Print what is said to every wrong answer, and the counts."""
    total, named, bad = 0, 0, 0
    for file in [file for file in FILES if not sys.argv[1:] or file.startswith(tuple(sys.argv[1:]))]:
        right, wrong = judged(file)
        for answer, report in right:
            if not report.passed:
                bad += 1
                print(f"REFUSED {file} {answer!r}: {report}\n")
        for number, (answer, report) in enumerate(wrong):
            what = getattr(answer, "__name__", answer)
            if report.passed:
                bad += 1
                print("ACCEPTED", end=" ")
            print(f"{file} {number} {what}: [{report.mistake}] {report.message}\n")
        total += len(wrong)
        named += sum(report.mistake is not None for _, report in wrong)
    share = f"{named} named ({named / max(1, total):.0%})"
    print(f"{total} wrong answers, {share}; {bad} accepted or refused wrongly")


if __name__ == "__main__":
    main()
