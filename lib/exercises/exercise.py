"""What an exercise is, and how an answer to it is judged.

An exercise is data: a reference, cases to try it on, the mistakes people make (each as code that
makes it), and the sentence that a good tutor would say to each. `Exercise.judge` compares an answer
with all that and returns a `Report`; `Exercise.check` does so in a process of its own, which an
answer may loop in, crash or fill without harm.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from lib.exercises import blank, compare, traces
from lib.exercises.report import Report

KINDS = ("function", "gap", "bug", "predict", "order", "choose")
SEED = 0


@dataclass(frozen=True)
class Mistake:
    """A known wrong version, and what a good tutor says to whoever wrote it.

    `wrong` is the function or class that makes the mistake; for an exercise answered by a value,
    the wrong value, or a predicate that recognizes it. A predicate comes with an `example`, so that
    tests can make the mistake too.
    """

    name: str
    says: str
    wrong: Any
    example: Any = None


@dataclass(frozen=True)
class Invariant:
    """Something true of every right answer: `holds(candidate, arguments, result)`."""

    name: str
    says: str
    holds: Callable[[Any, tuple[Any, ...], Any], bool]


@dataclass(frozen=True)
class Trial:
    """One case with the reference's answer to it."""

    arguments: tuple[Any, ...]
    expected: Any


@dataclass(frozen=True)
class Outcome:
    """What a candidate did with a case: a result, or the exception that stopped it."""

    result: Any = None
    error: BaseException | None = None
    changed: tuple[int, ...] = ()  # the arguments that it wrote into


class Unfit(Exception):
    """Raised by an exercise's `run` for an answer that cannot be tried: its text is the message."""


def call(candidate: Any, *arguments: Any) -> Any:
    """How a candidate is run on a case, unless an exercise says otherwise."""
    return candidate(*arguments)


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise. The kinds function, gap and bug are answered by code, the others by a value.

    name: of the variable, function or class that the learner writes. notebook: `05_attention`.
    reference: the function or class in `lib`; for a value, the value or a function that computes it.
    cases(seed): the argument tuples to try, the readable ones first. run: how a case is tried, where
    a plain call will not do; it may raise Unfit. invariants and mistakes: see there. hints: the idea,
    the shapes, the line. returns: names for the parts of a returned tuple. gradients: whether
    gradients must reach the arguments.
    form: for values, what an answer looks like. answer: for values, the source of the right one, by
    default its repr. same(answer, expected): equality of values. why: said when it is right.
    box: what lights up in the map of BERT. use(candidate, model): a context in which the published
    model runs with the candidate inside.
    """

    name: str
    notebook: str
    reference: Any
    kind: str = "function"
    cases: Callable[[int], Iterable[tuple[Any, ...]]] | None = None
    run: Callable[..., Any] = call
    invariants: Sequence[Invariant] = ()
    mistakes: Sequence[Mistake] = ()
    hints: Sequence[str] = ()
    returns: Sequence[str] = ()
    gradients: bool = True
    tolerance: float = 1e-5
    form: str = ""
    answer: str = ""
    same: Callable[[Any, Any], bool] | None = None
    why: str = ""
    box: str | None = None
    use: Callable[[Any, Any], AbstractContextManager[Any]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.name}: {self.kind!r} is no kind of exercise; choose of {KINDS}.")
        if self.by_code != (self.cases is not None):
            wanted = "cases" if self.by_code else "no cases"
            raise ValueError(f"{self.name}: an exercise of kind {self.kind} has {wanted}.")

    @property
    def by_code(self) -> bool:
        """Whether it is answered by a function or class rather than by a value."""
        return self.kind in ("function", "gap", "bug")

    def expected(self) -> Any:
        """The right value, of an exercise answered by one."""
        return self.reference() if callable(self.reference) else self.reference

    def check(self, candidate: Any) -> Report:
        """Judge an answer in a process of its own, with five seconds and 2 GB. Never raises."""
        from lib.exercises import sandbox

        return sandbox.run(self, sandbox.carried(candidate))

    def prepare(self) -> list[Trial]:
        """The cases, with what the reference makes of them."""
        if self.cases is None:
            return [Trial((), self.expected())]
        trials = []
        for arguments in self.cases(SEED):
            outcome = self._attempt(self.reference, arguments)
            if outcome.error is not None:
                raise outcome.error
            trials.append(Trial(arguments, outcome.result))
        return trials

    def judge(
        self,
        candidate: Any,
        trials: list[Trial],
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> Report:
        """Judge an answer here and now; `around()` is entered whenever the candidate's code runs."""
        if blank.is_blank(candidate):
            return Report(False, f"{self.name} is not written yet.", status="blank")
        if not self.by_code:
            return self._judge_value(candidate, trials[0].expected)
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
        return Report(True, self._praise(len(trials)), status="passed")

    # --- code ---------------------------------------------------------------------------------

    def _attempt(self, candidate: Any, arguments: tuple[Any, ...]) -> Outcome:
        """Run a candidate on copies of the arguments, and see whether it wrote into them."""
        given = copy.deepcopy(arguments)
        torch.manual_seed(SEED)
        try:
            result = self.run(candidate, *given)
        except BaseException as error:  # the learner's: SystemExit and KeyboardInterrupt as well
            return Outcome(error=error)
        pairs = enumerate(zip(given, arguments, strict=True))
        changed = [
            i
            for i, (now, before) in pairs
            if isinstance(before, (Tensor, list, dict, set)) and not compare.agree(now, before, 0)
        ]
        return Outcome(result, changed=tuple(changed))

    def _right(self, trial: Trial, outcome: Outcome) -> bool:
        return outcome.error is None and compare.agree(outcome.result, trial.expected, self.tolerance)

    def _not_what_was_asked(self, candidate: Any, trials: list[Trial]) -> str:
        """A sentence if the answer cannot even be tried, else ""."""
        wanted = "class" if isinstance(self.reference, type) else "function"
        if not callable(candidate):
            kind = compare.a_kind_of(candidate)
            return f"{self.name} should be a {wanted}; what was given is {kind}."
        if wanted == "class" and not isinstance(candidate, type):
            return (
                f"{self.name} should be the class itself; what was given is"
                f" {compare.a_kind_of(candidate)}. Write {self.name}, without parentheses."
            )
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
                given = ", ".join(self._named(trial.arguments))
                return f"It will be called as {self.name}({given}); yours takes {_plain(theirs)}."
        return ""

    def _diagnose(self, candidate: Any, trials: list[Trial], outcomes: list[Outcome]) -> Report:
        """Why a candidate that differs from the reference does, as precisely as can be said."""
        wrong = [pair for pair in zip(trials, outcomes, strict=True) if not self._right(*pair)]
        shown = self._show(*min(wrong, key=lambda pair: _size(pair[0].expected)))
        for mistake in self.mistakes:
            if self._is_that_mistake(mistake, trials, outcomes):
                return Report(False, mistake.says, mistake.name, details=shown)
        broken = (
            Report(False, fault.message, fault.mistake, details=shown)
            for fault in self._broken(candidate, trials, outcomes, nullcontext)
        )
        # The length of a list says little; what every right list has says more.
        if all(isinstance(t.expected, list) and isinstance(o.result, (list, tuple)) for t, o in wrong):
            for fault in broken:
                return fault
        for trial, outcome in wrong:
            if outcome.error is not None:
                return self._stopped(outcome.error, trial)
            what = f"What {self.name} returns"
            if sentence := compare.difference(trial.expected, outcome.result, what, self.returns):
                listed = isinstance(trial.expected, list)
                called = f"Called with {self._shapes(trial)}."
                return Report(False, sentence, details=self._show(trial, outcome) if listed else called)
        for fault in broken:
            return fault
        some = f" on {len(wrong)} of {len(trials)} cases" if len(wrong) < len(trials) else ""
        says = f"It runs, and the shapes are right, but the numbers are not{some}."
        pairs = [(trial.expected, outcome.result) for trial, outcome in wrong]
        if keys := compare.different_entries(pairs, self.tolerance):
            says = f"These entries differ: {', '.join(keys)}."
        return Report(False, says, details=shown)

    def _is_that_mistake(self, mistake: Mistake, trials: list[Trial], outcomes: list[Outcome]) -> bool:
        """Whether the mistake gives just what the candidate gave, exceptions included."""
        for trial, outcome in zip(trials, outcomes, strict=True):
            other = self._attempt(mistake.wrong, trial.arguments)
            if outcome.error is not None or other.error is not None:
                if repr(outcome.error) != repr(other.error):
                    return False
            elif not compare.agree(outcome.result, other.result, self.tolerance):
                return False
        return True

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

    def _faults(
        self,
        candidate: Any,
        trials: list[Trial],
        outcomes: list[Outcome],
        around: Callable[[], AbstractContextManager[Any]],
    ) -> Iterator[Report]:
        """What may be wrong with an answer whose numbers are right."""
        yield from self._broken(candidate, trials, outcomes, around)
        if self.gradients:
            yield from self._gradients(candidate, trials[0], around)
            # A case that leaves an argument out, such as a mask, does not show what is done with it.
            whole = next((t for t in trials if all(value is not None for value in t.arguments)), trials[0])
            if whole is not trials[0]:
                yield from self._gradients(candidate, whole, around)

    def _broken(
        self,
        candidate: Any,
        trials: list[Trial],
        outcomes: list[Outcome],
        around: Callable[[], AbstractContextManager[Any]],
    ) -> Iterator[Report]:
        """The invariants that do not hold, and arguments that were written into."""
        for invariant in self.invariants:
            for trial, outcome in zip(trials, outcomes, strict=True):
                try:
                    with around():
                        holds = invariant.holds(candidate, trial.arguments, outcome.result)
                except BaseException as error:  # an invariant may run the learner's code again
                    yield self._stopped(error, trial)
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
        """Whether the gradients reach the arguments, and are the reference's."""
        expected = self._backward(self.reference, trial)
        try:
            with around():
                yours = self._backward(candidate, trial)
        except BaseException as error:
            yield self._stopped(error, trial)
            return
        for name, wanted in expected.items():
            if wanted is None:
                continue
            if yours.get(name) is None:
                yield Report(
                    False,
                    f"The numbers are right, but no gradient flows back to `{name}`, so nothing"
                    " could be trained through it. Look for .detach(), .data, .item(), .numpy(),"
                    " torch.tensor(...) or torch.no_grad().",
                    "no_gradient",
                )
            elif not compare.agree(yours[name], wanted, 100 * self.tolerance):
                yield Report(
                    False,
                    f"The numbers are right, but the gradient that reaches `{name}` is not: part of"
                    " the way is cut. Look for .detach(), .data or torch.no_grad().",
                    "wrong_gradient",
                    details=compare.side_by_side(wanted, yours[name], self.tolerance),
                )

    def _backward(self, candidate: Any, trial: Trial) -> dict[str, Tensor | None]:
        """The gradients at the floating-point arguments, of a fixed random sum of the results."""
        given = copy.deepcopy(trial.arguments)
        named = self._named(given)
        leaves = {
            name: value.requires_grad_()
            for name, value in named.items()
            if isinstance(value, Tensor) and value.dtype.is_floating_point
        }
        if not leaves:
            return {}
        torch.manual_seed(SEED)
        result = self.run(candidate, *given)
        parts = [result] if isinstance(result, Tensor) else result
        torch.manual_seed(SEED)
        total = sum(
            (part * torch.rand(part.shape, dtype=part.dtype)).sum()
            for part in (parts if isinstance(parts, (list, tuple)) else [])
            if isinstance(part, Tensor) and part.dtype.is_floating_point
        )
        if not isinstance(total, Tensor) or not total.requires_grad:
            return dict.fromkeys(leaves)
        total.backward()
        return {name: leaf.grad for name, leaf in leaves.items()}

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

    def _praise(self, count: int) -> str:
        what = f"equal to the reference on {count} cases" if self.by_code else "right"
        return f"{self.name}: {what}." + (f" {self.why}" if self.why else "")

    # --- values -------------------------------------------------------------------------------

    def _judge_value(self, answer: Any, expected: Any) -> Report:
        """Compare a value with the right one, which is never printed."""
        alike = _kind(answer) == _kind(expected)
        if (alike or self.same is None) and self._same(answer, expected):
            return Report(True, self._praise(1), status="passed")
        form = self.form or f"An answer is {_kind(expected)}."
        if not alike:
            return Report(False, f"{form} Yours is {compare.a_kind_of(answer)}.")
        for mistake in self.mistakes:
            if self._recognizes(mistake, answer):
                return Report(False, mistake.says, mistake.name)
        if self.kind == "order":
            return Report(False, _order(answer, expected))
        if compare.is_number(expected):
            return Report(False, "Too high." if answer > expected else "Too low.")
        return Report(False, form if self.form else "Look again, or ask for a hint.")

    def _recognizes(self, mistake: Mistake, answer: Any) -> bool:
        if not callable(mistake.wrong):
            return self._same(answer, mistake.wrong)
        try:
            return bool(mistake.wrong(answer))
        except (TypeError, ValueError, LookupError, AttributeError):
            return False  # an answer of a form that the predicate did not think of is another mistake

    def _same(self, answer: Any, expected: Any) -> bool:
        if self.same is not None:
            return bool(self.same(answer, expected))
        return compare.same_value(answer, expected, self.tolerance)


def _plain(signature: inspect.Signature) -> str:
    """A signature without its annotations: `(query, key, value, mask=None)`."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(bare))


def _kind(value: Any) -> str:
    """What sort of value an answer is, in words."""
    kinds = (
        (bool, "True or False"),
        ((int, float), "a number"),
        (str, "a text in quotes"),
        ((list, tuple, set, frozenset), "a list"),
        (dict, "a dict"),
    )
    for types, words in kinds:
        if isinstance(value, types):
            return words
    return compare.a_kind_of(value)


def _order(answer: Sequence[Any], expected: Sequence[Any]) -> str:
    """How far an order of lines is right."""
    if sorted(map(str, answer)) != sorted(map(str, expected)):
        return f"Each of the {len(expected)} lines is needed, and needed once."
    first = [a == b for a, b in zip(answer, expected, strict=True)].index(False)
    if first == 0:
        return "Not this order: something else has to come first."
    return f"In place as far as line {first} of your order; what has to come next?"


def _size(result: Any) -> int:
    """How much there would be to read."""
    parts = result if isinstance(result, (list, tuple)) else [result]
    return sum(part.numel() if isinstance(part, Tensor) else 1 for part in parts)
