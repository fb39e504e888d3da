"""For an exam: exact match and F1 of three answers."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip

ARTICLES = {"a", "an", "the"}
Score = Callable[[Fraction, Fraction], Fraction]  # of precision and recall

#: a reference, the same said otherwise, and answers that share some of its words
PHRASES = (
    ("the old stone bridge", "Old stone bridge", ("an old bridge", "the bridge by the mill", "a bridge")),
    ("a deep blue lake", "The deep blue lake", ("the lake", "a deep lake in the hills", "the blue sea")),
    ("the night train", "a night train", ("the late night train", "a train", "the train to the coast")),
    ("two red kites", "Two red kites.", ("the red kites", "two kites over the river", "a red kite")),
    ("the town of Marlow", "town of Marlow", ("the town", "Marlow", "the old town of the north")),
    ("a wooden boat", "wooden boat", ("the boat", "a small wooden boat of the miller", "the wooden mill")),
)  # fmt: skip


def words_of(text: str, with_articles: bool = False) -> list[str]:
    """The words of an answer in lower case, without punctuation, and without articles if not asked for."""
    words = "".join(letter for letter in text.lower() if letter.isalnum() or letter == " ").split()
    return [word for word in words if with_articles or word not in ARTICLES]


def shared(said: str, right: str, with_articles: bool = False) -> int:
    """How many words stand in both."""
    words, wanted = Counter(words_of(said, with_articles)), Counter(words_of(right, with_articles))
    return (words & wanted).total()


def harmonic(precision: Fraction, recall: Fraction) -> Fraction:
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def arithmetic(precision: Fraction, recall: Fraction) -> Fraction:
    return (precision + recall) / 2


def score(said: str, right: str, with_articles: bool = False, mean: Score = harmonic) -> Fraction:
    """What an answer is worth beside its reference: F1, if the mean is the harmonic one."""
    both = shared(said, right, with_articles)
    words, wanted = words_of(said, with_articles), words_of(right, with_articles)
    return mean(Fraction(both, len(words)), Fraction(both, len(wanted)))


def draw(random: Random) -> ByHand:
    exact = random.choice([1, 2])
    asked = random.sample(PHRASES, 3)
    pairs = [
        (same if place < exact else random.choice(near), right)
        for place, (right, same, near) in enumerate(asked)
    ]
    random.shuffle(pairs)

    def both(matches: int, each: list[Fraction]) -> str:
        return f"EM {Fraction(matches, 3)}, F1 {sum(each) / 3}"

    right = [score(*pair) for pair in pairs]
    as_written = sum(said == wanted for said, wanted in pairs)
    table = "\n".join(f"| {said} | {wanted} |" for said, wanted in pairs)
    counted = [len(words_of(said) + words_of(wanted)) for said, wanted in pairs]
    lines = "\n".join(
        rf"- “{pair[0]}”: $2 \cdot {shared(*pair)} / {count}$, which is {f1}"
        for pair, count, f1 in zip(pairs, counted, right, strict=True)
    )
    return ByHand(
        title="Exact match and F1",
        text=f"""A model answers three questions about a text, each of which has one reference:

| the model says | reference |
|---|---|
{table}

Normalize both as SQuAD's script does. **What are exact match (EM) and F1, each as the mean over the
three questions?** Give both as fractions.""",
        answer=both(exact, right),
        solution=f"""Punctuation, articles and capital letters go first.

{lines}

The answers that are equal after this count for EM: {exact} of 3. F1 is twice the shared words over the
words of both, and its mean is {sum(right) / 3}.""",
        slips=(
            Slip(
                both(as_written, right),
                "The answers were compared as they are written. EM, too, is taken after normalization.",
            ),
            Slip(
                both(exact, [score(*pair, with_articles=True) for pair in pairs]),
                "Articles were counted as words. They are removed before anything is compared.",
            ),
            Slip(
                both(exact, [score(*pair, mean=arithmetic) for pair in pairs]),
                "F1 was taken as the usual mean of precision and recall. It is the harmonic one.",
            ),
        ),
        points=5,
    )
