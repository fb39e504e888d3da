"""For an exam: one row of scaled dot-product attention, with a mask."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex

WORDS = ("i", "love", "this", "class")
KEYS = ((2, 0, 0, 0), (0, 0, 2, 0), (0, 0, 0, 0), (0, 2, 0, 0))  # "i" is a person, "class" a thing


def average(shares: list[int], values: list[int], whole: int) -> Fraction:
    """The values, weighted by their shares of a whole."""
    return Fraction(sum(share * value for share, value in zip(shares, values, strict=True)), whole)


def draw(random: Random) -> ByHand:
    person, thing = random.sample([2, 3, 4, 6], 2)  # e to the power of these two scores
    closed = random.choice([0, 3])
    values = [random.randrange(10) for _ in WORDS]
    values[closed] = random.randrange(1, 10)  # with 0 two slips would be one
    exponentials = [person, 1, 1, thing]
    seen = [0 if place == closed else one for place, one in enumerate(exponentials)]
    undivided = [one**2 for one in seen]
    answer = average(seen, values, sum(seen))
    weights = ", ".join(f"${tex(Fraction(one, sum(seen)))}$" for one in seen)
    rows = zip(WORDS, KEYS, values, strict=True)
    table = "\n".join(f"| {word} | {list(key)} | {value} |" for word, key, value in rows)
    return ByHand(
        title="A row of attention",
        text=rf"""A head reads “i love this class”. Its queries and keys have $d = 4$ features, and each
value is one number. The query of “love” is

$$q_{{\text{{love}}}} = [\ln\,{person},\; \ln\,{thing},\; 0,\; 0]$$

| token | key | value |
|---|---|---:|
{table}

A mask forbids “love” to look at “{WORDS[closed]}”. Compute the row of “love” by scaled dot-product
attention: **which number does the head give for “love”?** (Remember that $e^{{\ln\,x}} = x$.)""",
        answer=answer,
        solution=rf"""Divided by $\sqrt d = 2$, the scores of the four tokens are $\ln\,{person}$, $0$, $0$
and $\ln\,{thing}$. The score of “{WORDS[closed]}” becomes −∞. The exponentials are
{", ".join(map(str, seen))}, which sum to {sum(seen)}, so the weights are {weights}. The average of the
values with these weights is ${tex(answer)}$.""",
        slips=(
            Slip(
                average(undivided, values, sum(undivided)),
                "The scores were not divided by √d, which is 2 here.",
            ),
            Slip(
                average(seen, values, sum(exponentials)),
                "The mask was applied after the softmax, so the weights no longer sum to 1. A closed score"
                " becomes −∞ before it.",
            ),
            Slip(
                average(exponentials, values, sum(exponentials)),
                "The mask was forgotten: the closed token still has a weight.",
            ),
        ),
        points=4,
        decimals=2,
    )
