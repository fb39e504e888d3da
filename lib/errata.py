"""What the literature or a lecture prints, and what comes out when it is computed again.

A notebook that meets such a claim lists it in ERRATA of `chapters/nbNN/errata.py`; notebook 40 collects all.
Nothing is copied from the run that found it: `recompute` does the sum afresh wherever the erratum is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Erratum:
    """One claim: what it says, who prints it (name, year, place), the printed figure, and ours."""

    claim: str
    source: str
    printed: str
    recompute: Callable[[], str]
