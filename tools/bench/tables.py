"""Figures as Markdown tables."""

from collections.abc import Iterable, Sequence
from datetime import date

from lib.analysis.cost.timing import Comparison, Seconds
from lib.provenance import machine


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def milliseconds(measured: Seconds) -> str:
    """Such as "12.3 (12.1 to 12.9)": the median and the quartiles."""
    return f"{1e3 * measured.median:.1f} ({1e3 * measured.lower:.1f} to {1e3 * measured.upper:.1f})"


def ranged(values: Sequence[float], form: str) -> str:
    """Such as "12.3 (12.1 to 12.9)": the middle one of three, and the others around it."""
    lowest, middle, highest = sorted(values)
    return f"{middle:{form}} ({lowest:{form}} to {highest:{form}})"


def heading() -> str:
    """One line that says when and on what this was measured."""
    return f"{date.today():%B} {date.today().day}, {date.today().year}: {machine()}"


def compared(measured: Comparison) -> list[str]:
    """The three figures of a comparison, each with its quartiles."""
    ratio = measured.ratio
    return [
        milliseconds(measured.first),
        milliseconds(measured.second),
        f"{ratio.median:.2f} ({ratio.lower:.2f} to {ratio.upper:.2f})",
    ]
