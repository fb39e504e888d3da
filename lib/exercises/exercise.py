"""The old name of `lib.exercises.spec`, for the modules nbNN that still stand in one file."""

from lib.exercises.checking import Trial, Unfit, call
from lib.exercises.spec import Exercise, Invariant, Mistake

__all__ = ["Exercise", "Invariant", "Mistake", "Trial", "Unfit", "call"]
