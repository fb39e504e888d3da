"""What stops an answer, or is wrong with one whose results are right: a report on each."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from lib.exercises import compare, traces
from lib.exercises.mistakes import Invariant, stumbled
from lib.exercises.report import Report
from lib.exercises.running import Outcome, Unfit, fresh_state, gradients
from lib.exercises.trials import Trial, Trials

Around = Callable[[], AbstractContextManager[Any]]  # entered whenever the learner's code runs


def stopped(error: BaseException, trial: Trial) -> Report:
    """What stopped the learner's code: the exception, and their lines that led to it."""
    called = f"It was called with {trial.shapes}."
    if isinstance(error, Unfit):
        return Report(False, str(error), details=called)
    sentence, stack = traces.in_words(error)
    if "ellipsis" in str(error):
        sentence = f"There is still a `...` to replace.\n{sentence}"
    full = isinstance(error, MemoryError) or "can't allocate memory" in str(error)
    details = "\n".join(filter(None, (called, stack)))
    return Report(False, sentence, None, "memory" if full else "error", details)


def broken(
    name: str,
    invariants: Sequence[Invariant],
    candidate: Any,
    trials: Trials,
    outcomes: list[Outcome],
    around: Around = nullcontext,
) -> Iterator[Report]:
    """The invariants of the exercise `name` that do not hold, and arguments that were written into."""
    for invariant in invariants:
        for trial, outcome in zip(trials, outcomes, strict=True):
            copies = copy.deepcopy(trial.arguments)  # it may run code that writes into them
            try:
                with around(), fresh_state():
                    holds = invariant.holds(candidate, copies, outcome.result)
            except BaseException as error:  # an invariant may run the learner's code again
                if _is_of_theirs(error):
                    yield stopped(error, trial)
                else:
                    yield Report(False, stumbled(invariant.name, name, error))
                return
            if not holds:
                yield Report(False, invariant.says, invariant.name)
                break
    for trial, outcome in zip(trials, outcomes, strict=True):
        if outcome.changed:
            yield Report(
                False,
                f"It changes its argument `{trial.names[outcome.changed[0]]}`, which whoever called it"
                " may still need. Look for a method that ends in an underscore, `+=`, or an"
                " assignment to part of it.",
                "changes_input",
            )
            return


def gradients_lost(candidate: Any, trials: Trials, around: Around) -> Iterator[Report]:
    """The gradients that do not reach an argument or parameter, or are not the reference's."""
    for trial in [trial for trial in trials if trial.gradients]:
        try:
            with around():
                reached = gradients(trials.run, candidate, trial.names, trial.arguments)
        except BaseException as error:
            yield stopped(error, trial)
            return
        for name, wanted in trial.gradients.items():
            gradient = reached.get(name)
            if gradient is None:
                yield Report(
                    False,
                    f"The numbers are right, but no gradient flows back to `{name}`, so nothing"
                    " could be trained through it. Look for .detach(), .data, .item(), .numpy(),"
                    " torch.tensor(...) or torch.no_grad().",
                    "no_gradient",
                )
            elif not compare.agree(gradient, wanted, 100 * trials.tolerance):
                yield Report(
                    False,
                    f"The numbers are right, but the gradient that reaches `{name}` is not: part of"
                    " the way is cut. Look for .detach(), .data or torch.no_grad().",
                    "wrong_gradient",
                    details=compare.side_by_side(wanted, gradient, trials.tolerance),
                )


def settings_left(outcomes: Sequence[Outcome]) -> Iterator[Report]:
    """The settings of PyTorch that were not put back."""
    for outcome in outcomes:
        if outcome.setting:
            yield Report(
                False,
                f"The results are right, but afterwards a setting of PyTorch is another, which all that"
                f" follows would feel: put back what you did with {outcome.setting}.",
                "changes_settings",
            )


def _is_of_theirs(error: BaseException) -> bool:
    """Whether an exception passed through the learner's code."""
    return any(traces.is_theirs(frame.filename) for frame in traceback.extract_tb(error.__traceback__))
