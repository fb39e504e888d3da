"""Agreement across a distance: "The keys to the cabinet are old", with the right verb and the wrong one."""

from __future__ import annotations

import random
from typing import NamedTuple

from lib.text.grammar import lexicon
from lib.text.grammar.events import pick
from lib.text.grammar.syntax import text_of


class AgreementPair(NamedTuple):
    """A sentence whose verb agrees with a noun farther it: "The keys to the cabinet [MASK] old."."""

    words: list[str]  # with "[MASK]" for the verb
    place: int  # of the verb
    right: str
    wrong: str
    subject: str  # the noun that the verb agrees with
    attractor: str  # the nearest noun before the verb, "" where that is the subject
    distance: int  # words between subject and verb
    differs: bool  # the attractor is plural and the subject singular, or the other way round
    kind: str  # "none", "phrase", "two phrases", "relative clause"

    @property
    def text(self) -> str:
        return text_of(self.words)


def agreement_pairs(count: int, seed: int) -> list[AgreementPair]:
    """Sentences whose verb must agree with a noun that does not stand beside it.

    A quarter has nothing between noun and verb, a quarter a phrase, a quarter two phrases, and a quarter a
    relative clause; in half of those the noun between differs in number from the subject. What follows the
    verb fits both numbers.
    """
    rng = random.Random(f"agreement {seed}")
    return [
        _agreement_pair(("none", "phrase", "two phrases", "relative clause")[n % 4], rng)
        for n in range(count)
    ]


BETWEEN = {  # subject: what may stand behind it; each a preposition and a noun
    "key": "to cabinet|to door|to car|to drawer|on desk|in box",
    "picture": "of dog|of child|on wall|of mountain|of ship|near window",
    "book": "on table|about bird|on shelf|about river|near lamp",
    "door": "of house|of barn|behind curtain|to garden|to room",
    "box": "on shelf|near door|under bed|behind chair",
    "letter": "from teacher|about accident|on desk|to friend",
    "tree": "near house|behind school|by river|in park",
    "lamp": "near bed|on desk|behind sofa|by door",
    "boat": "near island|on lake|behind ship|by bridge",
    "road": "through village|to castle|along river|behind farm",
    "roof": "of house|of barn|of cottage|of church",
    "window": "of shop|of car|above door|near stove",
    "house": "on hill|near river|behind church|by lake",
    "cup": "on tray|near plate|in cupboard|on table",
    "coat": "on hook|in closet|on chair|near door",
    "story": "about king|about wolf|in book|about ship",
    "dog": "near gate|with boy|behind fence|on sofa",
    "cat": "on chair|under table|near bird|by stove",
    "horse": "in field|near barn|with farmer|behind fence",
    "bird": "in tree|on roof|near pond|above house",
    "teacher": "with student|near door|from school|behind desk",
    "doctor": "with nurse|from hospital|near patient|by window",
    "boy": "with dog|near tree|behind car|on boat",
    "girl": "with kite|near pond|behind tree|on bench",
    "farmer": "with cow|near barn|with horse|from village",
    "child": "with balloon|near swing|behind door|with puppy",
}
ENDINGS = {  # what follows the verb, for a subject of that kind
    "thing": "old|new|very small|rather heavy|beautiful|not far away|still here|quite dirty|no longer there",
    "living": "tired|hungry|very quiet|rather small|not far away|still here|ready|quite young",
}


def _number(noun: str, plural: bool) -> str:
    return lexicon.plural(noun) if plural else noun


def _agreement_pair(kind: str, rng: random.Random) -> AgreementPair:
    subject = rng.choice(list(BETWEEN))
    many, differs = rng.random() < 0.5, rng.random() < 0.5
    attractors_many = many != differs
    words = ["The", _number(subject, many)]
    attractor = ""
    phrases = rng.sample(BETWEEN[subject].split("|"), 2)
    if kind == "relative clause":
        attractor = pick(rng, "child woman boy girl teacher farmer man nurse")
        while attractor == subject:
            attractor = pick(rng, "child woman boy girl")
        verb = pick(rng, "likes admires knows watches sees loves needs remembers")
        verb = verb if not attractors_many else verb.removesuffix("es") if verb == "watches" else verb[:-1]
        words += ["that", "the", _number(attractor, attractors_many), verb]
    elif kind != "none":
        for phrase in phrases[: 1 if kind == "phrase" else 2]:
            preposition, attractor = phrase.split()
            words += [preposition, "the", _number(attractor, attractors_many)]
    living = lexicon.TYPES.get(lexicon.NOUN_IN_KIND.get(subject, ""), "thing") in ("person", "animal")
    singular, plural_form = rng.choice([("is", "are"), ("is", "are"), ("was", "were")])
    right, wrong = (plural_form, singular) if many else (singular, plural_form)
    ending = rng.choice(ENDINGS["living" if living else "thing"].split("|")).split()
    place = len(words)
    return AgreementPair(
        [*words, "[MASK]", *ending, "."],
        place,
        right,
        wrong,
        words[1],
        _number(attractor, attractors_many) if attractor else "",
        place - 2,
        bool(attractor) and differs,
        kind,
    )
