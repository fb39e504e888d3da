"""What an exercise is: a reference, cases to try it on, the mistakes people make, and what to say.

An exercise is data, one file for each: `chapters/nb05/causal_mask.py` holds that of notebook 05.
`Exercise.check` judges an answer in a process of its own, which the answer may loop in, crash or fill
without harm; `Exercise.judge` judges it here and now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from lib.exercises import blank, sandbox
from lib.exercises.checking import SEED, CodeCheck, Trial, Trials, Unfit, ValueCheck, call
from lib.exercises.mistakes import Edit, Invariant, Mistake, edit, near
from lib.exercises.report import Report

__all__ = ["Exercise", "Invariant", "Mistake", "Unfit", "edit", "near"]

KINDS = ("function", "gap", "bug", "predict", "order", "choose")
STAGES = ("minilm", "pocket", "small", "classifier")


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
            raise ValueError(f"{self.name}: {self.stage!r} is no stage; choose of {STAGES}.")
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
        return self._code.prepare(self.cases(SEED))

    def judge(
        self,
        candidate: Any,
        trials: Trials,
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> Report:
        """Judge an answer here and now; `around()` is entered whenever the candidate's code runs."""
        if sentence := blank.unwritten(candidate, self.name):
            return Report(False, sentence, status="blank")
        if self.by_code:
            return self._code.judge(candidate, trials, around)
        return self._value.judge(candidate, trials[0].expected)

    @property
    def _code(self) -> CodeCheck:
        return CodeCheck(
            *(self.name, self.reference, self.run, self.invariants, self.mistakes, self.alike),
            *(self.returns, self.gradients, self.tolerance, self.why),
        )

    @property
    def _value(self) -> ValueCheck:
        return ValueCheck(
            *(self.name, self.kind, self.mistakes, self.tolerance, self.form, self.same, self.why)
        )
