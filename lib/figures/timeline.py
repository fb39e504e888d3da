"""A timeline: what happened, when, and why it matters, the earliest first."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Event = tuple[str, str, str]  # when ("2013" or "2018-10"), a name, a sentence

MOST_EVENTS = 12
LONGEST = 80  # characters of a sentence, what a line holds
ROW = 0.46  # inches for a name and its sentence
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def draw_timeline(events: Sequence[Event], title: str | None = None, lit: str | None = None) -> "Figure":
    """Draw events in their order: when, a bold name, and a sentence of at most 80 characters.

    An event is `("2018-10", "BERT", "Reads both sides of a gap.")`, or `("2013", ...)` where the month is not
    known; they are sorted, 2 to 12 of them. The rows stand at equal distances, whatever the time between
    them, because a scale of years would tear rows and dates apart. `lit` is the name of the event that all
    this leads to.
    """
    rows = _sorted_events(events, lit)
    with style():
        figure = canvas(9.0, ROW * len(rows) + (0.55 if title else 0.2), title)
        axes = figure.subplots()
        axes.set(xlim=(0, 9), ylim=(len(rows) - 0.4, -0.6))
        axes.axis("off")
        axes.plot([1.3, 1.3], [0, len(rows) - 1], color=QUIET, linewidth=2)
        for row, (_, when, name, sentence) in enumerate(rows):
            color = LIT if name == lit else QUIET
            axes.plot(1.3, row, "o", color=color, markersize=11 if name == lit else 6, zorder=3)
            axes.text(1.1, row, when, ha="right", va="center", fontsize=10.5, color=color)
            axes.text(1.6, row - 0.2, name, va="center", fontweight="bold", color=LIT if name == lit else INK)
            axes.text(1.6, row + 0.2, sentence, va="center", fontsize=10.5, color=INK)
    return figure


def describe_timeline(events: Sequence[Event]) -> str:
    """Say in words what `draw_timeline` shows: each event with its date, its name and its sentence."""
    rows = _sorted_events(events, None)
    told = [f"{when}, {name}: {sentence}" for _, when, name, sentence in rows]
    return f"A timeline of {len(rows)} events. {' '.join(told)}"


def _sorted_events(events: Sequence[Event], lit: str | None) -> list[tuple[float, str, str, str]]:
    """Each event as (year with its fraction, date as it is written, name, sentence), the earliest first."""
    if not 2 <= len(events) <= MOST_EVENTS:
        raise ValueError(f"There are {len(events)} events; a timeline takes 2 to {MOST_EVENTS}.")
    rows = []
    for date, name, sentence in events:
        found = re.fullmatch(r"(\d{4})(?:-(0[1-9]|1[0-2]))?", date)
        if found is None:
            raise ValueError(f"The date {date!r} of {name} should be written as '2018' or '2018-10'.")
        year, month = int(found[1]), int(found[2] or 0)
        when = f"{MONTHS[month - 1]} {year}" if month else f"{year}"
        if len(sentence) > LONGEST:
            raise ValueError(
                f"The sentence of {name} has {len(sentence)} characters; {LONGEST} fit the page."
            )
        rows.append((year + ((month - 0.5) / 12 if month else 0.5), when, name, sentence))
    if lit is not None and lit not in {name for _, _, name, _ in rows}:
        raise ValueError(f"No event is called {lit!r}.")
    return sorted(rows)
