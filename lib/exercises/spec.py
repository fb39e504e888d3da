"""What an exercise is: a reference, cases to try it on, the mistakes people make, and what to say.

An exercise is data, one file for each: `chapters/nb05/causal_mask.py` holds that of notebook 05.
`Exercise.check` judges an answer in a process of its own, which the answer may loop in, crash or fill
without harm; `Exercise.judge` judges it here and now.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from torch import nn

from lib.exercises import blank, compare, diagnosis, faults, operators, sandbox, values
from lib.exercises.faults import Around
from lib.exercises.mistakes import Edit, Invariant, Mistake, WrongVersion, edit, near, stumbled
from lib.exercises.report import Report
from lib.exercises.running import SEED, Outcome, Unfit, call, outcome_of
from lib.exercises.stages import STAGES
from lib.exercises.trials import Trial, Trials

__all__ = ["Exercise", "Invariant", "Mistake", "Unfit", "edit", "near"]

KINDS = ("function", "gap", "bug", "predict", "order", "choose")


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise. The kinds function, gap and bug are answered by code, the others by a value.

    name: of the variable, function or class that the learner writes. notebook: `05_attention`; an
    exercise of the course takes it from its folder.
    reference: the function or class in `lib`; for a value, the value or a function that computes it.
    minutes: how long it takes. difficulty: 1 to 3. The notebook prints both.
    cases(seed): the argument tuples to try, the readable ones first. run: how a case is tried, where
    a plain call will not do; it may raise Unfit. invariants and mistakes: see there. alike: edits that
    make right versions of the reference, written otherwise; each wrong version is made of these too.
    hints: the idea, the shapes, the line. returns: names for the parts of a returned tuple. gradients:
    whether gradients must reach the arguments, and the tensors in a state dict among them.
    form: for values, what an answer looks like. answer: for values, the source of the right one, by
    default its repr. same(answer, expected): equality of values. why: said when it is right.
    box: what lights up in the map of BERT. stage: the model that `use` shows an answer in, of STAGES.
    use(candidate, model): a context in which that model runs with the candidate inside.
    """

    name: str
    notebook: str = ""
    reference: Any = None
    kind: str = "function"
    minutes: int = 0
    difficulty: int = 0
    cases: Callable[[int], Iterable[tuple[Any, ...]]] | None = None
    run: Callable[..., Any] = call
    invariants: Sequence[Invariant] = ()
    mistakes: Sequence[Mistake] = ()
    alike: Sequence[Edit] = ()
    hints: Sequence[str] = ()
    returns: Sequence[str] = ()
    gradients: bool = True
    tolerance: float = 1e-5
    form: str = ""
    answer: str = ""
    same: Callable[[Any, Any], bool] | None = None
    why: str = ""
    box: str | None = None
    stage: str = "minilm"
    use: Callable[[Any, Any], AbstractContextManager[Any]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.name}: {self.kind!r} is no kind of exercise; choose of {KINDS}.")
        if self.stage not in STAGES:
            raise ValueError(f"{self.name}: {self.stage!r} is no stage; choose of {tuple(STAGES)}.")
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
        return sandbox.run(self, sandbox.carried(candidate))

    def prepare(self) -> Trials:
        """The cases, with what the reference makes of them; a value is a case without arguments."""
        if self.cases is None:
            return Trials([Trial((), self.expected())])
        generic = operators.variants(self.reference, self.alike)
        trials = Trials(run=self.run, tolerance=self.tolerance, known=self._known(), generic=generic)
        for arguments in self.cases(SEED):
            trials.add(self.reference, arguments, self.gradients)
        return trials

    def judge(self, candidate: Any, trials: Trials, around: Around = nullcontext) -> Report:
        """Judge an answer here and now; `around()` is entered whenever the candidate's code runs."""
        if sentence := blank.unwritten(candidate, self.name):
            return Report(False, sentence, status="blank")
        if not self.by_code:
            return self._judge_value(candidate, trials[0].expected)
        if sentence := self._refusal(candidate, trials):
            return Report(False, sentence)
        outcomes = []
        for trial in trials:
            with around():
                outcomes.append(outcome_of(self.run, candidate, trial.arguments))
        if wrong := trials.wrong_cases(outcomes):
            return self._diagnosis(candidate, trials, outcomes, wrong)
        for fault in chain(
            faults.broken(self.name, self.invariants, candidate, trials, outcomes, around),
            faults.gradients_lost(candidate, trials, around),
            faults.settings_left(outcomes),
        ):
            return fault
        says = f"{self.name}: equal to the reference on {compare.count(len(trials), 'case')}. {self.why}"
        return Report(True, says.rstrip(), status="passed")

    def _refusal(self, candidate: Any, trials: Trials) -> str:
        """A sentence if the answer cannot even be tried, else ""."""
        wanted = "class" if isinstance(self.reference, type) else "function"
        if not callable(candidate):
            return f"{self.name} should be a {wanted}; what was given is {compare.a_kind_of(candidate)}."
        if wanted == "class" and not isinstance(candidate, type):
            kind = compare.a_kind_of(candidate)
            more = f" Write {self.name}, without parentheses." if isinstance(candidate, nn.Module) else ""
            return f"{self.name} should be the class itself; what was given is {kind}.{more}"
        if self.run is not call:
            return ""
        try:
            signature = inspect.signature(candidate)
        except ValueError:  # some functions written in C have none; calling them will tell
            return ""
        for trial in trials:
            try:
                signature.bind(*trial.arguments)
            except TypeError:
                bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
                called = f"{self.name}({', '.join(trial.names)})"
                return f"It will be called as {called}; yours takes {inspect.Signature(bare)}."
        return ""

    def _diagnosis(
        self, candidate: Any, trials: Trials, outcomes: list[Outcome], wrong: diagnosis.WrongCases
    ) -> Report:
        """Why results differ from the reference's, as precisely as can be said."""
        shown = diagnosis.shown(wrong, self.tolerance, self.returns)
        if known := trials.recognized(trials.known, outcomes):
            return Report(False, known.says, known.name, details=shown)
        for trial, outcome in wrong:  # what stopped it says more than a guess at what it would have given
            if outcome.error is not None:
                return faults.stopped(outcome.error, trial)
        malformed = diagnosis.malformed(self.name, wrong, self.tolerance, self.returns)
        if malformed is None and (report := self._recognized_by_behavior(wrong, shown)):
            return report
        wrong_outcomes = [outcome for _, outcome in wrong]
        telling = diagnosis.are_telling(outcomes) and diagnosis.are_telling(wrong_outcomes, least=1)
        if telling and (generic := trials.recognized(trials.generic, outcomes)):
            return Report(False, generic.says, generic.name, details=shown)
        if malformed is not None and not diagnosis.are_lists(wrong):
            return malformed
        for fault in faults.broken(self.name, self.invariants, candidate, trials, outcomes):
            return Report(False, fault.message, fault.mistake, details=fault.details or shown)
        return diagnosis.how_it_differs(wrong, len(trials), self.tolerance, self.returns)

    def _known(self) -> Iterator[WrongVersion]:
        """The wrong versions that the mistakes write out, each made when it is asked for."""
        for mistake in self.mistakes:
            for version in mistake.versions(self.reference, self.alike):
                yield WrongVersion(mistake.name, mistake.says, version)

    def _recognized_by_behavior(self, wrong: diagnosis.WrongCases, shown: str) -> Report | None:
        """The report of the first mistake whose predicate is true of every wrong case."""
        for mistake in self.mistakes:
            try:
                if mistake.when is not None and all(
                    mistake.when(trial.arguments, outcome.result, trial.expected) for trial, outcome in wrong
                ):
                    return Report(False, mistake.says, mistake.name, details=shown)
            except Exception as error:
                return Report(False, stumbled(mistake.name, self.name, error), details=shown)
        return None

    def _judge_value(self, answer: Any, expected: Any) -> Report:
        """Compare a value with the right one, and with the wrong ones that are known."""
        if self.same is None:
            well_formed = compare.same_category(answer, expected)
        else:  # a rule that compares values of the expected form
            well_formed = compare.category(answer) == compare.category(expected)
        if (well_formed or self.same is None) and self._is_same(answer, expected):
            return Report(True, f"{self.name}: right. {self.why}".rstrip(), status="passed")
        if not well_formed:
            form = self.form or f"An answer is {compare.category(expected)}."
            return Report(False, f"{form} Yours is {values.category_in_words(answer)}.")
        for mistake in self.mistakes:
            try:
                if mistake.wrong(answer) if callable(mistake.wrong) else self._is_same(answer, mistake.wrong):
                    return Report(False, mistake.says, mistake.name)
            except Exception as error:
                return Report(False, stumbled(mistake.name, self.name, error))
        if self.kind == "order":
            return Report(False, values.how_far_in_order(answer, expected))
        return Report(False, values.how_far(answer, expected, self._is_same, by_entries=self.same is None))

    def _is_same(self, answer: Any, expected: Any) -> bool:
        if self.same is not None:
            return bool(self.same(answer, expected))
        return compare.same_value(answer, expected, self.tolerance)
