"""What can be said of results that differ from the reference's, where no wrong version gives the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from torch import Tensor

from lib.exercises import compare, differences, traces
from lib.exercises.report import Report
from lib.exercises.running import Outcome
from lib.exercises.trials import Trial

WrongCases = Sequence[tuple[Trial, Outcome]]  # the cases that are wrong, and what the answer did with each


def shown(wrong: WrongCases, tolerance: float, returns: Sequence[str]) -> str:
    """The call that is easiest to read, and expected beside yours."""
    trial, outcome = min(wrong, key=_reading)
    called = f"Called with {trial.shapes}."
    if outcome.error is not None:
        return f"{called}\n{traces.in_words(outcome.error)[0]}"
    return f"{called}\n{compare.side_by_side(trial.expected, outcome.result, tolerance, returns)}"


def malformed(name: str, wrong: WrongCases, tolerance: float, returns: Sequence[str]) -> Report | None:
    """What is wrong with the form of the results: a type, a shape, a dtype, NaN."""
    for trial, outcome in wrong:
        found = compare.malformation(trial.expected, outcome.result, f"What {name} returns", returns)
        if found is not None:
            mistake, says = found
            pairs = [(other.expected, out.result) for other, out in wrong]
            if not mistake and (turned := differences.relation(pairs, tolerance)):
                mistake, says = turned[0], f"What you return {turned[1]}."
            return Report(False, says, mistake or None, details=f"Called with {trial.shapes}.")
    return None


def are_lists(wrong: WrongCases) -> bool:
    """Whether lists are expected and given: their length says little, what every right list has says more."""
    return all(isinstance(t.expected, list) and isinstance(o.result, (list, tuple)) for t, o in wrong)


def are_telling(outcomes: Iterable[Outcome], least: int = 2) -> bool:
    """Whether results hold enough different values to be told from others: not all empty or NaN."""
    seen: set[str] = set()
    for outcome in outcomes:
        parts = outcome.result if isinstance(outcome.result, (list, tuple)) else [outcome.result]
        for part in parts:
            value = compare.as_tensor(part)
            seen |= {repr(part)} if value is None else {f"{x:.6g}" for x in value.flatten()[:50].tolist()}
    return len(seen - {"nan", "[]", "()", "''"}) >= least


def how_it_differs(wrong: WrongCases, cases: int, tolerance: float, returns: Sequence[str]) -> Report:
    """On how many cases, in which part, how, and where: for what no rule recognizes."""
    pairs = [(trial.expected, outcome.result) for trial, outcome in sorted(wrong, key=_reading)]
    some = f" on {len(wrong)} of {cases} cases" if len(wrong) < cases else ""
    parts = pairs[0][0] if isinstance(pairs[0][0], tuple) else [pairs[0][0]]
    says = f"It runs, but what it returns is not right{some}."
    if all(isinstance(part, Tensor) or compare.is_number(part) for part in parts):
        says = f"It runs, and the shapes are right, but the numbers are not{some}."
    name, more = differences.describe(pairs, tolerance, returns)
    return Report(False, f"{says} {more}", name or None, details=shown(wrong, tolerance, returns))


def _reading(case: tuple[Trial, Any]) -> int:
    """How much there would be to read of what is expected."""
    expected = case[0].expected
    parts = expected if isinstance(expected, (list, tuple)) else [expected]
    return sum(part.numel() if isinstance(part, Tensor) else 1 for part in parts)
