"""Questions for a vote in class: one is right of four, and each wrong one is something that people believe.

A notebook has its own in QUESTIONS of `chapters/nbNN/questions.py`, and `python course.py questions NN` makes
slides of them. What is believed stands in one list for the whole course, `chapters/misconceptions.toml`, so
that a class's votes can be added up over notebooks.
"""

from collections.abc import Callable
from dataclasses import dataclass

LETTERS = "ABCD"

Shares = tuple[int, int, int, int]  # percent of a class, for A to D


@dataclass(frozen=True)
class Right:
    """The option that is right, and the reason, as a tutor says it in a sentence."""

    text: str
    sentence: str


@dataclass(frozen=True)
class Wrong:
    """An option that is wrong, the name of what is believed by who chooses it, and a tutor's sentence."""

    text: str
    misconception: str
    sentence: str


@dataclass(frozen=True)
class Count:
    """What a class answered: its day, its size, and the shares of both votes, before and after talking."""

    day: str
    size: int
    first: Shares
    second: Shares


@dataclass(frozen=True)
class Question:
    """A question of one notebook, its four options in the order in which they are read: A to D.

    `section` is the number of the notebook's section after which it is asked, 0 before the first. `shows`
    runs what shows the answer: it prints it, and returns the letter that follows from what was computed.
    `seconds` is the time to think before the first vote. `guessed` holds the author's guess of both votes'
    shares, which is no measurement; `counted` takes those of real classes.
    """

    name: str
    section: int
    text: str
    options: tuple[Right | Wrong, Right | Wrong, Right | Wrong, Right | Wrong]
    shows: Callable[[], str]
    seconds: int
    guessed: tuple[Shares, Shares]
    counted: tuple[Count, ...] = ()

    @property
    def right(self) -> str:
        """The letter of the option that is right."""
        [place] = [place for place, option in enumerate(self.options) if isinstance(option, Right)]
        return LETTERS[place]
