"""Judging an answer: is it right, and if not, which mistake is it, or where and how does it differ.

What is expected, gradients included, is computed before the answer runs. Everything that runs starts
in a state of its own (gradients on, float32, seeds), and what it leaves behind is put back.
"""

from __future__ import annotations

import copy
import inspect
import math
import random
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lib.exercises import compare, differences, traces
from lib.exercises.mistakes import Edit, Invariant, Mistake
from lib.exercises.operators import variants
from lib.exercises.report import Report

SEED = 0


class Unfit(Exception):
    """Raised by an exercise's `run` for an answer that cannot be tried: its text is the message."""


# Errors that any wrong version may stop with.
OPAQUE = (NameError, TypeError, AttributeError, SyntaxError, Unfit)


@dataclass(frozen=True)
class Outcome:
    """What a candidate did with a case: a result, or the exception that stopped it."""

    result: Any = None
    error: BaseException | None = None
    changed: tuple[int, ...] = ()  # the arguments that it wrote into
    setting: str = ""  # what it left changed in PyTorch


@dataclass(frozen=True)
class Trial:
    """One case with the reference's answer to it, and the gradients that reach its arguments."""

    arguments: tuple[Any, ...]
    expected: Any
    gradients: Mapping[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Wrong:
    """A wrong version, and what it makes of the cases, as far as that was needed."""

    name: str
    says: str
    version: Any
    outcomes: list[Outcome] = field(default_factory=list)


class Trials(list[Trial]):
    """The cases of an exercise, and the wrong versions of it, made when first needed."""

    known: list[Wrong] | None = None
    generic: list[Wrong] | None = None


def call(candidate: Any, *arguments: Any) -> Any:
    """How a candidate is run on a case, unless an exercise says otherwise."""
    return candidate(*arguments)


@contextmanager
def fresh_state() -> Iterator[list[str]]:
    """The state in which everything starts; the list names what was left changed when it ends."""
    modes, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    threads = torch.get_num_threads()
    random_states = random.getstate(), np.random.get_state(), torch.get_rng_state()
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    left: list[str] = []
    try:
        yield left
    finally:
        if not torch.is_grad_enabled():
            left.append("torch.set_grad_enabled")
        if torch.get_default_dtype() != torch.float32:
            left.append("torch.set_default_dtype")
        torch.set_grad_enabled(modes)
        torch.set_default_dtype(dtype)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        random.setstate(random_states[0])
        np.random.set_state(random_states[1])
        torch.set_rng_state(random_states[2])


# --- answers that are code ------------------------------------------------------------------------


@dataclass(frozen=True)
class CodeCheck:
    """How an answer that is a function or a class is judged; the fields are those of an Exercise."""

    name: str
    reference: Any
    run: Callable[..., Any]
    invariants: Sequence[Invariant]
    mistakes: Sequence[Mistake]
    alike: Sequence[Edit]
    returns: Sequence[str]
    gradients: bool
    tolerance: float
    why: str

    def prepare(self, cases: Iterable[tuple[Any, ...]]) -> Trials:
        """The cases, with what the reference makes of them."""
        trials = []
        for arguments in cases:
            outcome = self._attempt(self.reference, arguments)
            if outcome.error is not None:
                raise outcome.error
            gradients: dict[str, Tensor] = {}
            if self.gradients:
                with fresh_state():
                    grads = self._backward(self.reference, arguments)
                gradients = {name: grad for name, grad in grads.items() if grad is not None}
            trials.append(Trial(arguments, outcome.result, gradients))
        return Trials(trials)

    def judge(
        self, candidate: Any, trials: Trials, around: Callable[[], AbstractContextManager[Any]]
    ) -> Report:
        """Judge an answer; `around()` is entered whenever its code runs."""
        if sentence := self._not_what_was_asked(candidate, trials):
            return Report(False, sentence)
        outcomes = []
        for trial in trials:
            with around():
                outcomes.append(self._attempt(candidate, trial.arguments))
        if not all(map(self._right, trials, outcomes)):
            return self._diagnose(candidate, trials, outcomes)
        for fault in self._faults(candidate, trials, outcomes, around):
            return fault
        says = f"{self.name}: equal to the reference on {compare.count(len(trials), 'case')}. {self.why}"
        return Report(True, says.rstrip(), status="passed")

    def _attempt(self, candidate: Any, arguments: tuple[Any, ...]) -> Outcome:
        """Run a candidate on copies of the arguments, and see whether it wrote into them."""
        copies = copy.deepcopy(arguments)
        with fresh_state() as left:
            try:
                result = self.run(candidate, *copies)
            except BaseException as error:  # the learner's: SystemExit and KeyboardInterrupt as well
                return Outcome(error=error)
        changed = [
            i
            for i, (now, before) in enumerate(zip(copies, arguments, strict=True))
            if isinstance(before, (Tensor, list, dict, set)) and not compare.agree(now, before, 0)
        ]
        return Outcome(result, changed=tuple(changed), setting=", ".join(left))

    def _right(self, trial: Trial, outcome: Outcome) -> bool:
        return outcome.error is None and compare.agree(outcome.result, trial.expected, self.tolerance)

    def _not_what_was_asked(self, candidate: Any, trials: Sequence[Trial]) -> str:
        """A sentence if the answer cannot even be tried, else ""."""
        wanted = "class" if isinstance(self.reference, type) else "function"
        if not callable(candidate):
            kind = compare.a_kind_of(candidate)
            return f"{self.name} should be a {wanted}; what was given is {kind}."
        if wanted == "class" and not isinstance(candidate, type):
            kind = compare.a_kind_of(candidate)
            more = f" Write {self.name}, without parentheses." if isinstance(candidate, nn.Module) else ""
            return f"{self.name} should be the class itself; what was given is {kind}.{more}"
        if self.run is not call:
            return ""
        try:
            theirs = inspect.signature(candidate)
        except ValueError:  # some functions written in C have none; calling them will tell
            return ""
        for trial in trials:
            try:
                theirs.bind(*trial.arguments)
            except TypeError:
                names = ", ".join(self._named(trial.arguments))
                return f"It will be called as {self.name}({names}); yours takes {_plain(theirs)}."
        return ""

    # --- what is wrong ---------------------------------------------------------------------------

    def _diagnose(self, candidate: Any, trials: Trials, outcomes: list[Outcome]) -> Report:
        """Why a candidate that differs from the reference does, as precisely as can be said."""
        wrong = [pair for pair in zip(trials, outcomes, strict=True) if not self._right(*pair)]
        shown = self._show(*min(wrong, key=lambda pair: _size(pair[0].expected)))
        if trials.known is None:
            trials.known = [
                Wrong(mistake.name, mistake.says, version)
                for mistake in self.mistakes
                for version in mistake.versions(self.reference, self.alike)
            ]
        for one in trials.known:
            if self._is_that(one, trials, outcomes):
                return Report(False, one.says, one.name, details=shown)
        stopped = [pair for pair in wrong if pair[1].error is not None]
        malformed = None if stopped else self._malformed(wrong)
        if not stopped and malformed is None:
            for mistake in self.mistakes:
                if mistake.when is not None and (report := self._behaves_like(mistake, wrong, shown)):
                    return report
        if _is_telling(outcomes) and _is_telling([outcome for _, outcome in wrong], least=1):
            if trials.generic is None:
                trials.generic = [
                    Wrong(v.name, v.says, v.version) for v in variants(self.reference, self.alike)
                ]
            for one in trials.generic:
                if self._is_that(one, trials, outcomes):
                    return Report(False, one.says, one.name, details=shown)
        for trial, outcome in stopped:
            assert outcome.error is not None
            return self._stopped(outcome.error, trial)
        # The length of a list says little; what every right list has says more.
        listed = all(isinstance(t.expected, list) and isinstance(o.result, (list, tuple)) for t, o in wrong)
        if malformed is not None and not listed:
            return malformed
        for fault in self._broken(candidate, trials, outcomes, nullcontext):
            return Report(False, fault.message, fault.mistake, details=fault.details or shown)
        return self._how_it_differs(wrong, trials, shown)

    def _is_that(self, wrong: Wrong, trials: Trials, outcomes: list[Outcome]) -> bool:
        """Whether a wrong version gives just what the candidate gave, exceptions included."""
        for number, (trial, outcome) in enumerate(zip(trials, outcomes, strict=True)):
            if number == len(wrong.outcomes):
                wrong.outcomes.append(self._attempt(wrong.version, trial.arguments))
            other = wrong.outcomes[number]
            if outcome.error is not None or other.error is not None:
                if repr(outcome.error) != repr(other.error):
                    return False
            elif not compare.agree(outcome.result, other.result, self.tolerance):
                return False
        return True

    def _behaves_like(
        self, mistake: Mistake, wrong: list[tuple[Trial, Outcome]], shown: str
    ) -> Report | None:
        """The report of a mistake whose predicate is true of every wrong case."""
        assert mistake.when is not None
        try:
            if all(mistake.when(trial.arguments, out.result, trial.expected) for trial, out in wrong):
                return Report(False, mistake.says, mistake.name, details=shown)
        except Exception as error:
            return Report(False, _rule_stopped(self.name, mistake.name, error), details=shown)
        return None

    def _malformed(self, wrong: list[tuple[Trial, Outcome]]) -> Report | None:
        """What is wrong with the form of the results: a type, a shape, a dtype, NaN."""
        for trial, outcome in wrong:
            difference = compare.difference(
                trial.expected, outcome.result, f"What {self.name} returns", self.returns
            )
            if difference is not None:
                name, says = difference
                pairs = [(other.expected, out.result) for other, out in wrong]
                if not name and (turned := differences.relation(pairs, self.tolerance)):
                    name, says = turned[0], f"What you return {turned[1]}."
                return Report(False, says, name or None, details=f"Called with {self._shapes(trial)}.")
        return None

    def _how_it_differs(self, wrong: list[tuple[Trial, Outcome]], trials: Trials, shown: str) -> Report:
        """On how many cases, in which part, how, and where: for what no rule recognizes."""
        wrong = sorted(wrong, key=lambda pair: _size(pair[0].expected))
        pairs = [(trial.expected, outcome.result) for trial, outcome in wrong]
        some = f" on {len(wrong)} of {len(trials)} cases" if len(wrong) < len(trials) else ""
        parts = pairs[0][0] if isinstance(pairs[0][0], tuple) else [pairs[0][0]]
        says = f"It runs, but what it returns is not right{some}."
        if all(isinstance(part, Tensor) or compare.is_number(part) for part in parts):
            says = f"It runs, and the shapes are right, but the numbers are not{some}."
        name, more = differences.describe(pairs, self.tolerance, self.returns)
        return Report(False, f"{says} {more}", name or None, details=shown)

    def _stopped(self, error: BaseException, trial: Trial) -> Report:
        where = f"It was called with {self._shapes(trial)}."
        if isinstance(error, Unfit):
            return Report(False, str(error), details=where)
        sentence, stack = traces.in_words(error)
        if "ellipsis" in str(error):
            sentence = f"There is still a `...` to replace.\n{sentence}"
        full = isinstance(error, MemoryError) or "can't allocate memory" in str(error)
        details = "\n".join(filter(None, (where, stack)))
        return Report(False, sentence, None, "memory" if full else "error", details)

    # --- what may be wrong with an answer whose results are right -----------------------------------

    def _faults(
        self,
        candidate: Any,
        trials: Trials,
        outcomes: list[Outcome],
        around: Callable[[], AbstractContextManager[Any]],
    ) -> Iterator[Report]:
        yield from self._broken(candidate, trials, outcomes, around)
        for trial in trials:
            if trial.gradients:
                yield from self._gradients(candidate, trial, around)
        for outcome in outcomes:
            if outcome.setting:
                yield Report(
                    False,
                    f"The results are right, but afterwards a setting of PyTorch is another, which all that"
                    f" follows would feel: put back what you did with {outcome.setting}.",
                    "changes_settings",
                )

    def _broken(
        self,
        candidate: Any,
        trials: Trials,
        outcomes: list[Outcome],
        around: Callable[[], AbstractContextManager[Any]],
    ) -> Iterator[Report]:
        """The invariants that do not hold, and arguments that were written into."""
        for invariant in self.invariants:
            for trial, outcome in zip(trials, outcomes, strict=True):
                copies = copy.deepcopy(trial.arguments)  # it may run code that writes into them
                try:
                    with around(), fresh_state():
                        holds = invariant.holds(candidate, copies, outcome.result)
                except BaseException as error:  # an invariant may run the learner's code again
                    if _is_of_theirs(error):
                        yield self._stopped(error, trial)
                    else:
                        yield Report(False, _rule_stopped(self.name, invariant.name, error))
                    return
                if not holds:
                    yield Report(False, invariant.says, invariant.name)
                    break
        for trial, outcome in zip(trials, outcomes, strict=True):
            if outcome.changed:
                names = list(self._named(trial.arguments))
                yield Report(
                    False,
                    f"It changes its argument `{names[outcome.changed[0]]}`, which whoever called it"
                    " may still need. Look for a method that ends in an underscore, `+=`, or an"
                    " assignment to part of it.",
                    "changes_input",
                )
                return

    def _gradients(
        self, candidate: Any, trial: Trial, around: Callable[[], AbstractContextManager[Any]]
    ) -> Iterator[Report]:
        """Whether the gradients reach arguments and parameters, and are the reference's."""
        try:
            with around(), fresh_state():
                yours = self._backward(candidate, trial.arguments)
        except BaseException as error:
            yield self._stopped(error, trial)
            return
        for name, wanted in trial.gradients.items():
            grad = yours.get(name)
            if grad is None:
                yield Report(
                    False,
                    f"The numbers are right, but no gradient flows back to `{name}`, so nothing"
                    " could be trained through it. Look for .detach(), .data, .item(), .numpy(),"
                    " torch.tensor(...) or torch.no_grad().",
                    "no_gradient",
                )
            elif not compare.agree(grad, wanted, 100 * self.tolerance):
                yield Report(
                    False,
                    f"The numbers are right, but the gradient that reaches `{name}` is not: part of"
                    " the way is cut. Look for .detach(), .data or torch.no_grad().",
                    "wrong_gradient",
                    details=compare.side_by_side(wanted, grad, self.tolerance),
                )

    def _backward(self, candidate: Any, arguments: tuple[Any, ...]) -> dict[str, Tensor | None]:
        """The gradients at floating-point arguments, of a fixed random sum of the results.

        Tensors in a dict are arguments too: a state that `inside.load_weights` gives to a layer.
        """
        copies = copy.deepcopy(arguments)
        leaves: dict[str, Tensor] = {}
        for name, value in self._named(copies).items():
            if _is_real(value) and "mask" not in name:  # who would train a mask of 0 and 1?
                leaves[name] = value.requires_grad_()
            if isinstance(value, dict):
                for key in [key for key, entry in value.items() if _is_real(entry)]:
                    leaves[str(key)] = value[key] = nn.Parameter(value[key])
        if not leaves:
            return {}
        result = self.run(candidate, *copies)
        generator = torch.Generator().manual_seed(SEED)
        total = sum(
            (part * torch.rand(part.shape, generator=generator, dtype=part.dtype)).sum()
            for part in _tensors_in(result)
        )
        if not isinstance(total, Tensor) or not total.requires_grad:
            return dict.fromkeys(leaves)
        total.backward()
        return {name: leaf.grad for name, leaf in leaves.items()}

    # --- in words --------------------------------------------------------------------------------

    def _show(self, trial: Trial, outcome: Outcome) -> str:
        called = f"Called with {self._shapes(trial)}."
        if outcome.error is not None:
            return f"{called}\n{traces.in_words(outcome.error)[0]}"
        beside = compare.side_by_side(trial.expected, outcome.result, self.tolerance, self.returns)
        return f"{called}\n{beside}"

    def _named(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        """The arguments of a case by name."""
        plain = self.run is call
        parameters = list(inspect.signature(self.reference if plain else self.run).parameters)
        return dict(zip(parameters[0 if plain else 1 :], arguments, strict=False))

    def _shapes(self, trial: Trial) -> str:
        return compare.shapes(self._named(trial.arguments))


def _plain(signature: inspect.Signature) -> str:
    """A signature without its annotations: `(query, key, value, mask=None)`."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(bare))


def _size(result: Any) -> int:
    """How much there would be to read."""
    parts = result if isinstance(result, (list, tuple)) else [result]
    return sum(part.numel() if isinstance(part, Tensor) else 1 for part in parts)


def _is_real(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype.is_floating_point


def _tensors_in(result: Any) -> list[Tensor]:
    """The floating-point tensors of a result that gradients can start from."""
    parts = result.values() if isinstance(result, Mapping) else result
    listed = list(parts) if isinstance(result, (Mapping, list, tuple)) else [result]
    return [part for part in listed if _is_real(part)]


def _is_telling(outcomes: Iterable[Outcome], least: int = 2) -> bool:
    """Whether results hold enough different values to be told from others: not all empty or NaN."""
    seen: set[str] = set()
    for outcome in outcomes:
        if outcome.error is not None:
            if not isinstance(outcome.error, OPAQUE):
                seen |= {repr(outcome.error), "an error"}
            continue
        parts = outcome.result if isinstance(outcome.result, (list, tuple)) else [outcome.result]
        for part in parts:
            value = compare.as_tensor(part)
            seen |= {repr(part)} if value is None else {f"{x:.6g}" for x in value.flatten()[:50].tolist()}
    return len(seen - {"nan", "[]", "()", "''"}) >= least


def _is_of_theirs(error: BaseException) -> bool:
    """Whether an exception passed through the learner's code."""
    return any(traces.is_theirs(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


def _rule_stopped(exercise: str, rule: str, error: BaseException) -> str:
    """What to say when a rule of ours, not the answer, raised: the answer is wrong, but so is the rule."""
    what = f"{type(error).__name__}: {error}"
    return (
        f"That is not right, and the rule `{rule}` of {exercise} stumbled over it ({what}): please report it."
    )


# --- answers that are values ----------------------------------------------------------------------


@dataclass(frozen=True)
class ValueCheck:
    """How a value is judged, which is never printed; the fields are those of an Exercise."""

    name: str
    kind: str
    mistakes: Sequence[Mistake]
    tolerance: float
    form: str
    same: Callable[[Any, Any], bool] | None
    why: str

    def judge(self, answer: Any, expected: Any) -> Report:
        """Compare a value with the right one."""
        alike = compare.same_form(answer, expected) if self.same is None else _same_kind(answer, expected)
        if (alike or self.same is None) and self._same(answer, expected):
            return Report(True, f"{self.name}: right. {self.why}".rstrip(), status="passed")
        if not alike:
            form = self.form or f"An answer is {compare.form(expected)}."
            return Report(False, f"{form} Yours is {_in_words(answer)}.")
        for mistake in self.mistakes:
            try:
                if self._recognizes(mistake, answer):
                    return Report(False, mistake.says, mistake.name)
            except Exception as error:
                return Report(False, _rule_stopped(self.name, mistake.name, error))
        return Report(False, self._how_far(answer, expected))

    def _recognizes(self, mistake: Mistake, answer: Any) -> bool:
        if callable(mistake.wrong):
            return bool(mistake.wrong(answer))
        return self._same(answer, mistake.wrong)

    def _same(self, answer: Any, expected: Any) -> bool:
        if self.same is not None:
            return bool(self.same(answer, expected))
        return compare.same_value(answer, expected, self.tolerance)

    def _how_far(self, answer: Any, expected: Any) -> str:
        """What can be said of a well-formed wrong value without giving the right one away."""
        if self.kind == "order":
            return _order(answer, expected)
        if compare.form(expected) == "a number":
            if not math.isfinite(float(answer)):
                return (
                    f"{float(answer)} is no number that could be counted or measured: look at your divisions."
                )
            return "Too high." if answer > expected else "Too low."
        if isinstance(expected, (set, frozenset)):
            return _choice(answer, expected)
        if isinstance(expected, (list, tuple)):
            right = [
                compare.same_value(*pair, self.tolerance) for pair in zip(answer, expected, strict=False)
            ]
            if len(answer) != len(expected):
                return f"There are {len(expected)} to give; yours are {len(answer)}."
            if self.same is None:
                first = f"the first that is not is number {right.index(False) + 1}"
                return f"{sum(right)} of {len(right)} are right; {first}."
        if isinstance(expected, dict):
            if answer.keys() != expected.keys():
                keys, yours = (", ".join(map(repr, one)) for one in (expected, answer))
                return f"The keys are {keys}; yours are {yours}."
            if wrong := [key for key in expected if not self._same({key: answer[key]}, {key: expected[key]})]:
                return f"Not right yet: {', '.join(map(str, wrong))}."
        return "That is not it. Look again, or ask for a hint."


def _same_kind(answer: Any, expected: Any) -> bool:
    return compare.form(answer) == compare.form(expected)


def _in_words(answer: Any) -> str:
    """A malformed answer: its sort, and what is in it where that is what is wrong."""
    if isinstance(answer, (list, tuple, set)) and answer:
        inside = " and ".join(dict.fromkeys(compare.form(one) for one in answer))
        return f"{compare.a_kind_of(answer)}, which holds {inside}"
    return compare.a_kind_of(answer)


def _choice(answer: Iterable[Any], expected: Any) -> str:
    """How many of a choice belong, and how many are missing."""
    chosen = {one.strip().casefold() if isinstance(one, str) else one for one in answer}
    right = {one.casefold() if isinstance(one, str) else one for one in expected}
    wrong, missing = len(chosen - right), len(right - chosen)
    if not missing:
        return f"All that belong are there, and {wrong} that {'does' if wrong == 1 else 'do'} not."
    if not wrong:
        return f"What you chose belongs, but {missing} more {'does' if missing == 1 else 'do'} too."
    there = len(chosen & right)
    belong = (
        f"Of yours {there} belong{'s' * (there == 1)} there" if there else "Nothing of yours belongs there"
    )
    return f"{belong}, and {missing} {'is' if missing == 1 else 'are'} missing."


def _order(answer: Sequence[Any], expected: Sequence[Any]) -> str:
    """How far an order is right."""
    what = "line" if any(isinstance(one, str) and " " in one for one in expected) else "one"
    if sorted(map(str, answer)) != sorted(map(str, expected)):
        listed = "the lines" if what == "line" else ", ".join(sorted(map(str, expected)))
        return f"Each of {listed} is needed, and needed once."
    first = [compare.same_value(*pair, 0) for pair in zip(answer, expected, strict=True)].index(False)
    if first == 0:
        return "Not this order: something else has to come first."
    return f"In place as far as {what} {first} of your order; what has to come next?"
