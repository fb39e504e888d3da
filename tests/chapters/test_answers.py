"""Right and wrong answers of which the checks know nothing: what is accepted, refused and named.

`answers/nbNN/NAME.py` holds RIGHT and WRONG, written from the statement in the notebook alone. To see every
message: `python tests/chapters/test_answers.py nb05/causal_mask` (or nb05, or nothing for all). `answers.txt`
keeps what is said, a line for each file; where a message is meant to change,
`python tests/chapters/test_answers.py freeze` writes it anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # where this is no test but a command

from judged import ANSWERS, EVERY, FILES, answers, each_exercise, judged

from lib.exercises.report import Report
from lib.exercises.spec import Exercise

FROZEN = ANSWERS.with_suffix(".txt")
NAMED = 0.8  # of the wrong answers
UNNAMED = "-"


def place(exercise: Exercise) -> str:
    """Where the answers to an exercise are: nb05/causal_mask."""
    return f"{FILES[exercise.name].parent.name}/{exercise.name}"


def summary(wrong: list[Report]) -> str:
    """What a file's wrong answers are told: how often which mistake is named, and a digest of all messages.

    Lines of the file that a message names are left out of it: they move when an answer is added.
    """
    named = Counter(report.mistake or UNNAMED for report in wrong)
    told = json.dumps([re.sub(r"\bline \d+", "line", report.message) for report in wrong])
    digest = hashlib.sha256(told.encode()).hexdigest()[:12]
    return " ".join([digest, *(f"{mistake}*{count}" for mistake, count in sorted(named.items()))])


def frozen() -> dict[str, str]:
    """The summaries that were frozen, by file."""
    lines = FROZEN.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


@each_exercise
def test_answers_are_judged_as_they_should_be(exercise: Exercise) -> None:
    """No right one is refused, no wrong one accepted, and what is said is what was frozen."""
    right, wrong = answers(exercise)
    assert len(right) >= 3
    assert len(wrong) >= 10
    assert not [str(report) for answer in right if not (report := judged(exercise, answer)).passed]
    reports = [judged(exercise, answer) for answer in wrong]
    assert not [answer for answer, report in zip(wrong, reports, strict=True) if report.passed]
    assert summary(reports) == frozen().get(place(exercise)), "see above how a change is frozen"


def test_most_wrong_answers_are_named() -> None:
    counts: Counter[str] = Counter()
    for line in frozen().values():
        for mistake in line.split(" ")[1:]:
            name, count = mistake.rsplit("*", 1)
            counts[name] += int(count)
    assert counts[UNNAMED] <= (1 - NAMED) * counts.total()


def freeze() -> None:
    """Write down what is said now."""
    lines = [
        f"{place(exercise)}: {summary([judged(exercise, answer) for answer in answers(exercise)[1]])}\n"
        for exercise in EVERY
    ]
    FROZEN.write_text("".join(lines), encoding="utf-8")


def show(starts: tuple[str, ...]) -> None:
    """Print what is said to every wrong answer in the files whose names start so, and the counts."""
    total, named, misjudged = 0, 0, 0
    for exercise in [exercise for exercise in EVERY if place(exercise).startswith(starts)]:
        right, wrong = answers(exercise)
        for answer in right:
            if not (report := judged(exercise, answer)).passed:
                misjudged += 1
                print(f"REFUSED {place(exercise)} {answer!r}: {report}\n")
        for number, answer in enumerate(wrong):
            report = judged(exercise, answer)
            if report.passed:
                misjudged += 1
                print("ACCEPTED", end=" ")
            title = f"{place(exercise)} {number} {getattr(answer, '__name__', answer)}"
            print(f"{title}: [{report.mistake}] {report.message}\n")
            named += report.mistake is not None
        total += len(wrong)
    share = f"{named} named ({named / max(1, total):.0%})"
    print(f"{total} wrong answers, {share}; {misjudged} accepted or refused wrongly")


if __name__ == "__main__":
    if sys.argv[1:] == ["freeze"]:
        freeze()
    else:
        show(tuple(sys.argv[1:]) or ("",))
