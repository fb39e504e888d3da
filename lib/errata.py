"""What the literature or a lecture prints, and what comes out when it is computed again.

A notebook that meets such a claim lists it in ERRATA of `chapters/nbNN/errata.py`; notebook 40 collects all.
Nothing is copied from the run that found it: `recompute` does the sum afresh wherever the erratum is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Doubt = Literal["rows", "base", "unit", "run", "source"]

#: the question that finds an error
DOUBTS: dict[Doubt, str] = {
    "rows": "over which rows, tasks or parts?",
    "base": "relative to what?",
    "unit": "in which unit?",
    "run": "does it come out when you run it?",
    "source": "what does the source say?",
}


@dataclass(frozen=True)
class Erratum:
    """One claim: what it says, who prints it (name, year, place), the printed figure, ours, what finds it."""

    claim: str
    source: str
    printed: str
    recompute: Callable[[], str]
    doubt: Doubt = "source"
