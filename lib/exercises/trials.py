"""The cases of an exercise, with what the reference makes of them, before any answer runs."""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from lib.exercises import compare
from lib.exercises.mistakes import WrongVersion
from lib.exercises.running import Outcome, call, gradients, outcome_of


@dataclass(frozen=True)
class Trial:
    """One case, by the names of its arguments, the reference's answer, and the gradients that reach them."""

    arguments: tuple[Any, ...]
    expected: Any
    names: tuple[str, ...] = ()
    gradients: Mapping[str, Tensor] = field(default_factory=dict)

    @property
    def shapes(self) -> str:
        """The arguments in a few words: `query [2, 3, 4], mask [2, 1, 3]`."""
        return compare.shapes(dict(zip(self.names, self.arguments, strict=False)))


class Versions:
    """Wrong versions, each made when it is first needed, and kept."""

    def __init__(self, versions: Iterable[WrongVersion]) -> None:
        self._first = itertools.tee(versions, 1)[0]

    def __iter__(self) -> Iterator[WrongVersion]:
        return copy.copy(self._first)


class Trials(list[Trial]):
    """The cases, how a candidate is run on one, and how near its result has to be.

    known, generic: the wrong versions that an exercise writes out, and those that operators make of its
    reference.
    """

    def __init__(
        self,
        trials: Iterable[Trial] = (),
        run: Callable[..., Any] = call,
        tolerance: float = 0.0,
        known: Iterable[WrongVersion] = (),
        generic: Iterable[WrongVersion] = (),
    ) -> None:
        super().__init__(trials)
        self.run = run
        self.tolerance = tolerance
        self.known = Versions(known)
        self.generic = Versions(generic)

    def add(self, reference: Any, arguments: tuple[Any, ...], with_gradients: bool) -> None:
        """Add a case. Raises what the reference raises."""
        outcome = outcome_of(self.run, reference, arguments)
        if outcome.error is not None:
            raise outcome.error
        plain = self.run is call
        names = tuple(inspect.signature(reference if plain else self.run).parameters)[0 if plain else 1 :]
        reached = gradients(self.run, reference, names, arguments) if with_gradients else {}
        at_leaves = {name: gradient for name, gradient in reached.items() if gradient is not None}
        self.append(Trial(arguments, outcome.result, names[: len(arguments)], at_leaves))

    def wrong_cases(self, outcomes: list[Outcome]) -> list[tuple[Trial, Outcome]]:
        """The cases in which an answer differs from the reference, with what it did."""
        return [
            (trial, outcome)
            for trial, outcome in zip(self, outcomes, strict=True)
            if outcome.error is not None or not compare.agree(outcome.result, trial.expected, self.tolerance)
        ]

    def recognized(self, versions: Versions, outcomes: list[Outcome]) -> WrongVersion | None:
        """The first wrong version that does in every case just what an answer did, exceptions included."""
        return next((version for version in versions if self._is_that(version, outcomes)), None)

    def _is_that(self, wrong: WrongVersion, outcomes: list[Outcome]) -> bool:
        for number, (trial, outcome) in enumerate(zip(self, outcomes, strict=True)):
            if number == len(wrong.outcomes):
                wrong.outcomes.append(outcome_of(self.run, wrong.version, trial.arguments))
            other: Outcome = wrong.outcomes[number]
            if outcome.error is not None or other.error is not None:
                if repr(outcome.error) != repr(other.error):
                    return False
            elif not compare.agree(outcome.result, other.result, self.tolerance):
                return False
        return True
