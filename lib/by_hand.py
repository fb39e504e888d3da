"""Questions that are answered with pen and paper: an exam draws their numbers anew from its seed.

A notebook that has one defines `draw` in `chapters/nbNN/exam.py`. It takes a source of random numbers and
returns a `ByHand`: the text, its answer, how one gets there, and three answers that misconceptions lead to.
Numbers are exact, so that an answer is right or wrong and never nearly right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

Number = int | Fraction
Answer = Number | str  # a text where one number doesn't say it, such as a list of layers

DECIMALS = 4  # a fraction that needs more of them is written as a fraction
MOST_DRAWS = 1000
LARGEST_DENOMINATOR = 100  # of a fraction that one likes to read


@dataclass(frozen=True)
class Slip:
    """A wrong answer that a misconception leads to, and what a tutor says to it in a sentence or two."""

    answer: Answer
    sentence: str


@dataclass(frozen=True)
class ByHand:
    """A question with its numbers. `text` and `solution` are Markdown with formulas between dollars.

    decimals: how many an answer needs; with 0 it is a whole number. unit: what stands behind the number.
    points: about as many as the minutes that it should take.
    """

    title: str
    text: str
    answer: Answer
    solution: str
    slips: tuple[Slip, Slip, Slip]
    points: int
    decimals: int = 0
    unit: str = ""

    @property
    def tolerance(self) -> Fraction:
        """How far a number may lie from the answer: one in the last decimal, cut off or rounded."""
        return Fraction(1, 10**self.decimals) if self.decimals else Fraction(0)

    @property
    def is_fair(self) -> bool:
        """Whether no number is near two of the four answers, or no text two of them."""
        answers = [self.answer, *(slip.answer for slip in self.slips)]
        return all(self._are_told_apart(first, second) for first, second in combinations(answers, 2))

    def _are_told_apart(self, first: Answer, second: Answer) -> bool:
        if isinstance(first, str) or isinstance(second, str):
            return first != second
        return abs(Fraction(first) - Fraction(second)) > 2 * self.tolerance


Draw = Callable[[Random], ByHand]


def drawn(draw: Draw, random: Random) -> ByHand:
    """A fair question: numbers for which a slip happens to give another answer of the four are drawn anew.

    ValueError where that never ends.
    """
    for _ in range(MOST_DRAWS):
        question = draw(random)
        if question.is_fair:
            return question
    raise ValueError(
        f"“{question.title}” has a slip that gives another of its answers in {MOST_DRAWS} draws: mend it."
    )


def plain(number: Number) -> str:
    """A number as people write it: 1,280 or −0.25 or 13/7; an unwieldy one, such as a root, to 3 decimals."""
    number = Fraction(number)
    if 10**DECIMALS % number.denominator == 0:
        text = f"{float(number):,.{DECIMALS}f}".rstrip("0").rstrip(".")
    elif number.denominator <= LARGEST_DENOMINATOR:
        text = str(number)
    else:
        text = f"{float(number):.3f}"
    return text.replace("-", "−")


def tex(number: Number) -> str:
    """A number inside a formula; braces keep a minus at its number."""
    if number < 0:
        return f"{{-{tex(-number)}}}"
    above, _, below = plain(number).replace(",", "{,}").partition("/")
    return rf"\frac{{{above}}}{{{below}}}" if below else above


def tex_row(numbers: Iterable[Number]) -> str:
    """Numbers in parentheses, inside a formula."""
    return "(" + r",\; ".join(map(tex, numbers)) + ")"


def tex_term(number: Number) -> str:
    """A number behind a sign, inside a formula: a negative one in parentheses."""
    return tex(number) if number >= 0 else f"({tex(number)})"
